// Rentals that are omitted from statements: they do not count any more, and their entries add up to nothing.
import { orderKey, type OrderKey } from '../engine/device-timeline.ts'
import { countsInNoPeriod, inForceAfter } from '../engine/ledger-history.ts'
import { PARTS, type Milligrams } from '../engine/numbers/emission.ts'
import type { Rational } from '../engine/numbers/rational.ts'
import type { Resumable } from '../engine/numbers/steps.ts'
import { monthsOfEntries } from '../engine/occupancy.ts'
import { latestOf } from '../engine/order.ts'
import { datedEmissions, monthsOfPart, startsOf } from '../engine/reporting-periods.ts'
import { toTimed } from '../ledger/codec.ts'
import type { CustomerRecords, StoredEntry } from '../ledger/records.ts'

/** Identifies a rental of a device, or an order without devices. */
export const rentalKey = (entry: OrderKey & { readonly serialNumber: string }): string =>
  `${entry.serialNumber}\0${orderKey(entry)}`

/**
 * Rentals, and orders without devices, that count no more, and of which nothing is left: each part comes to nothing
 * before the year, and nothing of it counts in a month from the year on. Statements of earlier years have what they
 * moved. METHODOLOGY.md#reporting-periods
 * @returns their rentalKey
 */
export function* settledBefore(
  year: number,
  { orders, ledgers, entries }: CustomerRecords,
): Resumable<ReadonlySet<string>> {
  const dispatched = new Map(orders.map((order) => [orderKey(order), order.tenureStartDate]))
  const settled = new Set<string>()
  for (const all of [...[...ledgers.values()].map((ledger) => ledger.entries), entries]) {
    const ended = [...Map.groupBy(all, rentalKey)].filter(([, own]) => hasEnded(own))
    const months = ended.some(([, own]) => own[0]!.serialNumber !== '') ? yield* monthsOfEntries(all, toTimed) : null
    const monthsOf = new Map(months && all.map((entry, at) => [entry, months[at]!]))
    for (const [key, own] of ended) {
      const day = dispatched.get(orderKey(own[0]!))
      if (day !== undefined && isSettled(own, monthsOf, day, year)) settled.add(key)
      yield
    }
  }
  return settled
}

function hasEnded(own: readonly StoredEntry[]): boolean {
  const latest = latestOf(own)
  return latest !== null && countsInNoPeriod(inForceAfter(latest).reason)
}

function isSettled(
  own: readonly StoredEntry[],
  monthsOf: ReadonlyMap<StoredEntry, Rational>,
  dispatchDay: string,
  year: number,
): boolean {
  const starts = startsOf(own)
  const dated = datedEmissions(
    own.map((entry, at) => ({ ...entry, months: monthsOf.get(entry) ?? null, start: starts[at]! })),
  ).flat()
  return PARTS.every((part) => {
    const sums = new Map<string, Milligrams>()
    for (const one of dated) {
      for (const { month, emission } of monthsOfPart(part, one[part], one, dispatchDay)) {
        const period = month < String(year) ? 'before' : month
        sums.set(period, (sums.get(period) ?? 0n) + emission)
      }
    }
    return sums.values().every((sum) => sum === 0n)
  })
}
