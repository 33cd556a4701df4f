// Backups: of one moment under load, whole after a restore, and no database half restored.
import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { existsSync, lstatSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { EXAMPLE_ORDER } from '../src/http/schemas/examples.ts'
import { backup } from '../src/postgres/backup/backup.ts'
import { decodeFrames, type Manifest } from '../src/postgres/backup/format.ts'
import { createPool } from '../src/postgres/pool.ts'
import { cradle, freshDirectory, serve, type Serving } from './command.ts'
import { urlOf } from './database-url.ts'
import { closeConnections, exchange } from './raw-http.ts'
import { startFaultProxy } from './fault-injection/fault-proxy.ts'
import { durableDatabase, durableMigratedDatabase, freshMigratedDatabase } from './fresh-database.ts'
import { startService, type Service } from './service.ts'

const root = freshDirectory()
const FILE = join(root, 'cradle.backup')
const services: Serving[] = []
after(async () => {
  closeConnections()
  // A test that failed has left its service running.
  for (const { end } of services) await end('SIGKILL')
  rmSync(root, { recursive: true, force: true, maxRetries: 20 })
})

async function start(environment: Readonly<Record<string, string>>): Promise<Serving> {
  const serving = await serve(environment)
  services.push(serving)
  return serving
}

/** Posts orders until it is told to stop; some share a device, so that ledgers grow while they are read. */
function startLoad(address: string, key: string) {
  let isOver = false
  const answered: string[] = []
  const send = async (sender: number) => {
    for (let at = 0; !isOver; at += 1) {
      const id = `order-${sender}-${at}`
      const item = structuredClone(EXAMPLE_ORDER.items![0]) as { config: Record<string, unknown> }
      item.config['serial_number'] = at % 5 === 0 ? `shared-${sender}` : `${sender}-${at}`
      const { status } = await exchange(address, '/api/customer-orders', {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ ...EXAMPLE_ORDER, order_id: id, items: [item] }),
      })
      if (status === 200) answered.push(id)
    }
  }
  const senders = Promise.all(Array.from({ length: 4 }, (_, sender) => send(sender)))
  return {
    answered,
    end: async () => {
      isOver = true
      await senders
    },
  }
}

const countsIn = (printed: string) =>
  Object.fromEntries([...printed.matchAll(/^(\w+) (\d+)$/gm)].map(([, name, count]) => [name!, Number(count)]))

test('a backup under load is restored into a new database whole: counts of one moment, all verified', async () => {
  const environment = { CRADLE_DATA_DIR: join(root, 'busy') }
  const serving = await start(environment)
  const key = /cradle_[0-9A-Za-z]{38}/.exec(serving.printed)![0]
  const load = startLoad(serving.address, key)
  while (load.answered.length < 200) await new Promise((resolve) => setTimeout(resolve, 20))
  const before = [...load.answered]
  const elsewhere = join(root, 'elsewhere')
  writeFileSync(elsewhere, 'not of Cradle', { mode: 0o644 })
  symlinkSync(elsewhere, `${FILE}.partial`)
  const backup = await cradle(['backup', FILE], environment)
  const during = load.answered.length
  await load.end()
  assert.equal(backup.code, 0, backup.stderr)
  assert.ok(during > before.length, 'nothing was written meanwhile')
  assert.equal(lstatSync(FILE).isFile(), true)
  assert.equal(statSync(FILE).mode & 0o777, 0o600)
  assert.equal(readFileSync(elsewhere, 'utf8'), 'not of Cradle')
  assert.equal(existsSync(`${FILE}.partial`), false)
  const again = await cradle(['backup', FILE], environment)
  assert.deepEqual([again.code, /replaces nothing/.test(again.stderr)], [1, true])
  assert.equal((await cradle(['backup', '-'], environment)).code, 1)

  const other = { CRADLE_DATA_DIR: join(root, 'restored') }
  const restored = await cradle(['restore', FILE], other)
  assert.equal(restored.code, 0, restored.stderr)
  const counts = countsIn(backup.stdout)
  assert.deepEqual(countsIn(restored.stdout), counts)
  assert.ok(counts['orders']! >= before.length && counts['orders']! <= load.answered.length)
  const verified = await cradle(['verify', '--all'], other)
  assert.equal(verified.code, 0, verified.stdout)
  const { accounts, entries, orders } = countsIn(verified.stdout)
  assert.deepEqual(
    { accounts, entries, orders },
    { accounts: counts['accounts'], entries: counts['entries'], orders: counts['orders'] },
  )
  assert.equal(await serving.end('SIGTERM'), 'stopped')
  await checkServes(other, key, before)
})

