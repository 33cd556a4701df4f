// The product that a swap names: what its new device is by the words of the event.
import { NAMING_MEMBERS, type NamedProduct, type Swap } from '../engine/order-inputs.ts'
import { rationalOfNumber } from '../engine/numbers/rational.ts'
import type { EventRejection } from '../engine/order-events.ts'
import type { Product } from '../engine/order.ts'
import { exactMethodOf, matchProduct, modelIdByAlias, type MappingOf } from '../engine/reference/product-match.ts'
import type { Resumable } from '../engine/numbers/steps.ts'
import type { ReferenceDataOf } from '../engine/reference/reference-data.ts'
import { unknownModel } from '../engine/validate-order.ts'
import type { WireSwap } from '../contract/event-schema.ts'
import { encodeEntry, openInSteps, type OpenDevice } from './codec.ts'
import type { RecordedSwap } from './counted-events.ts'
import { footprintToStore } from './footprints.ts'
import type { CurrentRelease } from './identify-device.ts'
import { identificationBy, postIdentification } from './order-identification.ts'
import type {
  DeviceLedgers,
  EventPosting,
  NewEntry,
  OrderRecords,
  Recorder,
  StoredEntry,
  StoredFootprint,
} from './records.ts'

/** The product that a swap names; null if it has none of the members that name one. */
export function productOfSwap(wire: WireSwap): Product | null {
  if (NAMING_MEMBERS.every((name) => wire[name] === undefined)) return null
  return {
    type: 'product',
    productId: wire.product_id ?? '',
    serialNumber: wire.new_serial_number,
    tenureMonths: 0,
    weightKg: rationalOfNumber(wire.weight_kg),
    deviceType: wire.device_type ?? null,
    modelId: wire.model_id ?? null,
    productName: wire.product_name ?? null,
    brand: wire.brand ?? null,
    country: null,
  }
}

/** What matches the products that are named now: the current release, and the account's mappings of product ids. */
export interface ProductMatching extends CurrentRelease {
  readonly mappingOf: MappingOf
}

/**
 * What the new device of a swap is by the words of the event, matched like a product of an order; null if it names no
 * product. METHODOLOGY.md#events
 * @param isCapped amortisation of the device
 */
export function footprintOfSwap(
  wire: WireSwap,
  isCapped: boolean,
  matching: ProductMatching | null,
): StoredFootprint | EventRejection | null {
  const product = productOfSwap(wire)
  if (!product) return null
  if (!matching) throw new Error('A swap that names a product is recorded without what matches it')
  const { releaseId, referenceData, mappingOf } = matching
  const { modelId } = product
  if (modelId !== null && modelIdByAlias(modelId, referenceData) === null)
    return { ok: false, isMalformed: true, problem: unknownModel(modelId, '/model_id', referenceData) }
  return footprintToStore(product, matchProduct(product, referenceData, mappingOf), releaseId, isCapped)
}

/** What identifies a known device when it is swapped in: nothing for nearly all. */
interface SwapIdentification extends Pick<EventPosting, 'identified' | 'identifications'> {
  readonly entries: readonly NewEntry[]
}

export const NOT_IDENTIFIED: SwapIdentification = { entries: [] }

/**
 * Opens a new device with what a swap says that it is. A known device stays what it is, unless the order may identify
 * it: if the order fixed it, or none of its rentals counts any more. METHODOLOGY.md#events
 * @param known the open devices; the device is replaced there, or added
 */
export function* nameNewDevice(
  serialNumber: string,
  named: StoredFootprint,
  { order, ledgers }: OrderRecords,
  recordedBy: Recorder | null,
  known: Map<string, OpenDevice>,
  referenceDataOf: ReferenceDataOf,
): Resumable<SwapIdentification> {
  const ledger = ledgers.get(serialNumber)
  if (!ledger) {
    const device = { ...named, serialNumber, balance: { embodiedTotal: 0n, allocated: 0n } }
    known.set(serialNumber, yield* openInSteps({ device, entries: [] }, referenceDataOf))
    return NOT_IDENTIFIED
  }
  const open = known.get(serialNumber)!
  const footprint = { ...named, isCapped: ledger.device.isCapped }
  const identification = identificationBy(footprint, order, recordedBy, open, ledger, true)
  if (!identification) return NOT_IDENTIFIED
  const { after, entries } = postIdentification(open, identification, referenceDataOf)
  known.set(serialNumber, after)
  return {
    entries: entries.map((entry) => encodeEntry(entry, serialNumber)),
    identified: new Set([serialNumber]),
    identifications: [identification.event],
  }
}

/** The swap with what its words were matched to, as far as the ledger of the new device has it. */
export const toSwap = ({ out, wire }: RecordedSwap, ledgers: DeviceLedgers): Swap => ({
  eventId: wire.event_id,
  out,
  in: wire.new_serial_number,
  weightKg: rationalOfNumber(wire.weight_kg),
  named: namedProductOf(wire, ledgers.get(wire.new_serial_number)?.entries[0]),
})

/**
 * What the words of a swap were matched to. They fixed what the device is charged by if its first entry is of the swap.
 * @param first the first entry of the device
 */
export function namedProductOf(wire: WireSwap, first: StoredEntry | undefined): NamedProduct | null {
  const product = productOfSwap(wire)
  if (!product || first?.no !== 1 || first.eventId !== wire.event_id || !first.footprint) return null
  const { footprintId, releaseId, possibleMatch } = first.footprint
  return {
    product,
    footprintId,
    releaseId,
    matchMethod: possibleMatch?.matchMethod ?? exactMethodOf(product, footprintId),
  }
}
