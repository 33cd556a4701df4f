// What tells the type of a device whose model is not known, as the match of its words states it.
import { NO_DEVICE } from '../../engine/matching/product-lines.ts'
import type { Product } from '../../engine/order.ts'
import { namesKnownDevice, readProductType } from '../../engine/reference/fallback.ts'
import { WEIGHT_FOOTPRINT_ID, type FootprintId } from '../../engine/reference/footprint.ts'
import type { ReferenceData } from '../../engine/reference/reference-data.ts'

/**
 * The member `type_evidence` of a product that states no type. Empty for a model and a known device, which have their
 * own type, for an accessory, which is not of the type that its words name, and if nothing tells the type.
 */
export function typeEvidenceView(product: Product, footprintId: FootprintId, referenceData: ReferenceData) {
  const { type, by, words } = readProductType(product, referenceData.matching)
  const isOther = footprintId === WEIGHT_FOOTPRINT_ID
  if (type === null || by === null || isOther !== (type === NO_DEVICE)) return {}
  if (referenceData.models.has(footprintId) || namesKnownDevice(footprintId)) return {}
  return { type_evidence: { type, by, ...(words !== null && { words }) } }
}
