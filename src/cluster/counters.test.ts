// Counting across workers: each number is given once, so that all workers together admit as many as one would.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { countInBlocks, createSequence } from './counters.ts'

const WINDOW_MS = 1_000
const SUBJECTS_MAX = 100

interface Plan {
  readonly most: number
  readonly size: number
  readonly now: () => Date
  readonly subjectsMax?: number
}

/** Workers that take their numbers from one primary, whose answers each arrive one turn of the event loop later. */
function startWorkers(count: number, { most, size, now, subjectsMax = SUBJECTS_MAX }: Plan) {
  const numbers = createSequence<string>()
  const asked = { times: 0 }
  const take = async (window: number, subject: string, wanted: number) => {
    asked.times += 1
    await turn()
    return numbers(window, subject, wanted)
  }
  const options = { most, size, windowMs: WINDOW_MS, subjectsMax, take, now }
  return { counts: Array.from({ length: count }, () => countInBlocks<string>(options)), asked }
}

const START = new Date('2026-01-01T00:00:00.100Z')

/** Sends this many requests of a subject concurrently, distributed round-robin over the workers. */
const send = (counts: readonly ((subject: string) => number | Promise<number>)[], subject: string, requests: number) =>
  Promise.all(Array.from({ length: requests }, async (_, at) => await counts[at % counts.length]!(subject)))

for (const [workers, most, size] of [
  [2, 5, 1],
  [3, 200, 4],
  [8, 4_000, 31],
  [32, 100, 1],
] as const)
  test(`${workers} workers let through no more than ${most} in all, and each number of them once`, async () => {
    const { counts } = startWorkers(workers, { most, size, now: () => START })
    const admitted = (await send(counts, 'key', 3 * most)).filter((number) => number <= most)
    assert.equal(new Set(admitted).size, admitted.length)
    assert.ok(admitted.length >= 0.9 * most, `${admitted.length} of ${most}`)
  })

test('who sends to one worker alone gets nine tenths of the number, though others hold some of it', async () => {
  const [workers, most] = [8, 1_600]
  const { counts } = startWorkers(workers, { most, size: most / 16 / workers, now: () => START })
  await send(counts, 'key', workers)
  const more = await send(counts.slice(0, 1), 'key', 2 * most)
  assert.ok(workers + more.filter((number) => number <= most).length >= 0.9 * most)
})

test('once it is over the number, nothing is asked any more until the next window, which begins anew', async () => {
  let now = START
  const { counts, asked } = startWorkers(2, { most: 3, size: 1, now: () => now })
  await send(counts, 'key', 20)
  const before = asked.times
  assert.ok((await send(counts, 'key', 1_000)).every((number) => number > 3))
  assert.equal(asked.times, before)
  now = new Date(START.getTime() + WINDOW_MS)
  assert.equal((await send(counts, 'key', 20)).filter((number) => number <= 3).length, 3)
})

test('the first that is too many is told of one worker alone', async () => {
  const { counts } = startWorkers(4, { most: 20, size: 1, now: () => START })
  const numbers = await send(counts, 'address', 400)
  assert.equal(numbers.filter((number) => number === 21).length, 1)
})

test('subjects do not count for one another, and beyond those that are remembered none is counted', async () => {
  const { counts } = startWorkers(2, { most: 2, size: 1, now: () => START, subjectsMax: 2 })
  for (const subject of ['a', 'b']) assert.deepEqual((await send(counts, subject, 2)).toSorted(), [1, 2])
  assert.deepEqual(await send(counts, 'c', 4), [0, 0, 0, 0])
})