/** The key of the first database works, orders are replayed, and new ones get new numbers. */
async function checkServes(environment: Readonly<Record<string, string>>, key: string, orders: readonly string[]) {
  const serving = await start(environment)
  const headers = { 'x-api-key': key }
  for (const id of orders) {
    const path = `/api/customer-orders/${EXAMPLE_ORDER.customer_id}/${id}`
    assert.equal((await exchange(serving.address, path, { headers })).status, 200, id)
  }
  assert.match((await cradle(['keys', 'create', '--account', 'after'], environment)).stdout, /^cradle_/)
  const refused = await cradle(['restore', FILE], environment)
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /^cradle: The database is not empty: it has \w+/)
  closeConnections()
  assert.equal(await serving.end('SIGTERM'), 'stopped')
}

async function tablesOf(pool: Service['pool']): Promise<readonly unknown[]> {
  const text = `select relname from pg_class where relnamespace = 'public'::regnamespace`
  return (await pool.query<Record<string, unknown>>(text)).rows
}

test('a backup that was cut, damaged or changed restores nothing at all, and says why', async () => {
  const whole = readFileSync(FILE)
  const plain = gunzipSync(whole)
  const flipped = Buffer.from(whole)
  flipped[Math.floor(whole.length / 2)]! ^= 0x10
  const at = plain.indexOf('order-0-3\t')
  assert.ok(at > 0)
  const changed = Buffer.from(plain)
  changed.write('order-0-X', at)
  const { connection, pool } = await durableDatabase()
  const environment = { DATABASE_URL: urlOf(connection) }
  const damaged: readonly (readonly [Buffer, RegExp])[] = [
    [whole.subarray(0, Math.floor(whole.length / 2)), /is damaged, or no backup of Cradle/],
    [flipped, /is damaged, or no backup of Cradle|of the backup/],
    [gzipSync(plain.subarray(0, plain.length - 10)), /ends in the middle/],
    [gzipSync(plain.subarray(0, plain.lastIndexOf(Buffer.from([0x4d, 0, 0])))), /ends before its manifest/],
    [gzipSync(changed), /The table \w+ of the backup has \d+ rows with the hash/],
    [Buffer.from('select 1;\n'), /is damaged, or no backup of Cradle/],
    [gzipSync(''), /does not say what it is/],
  ]
  const file = join(root, 'damaged.backup')
  for (const [bytes, sentence] of damaged) {
    writeFileSync(file, bytes)
    const { code, stderr } = await cradle(['restore', file], environment)
    assert.equal(code, 1)
    assert.match(stderr, sentence)
    assert.deepEqual(await tablesOf(pool), [], String(sentence))
  }
  // What was refused leaves the database as it was: the whole backup fits into it.
  const { code, stderr } = await cradle(['restore', FILE], environment)
  assert.equal(code, 0, stderr)
})

test('texts that mean something to COPY, a shell or a terminal come back as they were', async () => {
  const { connection, pool } = await durableMigratedDatabase()
  const service = await startService({ pool })
  const texts = ['a\tb', 'back\\slash', '\\.', '\\N', 'emoji 😀', 'quote " \' $1', 'e\u0301'.normalize('NFC')]
  for (const [at, text] of texts.entries()) {
    await service.pool.query('insert into accounts (name) values ($1)', [`${text} ${at}\n\\.\n`])
  }
  const file = join(root, 'texts.backup')
  const source = { DATABASE_URL: urlOf(connection) }
  const backup = await cradle(['backup', file], source)
  assert.equal(backup.code, 0, backup.stderr)
  const target = await durableDatabase()
  const restored = await cradle(['restore', file], { DATABASE_URL: urlOf(target.connection) })
  assert.equal(restored.code, 0, restored.stderr)
  const names = 'select account_id, name, created_at from accounts order by account_id'
  assert.deepEqual((await target.pool.query(names)).rows, (await service.pool.query(names)).rows)
  const next = await target.pool.query<{ account_id: number }>(
    `insert into accounts (name) values ('next') returning account_id`,
  )
  assert.equal(next.rows[0]!.account_id, texts.length + 2)
  await service.stop()
})

test('rows are counted even where the server tells their count after the last of them', async (t) => {
  const { connection, pool } = await freshMigratedDatabase()
  await pool.query(`insert into accounts (name) select 'account ' || n from generate_series(1, 60) n`)
  const proxy = await startFaultProxy(join(connection.host, `.s.PGSQL.${connection.port}`), Math.random)
  proxy.set({ kind: 'late-count', milliseconds: 20 })
  const through = createPool({ ...connection, host: '127.0.0.1', port: proxy.port }, {}, () => {})
  t.after(async () => {
    await through.end()
    await proxy.refuse()
  })
  let manifest: Manifest | undefined
  for await (const { kind, payload } of decodeFrames(backup(through, '0.0.0')))
    if (kind === 'manifest') manifest = JSON.parse(payload.toString()) as Manifest
  assert.equal(manifest?.tables.find(({ name }) => name === 'accounts')?.rows, 60)
})
