// The use phase: additive over time, never capped by the lifetime, and calculated with each year's grid factor.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { amount, day, positiveAmount } from '../../test/case-arbitraries.ts'
import { shippedReferenceData } from '../../test/shipped-book.ts'
import { monthsByYear } from './numbers/calendar.ts'
import type { GridFactor } from './reference/reference-data.ts'
import { add, compare, divide, multiply, whole, ZERO } from './numbers/rational.ts'
import { useEmissionByGrid, useEmissionByShare } from './use-phase.ts'

const { source } = shippedReferenceData().referenceData.itEquipment
const lifetime = () => fc.integer({ min: 1, max: 180 }).map((months) => whole(months))
const months = () => fc.nat(240)
const factors = (): fc.Arbitrary<readonly GridFactor[]> =>
  fc
    .uniqueArray(fc.tuple(fc.integer({ min: 1990, max: 2210 }), amount(2)), {
      minLength: 1,
      maxLength: 6,
      selector: ([year]) => year,
    })
    .map((list) =>
      list.map(([year, factor]) => ({ year, latestYear: year, factor, source })).sort((a, b) => a.year - b.year),
    )

const firstOfMonth = (month: number): string =>
  `${1990 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`

test('use by share goes on at the same rate after the lifetime has ended', () => {
  fc.assert(
    fc.property(amount(5000), lifetime(), months(), (pool, life, tenure) => {
      const beyond = useEmissionByShare(pool, add(life, whole(tenure)), life)
      assert.equal(compare(beyond, add(pool, useEmissionByShare(pool, whole(tenure), life))), 0)
    }),
  )
})

test('use by share of two tenures is that of their sum', () => {
  fc.assert(
    fc.property(amount(5000), lifetime(), amount(240), amount(240), (pool, life, a, b) => {
      const parts = add(useEmissionByShare(pool, a, life), useEmissionByShare(pool, b, life))
      assert.equal(compare(useEmissionByShare(pool, add(a, b), life), parts), 0)
    }),
  )
})

test('use by grid of a tenure is the sum of its parts, wherever it is split', () => {
  fc.assert(
    fc.property(amount(1000), fc.nat(2400), months(), months(), factors(), (energy, start, a, b, grid) => {
      const use = (from: number, tenure: number) =>
        useEmissionByGrid(energy, firstOfMonth(from), whole(tenure), grid).emission
      assert.equal(compare(use(start, a + b), add(use(start, a), use(start + a, b))), 0)
    }),
  )
})

test('with one factor, use by grid is electricity times time times factor, whatever day it starts on', () => {
  fc.assert(
    fc.property(amount(1000), day(), amount(240), amount(2), (energy, start, tenure, factor) => {
      const expected = divide(multiply(multiply(energy, tenure), factor), whole(12))
      assert.equal(
        compare(
          useEmissionByGrid(energy, start, tenure, [{ year: 2024, latestYear: 2024, factor, source }]).emission,
          expected,
        ),
        0,
      )
    }),
  )
})

test('a longer tenure never uses less', () => {
  fc.assert(
    fc.property(amount(1000), day(), amount(240), amount(240), factors(), (energy, start, short, more, grid) => {
      const use = (tenure: typeof short) => useEmissionByGrid(energy, start, tenure, grid).emission
      assert.ok(compare(use(short), use(add(short, more))) <= 0)
    }),
  )
})

test('each year takes the nearest factor that is not later, or the first; years of one factor stand together', () => {
  fc.assert(
    fc.property(day(), positiveAmount(240), factors(), (start, tenure, grid) => {
      const { years, factorsAreRecent } = useEmissionByGrid(whole(1), start, tenure, grid)
      const single = monthsByYear(start, tenure)
      for (const { year, months: part } of single) {
        const runs = years.filter((run) => run.year <= year && year <= run.lastYear)
        assert.equal(runs.length, 1)
        const earlier = grid.filter((one) => one.year <= year)
        const nearest = earlier.length > 0 ? Math.max(...earlier.map((one) => one.year)) : grid[0]!.year
        assert.equal(runs[0]!.factor.year, nearest)
        assert.ok(compare(part, runs[0]!.months) <= 0)
      }
      assert.equal(compare(years.map((run) => run.months).reduce(add, ZERO), tenure), 0)
      const factorOfYear = (year: number) => years.find((run) => run.year <= year && year <= run.lastYear)!.factor
      const away = single.map(({ year }) => Math.abs(year - factorOfYear(year).year))
      assert.equal(factorsAreRecent, Math.max(...away) <= 2)
    }),
  )
})

test('a factor whose year is only known within a range is recent when both ends of it are', () => {
  const grid: readonly GridFactor[] = [{ year: 2022, latestYear: 2024, factor: whole(1), source }]
  const isRecentIn = (year: number) => useEmissionByGrid(whole(1), `${year}-01-01`, whole(12), grid).factorsAreRecent
  assert.deepEqual([2021, 2022, 2023, 2024, 2025].map(isRecentIn), [false, true, true, true, false])
})

test('no time uses nothing, and a grid without factors is refused', () => {
  assert.deepEqual(useEmissionByGrid(whole(36), '2025-01-01', ZERO, []), {
    emission: ZERO,
    years: [],
    factorsAreRecent: true,
  })
  assert.throws(() => useEmissionByGrid(whole(36), '2025-01-01', whole(1), []), RangeError)
})
