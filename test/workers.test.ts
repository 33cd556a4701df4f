// Two workers at one address: their clients find one service, with one set of limits, files and figures.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { workersOf } from '../bench/process-clock.ts'
import { Workers } from '../src/cluster/workers.ts'
import { FAILED_AUTH_PER_MINUTE_MAX, readConfig } from '../src/config.ts'
import { createKey, ensureAccount } from '../src/postgres/accounts.ts'
import { poolSizeOf, serverConnectionsFor } from '../src/postgres/connection-limits.ts'
import { cradle, startServe, until, type Serving, type Starting } from './command.ts'
import { urlOf } from './database-url.ts'
import { closeConnections, exchange, type Answer } from './raw-http.ts'
import { durableMigratedDatabase, type FreshDatabase } from './fresh-database.ts'

const WORKERS = 2
const REQUESTS_PER_SECOND = 64
const PATH = '/api/packagings'

let database: FreshDatabase
let environment: Readonly<Record<string, string>>
let starting: Starting
let serving: Serving
before(async () => {
  database = await durableMigratedDatabase()
  environment = {
    DATABASE_URL: urlOf(database.connection),
    CRADLE_KEY_REQUESTS_PER_SECOND: String(REQUESTS_PER_SECOND),
    CRADLE_METRICS_PORT: '0',
    CRADLE_LOG_REQUESTS: 'on',
    CRADLE_WORKERS: String(WORKERS),
  }
  starting = startServe(environment)
  serving = await starting.ready()
})
after(async () => {
  closeConnections()
  await serving.end('SIGTERM')
})

const newKey = async (account: string): Promise<string> => {
  const { accountId } = await ensureAccount(database.pool, account)
  return createKey(database.pool, accountId, ['catalogue:read'], null)
}
const ask = (path: string, headers = {}, from = '127.0.0.1'): Promise<Answer> =>
  exchange(serving.address, path, { headers, from })
const askOften = (times: number, headers: object, from?: string): Promise<readonly Answer[]> =>
  Promise.all(Array.from({ length: times }, () => ask(PATH, headers, from)))
const countOf = (answers: readonly Answer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length

/** What the log says, line by line, of what is a JSON object. */
const logged = (): readonly {
  readonly worker?: number | string
  readonly msg?: string
  readonly operation?: string
}[] =>
  starting
    .complaints()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as object)

async function measured(series: string): Promise<number> {
  const address = /^Metrics: (http:\/\/127\.0\.0\.1:\d+)\/metrics$/m.exec(serving.printed)![1]!
  const { text } = await exchange(address, '/metrics')
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  return line === undefined ? 0 : Number(line.slice(series.length + 1))
}
const PACKAGINGS = 'cradle_request_duration_seconds_count{operation="listPackagings",status="200"}'

const workerPids = (): readonly number[] => workersOf(serving.child.pid!)
/** Null where the worker that took the connection ended before it answered. */
const readyStatus = (): Promise<number | null> =>
  ask('/readyz').then(
    ({ status }) => status,
    () => null,
  )
const untilReady = (status: number): Promise<void> =>
  until(
    async () => (await readyStatus()) === status,
    () => `/readyz does not answer ${status}`,
  )

test('one address is answered by all workers, lines of the log name it, and counts are added up', async () => {
  const key = await newKey('several')
  const before = await measured(PACKAGINGS)
  const isOfBoth = () =>
    new Set(logged().map(({ worker, operation }) => operation === 'listPackagings' && worker)).size > 2
  let sent = 0
  await until(
    async () => {
      closeConnections()
      sent += countOf(await askOften(16, { 'x-api-key': key }), 200)
      return isOfBoth()
    },
    () => 'one worker takes all connections',
  )
  assert.equal((await measured(PACKAGINGS)) - before, sent)
  for (const worker of ['1', '2', 'primary'])
    assert.ok((await measured(`process_resident_memory_bytes{worker="${worker}"}`)) > 0, worker)
  assert.equal(await measured('cradle_workers_serving{worker="primary"}'), WORKERS)
})

