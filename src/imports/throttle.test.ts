// Concurrency is limited by memory and the database queue, and heavier orders run alone.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { createThrottle, createConcurrencyLimiter, orderBytes } from './throttle.ts'

/** Admits all of these weights in order and returns which are in progress each time. */
async function pass(weights: readonly number[], lastServedMs: number): Promise<readonly (readonly number[])[]> {
  const gate = createThrottle({ servedWithin: (milliseconds) => lastServedMs < milliseconds })
  const inside: number[] = []
  const seen: number[][] = []
  const leaving: Promise<void>[] = []
  for (const weight of weights) {
    await gate.enter(weight)
    inside.push(weight)
    seen.push([...inside])
    leaving.push(
      turn().then(() => {
        inside.splice(inside.indexOf(weight), 1)
        gate.leave(weight)
      }),
    )
  }
  await Promise.all(leaving)
  return seen
}

const WEIGHTS = [300_000, 300_000, 400_000, 2_000_000, 100_000, 15_000, 15_000, 15_000, 3_000, 3_000, 3_000, 3_000]

for (const [lastServedMs, max] of [
  [Infinity, 900_000],
  [50, 32_000],
  [1, 8_000],
] as const) {
  const when = `${lastServedMs} ms after somebody else was served`
  test(`${when} no more than ${max} is inside at once, but for what is alone, and all get in`, async () => {
    const seen = await pass(WEIGHTS, lastServedMs)
    assert.equal(seen.length, WEIGHTS.length)
    for (const inside of seen) {
      const weight = inside.reduce((sum, one) => sum + one, 0)
      assert.ok(weight <= max || inside.length === 1, inside.join())
    }
    assert.ok(seen.some((inside) => inside.length > 1))
  })
}

test('an order weighs more the more rows, cells and characters it has, whatever kind of file it is of', () => {
  const row = { number: 2, line: 2, cells: ['a', 'b'], json: null, isSound: true }
  const of = (...rows: readonly (typeof row | (Omit<typeof row, 'json'> & { readonly json: string }))[]) =>
    orderBytes({ body: null, rows, errors: [], table: {} as never })
  assert.ok(of(row, row) > of(row))
  assert.ok(of({ ...row, cells: Array.from({ length: 1000 }, () => '') }) > of(row) + 5_000)
  assert.ok(of({ ...row, cells: ['x'.repeat(10_000)] }) > of(row) + 9_000)
  assert.ok(of({ ...row, cells: [], json: 'x'.repeat(10_000) }) > of(row) + 9_000)
})

test('where one fails, what is under way ends before that is told, and nothing more begins', async () => {
  const inFlight = createConcurrencyLimiter<void>({ servedWithin: () => true })
  const [begun, ended]: [number[], number[]] = [[], []]
  for (const no of [1, 2, 3, 4]) {
    await inFlight.add(4_000, async () => {
      begun.push(no)
      await turn()
      if (no === 1) throw new Error('of the first')
      await turn()
      ended.push(no)
    })
  }
  await assert.rejects(inFlight.end(), /of the first/)
  assert.deepEqual([begun, ended], [[1, 2], [2]])
})
