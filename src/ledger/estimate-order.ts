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
import type { ReferenceData, ReferenceDataOf } from '../engine/reference/reference-data.ts'
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
import { defaultFor, defaultWarning } from './refurbishment-default.ts'
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

/**
 * @param refurbished the refurbishment of the devices for this order, if any; one that passed validateRefurbishments
 * @param referenceData the release of new orders
 */
export function estimateOrder(
  order: ParsedOrder,
  known: KnownDevices,
  refurbished: Refurbishment | null,
  referenceData: ReferenceData,
): OrderFootprint {
  const deviceOf = ({ product }: ResolvedProduct) => known.get(product.serialNumber)
  const items = order.items.map((item): ResolvedItem => {
    const device = item.type === 'product' ? deviceOf(item) : undefined
    return item.type === 'product' && device ? withDeviceFootprint(item, device) : item
  })
  const runOf: RentalAllocator = (item) => {
    const device = deviceOf(item)
    const event = refurbished && eventOf(refurbished, device?.figures ?? item, order.wire, referenceData)
    if (device) return runKnown(item, device, order, event)
    return allocateFirstRental(balanceOfNew(item, order.isCapped, refurbished, event), rentalTermsOf(item))
  }
  return estimateItems(items, runOf)
}

type Refurbished = Extract<DeviceEvent, { readonly type: 'refurbished' }>

/** Null for a device of a type without a default, if no emission is stated. */
function eventOf(
  { emission_kg: stated, lifetime_months_added: months }: Refurbishment,
  { footprint }: Pick<ResolvedProduct, 'footprint'>,
  { tenure_start_date: date }: WireOrder,
  referenceData: ReferenceData,
): Refurbished | null {
  const emission = stated === undefined ? defaultFor(footprint, referenceData)?.emission : rationalOfNumber(stated)
  return emission ? { type: 'refurbished', date, emission, monthsAdded: whole(months) } : null
}

/** What is told of alternatives that state no emission of a refurbishment: the default of each type, once. */
export function refurbishmentWarnings(
  { items }: Pick<ParsedOrder, 'items'>,
  known: KnownDevices,
  alternatives: readonly ChangedOrder[],
  referenceData: ReferenceData,
): readonly Problem[] {
  const defaults = items.flatMap((item) =>
    item.type === 'product'
      ? (defaultFor((known.get(item.product.serialNumber)?.figures ?? item).footprint, referenceData) ?? [])
      : [],
  )
  return [...alternatives.entries()].flatMap(([at, { refurbished }]) =>
    refurbished && refurbished.emission_kg === undefined
      ? [...new Set(defaults)].map((one) => defaultWarning(`${alternativePath(at)}/refurbished/emission_kg`, one))
      : [],
  )
}

/** Finds refurbishments that would be rejected as an event on that day because they contradict a device's history. */
export function validateRefurbishments(
  { wire, items, isCapped }: ParsedOrder,
  known: KnownDevices,
  alternatives: readonly ChangedOrder[],
  referenceData: ReferenceData,
): readonly Problem[] {
  const problems: Problem[] = []
  for (const [at, { refurbished }] of alternatives.entries()) {
    if (!refurbished) continue
    for (const item of items) {
      if (problems.length >= PROBLEMS_MAX) return problems
      if (item.type !== 'product') continue
      const { serialNumber } = item.product
      const device = known.get(serialNumber)
      const event = eventOf(refurbished, device?.figures ?? item, wire, referenceData)
      const fault = event
        ? faultOf(item, device, isCapped, refurbished, event)
        : EVENT_MESSAGES.refurbishment_without_default()
      if (!fault) continue
      const impossible = { serial_number: serialNumber, problem: inSentence(fault) }
      const path = `${alternativePath(at)}/refurbished${event ? '' : '/emission_kg'}`
      problems.push({ path, ...LEDGER_MESSAGES.refurbishment_impossible(impossible) })
    }
  }
  return problems
}

/** Of a device without a ledger, the same as in findEventConflict: added emissions need months to be spread over. */
function faultOf(
  item: ResolvedProduct,
  device: OpenDevice | undefined,
  isCapped: boolean,
  refurbished: Refurbishment,
  event: Refurbished,
): Message | null {
  if (device) {
    const conflict = findEventConflict(event, device.ledger)
    return conflict && messageOf(conflict)
  }
  const balance = balanceOfNew(item, isCapped, refurbished, event)
  if (!isCapped || !isLifetimeExhausted(balance)) return null
  return EVENT_MESSAGES.lifetime_exhausted()
}

/** A device with a ledger is refurbished on the day on which the order's tenure starts. */
function runKnown(item: ResolvedProduct, { ledger }: OpenDevice, { wire }: ParsedOrder, event: Refurbished | null) {
  return ledger.runWith({ ...orderKeyOf(wire), terms: rentalTermsOf(item) }, event)
}

/** A device without a ledger was used before it was refurbished. METHODOLOGY.md#refurbishment */
function balanceOfNew(
  { footprint }: ResolvedProduct,
  isCapped: boolean,
  refurbished: Refurbishment | null,
  event: Refurbished | null,
): EmbodiedBalance {
  const { embodied, lifetimeMonths } = footprint
  const opening = openBalance(embodied, lifetimeMonths, isCapped)
  if (!refurbished || !event) return opening
  const { months_before: before } = refurbished
  const used = allocateRental(opening, before === undefined ? lifetimeMonths : whole(before)).balance
  return refurbish(used, event.emission, event.monthsAdded)
}
