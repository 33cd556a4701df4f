// Both sides of a scenario by year, and the interval of their difference.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_EMISSIONS, type EmissionsByPart } from '../ledger-history.ts'
import { whole } from '../numbers/rational.ts'
import { runToCompletion } from '../numbers/steps.ts'
import { COVERAGE_Z, deviation, type FactorError } from '../uncertainty/lognormal.ts'
import type { CountedEntry } from './replay-ledger.ts'
import { YearComparison, yearsOfEntries, type LinesByPart, type YearsByPart } from './years.ts'

const ORDER = { customerId: 'customer', orderId: 'order' }

function entry(no: number, months: number, parts: Partial<EmissionsByPart>, countsFrom: string | null): CountedEntry {
  const terms = { start: '2024-07-01', end: `${months === 12 ? 2025 : 2026}-07-01`, months: whole(months) }
  const facts = { reason: 'order' as const, country: null, releaseId: 1, eventId: null, cause: null, event: null }
  return { ...NO_EMISSIONS, ...parts, ...ORDER, ...facts, no, terms, countsFrom, isSpreadUntilEnd: true }
}

const yearsOf = (entries: readonly CountedEntry[]): YearsByPart =>
  runToCompletion(yearsOfEntries(entries, true, () => '2024-07-01')).get('customer\0order')!

test('embodied emission is spread over the months of the rental, and transport counts on the first day', () => {
  const { product_embodied_emission: embodied, transportation } = yearsOf([
    entry(1, 12, { product_embodied_emission: 1_200n, transportation: 7n }, null),
  ])
  assert.deepEqual(
    [...embodied],
    [
      [2024, 600n],
      [2025, 600n],
    ],
  )
  assert.deepEqual([...transportation], [[2024, 7n]])
})

test('a longer rental is spread again over all of its months; in closed ones, on the first open day', () => {
  const first = entry(1, 12, { product_embodied_emission: 1_200n }, null)
  const more = { product_embodied_emission: 1_200n }
  const open = yearsOf([first, entry(2, 24, more, null)]).product_embodied_emission
  assert.deepEqual(
    [...open].filter(([, sum]) => sum !== 0n),
    [
      [2024, 600n],
      [2025, 1_200n],
      [2026, 600n],
    ],
  )
  // Spread as if it were open, but nothing counts before 2026.
  const closed = yearsOf([first, entry(2, 24, more, '2026-01-01')]).product_embodied_emission
  assert.deepEqual(
    [...closed].filter(([, sum]) => sum !== 0n),
    [
      [2024, 600n],
      [2025, 600n],
      [2026, 1_200n],
    ],
  )
})

const inYear = (year: number, emission: bigint): YearsByPart => ({
  product_embodied_emission: new Map([[year, emission]]),
  ...{ product_use: new Map(), packaging: new Map(), transportation: new Map() },
})
const restingOn = (errors: readonly FactorError[]): LinesByPart => ({
  product_embodied_emission: [{ emission: 1n, errors }],
  ...{ product_use: [], packaging: [], transportation: [] },
})
const SHEET: readonly FactorError[] = [{ factor: 'sheet:one', logSd: 0.2 }]
const OTHER: readonly FactorError[] = [{ factor: 'sheet:other', logSd: 0.1 }]

test('what both sides share is drawn once: only the difference is uncertain', () => {
  const tally = new YearComparison()
  tally.addUnchanged(inYear(2024, 5_000_000n))
  tally.addChanged(
    { years: inYear(2024, 3_000_000n), lines: restingOn(SHEET) },
    { years: inYear(2024, 4_000_000n), lines: restingOn(SHEET) },
  )
  const { years, total } = tally.result()
  const half = BigInt(Math.ceil(COVERAGE_Z * deviation(SHEET) * 1_000_000))
  const expected = { before: 8_000_000n, after: 9_000_000n, difference: 1_000_000n }
  assert.deepEqual(years, [{ year: 2024, ...expected, low: 1_000_000n - half, high: 1_000_000n + half }])
  assert.deepEqual(total, { ...expected, low: 1_000_000n - half, high: 1_000_000n + half })
})

test('another sheet is drawn for itself: the errors of both sides add up in quadrature', () => {
  const tally = new YearComparison()
  tally.addChanged(
    { years: inYear(2024, 3_000_000n), lines: restingOn(SHEET) },
    { years: inYear(2025, 4_000_000n), lines: restingOn(OTHER) },
  )
  const { years, total } = tally.result()
  assert.deepEqual(
    years.map(({ year, difference }) => [year, difference]),
    [
      [2024, -3_000_000n],
      [2025, 4_000_000n],
    ],
  )
  const half = COVERAGE_Z * Math.hypot(3_000_000 * deviation(SHEET), 4_000_000 * deviation(OTHER))
  assert.equal(total.difference, 1_000_000n)
  assert.ok(Math.abs(Number(total.high - total.difference) - half) <= 1)
})

test('a share of several lines is divided among them by their emissions', () => {
  const tally = new YearComparison()
  const lines = {
    ...restingOn([]),
    transportation: [SHEET, OTHER].map((errors, at) => ({ errors, emission: [1n, 3n][at]! })),
  }
  const years: YearsByPart = { ...inYear(2024, 0n), transportation: new Map([[2024, 4_000_000n]]) }
  tally.addChanged(null, { years, lines })
  const { total } = tally.result()
  const half = COVERAGE_Z * Math.hypot(1_000_000 * deviation(SHEET), 3_000_000 * deviation(OTHER))
  assert.ok(Math.abs(Number(total.high - total.difference) - half) <= 1)
})
