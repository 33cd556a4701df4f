// Limited concurrency with round-robin between accounts: an account with many requests does not keep the others out.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { QueueFull } from './batcher.ts'
import { createSemaphore } from './semaphore.ts'

const LONG_MS = 60_000
const [GREEDY, MODEST, THIRD] = [1, 2, 3]

test('accounts that wait come by turns, however many one of them asked for before', async () => {
  const take = createSemaphore('of a test', { most: 2, ofOneMost: 2, waitMs: LONG_MS })
  const began: number[] = []
  const ends: (() => void)[] = []
  const ask = (accountId: number) =>
    take(accountId).then((end) => {
      began.push(accountId)
      ends.push(end)
    })
  const all = [GREEDY, GREEDY, GREEDY, GREEDY, GREEDY, MODEST, THIRD, THIRD].map(ask)
  await Promise.all(all.slice(0, 2))
  for (let at = 0; at < all.length; at += 1) {
    assert.equal(began.length, Math.min(at + 2, all.length))
    ends[at]!()
    await new Promise(setImmediate)
  }
  assert.deepEqual(began, [GREEDY, GREEDY, GREEDY, MODEST, THIRD, GREEDY, THIRD, GREEDY])
})

test('one account has no more than its part at once, and the rest is for others', async () => {
  const take = createSemaphore('of a test', { most: 3, ofOneMost: 2, waitMs: LONG_MS })
  const end = await take(GREEDY)
  await take(GREEDY)
  let hasThird = false
  const third = take(GREEDY).then(() => (hasThird = true))
  await take(MODEST)
  assert.equal(hasThird, false)
  end()
  await third
})

test('whoever has no turn in time is told, and leaves the line to those behind', async () => {
  const take = createSemaphore('of a test', { most: 1, ofOneMost: 1, waitMs: 1 })
  const end = await take(GREEDY)
  await assert.rejects(take(GREEDY), QueueFull)
  await assert.rejects(take(MODEST), QueueFull)
  end()
  await take(THIRD)
})
