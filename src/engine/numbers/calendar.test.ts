// Months between days: additive for every split, equal to calendar months, and divided among the years.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { amount, day } from '../../../test/case-arbitraries.ts'
import {
  addMonths,
  dayAfter,
  daysInMonth,
  isCalendarDay,
  monthsBetween,
  monthsByYear,
  wholeMonthsBetween,
} from './calendar.ts'
import { ZERO, add, compare, negate, rational, whole } from './rational.ts'

const nextDay = (text: string): string =>
  new Date(Date.parse(`${text}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)

test('the day after is that of the calendar, over ends of months and years', () => {
  fc.assert(fc.property(day(), (text) => assert.equal(dayAfter(text), nextDay(text))))
})

test('months add up exactly, wherever the time between two days is split', () => {
  fc.assert(
    fc.property(day(), day(), day(), (a, b, c) => {
      assert.equal(compare(add(monthsBetween(a, b), monthsBetween(b, c)), monthsBetween(a, c)), 0)
    }),
  )
})

test('the way back is as long as the way there', () => {
  fc.assert(
    fc.property(day(), day(), (a, b) => {
      assert.equal(compare(monthsBetween(a, b), negate(monthsBetween(b, a))), 0)
    }),
  )
})

test('a day is its part of its own month', () => {
  fc.assert(
    fc.property(day(), (text) => {
      const [year, month] = [Number(text.slice(0, 4)), Number(text.slice(5, 7))]
      assert.equal(compare(monthsBetween(text, nextDay(text)), rational(1n, BigInt(daysInMonth(year, month)))), 0)
    }),
  )
})

test('from the first of a month to the first of another the months are whole', () => {
  fc.assert(
    fc.property(fc.nat(2400), fc.nat(2400), (from, to) => {
      const first = (month: number) =>
        `${1990 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`
      assert.equal(compare(monthsBetween(first(from), first(to)), whole(to - from)), 0)
    }),
  )
})

test('a calendar day is one that the calendar has', () => {
  const two = (number: number) => String(number).padStart(2, '0')
  fc.assert(
    fc.property(fc.integer({ min: 1000, max: 9999 }), fc.nat(13), fc.nat(32), (year, month, dayOfMonth) => {
      const text = `${year}-${two(month)}-${two(dayOfMonth)}`
      const time = Date.parse(`${text}T00:00:00Z`)
      const exists = Number.isFinite(time) && new Date(time).toISOString().startsWith(text)
      assert.equal(isCalendarDay(text), exists, text)
    }),
    { numRuns: 1000 },
  )
})

test('what is no calendar day is refused', () => {
  for (const text of [
    '2023-02-29',
    '1900-02-29',
    '2025-13-01',
    '2025-1-1',
    '2025-01-01T00:00:00Z',
    ' 2025-01-01',
    '',
  ]) {
    assert.equal(isCalendarDay(text), false, text)
    assert.throws(() => monthsBetween(text, '2025-01-01'), RangeError)
    assert.throws(() => monthsByYear(text, whole(1)), RangeError)
    assert.throws(() => addMonths(text, 1), RangeError)
    assert.throws(() => wholeMonthsBetween(text, '2025-01-01'), RangeError)
    assert.throws(() => wholeMonthsBetween('2025-01-01', text), RangeError)
  }
  assert.equal(isCalendarDay('2000-02-29'), true)
})

test('the months of a tenure by year add up to it, in years that follow each other', () => {
  fc.assert(
    fc.property(day(), amount(240), (start, tenure) => {
      const years = monthsByYear(start, tenure)
      assert.equal(
        compare(
          years.reduce((sum, { months }) => add(sum, months), ZERO),
          tenure,
        ),
        0,
      )
      for (const [at, { year, months }] of years.entries()) {
        assert.equal(year, Number(start.slice(0, 4)) + at)
        assert.ok(compare(months, ZERO) > 0 && compare(months, whole(12)) <= 0)
        const isBetween = at > 0 && at < years.length - 1
        if (isBetween) assert.equal(compare(months, whole(12)), 0)
      }
    }),
  )
})

test('the first year of a tenure ends with its December', () => {
  fc.assert(
    fc.property(day(), (start) => {
      const newYear = `${Number(start.slice(0, 4)) + 1}-01-01`
      assert.equal(compare(monthsByYear(start, whole(13))[0]!.months, monthsBetween(start, newYear)), 0)
    }),
  )
})

test('a tenure ends on the same day of a later month, or on that month’s last day where it is shorter', () => {
  fc.assert(
    fc.property(day(), fc.nat(1200), (start, months) => {
      const end = addMonths(start, months)
      assert.equal(isCalendarDay(end), true, end)
      assert.equal(wholeMonthsBetween(start, end), months)
      const last = daysInMonth(Number(end.slice(0, 4)), Number(end.slice(5, 7)))
      assert.equal(Number(end.slice(8)), Math.min(Number(start.slice(8)), last))
    }),
  )
  assert.equal(addMonths('2025-01-31', 1), '2025-02-28')
  assert.equal(addMonths('2024-01-31', 1), '2024-02-29')
  assert.equal(addMonths('2025-01-31', 2), '2025-03-31')
  assert.equal(addMonths('2024-12-15', 1), '2025-01-15')
  assert.equal(addMonths('2024-02-29', 12), '2025-02-28')
})

test('a longer tenure ends later, and one of no months on the day on which it starts', () => {
  fc.assert(
    fc.property(day(), fc.nat(600), fc.integer({ min: 1, max: 600 }), (start, months, more) => {
      assert.ok(addMonths(start, months) < addMonths(start, months + more))
      assert.equal(addMonths(start, 0), start)
    }),
  )
})

test('a tenure from the first of a month is as long as its number of months, exactly', () => {
  fc.assert(
    fc.property(day(), fc.nat(600), (start, months) => {
      const first = `${start.slice(0, 8)}01`
      assert.equal(compare(monthsBetween(first, addMonths(first, months)), whole(months)), 0)
    }),
  )
})
