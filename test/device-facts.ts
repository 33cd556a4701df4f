// Facts of one device for the engine's tests: its rentals and events, and round figures that it is charged by.
import fc from 'fast-check'
import { addMonths, monthsBetween } from '../src/engine/numbers/calendar.ts'
import {
  NO_EMISSIONS,
  replayEntries,
  type LedgerEntry,
  type MutableLedgerHistory,
  type EmissionsByPart,
} from '../src/engine/ledger-history.ts'
import type { DeviceEvent, DeviceTimeline, Rental, RentalTerms } from '../src/engine/device-timeline.ts'
import { footprintById } from '../src/engine/reference/footprint.ts'
import { timelineOf, type RentalChange, type DeviceFootprint, type PostedEntries } from '../src/engine/post-entries.ts'
import { RunningLedger } from '../src/engine/running-ledger.ts'
import { runToCompletion } from '../src/engine/numbers/steps.ts'
import { ONE, parseDecimal, whole } from '../src/engine/numbers/rational.ts'
import { amount } from './case-arbitraries.ts'
import { readCaseBook } from './case-book.ts'

const referenceData = readCaseBook('book.json')

/** A device of 48 kg over 48 months, so that a month is a kilogram; its use is 12 kg over the same months. */
export const figuresWith = (changes: Partial<Pick<DeviceFootprint, 'isCapped'>> = {}): DeviceFootprint => ({
  footprint: {
    ...footprintById([...referenceData.models.keys()][0]!, ONE, referenceData),
    embodied: whole(48),
    lifetimeMonths: whole(48),
    useOverLifetime: whole(12),
    yearlyEnergyKwh: null,
  },
  isCapped: true,
  gridOf: () => [],
  ...changes,
})

export const FIGURES = figuresWith()

/** Terms of a whole number of months, as an order has them. */
export const tenureOf = (start: string, months: number): RentalTerms => ({
  start,
  end: addMonths(start, months),
  months: whole(months),
})

/** Terms until some day, as an early return has them. */
export const heldUntil = (start: string, end: string): RentalTerms => ({
  start,
  end,
  months: monthsBetween(start, end),
})

export const rentalOf = (orderId: string, terms: RentalTerms, customerId = 'customer'): Rental => ({
  customerId,
  orderId,
  terms,
})

export const refurbished = (date: string, kilograms: string, months: number): DeviceEvent => ({
  type: 'refurbished',
  date,
  emission: parseDecimal(kilograms),
  monthsAdded: whole(months),
})

export const ordered = (
  orderId: string,
  terms: RentalTerms,
  shared: Partial<EmissionsByPart> = {},
  customerId = 'customer',
) =>
  ({
    customerId,
    orderId,
    terms,
    reason: 'order',
    country: null,
    releaseId: 1,
    eventId: null,
    shared: { ...NO_EMISSIONS, ...shared },
  }) satisfies RentalChange

let eventsHappened = 0

export const happened = (event: DeviceEvent) => ({
  event,
  eventId: `event ${(eventsHappened += 1)}`,
  releaseId: 1,
})

export const withdrawn = (eventId: string): RentalChange => ({
  event: { type: 'withdrawn', withdraws: eventId },
  eventId: `withdrawal of ${eventId}`,
  releaseId: 1,
  inForce: null,
})

/** What a fact posts to a ledger. */
export const postTo = (
  entries: readonly LedgerEntry[],
  change: RentalChange,
  figures: DeviceFootprint = FIGURES,
): PostedEntries => RunningLedger.open(replayEntries(entries), figures).post(change)

/** The run over everything that is known. */
export const runOver = (history: MutableLedgerHistory, figures: DeviceFootprint = FIGURES): DeviceTimeline =>
  runToCompletion(timelineOf(history, figures))

/** The ledger of a device of which these facts became known in turn. */
export function entriesOf(
  changes: readonly RentalChange[],
  figures: DeviceFootprint = FIGURES,
): readonly LedgerEntry[] {
  const ledger = RunningLedger.open(replayEntries([]), figures)
  return changes.flatMap((change) => ledger.post(change).entries)
}

export const knownFrom = (changes: readonly RentalChange[], figures: DeviceFootprint = FIGURES): MutableLedgerHistory =>
  replayEntries(entriesOf(changes, figures))

/** A day of few years, so that rentals meet each other. */
const nearDay = (): fc.Arbitrary<string> =>
  fc
    .date({ min: new Date('2024-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10))

/** Terms of whole months, of none at all, or until some day. */
export const anyTerms = (): fc.Arbitrary<RentalTerms> =>
  fc.oneof(
    { arbitrary: fc.tuple(nearDay(), fc.nat(36)).map(([start, months]) => tenureOf(start, months)), weight: 4 },
    { arbitrary: nearDay().map((start) => tenureOf(start, 0)), weight: 1 },
    {
      arbitrary: fc.tuple(nearDay(), nearDay()).map((days) => heldUntil(days.toSorted()[0]!, days.toSorted()[1]!)),
      weight: 1,
    },
  )

/** Rentals of different orders of two customers, who share order ids. */
export const anyRentals = (): fc.Arbitrary<Rental[]> =>
  fc.uniqueArray(
    fc
      .record({
        orderId: fc.constantFrom('a', 'b', 'c', '\uffff', '😀'),
        customerId: fc.constantFrom('k', 'l'),
        terms: anyTerms(),
      })
      .map(({ orderId, customerId, terms }) => rentalOf(orderId, terms, customerId)),
    { maxLength: 8, selector: ({ orderId, customerId }) => `${customerId}\0${orderId}` },
  )

export const anyRefurbishment = (): fc.Arbitrary<Extract<DeviceEvent, { type: 'refurbished' }>> =>
  fc
    .record({ date: nearDay(), emission: amount(50), monthsAdded: fc.nat(24).map((months) => whole(months)) })
    .map((members) => ({ type: 'refurbished' as const, ...members }))

/** Events of different days: those of one day count in the sequence in which they became known. */
export const anyEvents = (): fc.Arbitrary<DeviceEvent[]> =>
  fc.uniqueArray<DeviceEvent, string>(
    fc.oneof(
      { arbitrary: anyRefurbishment(), weight: 4 },
      { arbitrary: nearDay().map((date) => ({ type: 'retired' as const, date })), weight: 1 },
      { arbitrary: nearDay().map((date) => ({ type: 'lost' as const, date })), weight: 1 },
    ),
    { maxLength: 4, selector: ({ date }) => date },
  )
