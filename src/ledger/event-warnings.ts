// Warnings about the weight and product that an event names, judged by the current release and the account's mappings.
import type { OrderKey } from '../engine/device-timeline.ts'
import type { Problem } from '../engine/order.ts'
import { NAMING_MEMBERS } from '../engine/order-inputs.ts'
import { rationalOfNumber } from '../engine/numbers/rational.ts'
import { footprintById, type Footprint } from '../engine/reference/footprint.ts'
import { fallbackOfType, matchProduct, modelIdByAlias } from '../engine/reference/product-match.ts'
import type { WireDeviceEvent, WireOrderEvent } from '../contract/event-schema.ts'
import { weightAloneWarnings, weightWarnings } from '../contract/order-warnings.ts'
import { countingOrders, fixerOf, fixingEntry, isSameOrder, namingOrder } from './naming-order.ts'
import type { StoredEntry } from './records.ts'
import type { EventStore } from './store.ts'
import { productOfSwap, type ProductMatching } from './swapped-product.ts'

/** The warnings that reading the event gave, and those about what it says that a device is. */
export function warningsOfEvent(
  { event, warnings }: { readonly event: WireOrderEvent | WireDeviceEvent; readonly warnings: readonly Problem[] },
  matching: ProductMatching,
): readonly Problem[] {
  if (!('weight_kg' in event) || event.weight_kg === undefined) return warnings
  const footprint = statedFootprint(event, matching)
  return [
    ...warnings,
    ...weightWarnings(event.weight_kg, footprint, '/weight_kg'),
    ...(footprint ? weightAloneWarnings(footprint, `/${namingMemberOf(event)}`) : []),
  ]
}

/** What is told of the device that a swap brings in, by what the event says that it is. */
const OF_NEW_DEVICE: ReadonlySet<string> = new Set(['implausible_weight', 'stand_in_by_weight_alone'])

/**
 * The warnings about an event of an order, without those about a known device that a swap brings in: it stays what it
 * is, and what the event says of it is not used.
 */
export async function withoutKnownDevice(
  store: Pick<EventStore, 'onOrder'>,
  accountId: number,
  order: OrderKey,
  event: WireOrderEvent,
  warnings: readonly Problem[],
): Promise<readonly Problem[]> {
  if (event.type !== 'swapped' || !warnings.some(({ code }) => OF_NEW_DEVICE.has(code))) return warnings
  const serial = event.new_serial_number
  const ledgers = await store.onOrder(accountId, order, (transaction) => transaction.lockLedgers([serial], null))
  const ledger = ledgers.get(serial)
  if (!ledger || mayBeNamedBy(order, ledger.entries)) return warnings
  return warnings.filter(({ code }) => !OF_NEW_DEVICE.has(code))
}

/** True if the words of a swap of an order may say what a known device is. METHODOLOGY.md#events */
function mayBeNamedBy(order: OrderKey, entries: readonly StoredEntry[]): boolean {
  if (isSameOrder(namingOrder(entries), order)) return true
  const fixed = fixingEntry(entries)
  return fixed !== null && fixerOf(fixed) !== null && countingOrders(entries).length === 0
}

/** The member that the warning is about: the first that names the product. */
const namingMemberOf = (event: object): string => NAMING_MEMBERS.find((name) => name in event) ?? 'device_type'

/** Null if the event says nothing of the device but its weight, or names a model that does not exist. */
function statedFootprint(
  event: Extract<WireOrderEvent | WireDeviceEvent, { readonly weight_kg?: number }>,
  { referenceData, mappingOf }: ProductMatching,
): Footprint | null {
  const weight = rationalOfNumber(event.weight_kg!)
  const footprintOf = (id: string) => footprintById(id, weight, referenceData)
  if (event.type === 'identified')
    return event.device_type === undefined
      ? null
      : footprintOf(fallbackOfType(event.device_type, weight, referenceData))
  const product = productOfSwap(event)
  if (!product || (product.modelId !== null && modelIdByAlias(product.modelId, referenceData) === null)) return null
  return footprintOf(matchProduct(product, referenceData, mappingOf).footprintId)
}
