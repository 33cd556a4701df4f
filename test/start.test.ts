// The program from its first start to its end: what it prints works, what it stored stays, and nothing is left running.
import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { cradle, freshDirectory, serve, startServe, until, waitingAddress } from './command.ts'
import { urlOf } from './database-url.ts'
import { durableDatabase, durableMigratedDatabase } from './fresh-database.ts'

const root = freshDirectory()
const environment = { CRADLE_DATA_DIR: join(root, 'data') }
after(() => rmSync(root, { recursive: true, force: true, maxRetries: 20 }))

/** Nobody listens on this port. */
const NOT_THERE = 'postgres://nobody:secret-word@127.0.0.1:1/none'

const run = (command: string) => JSON.parse(execFileSync('bash', ['-c', command], { encoding: 'utf8' })) as Answer
const curlIn = (printed: string): string => /^curl .*$/m.exec(printed)![0]

interface Answer {
  readonly total_emission: number
  readonly items: readonly { readonly emission_breakdown: Readonly<Record<string, { readonly emission: number }>> }[]
}

/** Processes whose command line names the data directory: PostgreSQL, and what watches over it. */
const leftovers = (): readonly string[] =>
  readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(root))

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

async function statusAt(address: string, path: string, sent: RequestInit = {}): Promise<readonly [number, string]> {
  const answer = await fetch(address + path, sent)
  return [answer.status, await answer.text()]
}

let curl = ''
let first: Answer

test('the first start prints an address, a key and a curl that works as it stands', async () => {
  const { printed, address, end, child } = await serve(environment)
  assert.match(printed, /The account "demo" is new\. Its key is shown this once:\n\n {2}cradle_[0-9A-Za-z]{38}\n/)
  curl = curlIn(printed)
  assert.ok(curl.includes(address))
  first = run(curl)
  const { product_embodied_emission: embodied, product_use: use } = first.items[0]!.emission_breakdown
  assert.deepEqual([embodied!.emission, use!.emission], [6.834375, 1.603125])

  const second = await cradle(['serve'], environment)
  assert.equal(second.code, 1)
  assert.match(second.stderr, new RegExp(`already in use by process ${child.pid}\\b`))
  assert.equal(second.stderr.trim().split('\n').length, 1)

  assert.ok(leftovers().length > 0)
  assert.equal(await end('SIGTERM'), 'stopped')
  assert.deepEqual(leftovers(), [])
})

test('a later start prints no key, and the order is still there', async () => {
  const { printed, address, end, child } = await serve(environment)
  assert.doesNotMatch(printed, /cradle_[0-9A-Za-z]{38}/)
  assert.deepEqual(run(curl.replace(/http:\/\/127\.0\.0\.1:\d+/, address)), first)
  // As on Ctrl-C, which npm passes on to who was told already.
  child.kill('SIGINT')
  assert.equal(await end('SIGINT'), 'stopped')
  assert.deepEqual(leftovers(), [])
})

test('killed, it leaves no PostgreSQL behind, and the next start has all that was answered', async () => {
  const killed = await serve(environment)
  assert.deepEqual(run(curl.replace(/http:\/\/127\.0\.0\.1:\d+/, killed.address)), first)
  await killed.end('SIGKILL')
  await until(
    () => leftovers().length === 0,
    () => `still running: ${leftovers().map(commandOf).join(' | ')}`,
  )
  const next = await serve(environment)
  assert.deepEqual(run(curl.replace(/http:\/\/127\.0\.0\.1:\d+/, next.address)), first)
  assert.equal(await next.end('SIGTERM'), 'stopped')
})

test('with DATABASE_URL it serves from that server, and keeps no data directory', async () => {
  const { connection } = await durableDatabase()
  const elsewhere = { DATABASE_URL: urlOf(connection), CRADLE_DATA_DIR: join(root, 'unused') }
  const { printed, end } = await serve(elsewhere)
  assert.deepEqual(run(curlIn(printed)).total_emission, first.total_emission)
  assert.doesNotMatch(printed, new RegExp(connection.password))
  assert.match((await cradle(['keys', 'create', '--account', 'x'], elsewhere)).stdout, /^cradle_\w{38}\n$/)
  assert.equal(await end('SIGTERM'), 'stopped')
  assert.equal(readdirSync(root).includes('unused'), false)
})

