// The running ledger: it gives the same results as a complete recalculation, with far less work.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  FIGURES,
  anyEvents,
  anyRefurbishment,
  anyRentals,
  anyTerms,
  figuresWith,
  happened,
  ordered,
  rentalOf,
  runOver,
  tenureOf,
  withdrawn,
} from '../../test/device-facts.ts'
import { leastProcessorTime } from '../../test/least-time.ts'
import {
  NO_EMISSIONS,
  applyEntry,
  replayEntries,
  type LedgerEntry,
  type MutableLedgerHistory,
} from './ledger-history.ts'
import { totalEmbodied } from './device-ledger.ts'
import { orderKey, type DeviceTimeline } from './device-timeline.ts'
import { addMonths } from './numbers/calendar.ts'
import { compare } from './numbers/rational.ts'
import { correctionOf, isNothing, missing, ownEntry, type RentalChange, type DeviceFootprint } from './post-entries.ts'
import { RunningLedger } from './running-ledger.ts'

/** Facts in any order; the terms of an order may be changed repeatedly, also to no duration. */
const anyFacts = (): fc.Arbitrary<readonly RentalChange[]> =>
  fc
    .tuple(anyRentals(), anyEvents(), fc.array(fc.tuple(fc.nat(20), anyTerms()), { maxLength: 8 }))
    .chain(([rentals, events, again]) => {
      const orders = rentals.map(({ orderId, terms, customerId }) => ordered(orderId, terms, {}, customerId))
      const told = again.flatMap(([at, terms]): readonly RentalChange[] => {
        const rental = rentals[at % Math.max(1, rentals.length)]
        return rental ? [{ ...ordered(rental.orderId, terms, {}, rental.customerId), reason: 'extension' }] : []
      })
      const all = [...orders, ...events.map(happened), ...told]
      const shuffled = fc.shuffledSubarray(all, { minLength: all.length })
      return fc.tuple(shuffled, fc.array(fc.nat(99), { maxLength: 3 })).map(withWithdrawals)
    })

/** Withdraws some of the device's events at some later time. */
function withWithdrawals([changes, picks]: [RentalChange[], number[]]): readonly RentalChange[] {
  const all = [...changes]
  for (const pick of picks) {
    const left = all.filter((one) => 'event' in one && !all.some((other) => isWithdrawalOf(other, one)))
    const event = left[pick % Math.max(1, left.length)]
    if (!event || !('event' in event) || event.event.type === 'withdrawn') continue
    const after = all.indexOf(event) + 1
    all.splice(after + (pick % (all.length - after + 1)), 0, withdrawn(event.eventId))
  }
  return all
}

const isWithdrawalOf = (one: RentalChange, other: RentalChange): boolean =>
  'event' in one && one.event.type === 'withdrawn' && one.event.withdraws === other.eventId

/** Computed over all facts before and after: the rule of METHODOLOGY.md#corrections, regardless of cost. */
function postedByRunningAll(
  entries: readonly LedgerEntry[],
  change: RentalChange,
  figures: DeviceFootprint,
): readonly LedgerEntry[] {
  const before = runOver(replayEntries(entries), figures)
  const known: MutableLedgerHistory = replayEntries(entries)
  if ('event' in change) applyEntry(known, { ...ownEntry(change, NO_EMISSIONS), no: 0 })
  else
    known.rentals.set(orderKey(change), {
      ...change,
      posted: known.rentals.get(orderKey(change))?.posted ?? NO_EMISSIONS,
    })
  const after = runOver(known, figures)
  const partsOf = (key: string) => missing(known.rentals.get(key)!, after.rentals.get(key)!, figures)
  const own = 'event' in change ? null : orderKey(change)
  const corrections = [...after.rentals.keys()]
    .filter((key) => key !== own && !isNothing(partsOf(key)))
    .map((key) => {
      const hasMoved = after.rentals.get(key)!.end !== before.rentals.get(key)!.end
      return correctionOf(known.rentals.get(key)!, partsOf(key), hasMoved, change)
    })
  const all = [ownEntry(change, own === null ? NO_EMISSIONS : partsOf(own)), ...corrections]
  return all.map((entry, at) => ({ ...entry, no: entries.length + 1 + at }))
}

/** Checks every number against the complete recalculation. */
function assertSame(ledger: RunningLedger, run: DeviceTimeline): void {
  for (const { customerId, orderId } of ledger.history.rentals.values()) {
    const [one, other] = [ledger.runOf({ customerId, orderId }), run.rentals.get(orderKey({ customerId, orderId }))!]
    assert.deepEqual([one.end, one.share.emission], [other.end, other.share.emission])
    assert.equal(compare(one.months, other.months), 0)
    for (const balance of ['pool', 'rate', 'allocated', 'monthsAllocated'] as const) {
      assert.equal(compare(one.before[balance], other.before[balance]), 0, balance)
    }
  }
  assert.equal(compare(totalEmbodied(ledger.balance), totalEmbodied(run.balance)), 0)
  assert.equal(compare(ledger.balance.allocated, run.balance.allocated), 0)
}

