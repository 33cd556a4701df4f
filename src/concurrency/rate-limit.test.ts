// The limit of a key: exact within a window, separate for each key, and reported in the form of the draft.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRateLimit, createFailedAuthLimit } from './rate-limit.ts'

test('a key may send exactly its number in a second, whatever others send, and again in the next', async () => {
  let now = new Date('2026-01-01T00:00:00.100Z')
  const spend = createRateLimit(3, () => now)
  const overOf = async (keyId: number, count: number) =>
    Promise.all(Array.from({ length: count }, async () => (await spend(keyId)).isOver))
  assert.deepEqual(await overOf(1, 5), [false, false, false, true, true])
  assert.deepEqual(await overOf(2, 3), [false, false, false])
  now = new Date('2026-01-01T00:00:00.999Z')
  assert.deepEqual(await overOf(1, 1), [true])
  now = new Date('2026-01-01T00:00:01.000Z')
  assert.deepEqual(await overOf(1, 4), [false, false, false, true])
  // A clock that is set back also begins a new window, and blocks no key until the old time is reached again.
  now = new Date('2025-12-31T00:00:00.000Z')
  assert.deepEqual(await overOf(1, 1), [false])
})

test('what is left is counted down to 0 and no further', async () => {
  const spend = createRateLimit(2, () => new Date(0))
  assert.deepEqual(
    (await Promise.all([spend(7), spend(7), spend(7)])).map(({ state }) => state),
    ['"key";r=1;t=1', '"key";r=0;t=1', '"key";r=0;t=1'],
  )
  assert.equal((await spend(7)).policy, '"key";q=2;w=1')
})

test('an address may send its number of wrong keys in a minute, and is told when the next minute begins', () => {
  let now = new Date('2026-01-01T00:00:10.500Z')
  const spend = createFailedAuthLimit(2, 10, () => now)
  const first = { seconds: 50, isFirst: true }
  assert.deepEqual([spend('a'), spend('a'), spend('a'), spend('b')], [null, null, first, null])
  now = new Date('2026-01-01T00:00:59.999Z')
  assert.deepEqual(spend('a'), { seconds: 1, isFirst: false })
  now = new Date('2026-01-01T00:01:00.000Z')
  assert.equal(spend('a'), null)
})

test('addresses beyond those that are remembered are not counted, and those that are stay so', () => {
  const spend = createFailedAuthLimit(1, 2, () => new Date(0))
  const each = ['a', 'b', 'c', 'c', 'c', 'a'].map((address) => spend(address))
  assert.deepEqual(each, [null, null, null, null, null, { seconds: 60, isFirst: true }])
})
