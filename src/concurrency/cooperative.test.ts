// Long work that lets requests go first.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createPause } from './cooperative.ts'

/** Longer than a slice of long work. */
function workForASlice(): void {
  for (const endsAt = performance.now() + 5; performance.now() < endsAt;);
}

test('long work waits for the request that is under way, and goes on at its end', async () => {
  let looks = 0
  const pause = createPause(() => (looks += 1) < 3)
  await pause()
  workForASlice()
  await pause()
  assert.equal(looks, 3)
})

test('requests that come without a pause do not keep long work from going on', async () => {
  const pause = createPause(() => true)
  for (let slice = 0; slice < 5; slice += 1) {
    workForASlice()
    await pause()
  }
})
