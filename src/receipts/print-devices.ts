// Prints the devices of a receipt: footprint, ledger data, balances, and posted entries.
import { addEmissions, NO_EMISSIONS, type EmissionsByPart } from '../engine/ledger-history.ts'
import type { EmbodiedBalance } from '../engine/device-ledger.ts'
import { orderKey, type DeviceEvent, type DeviceTimeline, type EmissionDefault } from '../engine/device-timeline.ts'
import type { ReferenceDataOf } from '../engine/reference/reference-data.ts'
import { PARTS, toKilograms } from '../engine/numbers/emission.ts'
import { pseudonymousPosition, type PostedEmission } from '../engine/order-inputs.ts'
import { toExactText } from '../engine/numbers/rational.ts'
import type { RecomputedDevice } from '../engine/recompute-order.ts'
import { JsonDecimal } from '../strict-json/exact-tree.ts'

export function printDevice(
  { facts, footprint, run, rental, rentalRun, total }: RecomputedDevice,
  referenceDataOf: ReferenceDataOf,
) {
  return {
    serial_number: facts.serialNumber,
    footprint_id: facts.footprintId,
    dataset_release: referenceDataOf(facts.releaseId).release,
    weight_kg: facts.weightKg === null ? undefined : toExactText(facts.weightKg),
    embodied: toExactText(footprint.embodied),
    lifetime_months: toExactText(footprint.lifetimeMonths),
    amortisation: facts.isCapped ? 'capped' : 'uncapped',
    identified_by: facts.identifiedBy ?? undefined,
    ledger: { rentals: printRentals(run, orderKey(rental)), events: facts.events.map(printEvent) },
    balance_before: printBalance(rentalRun.before),
    balance_after: printBalance(rentalRun.share.balance),
    posted: facts.posted.map((entry) => printEntry(entry, referenceDataOf)),
    posted_total: printParts(facts.posted.reduce<EmissionsByPart>(addEmissions, NO_EMISSIONS)),
    total: printParts(total),
  }
}

/** All rentals of the device in the order of its life. Rentals under other orders are printed without a name. */
const printRentals = ({ steps }: DeviceTimeline, own: string) =>
  steps
    .flatMap((step) => ('run' in step ? [step] : []))
    .map(({ order, run }, at) => ({
      rental: at + 1,
      is_this_order: orderKey(order) === own,
      start: run.terms.start,
      end: run.terms.end,
      months: toExactText(run.terms.months),
      held_until: run.end,
      months_held: toExactText(run.months),
      months_allocated: toExactText(run.share.allocatedMonths),
    }))

const printEvent = (event: DeviceEvent) => ({
  type: event.type,
  date: event.date,
  ...(event.type === 'refurbished' && {
    emission: toExactText(event.emission),
    months_added: toExactText(event.monthsAdded),
    emission_default: event.byDefault && printDefault(event.byDefault),
  }),
})

export const printDefault = ({ deviceType, low, high, release }: EmissionDefault) => ({
  device_type: deviceType,
  low: toExactText(low),
  high: toExactText(high),
  dataset_release: release,
})

/** Each sum is printed exactly; `remaining_kg` and `allocated_kg` are decimals. */
const printBalance = (balance: EmbodiedBalance) => ({
  remaining_kg: balance.pool,
  remaining: toExactText(balance.pool),
  allocated_kg: balance.allocated,
  allocated: toExactText(balance.allocated),
  unallocated: toExactText(balance.unallocated),
  kg_per_month: toExactText(balance.rate),
  lifetime_months: toExactText(balance.lifetimeMonths),
  months_allocated: toExactText(balance.monthsAllocated),
})

export const printEntry = (entry: PostedEmission, referenceDataOf: ReferenceDataOf) => ({
  entry_no: entry.no,
  reason: entry.reason,
  posted_at: entry.postedAt,
  event_id: entry.eventId ?? undefined,
  caused_by_rental: entry.cause === null ? undefined : pseudonymousPosition(entry.cause),
  in_force: entry.inForce ? { reason: entry.inForce.reason, event_id: entry.inForce.eventId ?? undefined } : undefined,
  terms:
    entry.terms === null
      ? undefined
      : {
          start: entry.terms.start,
          end: entry.terms.end,
          months: toExactText(entry.terms.months),
          country: entry.country ?? undefined,
          dataset_release: referenceDataOf(entry.releaseId).release,
        },
  emission: printParts(entry),
})

const printParts = (parts: EmissionsByPart) =>
  Object.fromEntries(PARTS.map((part) => [part, new JsonDecimal(toKilograms(parts[part]))]))