test('a key may send its number to all workers together, and gets nine tenths of it at least', async () => {
  const key = await newKey('busy')
  await ask(PATH, { 'x-api-key': key })
  const begunAt = Date.now()
  const answers = await askOften(10 * REQUESTS_PER_SECOND, { 'x-api-key': key })
  const seconds = Math.floor(Date.now() / 1_000) - Math.floor(begunAt / 1_000) + 1
  assert.equal(countOf(answers, 200) + countOf(answers, 429), answers.length)
  assert.ok(countOf(answers, 200) <= seconds * REQUESTS_PER_SECOND, `${countOf(answers, 200)} in ${seconds} s`)
  assert.ok(countOf(answers, 200) >= 0.9 * REQUESTS_PER_SECOND, `${countOf(answers, 200)}`)
})

test('wrong keys of an address are counted by all workers together, and told in the log once', async () => {
  const begunAt = Date.now()
  const answers = await askOften(10 * FAILED_AUTH_PER_MINUTE_MAX, { 'x-api-key': 'guess' }, '127.0.0.7')
  const minutes = Math.floor(Date.now() / 60_000) - Math.floor(begunAt / 60_000) + 1
  assert.equal(countOf(answers, 401) + countOf(answers, 429), answers.length)
  assert.ok(countOf(answers, 401) >= FAILED_AUTH_PER_MINUTE_MAX)
  assert.ok(countOf(answers, 401) <= minutes * FAILED_AUTH_PER_MINUTE_MAX, `${countOf(answers, 401)}`)
  const told = logged().filter(({ msg }) => msg?.startsWith('Too many wrong keys'))
  assert.ok(told.length >= 1 && told.length <= minutes, `told ${told.length} times`)
})

test('a worker that is killed is replaced: not ready until then, live throughout, and no count falls', async () => {
  const before = await measured(PACKAGINGS)
  assert.ok(before > 0)
  const pids = workerPids()
  assert.equal(pids.length, WORKERS)
  process.kill(pids[1]!, 'SIGKILL')
  closeConnections()
  await untilReady(503)
  assert.equal((await ask('/livez')).status, 200)
  assert.ok((await measured(PACKAGINGS)) >= before)
  await untilReady(200)
  assert.equal(workerPids().length, WORKERS)
  assert.ok((await measured(PACKAGINGS)) >= before)
  assert.equal(await measured('cradle_worker_restarts_total'), 1)
  assert.match(starting.complaints(), /^Worker [12] ended by SIGKILL\. /m)
})

test('a second program at the same port ends with a sentence, and the first serves on', async () => {
  const { port } = new URL(serving.address)
  const { code, stderr } = await cradle(['serve'], { ...environment, CRADLE_PORT: port })
  assert.equal(code, 1)
  assert.match(stderr, new RegExp(`Port ${port} of 127\\.0\\.0\\.1 is in use; set CRADLE_PORT`))
  assert.equal(await readyStatus(), 200)
})

test('a worker that ends again and again ends the program with a sentence, after five restarts', async () => {
  const sentences: string[] = []
  const failed = Promise.withResolvers<Error>()
  const workers = new Workers({
    count: 1,
    program: join(import.meta.dirname, 'restless-worker.ts'),
    startOf: () => ({}) as never,
    onMessage: () => undefined,
    onEnd: () => undefined,
    report: (sentence) => sentences.push(sentence),
    onFailure: failed.resolve,
  })
  await workers.prepare()
  assert.equal(await workers.listen(0), 'nowhere')
  assert.match((await failed.promise).message, /^Worker 1 ended by exit code 3, for the 6th time within a minute/)
  assert.equal(sentences.length, 5)
  assert.equal(workers.restarts, 5)
})

test('workers and the connections of each are as many as the machine and the database take', async () => {
  const workersFor = (text: string) => readConfig({ CRADLE_WORKERS: text }).workers
  assert.equal(readConfig({}).workers, 1)
  assert.ok(workersFor('auto') >= 1)
  for (const text of ['0', 'all', '2.5', '257'])
    assert.throws(() => workersFor(text), /CRADLE_WORKERS or --workers must/)
  const { rows } = await database.pool.query<{ most: number }>(`select current_setting('max_connections')::int as most`)
  assert.equal(await poolSizeOf(database.pool, 2), 20)
  const tooMany = rows[0]!.most / 10
  await assert.rejects(poolSizeOf(database.pool, tooMany), /raise its max_connections, or set fewer workers/)
  for (const count of [2, 8, 32, 256]) assert.ok(serverConnectionsFor(count) >= count * 10 + 16)
})
