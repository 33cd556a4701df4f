// Tests that reports, which use doubles, spread emission like the engine's exact numbers: to the same milligrams.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { day } from '../../test/case-arbitraries.ts'
import { DEFAULT_BOUNDARY } from '../engine/inventory-boundary.ts'
import { dayPosition } from '../engine/numbers/calendar.ts'
import { fromExactText } from '../engine/numbers/rational.ts'
import { cumulativeEmission } from '../engine/reporting-periods.ts'
import { FIRST_DAY, LAST_DAY, TIME_DIMENSIONS } from './query.ts'
import { dayNoOf, dayOf } from './fact.ts'
import { createPeriods, isWithin } from './periods.ts'

const LENGTHS = { month: 1, quarter: 3, year: 12 }
/** As stored in ledgers: whole months, or a fraction of days of months of two lengths. */
const months = fc.oneof(
  fc.nat({ max: 80 }).map(String),
  fc.tuple(fc.nat({ max: 40_000 }), fc.constantFrom(29, 31, 868, 930)).map(([days, parts]) => `${days}/${parts}`),
)
const days = fc.oneof(
  fc.constant({ from: FIRST_DAY, to: LAST_DAY }),
  fc.tuple(day(), fc.nat({ max: 4_000 })).map(([from, more]) => ({ from: dayNoOf(from), to: dayNoOf(from) + more })),
)
/** Mostly within the range that a report multiplies in doubles, some values above it. */
const posted = fc.oneof(fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), fc.maxSafeInteger())
const firstOf = (month: number): string =>
  `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`

const spreads = fc.record({ start: day(), months, countsFrom: fc.option(day()) })

test('each period of a report has what the engine finds between its ends, whatever its days', () => {
  fc.assert(
    fc.property(spreads, days, posted, fc.constantFrom(...TIME_DIMENSIONS), (terms, range, own, name) => {
      const view = DEFAULT_BOUNDARY
      const query = { accountId: 1, groupBy: [name], filters: new Map(), basis: 'tenure', ...range, view } as const
      const periods = createPeriods({ ...query, sort: 'name', limit: null })
      const length = LENGTHS[name]
      const agreed = { start: terms.start, months: fromExactText(terms.months) }
      const before = (at: string) =>
        terms.countsFrom !== null && at <= terms.countsFrom
          ? 0n
          : cumulativeEmission(dayPosition(at), BigInt(own), agreed)
      const byPeriod = Map.groupBy(periods.ofRental(terms), ({ period }) => period)
      let found = 0n
      for (const [period, pieces] of byPeriod) {
        const [first, end] = [firstOf(length * period), firstOf(length * (period + 1))]
        assert.equal(periods.label(period, 'month'), first.slice(0, 7))
        const from = range.from > dayNoOf(first) ? dayOf(range.from) : first
        const to = range.to + 1 < dayNoOf(end) ? dayOf(range.to + 1) : end
        const spread = pieces.reduce((sum, piece) => sum + BigInt(isWithin(own, piece)), 0n)
        assert.equal(spread, before(to) - before(from))
        found += spread
      }
      const all = range.to === LAST_DAY ? BigInt(own) : before(dayOf(range.to + 1)) - before(dayOf(range.from))
      assert.equal(found, all)
    }),
    { numRuns: 2_000 },
  )
})
