// Lists from a replica that follows by streaming: never less than what was acknowledged, and served without it too.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Pool } from 'pg'
import { verifyAll } from '../src/cli/verify.ts'
import { createMetrics } from '../src/observability/metrics.ts'
import { backup } from '../src/postgres/backup/backup.ts'
import type { ConnectionSettings } from '../src/postgres/embedded/connection-file.ts'
import { migrate, readMigrations } from '../src/postgres/migrations.ts'
import { createPool, type PoolLimits } from '../src/postgres/pool.ts'
import { createReplicaReads, replicationLag, type ReadSource } from '../src/postgres/read-replica.ts'
import { cradle, until } from './command.ts'
import { urlOf } from './database-url.ts'
import type { Json } from './document-check.ts'
import { exchange } from './raw-http.ts'
import { keepLog } from './captured-log.ts'
import { ORDERS, order } from './order-client.ts'
import {
  askServer,
  commitOnBoth,
  promote,
  removePlaced,
  socketOf,
  startPlaced,
  startReplica,
  type PlacedServer,
} from './replica-server.ts'
import { startService, type Service } from './service.ts'
import { startFaultProxy, type FaultProxy } from './fault-injection/fault-proxy.ts'

let first: PlacedServer
let second: PlacedServer
let third: readonly PlacedServer[] = []
/** Before the second one. */
let proxy: FaultProxy
let [pool, replica]: Pool[] = []
let service: Service
let url = ''
let key = ''
const metrics = createMetrics(false)
const log = keepLog('warn')
const opened: Pool[] = []

function open(target: ConnectionSettings | string, limits: Partial<PoolLimits> = {}): Pool {
  const made = createPool(target, limits, () => undefined)
  opened.push(made)
  return made
}

before(async () => {
  first = await startPlaced()
  pool = open(first.server.connection)
  await migrate(pool, readMigrations())
  second = await startReplica(first)
  proxy = await startFaultProxy(socketOf(second.server.connection), Math.random)
  replica = open({ ...second.server.connection, host: '127.0.0.1', port: proxy.port })
  service = await startService({ pool, logger: log.logger, settings: { metrics, replica } })
  ;({ key } = service)
  ;({ url } = service.server)
})

after(async () => {
  await service.stop()
  await Promise.all(opened.map((one) => one.end()))
  await proxy.refuse()
  await Promise.all([first, second, ...third].map(removePlaced))
})

/** How many pages of lists the metrics say came from there. */
async function readsFrom(from: ReadSource): Promise<number> {
  const found = new RegExp(`^cradle_db_reads_total\\{source="${from}"\\} (\\d+)$`, 'm').exec(await metrics.text())
  return Number(found?.[1] ?? 0)
}

async function get(path: string): Promise<readonly Json[]> {
  const { status, text } = await exchange(url, path, { headers: { 'x-api-key': key } })
  assert.equal(status, 200, text)
  return JSON.parse(text) as readonly Json[]
}

/** Stores an order and asks for the list at once. @returns whether it stands there */
async function isListedAtOnce(customer: string): Promise<boolean> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const body = JSON.stringify(order(customer, 'one', [`${customer}-device`]))
  assert.equal((await exchange(url, ORDERS, { method: 'POST', headers, body })).status, 200)
  return (await get(`${ORDERS}?customer_id=${customer}`)).length === 1
}

test('lists are read from the replica, and an order that was acknowledged stands in the next one', async () => {
  for (let at = 0; at < 30; at += 1) assert.ok(await isListedAtOnce(`fresh-${at}`))
  await get('/api/products')
  assert.equal((await readsFrom('replica')) + (await readsFrom('fallback')), 31)
  assert.ok((await readsFrom('replica')) > 0)
})

test('reports are read from the replica, and nothing is told of one that answers', async () => {
  const before = await readsFrom('replica')
  await Promise.all(Array.from({ length: 4 }, () => get('/api/reports/emissions?group_by=month')))
  assert.equal(await readsFrom('replica'), before + 4)
  assert.deepEqual(log.lines, [])
})

test('a replica that falls behind is passed over: the list is whole', async () => {
  const before = await readsFrom('fallback')
  await replica!.query('select pg_wal_replay_pause()')
  assert.ok(await isListedAtOnce('behind'))
  assert.equal(await readsFrom('fallback'), before + 1)
  assert.ok((await replicationLag(pool!, replica!))! > 0)
  await replica!.query('select pg_wal_replay_resume()')
  assert.ok(await isListedAtOnce('resumed'))
})

test('what is no replica of the database is told from one, and nothing is read from it', async () => {
  assert.equal(await replicationLag(pool!, pool!), null)
  assert.equal(await replicationLag(pool!, open({ ...second.server.connection, database: 'postgres' })), null)
})

