// Posted milligrams by month: they add up to the entry for any division of time, and follow the rental's months.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { amount, day } from '../../test/case-arbitraries.ts'
import { monthsByYear, dayPosition } from './numbers/calendar.ts'
import { sumMilligrams } from './numbers/emission.ts'
import { ZERO, compare, rational, subtract, whole, type Rational } from './numbers/rational.ts'
import { cumulativeEmission, splitByMonth } from './reporting-periods.ts'

const posted = () => fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n })
const rental = () => fc.record({ start: day(), months: amount(120) })
const absolute = (value: Rational) => (compare(value, ZERO) < 0 ? subtract(ZERO, value) : value)
const byYear = (parts: ReturnType<typeof splitByMonth>) =>
  [...Map.groupBy(parts, ({ month }) => month.slice(0, 4))].map(([year, own]) => ({
    year: Number(year),
    emission: sumMilligrams(own.map(({ emission }) => emission)),
  }))

test('the months add up to what was posted, corrections too, and follow one another from that of the start', () => {
  fc.assert(
    fc.property(posted(), rental(), (emission, terms) => {
      const parts = splitByMonth(emission, terms)
      assert.equal(sumMilligrams(parts.map((part) => part.emission)), emission)
      const names = parts.map(({ month }) => month)
      assert.deepEqual(names, [...new Set(names)].sort())
      assert.equal(names[0], terms.start.slice(0, 7))
    }),
  )
})

test('the months of a year add up to what lies between its ends', () => {
  fc.assert(
    fc.property(posted(), rental(), (emission, terms) => {
      for (const { year, emission: own } of byYear(splitByMonth(emission, terms))) {
        const [from, to] = [year, year + 1].map((one) =>
          cumulativeEmission(dayPosition(`${one}-01-01`), emission, terms),
        )
        assert.equal(own, to! - from!)
      }
    }),
  )
})

test('every year is at most a milligram from its part of the months', () => {
  fc.assert(
    fc.property(posted(), rental(), (emission, terms) => {
      const { start, months } = terms
      const years = new Map(byYear(splitByMonth(emission, terms)).map((one) => [one.year, one.emission]))
      for (const { year, months: part } of monthsByYear(start, months)) {
        const exact = rational(emission * part.numerator * months.denominator, part.denominator * months.numerator)
        assert.ok(compare(absolute(subtract(whole(years.get(year) ?? 0n), exact)), whole(1)) <= 0)
      }
    }),
  )
})

test('a rental of no months has what was posted for it on the day of its start', () => {
  const terms = { start: '2025-12-31', months: ZERO }
  assert.deepEqual(splitByMonth(-7n, terms), [{ month: '2025-12', emission: -7n }])
  assert.equal(cumulativeEmission(dayPosition('2025-12-31'), -7n, terms), 0n)
})

test('twelve months from the middle of a month have half of it at either end', () => {
  const parts = splitByMonth(12_000n, { start: '2025-06-16', months: whole(12) })
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
