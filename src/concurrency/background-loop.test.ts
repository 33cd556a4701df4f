// Loops in the background and the leases of what they work on: with pauses that would outlast the test.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { startLoop } from './background-loop.ts'
import { currentDeadline, withDeadline } from './deadline.ts'
import { keepLease } from './keep-lease.ts'

const LONG_MS = 3_600_000

function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { passed: promise, open: resolve }
}

test('a loop works on while there is more, then when it is woken, even if that was before it waited', async () => {
  const [idle, woken] = [gate(), gate()]
  let turns = 0
  const loop = startLoop(
    () => {
      turns += 1
      if (turns === 3) idle.open()
      if (turns === 4) woken.open()
      return Promise.resolve(turns < 3)
    },
    LONG_MS,
    assert.ifError,
  )
  await idle.passed
  // The third turn has not ended yet.
  loop.wake()
  await woken.passed
  await loop.stop()
  assert.equal(turns, 4)
})

test('a failure is reported, and does not end the loop', async () => {
  const again = gate()
  const told: string[] = []
  let turns = 0
  const work = () => {
    turns += 1
    if (turns === 1) return Promise.reject(new Error('broken'))
    again.open()
    return Promise.resolve(false)
  }
  const loop = startLoop(work, 0, ({ message }) => void told.push(message))
  await again.passed
  await loop.stop()
  assert.deepEqual(told, ['broken'])
})

test('to stop a loop aborts its work, and waits for it; the deadline of who starts it does not apply', async () => {
  const begun = gate()
  let [hasEnded, deadline] = [false, 0]
  const work = async (stopping: AbortSignal) => {
    deadline = currentDeadline()
    begun.open()
    await new Promise((settle) => stopping.addEventListener('abort', settle))
    hasEnded = true
    return true
  }
  const loop = withDeadline(1, () => startLoop(work, LONG_MS, assert.ifError))
  await begun.passed
  await loop.stop()
  assert.deepEqual([hasEnded, deadline], [true, Infinity])
})

test('a lease is renewed one at a time, a failure is told, and its end waits for what is under way', async () => {
  const [failed, second] = [gate(), gate()]
  const told: unknown[] = []
  let [under, most, calls] = [0, 0, 0]
  const renew = async () => {
    calls += 1
    most = Math.max(most, ++under)
    if (calls === 2) second.open()
    // Longer than the interval.
    await new Promise((settle) => setTimeout(settle, 5))
    under -= 1
    if (calls === 1) throw new Error('lost')
  }
  const end = keepLease(renew, 1, (error) => {
    told.push((error as Error).message)
    failed.open()
  })
  await failed.passed
  await second.passed
  await end()
  assert.deepEqual([told, most, under], [['lost'], 1, 0])
})
