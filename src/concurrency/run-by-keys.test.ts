// Items that share a key follow one another; all others are worked on together, as far as their weight allows.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { runByKeys } from './run-by-keys.ts'

interface Item {
  readonly keys: readonly string[]
  readonly weight: number
}

const never = new AbortController().signal
const options = { keysOf: ({ keys }: Item) => keys, weightOf: ({ weight }: Item) => weight, signal: never }
const WEIGHT_MAX = 10

const items = fc.array(
  fc.record({
    keys: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 3 }),
    weight: fc.integer({ min: 1, max: 14 }),
  }),
  { maxLength: 30 },
)

test('results have the order of the items, a key is never in two hands, and the weight stays below its limit', () =>
  fc.assert(
    fc.asyncProperty(items, fc.infiniteStream(fc.nat(2)), async (all, delays) => {
      const running = new Set<Item>()
      const begun: Item[] = []
      const results = await runByKeys(all, { ...options, weightMax: WEIGHT_MAX }, async (item) => {
        for (const other of running) assert.ok(!item.keys.some((key) => other.keys.includes(key)))
        running.add(item)
        begun.push(item)
        const total = [...running].reduce((sum, { weight }) => sum + weight, 0)
        assert.ok(total <= WEIGHT_MAX || running.size === 1)
        for (let ticks = delays.next().value as number; ticks > 0; ticks -= 1) await Promise.resolve()
        running.delete(item)
        return item
      })
      assert.deepEqual(results, all)
      for (const key of ['a', 'b', 'c', 'd', 'e']) {
        const withKey = (list: readonly Item[]) => list.filter(({ keys }) => keys.includes(key))
        assert.deepEqual(withKey(begun), withKey(all))
      }
    }),
    { numRuns: 200 },
  ))

const item = (...keys: string[]): Item => ({ keys, weight: 1 })

test('a chain of one key does not delay items of other keys', async () => {
  const ended: number[] = []
  const all = [item('a'), item('a'), item('a'), item('b')]
  await runByKeys(all, { ...options, weightMax: 2 }, async (one) => {
    await sleep(one.keys[0] === 'a' ? 20 : 1)
    ended.push(all.indexOf(one))
  })
  assert.deepEqual(ended, [3, 0, 1, 2])
})

test('after a failure nothing more is started, and it is thrown when what was started has ended', async () => {
  const begun: number[] = []
  let ended = 0
  const all = Array.from({ length: 20 }, (_, at) => item(String(at)))
  const run = runByKeys(all, { ...options, weightMax: 4 }, async (one) => {
    const at = all.indexOf(one)
    begun.push(at)
    if (at === 2) throw new Error('fails')
    await sleep(10)
    ended += 1
  })
  await assert.rejects(run, /fails/)
  assert.deepEqual(begun, [0, 1, 2, 3])
  assert.equal(ended, 3)
})

test('once the signal is aborted, nothing more is started', async () => {
  const leaving = new AbortController()
  const begun: Item[] = []
  const all = Array.from({ length: 20 }, (_, at) => item(String(at)))
  const run = runByKeys(all, { ...options, weightMax: 1, signal: leaving.signal }, async (one) => {
    begun.push(one)
    if (begun.length === 3) leaving.abort(new Error('gone'))
    await Promise.resolve()
  })
  await assert.rejects(run, /gone/)
  assert.equal(begun.length, 3)
})
