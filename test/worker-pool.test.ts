// A process beside the service: it may fail, fill its memory or be killed, and takes nobody with it.
import { afterEach, beforeEach, test } from 'node:test'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WorkerExited, createJobWorker, type JobWorker } from '../src/workers/job-worker.ts'
import type { Job } from './worker-jobs.ts'
import { until } from './command.ts'
import { isThere } from './fault-injection/own-program.ts'

const HEAP_MB = 100
/** After this a process that ended is started again. */
const RESTART_MS = 1_000

let aside: JobWorker<Job, number | string>
let told: string[] = []
beforeEach(() => {
  told = []
  aside = createJobWorker({
    program: join(import.meta.dirname, 'worker-jobs.ts'),
    what: 'a test',
    settings: 'told',
    heapMbMax: HEAP_MB,
    report: ({ message }) => told.push(message),
  })
})
afterEach(() => aside.stop())

const asked = (job: Job, signal = new AbortController().signal) => aside.ask(job, signal)
const tell = async (): Promise<unknown> => (await asked('tell').next()).value

test('no piece is made before the one before it was taken, and none once nobody takes them', async () => {
  const counting = asked('count')
  for (const expected of [1, 2, 3]) assert.equal((await counting.next()).value, expected)
  assert.equal(await tell(), 'told 3 0')
  await counting.return(undefined)
  assert.equal(await tell(), 'told 3 0')
})

test('whoever leaves while a piece is made is not held up, and what was made for them is ended', async () => {
  const leaving = new AbortController()
  const waiting = asked('wait', leaving.signal).next()
  await tell()
  leaving.abort(new Error('gone'))
  await assert.rejects(waiting, /gone/)
  await until(
    async () => (await tell()) === 'told 0 1',
    () => 'the work goes on',
  )
})

test('a fault of one job is told to whoever asked for it, and to nobody else', async () => {
  const counting = asked('count')
  await counting.next()
  await assert.rejects(asked('fail').next(), /A fault/)
  assert.equal((await counting.next()).value, 2)
})

test('a process that fills its memory ends alone: who waits is told, and the next job starts another', async () => {
  const others = asked('wait').next()
  await assert.rejects(asked('fill').next(), WorkerExited)
  await assert.rejects(others, WorkerExited)
  assert.match(told.join('\n'), /ended by SIGABRT/)
  // Not at once: one that ends whenever it is started must not take the machine.
  await sleep(RESTART_MS)
  assert.equal(await tell(), 'told 0 0')
})

test('it is started again no more than once a second', async () => {
  const waiting = asked('wait').next()
  const again = createJobWorker<string, Job, number>({
    program: join(import.meta.dirname, 'nowhere.ts'),
    what: 'a test',
    settings: '',
    heapMbMax: HEAP_MB,
    report: ({ message }) => told.push(message),
  })
  const ask = () => again.ask('count', new AbortController().signal).next()
  const since = performance.now()
  for (let time = 0; time < 20; time += 1) await assert.rejects(ask(), WorkerExited)
  // On a busy machine the 20 may take several seconds, each of which allows another start.
  const startsMax = 1 + Math.floor((performance.now() - since) / RESTART_MS)
  assert.ok(told.length >= 1 && told.length <= startsMax, `${told.length} starts, not ${startsMax} at most`)
  const before = told.length
  await aside.stop()
  await assert.rejects(waiting, WorkerExited)
  assert.equal(told.length, before)
})

test('whoever waits until it may be started again is not refused, though most short timers fire early', async () => {
  for (let time = 0; time < 4; time += 1) {
    const startedAt = performance.now()
    assert.equal(await tell(), 'told 0 0')
    await aside.end()
    await sleep(RESTART_MS - 40 - (performance.now() - startedAt))
    await aside.startable(new AbortController().signal)
  }
  assert.equal(await tell(), 'told 0 0')
})

for (const job of ['wait', 'spin'] satisfies readonly Job[]) {
  test(`it ends with the service, even when that is killed while it is at work: ${job}`, () => endsWithService(job))
}

async function endsWithService(job: Job): Promise<void> {
  const service = spawn(process.execPath, [join(import.meta.dirname, 'worker-service.ts'), job], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [pid] = (await once(service.stdout, 'data')) as [Buffer]
  assert.ok(isThere(Number(pid)))
  service.kill('SIGKILL')
  await until(
    () => !isThere(Number(pid)),
    () => 'it is still there',
  )
}