test('what cannot work is told in a sentence, with exit code 1', async () => {
  const port = await cradle(['serve'], { ...environment, CRADLE_PORT: '99999' })
  assert.deepEqual([port.code, port.stdout], [1, ''])
  assert.match(port.stderr, /CRADLE_PORT must be a port from 0 to 65535/)
  const { connection } = await durableDatabase()
  for (const [other, reason] of [
    [{ ...connection, password: 'secret-word' }, /password authentication failed/],
    [{ ...connection, database: 'none' }, /database "none" does not exist/],
  ] as const) {
    const refused = await cradle(['serve'], { DATABASE_URL: urlOf(other) })
    assert.deepEqual([refused.code, refused.stdout], [1, ''])
    assert.match(refused.stderr, /^cradle: The database cannot be reached: .*Check DATABASE_URL\.\n$/)
    assert.match(refused.stderr, reason)
    assert.doesNotMatch(refused.stderr, /secret-word/)
  }
  const key = await cradle(['keys', 'create', '--account', 'x'], { DATABASE_URL: NOT_THERE })
  assert.deepEqual([key.code, key.stdout], [1, ''])
  assert.match(key.stderr, /The database cannot be reached: .*Check DATABASE_URL\.\n$/)
  assert.doesNotMatch(key.stderr, /\n\s+at |secret-word/)
})

test('a database that is not there yet is waited for, in a sentence, until a signal ends the wait', async () => {
  const waiting = startServe({ DATABASE_URL: NOT_THERE })
  const address = await waitingAddress(waiting)
  assert.deepEqual(await statusAt(address, '/livez'), [200, '{"status":"live"}'])
  assert.equal((await statusAt(address, '/readyz'))[0], 503)
  const [status, text] = await statusAt(address, '/api/customer-orders', { method: 'POST', body: '{' })
  assert.equal(status, 503)
  assert.equal((JSON.parse(text) as { readonly code: string }).code, 'unavailable')
  assert.match(waiting.complaints(), /^The database cannot be reached: connect ECONNREFUSED .*\. Waiting for it; .*\n$/)
  assert.doesNotMatch(waiting.complaints(), /secret-word/)
  // As a browser does: a connection on which nothing is ever asked.
  const silent = connect(Number(new URL(address).port), '127.0.0.1')
  await once(silent, 'connect')
  assert.equal(await waiting.end('SIGTERM'), 0)
  silent.destroy()
})

test('a start that fails once it listens, since the database takes no account, ends with a sentence', async () => {
  const { pool, connection } = await durableMigratedDatabase()
  await pool.query(`create function refuse() returns trigger language plpgsql
    as $$ begin raise exception 'no account today'; end $$`)
  await pool.query('create trigger refuse before insert on accounts for each row execute function refuse()')
  const refused = await cradle(['serve'], { DATABASE_URL: urlOf(connection), CRADLE_METRICS_PORT: '0' })
  assert.deepEqual([refused.code, refused.stderr], [1, 'cradle: no account today\n'])
})

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

test('of two starts at one port, one serves, and the other says so and makes no database', async () => {
  const CRADLE_PORT = String(await freePort())
  const names = ['one', 'other']
  const starts = names.map((name) => startServe({ CRADLE_DATA_DIR: join(root, name), CRADLE_PORT }))
  const served = await Promise.allSettled(starts.map(({ ready }) => ready()))
  const refused = served.findIndex(({ status }) => status === 'rejected')
  assert.equal(served.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.match(starts[refused]!.complaints(), new RegExp(`^cradle: Port ${CRADLE_PORT} of 127.0.0.1 is in use; set`))
  assert.ok(!existsSync(join(root, names[refused]!)))
  assert.equal(await starts[1 - refused]!.end('SIGTERM'), 'stopped')
})

test('a port that is in use is told in a sentence before a database is made', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const place = { CRADLE_DATA_DIR: join(root, 'second') }
  try {
    for (const [variable, where] of [
      ['CRADLE_PORT', place],
      ['CRADLE_METRICS_PORT', place],
      ['CRADLE_PORT', { DATABASE_URL: NOT_THERE }],
    ] as const) {
      const refused = await cradle(['serve'], { ...where, [variable]: String(port) })
      assert.deepEqual([refused.code, refused.stdout], [1, ''])
      assert.match(
        refused.stderr,
        new RegExp(`^cradle: Port ${port} of 127.0.0.1 is in use; set ${variable} to .*\\n$`),
      )
    }
    assert.ok(!existsSync(place.CRADLE_DATA_DIR))
  } finally {
    other.close()
  }
  const { address, end } = await serve(place)
  // As a browser does: a connection on which nothing is ever asked.
  const silent = connect(Number(new URL(address).port), '127.0.0.1')
  await once(silent, 'connect')
  assert.equal(await end('SIGTERM'), 'stopped')
  silent.destroy()
})
