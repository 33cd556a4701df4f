// Warnings about the weight and product that an event names, judged by the current release and the account's mappings.
import type { Problem } from '../engine/order.ts'
import { NAMING_MEMBERS } from '../engine/order-inputs.ts'
import { rationalOfNumber } from '../engine/numbers/rational.ts'
import { footprintById, type Footprint } from '../engine/reference/footprint.ts'
import { fallbackOfType, matchProduct, modelIdByAlias } from '../engine/reference/product-match.ts'
import type { WireDeviceEvent, WireOrderEvent } from '../contract/event-schema.ts'
import { weightAloneWarnings, weightWarnings } from '../contract/order-warnings.ts'
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