test('a user without any privilege may ask how far behind the replica is', async () => {
  await pool!.query(`create role plain login password 'plain'`)
  const as = ({ server }: PlacedServer) => open({ ...server.connection, user: 'plain', password: 'plain' })
  await until(
    async () => (await replicationLag(pool!, replica!))! <= 0,
    () => 'The replica stays behind',
  )
  assert.equal(typeof (await replicationLag(as(first), as(second))), 'number')
})

test('everything can be verified and backed up from the replica', async () => {
  const { lines, differences, counts } = await verifyAll(replica!)
  assert.deepEqual([lines, differences], [[], 0])
  assert.ok(counts.orders > 30)
  let bytes = 0
  for await (const chunk of backup(replica!, '0.0.0')) bytes += chunk.length
  assert.ok(bytes > 0)
})

test('the doctor says how far behind the replica is, and a service refuses to start on one alone', async () => {
  const [main, copy] = [urlOf(first.server.connection), urlOf(second.server.connection)]
  const found = await cradle(['doctor'], { DATABASE_URL: main, DATABASE_REPLICA_URL: copy })
  assert.match(found.stdout, /^right +replica +\d+ bytes of the log of changes behind$/m)
  const wrong = await cradle(['doctor'], { DATABASE_URL: main, DATABASE_REPLICA_URL: main })
  assert.match(wrong.stdout, /^wrong +replica +DATABASE_REPLICA_URL names no replica of this database/m)
  const alone = await cradle(['doctor'], { DATABASE_URL: copy })
  assert.equal(alone.code, 1)
  assert.match(alone.stdout, /^wrong +postgresql +DATABASE_URL names a replica, which stores nothing/m)
  const { code, stderr } = await cradle(['serve'], { DATABASE_URL: copy })
  assert.equal(code, 1)
  assert.match(stderr, /DATABASE_URL names a replica, which stores nothing/)
})

test('a replica that is silent or away is left alone: lists and reports are whole, the service is ready', async () => {
  const before = await readsFrom('fallback')
  proxy.set({ kind: 'black-hole' })
  await get('/api/reports/emissions?group_by=month')
  assert.deepEqual(
    log.lines.map(({ msg }) => msg),
    ['The replica is passed over'],
  )
  assert.ok(await isListedAtOnce('silent'))
  await proxy.refuse()
  assert.ok(await isListedAtOnce('away'))
  assert.equal(await readsFrom('fallback'), before + 3)
  assert.equal(log.lines.length, 1)
  assert.equal((await exchange(url, '/readyz')).status, 200)
  const told: (readonly [ReadSource, string | undefined])[] = []
  const nowhere = open('postgres://nobody@127.0.0.1:1/nowhere')
  const longReads = createReplicaReads(pool!, nowhere, (from, why) => told.push([from, why?.name]))
  for (let at = 0; at < 2; at += 1)
    assert.equal((await longReads((connection) => connection.query('select'))).rowCount, 1)
  assert.deepEqual(told, [
    ['fallback', 'Error'],
    ['fallback', undefined],
  ])
})

test('what commits on both is answered 503 as long as the replica lacks it, and is stored once', async () => {
  await commitOnBoth(first)
  await askServer(second.server.connection, `alter system set primary_conninfo = ''`)
  await askServer(second.server.connection, 'select pg_reload_conf()')
  // The server’s own limit comes first, as it does in operation: it must not end the wait with a success.
  const impatient = open(first.server.connection, { statementMilliseconds: 300, answerMilliseconds: 1_000 })
  const waiting = await startService({ beside: { ...service, pool: impatient } })
  const send = () => {
    const headers = { 'x-api-key': key }
    return waiting.server.app.inject({
      method: 'POST',
      url: ORDERS,
      headers,
      payload: order('both', 'one', ['both-device']),
    })
  }
  const refused = await send()
  assert.equal(refused.statusCode, 503, refused.body)
  await askServer(first.server.connection, `alter system set synchronous_standby_names = ''`)
  await askServer(first.server.connection, 'select pg_reload_conf()')
  const sentAgain = await send()
  assert.equal(sentAgain.statusCode, 200, sentAgain.body)
  await waiting.stop()
  assert.equal((await get(`${ORDERS}?customer_id=both`)).length, 1)
})

test('a replica that has what the database that took over never had is passed over', async () => {
  const other = await startReplica(first)
  third = [other]
  // A file of the log of changes that the second one, which hears nothing more, never saw.
  await pool!.query('select pg_switch_wal()')
  await pool!.query(`create role seen_by_the_third`)
  const stale = open(other.server.connection)
  await until(
    async () => (await replicationLag(pool!, stale)) === 0,
    () => 'The third one does not follow',
  )
  await first.server.stop()
  await promote(second)
  const taken = open(second.server.connection)
  const { rows } = await taken.query<{ readonly lsn: string }>('select pg_current_wal_flush_lsn()::text as lsn')
  const ahead = await stale.query(`select where pg_last_wal_replay_lsn() > '${rows[0]!.lsn}'`)
  assert.equal(ahead.rowCount, 1)
  assert.equal(await replicationLag(taken, stale), null)
})
