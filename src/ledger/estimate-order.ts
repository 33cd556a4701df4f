// Estimates an order against the current ledgers of its devices, without changing them.
import { findEventConflict } from '../engine/device-events.ts'
import {
  allocateRental,
  isLifetimeExhausted,
  openBalance,
  refurbish,
  type EmbodiedBalance,
} from '../engine/device-ledger.ts'
import { allocateFirstRental, type DeviceEvent } from '../engine/device-timeline.ts'
import { copyHistory } from '../engine/ledger-history.ts'
import { RunningLedger } from '../engine/running-ledger.ts'
import type { Resumable } from '../engine/numbers/steps.ts'
import { estimateItems, rentalTermsOf, type OrderFootprint, type RentalAllocator } from '../engine/estimate.ts'
import type { ReferenceDataOf } from '../engine/reference/reference-data.ts'
import { inSentence, type Message } from '../engine/message.ts'
import { EVENT_MESSAGES } from '../engine/messages.ts'
import { messageOf, type Problem } from '../engine/order.ts'
import { PROBLEMS_MAX } from '../engine/validate-order.ts'
import { rationalOfNumber, whole } from '../engine/numbers/rational.ts'
import type { ResolvedItem, ResolvedProduct } from '../engine/resolve-order.ts'
import type { DeviceLedger, DeviceLedgers } from './records.ts'
import { alternativePath, type ChangedOrder } from '../contract/parse-alternatives.ts'
import type { Refurbishment } from '../contract/estimate-schema.ts'
import type { WireOrder } from '../contract/order-schema.ts'
import { LEDGER_MESSAGES } from './messages.ts'
import type { ParsedOrder } from './order-posting.ts'
import { openInSteps, orderKeyOf, withDeviceFootprint, type OpenDevice } from './codec.ts'
import { ownFootprintOf } from './footprints.ts'
import { identificationBy, postIdentification } from './order-identification.ts'
import { runCooperatively } from '../concurrency/cooperative.ts'

/** The devices of an order that have a ledger, by serial number. */
export type KnownDevices = ReadonlyMap<string, OpenDevice>

/** The devices as the order finds them once it has identified those that it names anew. */
export async function openDevices(
  order: Pick<ParsedOrder, 'wire' | 'items' | 'releaseId'>,
  ledgers: DeviceLedgers,
  referenceDataOf: ReferenceDataOf,
): Promise<KnownDevices> {
  const devices = new Map<string, OpenDevice>()
  for (const item of order.items) {
    const ledger = item.type === 'product' ? ledgers.get(item.product.serialNumber) : undefined
    if (item.type !== 'product' || !ledger) continue
    devices.set(item.product.serialNumber, await runCooperatively(openFor(item, order, ledger, referenceDataOf)))
  }
  return devices
}

/** The identification is posted to a copy of the ledger. */
function* openFor(
  item: ResolvedProduct,
  { wire, releaseId }: Pick<ParsedOrder, 'wire' | 'releaseId'>,
  stored: DeviceLedger,
  referenceDataOf: ReferenceDataOf,
): Resumable<OpenDevice> {
  const known = yield* openInSteps(stored, referenceDataOf)
  const own = ownFootprintOf(item, releaseId, stored.device.isCapped)
  const identification = identificationBy(own, orderKeyOf(wire), null, known, stored)
  if (!identification) return known
  const ledger = yield* RunningLedger.openInSteps(copyHistory(known.ledger.history), known.figures)
  const { after } = postIdentification({ ...known, ledger }, identification, referenceDataOf)
  return { ...after, identifiedBy: known.identifiedBy }
}

/** @param refurbished the refurbishment of the devices for this order, if any */
export function estimateOrder(
  order: ParsedOrder,
  known: KnownDevices,
  refurbished: Refurbishment | null,
): OrderFootprint {
  const deviceOf = ({ product }: ResolvedProduct) => known.get(product.serialNumber)
  const items = order.items.map((item): ResolvedItem => {
    const device = item.type === 'product' ? deviceOf(item) : undefined
    return item.type === 'product' && device ? withDeviceFootprint(item, device) : item
  })
  const runOf: RentalAllocator = (item) => {
    const device = deviceOf(item)
    if (device) return runKnown(item, device, order, refurbished)
    return allocateFirstRental(balanceOfNew(item, order.isCapped, refurbished), rentalTermsOf(item))
  }
  return estimateItems(items, runOf)
}

const eventOf = (refurbished: Refurbishment, { tenure_start_date: date }: WireOrder): DeviceEvent => ({
  type: 'refurbished',
  date,
  emission: rationalOfNumber(refurbished.emission_kg),
  monthsAdded: whole(refurbished.lifetime_months_added),
})

/** Finds refurbishments that would be rejected as an event on that day because they contradict a device's history. */
export function validateRefurbishments(
  { wire, items, isCapped }: ParsedOrder,
  known: KnownDevices,
  alternatives: readonly ChangedOrder[],
): readonly Problem[] {
  const problems: Problem[] = []
  for (const [at, { refurbished }] of alternatives.entries()) {
    if (!refurbished) continue
    for (const item of items) {
      if (problems.length >= PROBLEMS_MAX) return problems
      if (item.type !== 'product') continue
      const { serialNumber } = item.product
      const device = known.get(serialNumber)
      const conflict = device && findEventConflict(eventOf(refurbished, wire), device.ledger)
      const fault = device ? conflict && messageOf(conflict) : faultOfNew(item, isCapped, refurbished)
      if (!fault) continue
      const impossible = { serial_number: serialNumber, problem: inSentence(fault) }
      const path = `${alternativePath(at)}/refurbished`
      problems.push({ path, ...LEDGER_MESSAGES.refurbishment_impossible(impossible) })
    }
  }
  return problems
}

/** Same check as in findEventConflict for devices with a ledger: added emissions need months to be spread over. */
function faultOfNew(item: ResolvedProduct, isCapped: boolean, refurbished: Refurbishment): Message | null {
  const balance = balanceOfNew(item, isCapped, refurbished)
  if (!isCapped || !isLifetimeExhausted(balance)) return null
  return EVENT_MESSAGES.lifetime_exhausted()
}

/** A device with a ledger is refurbished on the day on which the order's tenure starts. */
function runKnown(
  item: ResolvedProduct,
  { ledger }: OpenDevice,
  { wire }: ParsedOrder,
  refurbished: Refurbishment | null,
) {
  return ledger.runWith({ ...orderKeyOf(wire), terms: rentalTermsOf(item) }, refurbished && eventOf(refurbished, wire))
}

/** A device without a ledger was used before it was refurbished. METHODOLOGY.md#refurbishment */
function balanceOfNew(
  { footprint }: ResolvedProduct,
  isCapped: boolean,
  refurbished: Refurbishment | null,
): EmbodiedBalance {
  const { embodied, lifetimeMonths } = footprint
  const opening = openBalance(embodied, lifetimeMonths, isCapped)
  if (!refurbished) return opening
  const { emission_kg: emission, lifetime_months_added: added, months_before: before } = refurbished
  const used = allocateRental(opening, before === undefined ? lifetimeMonths : whole(before)).balance
  return refurbish(used, rationalOfNumber(emission), whole(added))
}
