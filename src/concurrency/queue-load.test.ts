// When the database queues are so long that new requests are rejected, and whether the service is in use.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createBatcher } from './batcher.ts'
import { isOverloaded, wasUsedWithin, registerQueue, createQueueLoad, type QueueStats } from './queue-load.ts'

const WAIT_MS_MAX = 100
const TRIPS_MAX = 2
const PER_TRIP_MAX = 5

/** One queue among others that are empty. */
function backlogOf(line: Partial<QueueStats>): boolean {
  const waiting = createQueueLoad()
  for (let other = 0; other < 3; other += 1) registerQueue(waiting, TRIPS_MAX, PER_TRIP_MAX)
  Object.assign(waiting.lines[1]!, line)
  return isOverloaded(waiting, WAIT_MS_MAX)
}

const ago = (milliseconds: number): number => performance.now() - milliseconds

test('a queue is backlogged where its first has waited for too long, or its last would', () => {
  assert.equal(backlogOf({}), false)
  assert.equal(backlogOf({ weight: 11, since: ago(200) }), true)
  assert.equal(backlogOf({ weight: 11, since: ago(0), lastBatchMs: 50 }), false)
  assert.equal(backlogOf({ weight: 31, since: ago(0), lastBatchMs: 50 }), true)
})

test('what leaves with the next trips is no backlog, however long the database is silent', () => {
  assert.equal(backlogOf({ weight: 10, since: ago(60_000), lastBatchMs: 60_000 }), false)
})

test('a queue whose jobs travel alone is never backlogged', () => {
  const waiting = createQueueLoad()
  Object.assign(registerQueue(waiting, TRIPS_MAX, 0), { weight: 1000, since: ago(60_000), tripMs: 60_000 })
  assert.equal(isOverloaded(waiting, WAIT_MS_MAX), false)
})

test('those that wait for another order of their own device alone hold up nobody', () => {
  assert.equal(backlogOf({ weight: 11, since: null, lastBatchMs: 1 }), false)
})

test('queues that share what waits are in use from a job of any of them on, for a while', async () => {
  const waiting = createQueueLoad()
  registerQueue(waiting, TRIPS_MAX, PER_TRIP_MAX)
  const send = createBatcher<string, string>({
    executeBatch: (jobs) => Promise.resolve(jobs),
    isJobError: () => false,
    bytesOf: () => 1,
    concurrencyMax: TRIPS_MAX,
    batchBytesMax: PER_TRIP_MAX,
    queueBytesMax: PER_TRIP_MAX,
    queueLoad: waiting,
  })
  assert.equal(wasUsedWithin(waiting, 60_000), false)
  assert.equal(await send('a'), 'a')
  assert.equal(wasUsedWithin(waiting, 60_000), true)
  assert.equal(wasUsedWithin(waiting, 0), false)
})
