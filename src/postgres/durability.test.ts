// Tests that servers without durable commits are rejected at start, and that pool connections keep exact values and
// survive the loss of a server.
import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import pg from 'pg'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkDurability } from './durability.ts'
import { createPool } from './pool.ts'
import { startServer } from './embedded/server.ts'

const directory = mkdtempSync(join(tmpdir(), 'cradle-test-'))
chmodSync(directory, 0o711)
const server = await startServer({ dataDirectory: directory, settings: { fsync: 'off' } })
const pool = createPool(server.connection, {}, () => {})

after(async () => {
  await pool.end()
  await server.stop()
  rmSync(directory, { recursive: true, force: true })
})

test('a server with fsync=off, full_page_writes=off or an old version is refused, naming each fault', async () => {
  await assert.rejects(checkDurability(pool), /fsync=off: a power cut .* Set fsync=on/)
  const answering = (row: object) => ({ query: () => Promise.resolve({ rows: [row] }) }) as unknown as pg.Pool
  const good = {
    fsync: 'on',
    fullPageWrites: 'on',
    synchronousCommit: 'on',
    synchronousStandbys: '',
    versionNumber: 180_004,
  }
  for (const synchronousCommit of ['on', 'local', 'remote_write', 'remote_apply']) {
    await checkDurability(answering({ ...good, synchronousCommit }))
  }
  const named = { ...good, synchronousStandbys: 'replica' }
  for (const synchronousCommit of ['on', 'remote_write', 'remote_apply']) {
    await checkDurability(answering({ ...named, synchronousCommit }))
  }
  await assert.rejects(checkDurability(answering({ ...named, synchronousCommit: 'local' })), /waits for none of them/)
  await assert.rejects(checkDurability(answering({ ...good, fullPageWrites: 'off' })), /full_page_writes=off/)
  await assert.rejects(checkDurability(answering({ ...good, versionNumber: 140_012 })), /14; Cradle needs 15/)
})

test('synchronous_commit=off set only for the role is seen and refused', async () => {
  await pool.query('alter role cradle set synchronous_commit = off')
  const other = createPool(server.connection)
  await assert.rejects(checkDurability(other), /synchronous_commit=off/)
  await other.end()
  await pool.query('alter role cradle reset synchronous_commit')
})

test('int8 arrives as BigInt and days as text, in this pool only', async () => {
  const { rows } = await pool.query(`select 9007199254740993 as big, date '2024-02-29' as day, 1 as small`)
  assert.deepEqual(rows, [{ big: 9007199254740993n, day: '2024-02-29', small: 1 }])
  assert.equal((pg.types.getTypeParser(20) as (text: string) => unknown)('1'), '1')
})

test('a statement over its limit is ended by the server, and the pool goes on', async () => {
  const hasty = createPool(server.connection, { statementMilliseconds: 500 })
  await assert.rejects(hasty.query('select pg_sleep(5)'), { code: '57014' })
  assert.equal((await hasty.query('select 1 as one')).rowCount, 1)
  await hasty.end()
})

test('a connection lost while idle is reported and does not end the process', async () => {
  const said: string[] = []
  const other = createPool(server.connection, {}, (sentence) => said.push(sentence))
  const {
    rows: [me],
  } = await other.query<{ pid: number }>('select pg_backend_pid() as pid')
  const lost = once(other, 'error')
  await pool.query('select pg_terminate_backend($1)', [me!.pid])
  await lost
  assert.match(said.join(), /Lost an idle connection to the database/)
  assert.equal((await other.query('select 1')).rowCount, 1)
  await other.end()
})

test('a server that accepts and never answers is given up in time', async () => {
  const silent = createServer(() => {})
    .listen(0, '127.0.0.1')
    .unref()
  await once(silent, 'listening')
  const { port } = silent.address() as { port: number }
  const givenUp: number[] = []
  const giveUpAfter = async (connectMilliseconds: number) => {
    const stuck = createPool(`postgres://cradle:x@127.0.0.1:${port}/cradle`, { connectMilliseconds })
    await assert.rejects(stuck.query('select 1'), /timeout/)
    givenUp.push(connectMilliseconds)
  }
  await Promise.all([giveUpAfter(1_000), giveUpAfter(200)])
  assert.deepEqual(givenUp, [200, 1_000])
})