test('each fact posts to the milligram what the run over everything posts, in the same sequence', () => {
  fc.assert(
    fc.property(anyFacts(), fc.boolean(), (facts, isCapped) => {
      const figures = figuresWith({ isCapped })
      const ledger = RunningLedger.open(replayEntries([]), figures)
      let entries: readonly LedgerEntry[] = []
      for (const fact of facts) {
        const expected = postedByRunningAll(entries, fact, figures)
        assert.deepEqual(ledger.post(fact).entries, expected)
        entries = [...entries, ...expected]
        assertSame(ledger, runOver(replayEntries(entries), figures))
      }
      assert.deepEqual(ledger.history, replayEntries(entries))
    }),
    { numRuns: 300 },
  )
})

test('a ledger that takes in what another posted goes on as that one does, wherever it took over', () => {
  fc.assert(
    fc.property(anyFacts(), fc.nat(), (facts, place) => {
      const writer = RunningLedger.open(replayEntries([]), FIGURES)
      const cut = place % (facts.length + 1)
      const early = facts.slice(0, cut).flatMap((fact) => writer.post(fact).entries)
      const reader = RunningLedger.open(replayEntries(early), FIGURES)
      for (const fact of facts.slice(cut)) for (const entry of writer.post(fact).entries) reader.add(entry)
      assertSame(reader, runOver(writer.history))
      const next = ordered('next', tenureOf('2026-03-01', 7))
      assert.deepEqual(reader.post(next).entries, writer.post(next).entries)
    }),
    { numRuns: 200 },
  )
})

test('what a ledger lacks of what its rentals come to is posted with the next fact', () => {
  const ledger = RunningLedger.open(replayEntries([]), FIGURES)
  const [long, next] = [ordered('long', tenureOf('2025-01-01', 12)), ordered('next', tenureOf('2025-04-01', 6))]
  const [own, short] = [ledger.post(long).entries, ledger.post(next).entries.slice(0, 1)]
  const lacking = RunningLedger.open(replayEntries([...own, ...short]), FIGURES)
  const posted = lacking.post(ordered('far', tenureOf('2030-01-01', 1))).entries
  assert.deepEqual(
    posted.map(({ orderId, product_use: use }) => [orderId, use]),
    [
      ['far', 250_000n],
      ['long', -2_250_000n],
    ],
  )
})

test('what is asked of a fact that nobody told is what telling it comes to, and nothing of it stays', () => {
  fc.assert(
    fc.property(anyFacts(), anyTerms(), anyRefurbishment(), fc.boolean(), (facts, terms, refurbished, withEvent) => {
      const ledger = RunningLedger.open(replayEntries([]), FIGURES)
      for (const fact of facts) ledger.post(fact)
      const told = (...changes: readonly RentalChange[]) => {
        const other = RunningLedger.open(structuredClone(ledger.history), FIGURES)
        for (const change of changes) other.post(change)
        return runOver(other.history)
      }
      const before = structuredClone(ledger.history)
      const rental = rentalOf('new', terms)
      const event = { ...refurbished, date: terms.start }
      const expected = told(...(withEvent ? [happened(event)] : []), ordered('new', terms)).rentals.get(
        orderKey(rental),
      )!
      const { end, share } = ledger.runWith(rental, withEvent ? event : null)
      assert.deepEqual([end, share.emission], [expected.end, expected.share.emission])
      const step = told(happened(refurbished)).steps.findLast(
        (one) => 'event' in one && one.event.date === refurbished.date,
      )!
      assert.ok('after' in step)
      assert.equal(compare(ledger.balanceAfter(refurbished).allocated, step.after.allocated), 0)
      assert.equal(compare(ledger.balanceAfter(refurbished).monthsAllocated, step.after.monthsAllocated), 0)
      for (const known of before.rentals.values()) {
        const later = { ...known.terms, end: addMonths(known.terms.end, 5) }
        const run = told(ordered(known.orderId, later, {}, known.customerId)).rentals.get(orderKey(known))!
        assert.equal(ledger.endWith(known, later).end, run.end)
      }
      assert.deepEqual(ledger.history, before)
    }),
    { numRuns: 100 },
  )
})

test('a device with four times the rentals takes about four times as long for all of them, and not sixteen', () => {
  const dayOf = (n: number) => new Date(Date.UTC(2021, 0, 1) + ((n * 7919) % 1826) * 86_400_000)
  const fill = (orders: number) => () => {
    const ledger = RunningLedger.open(replayEntries([]), FIGURES)
    for (let n = 0; n < orders; n += 1) {
      ledger.post(ordered(`order-${n}`, tenureOf(dayOf(n).toISOString().slice(0, 10), 1 + (n % 24))))
    }
  }
  const [some, many] = [leastProcessorTime(fill(2_000)), leastProcessorTime(fill(8_000))]
  assert.ok(many / some < 8, `${many / some} times as long`)
})
