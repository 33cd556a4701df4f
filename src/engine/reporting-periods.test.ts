// Posted milligrams by month: they add up to the entry for any division of time, and follow the rental's months.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { amount, day } from '../../test/case-arbitraries.ts'
import { FIGURES, anyEvents, anyRentals, happened, ordered } from '../../test/device-facts.ts'
import { orderKey } from './device-timeline.ts'
import { replayEntries } from './ledger-history.ts'
import { monthsByYear, dayPosition } from './numbers/calendar.ts'
import { runToCompletion } from './numbers/steps.ts'
import { monthsOfEntries } from './occupancy.ts'
import type { RentalChange } from './post-entries.ts'
import { RunningLedger } from './running-ledger.ts'
import { sumMilligrams } from './numbers/emission.ts'
import { ZERO, compare, rational, subtract, whole, type Rational } from './numbers/rational.ts'
import { cumulativeEmission, datedEmissions, splitByMonth, startsOf, type DatedEmission } from './reporting-periods.ts'

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

const parts = fc.record({
  product_embodied_emission: posted(),
  product_use: posted(),
  packaging: fc.constant(0n),
  transportation: fc.constant(0n),
})
const history = fc.record({
  day: day(),
  entries: fc.array(
    fc
      .record({ own: parts, start: day(), months: amount(60), countsFrom: fc.option(day()) })
      .map(({ own, ...one }) => ({ ...own, ...one })),
    { minLength: 1, maxLength: 6 },
  ),
})

/** What emissions have before a day: of one that counts from a later day, nothing. */
const before = (emissions: readonly DatedEmission[], on: string): bigint =>
  sumMilligrams(
    emissions.map(({ product_embodied_emission: emission, months, start, countsFrom }) =>
      countsFrom !== null && on <= countsFrom
        ? 0n
        : cumulativeEmission(dayPosition(on), emission, { start: start!, months: months! }),
    ),
  )

test('an entry leaves all days before the first open one as they were, and from then on counts what is known', () => {
  fc.assert(
    fc.property(history, ({ day: on, entries }) => {
      const dated = datedEmissions(entries)
      let [counted, known] = [0n, 0n]
      for (const [at, entry] of entries.entries()) {
        const { countsFrom, months, start, product_embodied_emission: emission } = entry
        known += emission
        if (countsFrom === null || on > countsFrom)
          counted = cumulativeEmission(dayPosition(on), known, { start, months })
        const all = dated.slice(0, at + 1).flat()
        assert.equal(before(all, on), counted)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('each entry is the sum of what it adds to periods, however often the books are reopened', () => {
  fc.assert(
    fc.property(history, ({ entries }) => {
      for (const [at, list] of datedEmissions(entries).entries()) {
        const sum = sumMilligrams(list.map((one) => one.product_use))
        assert.equal(sum, entries[at]!.product_use)
        assert.ok(list.length <= 2 * (at + 1) * (at + 1))
      }
    }),
    { numRuns: 500 },
  )
})

test('an entry that takes back nothing still has a place, at which reports take back the counts of an order', () => {
  const nothing = { product_embodied_emission: 0n, product_use: 0n, packaging: 0n, transportation: 0n }
  const first = { ...nothing, start: '2025-01-01', countsFrom: '2026-01-01', months: whole(12) }
  const [, taken] = datedEmissions([first, { ...first, countsFrom: null, months: ZERO }])
  assert.deepEqual(
    taken!.map(({ countsFrom }) => countsFrom),
    ['2026-01-01'],
  )
})

/** What each rental has in each month after facts that were recorded in this order, with open books. */
function byMonth(facts: readonly RentalChange[]): ReadonlyMap<string, bigint> {
  const ledger = RunningLedger.open(replayEntries([]), FIGURES)
  const entries = facts.flatMap((fact) => ledger.post(fact).entries)
  const months = runToCompletion(monthsOfEntries(entries, (entry) => ({ ...entry, isSpreadUntilEnd: true })))
  const dated = entries.map((entry, at) => ({ ...entry, months: months[at]!, countsFrom: null }))
  const found = new Map<string, bigint>()
  for (const [key, own] of Map.groupBy(dated, orderKey)) {
    if (!ledger.history.rentals.has(key)) continue
    const starts = startsOf(own)
    for (const one of datedEmissions(own.map((entry, at) => ({ ...entry, start: starts[at]! }))).flat())
      for (const part of ['product_embodied_emission', 'product_use'] as const)
        for (const { month, emission } of splitByMonth(one[part], { start: one.start!, months: one.months! }))
          found.set(`${key} ${part} ${month}`, (found.get(`${key} ${part} ${month}`) ?? 0n) + emission)
  }
  return new Map([...found].filter(([, emission]) => emission !== 0n).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

test('with open books, facts recorded in any order give each rental the same emission in each month', () => {
  const facts = fc.tuple(anyRentals(), anyEvents()).chain(([rentals, events]) => {
    const all = [
      ...rentals.map(({ orderId, terms, customerId }) => ordered(orderId, terms, {}, customerId)),
      ...events.map(happened),
    ]
    const shuffled = () => fc.shuffledSubarray(all, { minLength: all.length })
    return fc.tuple(shuffled(), shuffled())
  })
  fc.assert(
    fc.property(facts, ([one, other]) => {
      // Events of one day count in the order in which they become known.
      fc.pre(
        new Set(one.flatMap((fact) => ('event' in fact && 'date' in fact.event ? [fact.event.date] : []))).size ===
          one.filter((fact) => 'event' in fact).length,
      )
      assert.deepEqual(byMonth(one), byMonth(other))
    }),
    { numRuns: 500 },
  )
})
