// Posted milligrams by calendar year: they add up to the entry, and follow the months of each year.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { amount, day } from '../../test/case-arbitraries.ts'
import { monthsByYear } from './calendar.ts'
import { sum } from './line.ts'
import { ZERO, compare, ratio, subtract, whole, type Ratio } from './ratio.ts'
import { splitByMonth, splitByYear } from './reporting-years.ts'

const posted = () => fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n })
const absolute = (value: Ratio) => (compare(value, ZERO) < 0 ? subtract(ZERO, value) : value)

test('the years add up to what was posted, to the milligram, corrections too', () => {
  fc.assert(
    fc.property(posted(), day(), amount(120), (emission, start, months) => {
      assert.equal(sum(splitByYear(emission, start, months).map((year) => year.emission)), emission)
    }),
  )
})

test('every year is less than a milligram from its part of the months, and none is left out', () => {
  fc.assert(
    fc.property(posted(), day(), amount(120), (emission, start, months) => {
      const years = monthsByYear(start, months)
      fc.pre(years.length > 0)
      const split = splitByYear(emission, start, months)
      assert.deepEqual(
        split.map(({ year }) => year),
        years.map(({ year }) => year),
      )
      for (const [at, { months: part }] of years.entries()) {
        const exact = ratio(emission * part.numerator * months.denominator, part.denominator * months.numerator)
        assert.ok(compare(absolute(subtract(whole(split[at]!.emission), exact)), whole(1)) < 0)
      }
    }),
  )
})

test('a rental of no months has what was posted for it in the year of its start', () => {
  assert.deepEqual(splitByYear(-7n, '2025-12-31', ZERO), [{ year: 2025, emission: -7n }])
})

test('the months of every year add up to the year, and follow one another', () => {
  fc.assert(
    fc.property(posted(), day(), amount(120), (emission, start, months) => {
      const byMonth = splitByMonth(emission, start, months)
      const years = Map.groupBy(byMonth, ({ month }) => Number(month.slice(0, 4)))
      assert.deepEqual(
        [...years].map(([year, parts]) => ({ year, emission: sum(parts.map((part) => part.emission)) })),
        splitByYear(emission, start, months),
      )
      const names = byMonth.map(({ month }) => month)
      assert.deepEqual(names, [...new Set(names)].sort())
      assert.equal(names[0], start.slice(0, 7))
    }),
  )
})

test('twelve months from the middle of a month have half of it at either end', () => {
  const parts = splitByMonth(12_000n, '2025-06-16', whole(12))
  assert.equal(parts.length, 13)
  assert.deepEqual(
    [parts[0], parts[1], parts.at(-1)],
    [
      { month: '2025-06', emission: 500n },
      { month: '2025-07', emission: 1000n },
      { month: '2026-06', emission: 500n },
    ],
  )
})
