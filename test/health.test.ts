// Health addresses: open to all, true to the database, and silent about where it is.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { createServer, connect, type Socket } from 'node:net'
import { createPool } from '../src/postgres/pool.ts'
import type { Json } from './document-check.ts'
import { exchange } from './raw-http.ts'
import { freshDatabase } from './fresh-database.ts'
import { startService, type Service } from './service.ts'

let service: Service
before(async () => void (service = await startService()))
after(() => service.stop())

const errorOf = (text: string): unknown => (JSON.parse(text) as Json)['error']

test('both answer without a key, in the form that the document says', async () => {
  for (const [path, status] of [
    ['/livez', 'live'],
    ['/readyz', 'ready'],
  ] as const) {
    const answer = await service.ask(path, { headers: { 'x-api-key': '' } })
    assert.deepEqual([answer.status, JSON.parse(answer.text)], [200, { status }])
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.equal((await service.ask(path, { method: 'HEAD' })).status, 200)
    assert.equal((await service.ask(path, { method: 'POST' })).status, 405)
    assert.equal((await service.ask(`${path}?x=1`)).status, 400)
  }
})

test('a schema of another release is not ready, and is told apart from a database that is away', async () => {
  const { checksum } = (
    await service.pool.query<{ checksum: string }>('select checksum from schema_migrations where number = 1')
  ).rows[0]!
  await service.pool.query(`update schema_migrations set checksum = 'another' where number = 1`)
  const refused = await service.ask('/readyz')
  assert.equal(refused.status, 503)
  assert.match(String(errorOf(refused.text)), /^Not ready: the schema /)
  assert.equal(refused.headers['retry-after'], '1')
  await service.pool.query('update schema_migrations set checksum = $1 where number = 1', [checksum])
  assert.equal((await service.ask('/readyz')).status, 200)
})

/** A way to a database that can be stopped up: what is sent is then neither answered nor refused. */
async function startTap(socketPath: string) {
  const ends = new Set<Socket>()
  let isOpen = true
  const server = createServer((client) => {
    const upstream = connect(socketPath)
    for (const end of [client, upstream]) {
      ends.add(end)
      end.on('error', () => undefined)
      end.on('close', () => ends.delete(end))
    }
    client.on('data', (data) => isOpen && upstream.write(data))
    upstream.on('data', (data) => client.write(data))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { readonly port: number }
  return {
    port,
    stopUp: () => (isOpen = false),
    cut: () => {
      for (const end of ends) end.destroy()
      server.close()
    },
  }
}

test('a silent database is not ready after a second, a lost one at once, and the process lives on', async (t) => {
  const { connection } = await freshDatabase()
  const tap = await startTap(`${connection.host}/.s.PGSQL.${connection.port}`)
  const tapped = createPool({ ...connection, host: '127.0.0.1', port: tap.port }, {}, () => undefined)
  const { server, stop } = await startService({ pool: tapped })
  t.after(async () => {
    tap.cut()
    await stop()
    await tapped.end()
  })
  const { url } = server
  assert.equal((await exchange(url, '/readyz')).status, 200)

  tap.stopUp()
  const timed = async <Result>(work: () => Promise<Result>) => {
    const askedAt = performance.now()
    return { result: await work(), took: performance.now() - askedAt }
  }
  const alone = await timed(() => exchange(url, '/readyz'))
  // Many at once, and not one connection more: those who ask need no key. Beside theirs there are two that look for
  // files to import, and one each that looks for what to fold, for restatements, for webhooks and for PACT events.
  const together = await timed(() => Promise.all(Array.from({ length: 40 }, () => exchange(url, '/readyz'))))
  // They wait for one second together, not for one after the other, which would be 40 times as long.
  assert.ok(alone.took > 900 && together.took < 10 * alone.took, `${alone.took} and ${together.took} ms`)
  for (const { status, text } of [alone.result, ...together.result]) {
    assert.equal(status, 503)
    assert.equal(errorOf(text), 'Not ready: the database does not answer within a second')
  }
  assert.ok(tapped.totalCount <= 7, `${tapped.totalCount} connections`)
  assert.equal((await exchange(url, '/livez')).status, 200)

  tap.cut()
  assert.equal((await exchange(url, '/readyz')).status, 503)
  assert.equal((await exchange(url, '/livez')).status, 200)
})
