// What a device is charged by, as it is stored, and which of the footprints that it was given counts: that of its first
// order, or of the last identification.
import type { Product } from '../engine/order.ts'
import { toFractionText, type Rational } from '../engine/numbers/rational.ts'
import { WEIGHT_FOOTPRINT_ID } from '../engine/reference/footprint.ts'
import {
  isExactMatch,
  normaliseProductId,
  type MatchMethod,
  type ProductMatch,
} from '../engine/reference/product-match.ts'
import type { ResolvedProduct } from '../engine/resolve-order.ts'
import type { PossibleMatch, RecordedFootprint, StoredEntry, StoredFootprint } from './records.ts'

/** The weight to store with a device: only for the footprint that is computed from it. */
export const weightToStore = (basis: string, weightKg: Rational): string | null =>
  basis === WEIGHT_FOOTPRINT_ID ? toFractionText(weightKg) : null

/** Stored with a device whose footprint is a proxy match or comes from the account's product mapping. */
export const possibleMatchToStore = ({ productId }: Product, matchMethod: MatchMethod): PossibleMatch | null =>
  isExactMatch(matchMethod) ? null : { productId: normaliseProductId(productId), matchMethod }

/** What a device is charged by if it is the product that an order or a swap names. */
export const footprintToStore = (
  product: Product,
  { footprintId, matchMethod }: ProductMatch,
  releaseId: number,
  isCapped: boolean,
): StoredFootprint => ({
  footprintId,
  releaseId,
  weightKg: weightToStore(footprintId, product.weightKg),
  isCapped,
  possibleMatch: possibleMatchToStore(product, matchMethod),
})

/** What a device is charged by if it is what the words of an order say. */
export const ownFootprintOf = (item: ResolvedProduct, releaseId: number, isCapped: boolean): StoredFootprint =>
  footprintToStore(item.product, { ...item, footprintId: item.ownFootprintId }, releaseId, isCapped)

/** The footprints of a device that count, in order: that of its first order, and those of events not withdrawn. */
export function countedFootprints(recorded: readonly RecordedFootprint[]): readonly RecordedFootprint[] {
  const withdrawn = new Set(recorded.map(({ withdraws }) => withdraws))
  return recorded.filter(
    ({ eventId, withdraws }) => withdraws === null && (eventId === null || !withdrawn.has(eventId)),
  )
}

/** The event that identified a device last and was not withdrawn, from its ledger; null if its first order counts. */
export function identifiedBy(entries: readonly StoredEntry[]): string | null {
  const recorded = entries.flatMap(({ footprint, eventId, eventContent }) => {
    if (!footprint) return []
    const { withdraws = null } = (eventContent === null ? {} : JSON.parse(eventContent)) as { withdraws?: string }
    return [{ footprint, eventId: eventContent === null ? null : eventId, withdraws }]
  })
  return recorded.length < 2 ? null : countedFootprints(recorded).at(-1)!.eventId
}
