// Resolves a stored order again: by another release, or by the present mappings of the account.
import { asFirstRental, estimateItems, type OrderFootprint } from '../../engine/estimate.ts'
import { compare, toExactText, type Rational } from '../../engine/numbers/rational.ts'
import type { Order, Problem, Product } from '../../engine/order.ts'
import { mappingsOfMethods, rematchProduct, type MappingOf } from '../../engine/reference/product-match.ts'
import type { ReferenceData } from '../../engine/reference/reference-data.ts'
import {
  matchesOf,
  productsOf,
  resolveOrder,
  resolveStored,
  type ProductMatches,
  type ResolvedItem,
} from '../../engine/resolve-order.ts'
import { toEngineOrder } from '../../contract/parse-order.ts'
import { decodeOrder } from '../codec.ts'
import type { OrderRecords, StoredOrder } from '../records.ts'
import type { Cause } from './causes.ts'
import type { ReleaseMixer } from './release-mixer.ts'
import { haveSameFactors, yearsOfUse, type YearRange } from './years-of-use.ts'

/** By which figures orders are calculated again. */
export interface NewFigures {
  /** The release for an order that has this one. */
  readonly releaseOf: (releaseId: number) => Promise<number>
  /** The account's mappings of product ids; null for those by which each order was matched. */
  readonly mappingOf: MappingOf | null
  /** For an undo, the number of the restatement: of each order, the revision that it replaced has the figures. */
  readonly undoes?: number
}

/** An order as the new figures resolve it. */
export interface Resolution {
  readonly order: Order
  readonly releaseId: number
  readonly matches: ProductMatches
  /** True if a product of it is another model, type or fallback than before. */
  readonly isIdentifiedAnew: boolean
}

export type ResolvedAgain =
  | { readonly outcome: 'unchanged' }
  /** The release does not have a name that the order uses. */
  | { readonly outcome: 'refused'; readonly problems: readonly Problem[] }
  | { readonly outcome: 'changed'; readonly resolution: Resolution }

/**
 * Whether the new figures change an order, on its own: what they change through its devices follows from that.
 * @param replaced for an undo, the revision that the restatement replaced; null if it replaced none
 */
export async function resolveAgain(
  {
    order: stored,
    events,
    replaced,
  }: Pick<OrderRecords, 'order' | 'events'> & { readonly replaced: StoredOrder | null },
  { releaseOf, mappingOf, undoes }: NewFigures,
  { referenceDataOf, differing }: Pick<ReleaseMixer, 'referenceDataOf' | 'differing'>,
): Promise<ResolvedAgain> {
  if (undoes !== undefined && replaced === null) return { outcome: 'unchanged' }
  const order = toEngineOrder(decodeOrder(stored))
  const releaseId = replaced ? replaced.releaseId : await releaseOf(stored.releaseId)
  const mappings = mappingOf ?? mappingsOfMethods(() => productsOf(order), stored.matchMethods)
  const [before, after] = [await referenceDataOf(stored.releaseId), await referenceDataOf(releaseId)]
  const resolved =
    releaseId === stored.releaseId && !replaced
      ? ({ ok: true, items: rematched(order, stored, after, mappings) } as const)
      : resolveOrder(order, after, mappings)
  if (!resolved.ok) return { outcome: 'refused', problems: resolved.problems }
  const items = replaced ? withMatchesOf(replaced, order, resolved.items, after) : resolved.items
  const earlier = resolveStored(order, stored, before)
  const causes = await differing(stored.releaseId, releaseId)
  if (haveSameFigures(earlier, items, causes, yearsOfUse(order, events))) return { outcome: 'unchanged' }
  const matches = matchesOf(items)
  const isIdentifiedAnew = matches.footprintIds.some((id, at) => id !== stored.footprintIds[at])
  return { outcome: 'changed', resolution: { order, releaseId, matches, isIdentifiedAnew } }
}

/** A product that the revision also has keeps the match of that revision. */
function withMatchesOf(
  revision: StoredOrder,
  order: Order,
  items: readonly ResolvedItem[],
  referenceData: ReferenceData,
): readonly ResolvedItem[] {
  const known = productsOf(toEngineOrder(decodeOrder(revision))).map(wordsOf)
  const anew = matchesOf(items)
  const places = productsOf(order).map((product) => known.indexOf(wordsOf(product)))
  const matches = {
    footprintIds: places.map((place, at) => revision.footprintIds[place] ?? anew.footprintIds[at]!),
    matchMethods: places.map((place, at) => revision.matchMethods[place] ?? anew.matchMethods[at]!),
  }
  return resolveStored(order, matches, referenceData)
}

/** Everything that matching reads of a product. */
const wordsOf = ({ productId, modelId, productName, brand, deviceType, weightKg }: Product): string =>
  JSON.stringify([productId, modelId, productName, brand, deviceType, toExactText(weightKg)])

/** By the release of the order, only ids and mappings identify a product anew: a guess is a fact of its day. */
function rematched(
  order: Order,
  stored: ProductMatches,
  referenceData: ReferenceData,
  mappingOf: MappingOf,
): readonly ResolvedItem[] {
  const matches = productsOf(order).map((product, at) => {
    const before = { footprintId: stored.footprintIds[at]!, matchMethod: stored.matchMethods[at]! }
    const isMapped = before.matchMethod.startsWith('mapping:')
    const again = rematchProduct(product, before, referenceData, mappingOf)
    // Its mapping was removed: nothing that is stored says what the product was before.
    return isMapped && again.footprintId === before.footprintId ? before : again
  })
  return resolveStored(
    order,
    {
      footprintIds: matches.map(({ footprintId }) => footprintId),
      matchMethods: matches.map(({ matchMethod }) => matchMethod),
    },
    referenceData,
  )
}

/**
 * True if every line and every remainder of the devices is the same, to the milligram, and so is the electricity of all
 * years in which the devices were used: an event may have extended the order into a year that its lines lack, and a
 * device may be charged by another order's product, which has an electricity where this one has none.
 * @param causes for which the two releases differ
 */
function haveSameFigures(
  before: readonly ResolvedItem[],
  after: readonly ResolvedItem[],
  causes: readonly Cause[],
  years: YearRange,
): boolean {
  if (!before.every((item, at) => isSameDevice(item, after[at]!))) return false
  // Then the lines are the same, too, and nearly all orders need not be estimated.
  if (causes.every((cause) => cause === 'device_figures')) return true
  if (!before.every((item, at) => isUsedAlike(item, after[at]!, years))) return false
  const [one, other] = [before, after].map((items) => estimateItems(items, asFirstRental(true))) as [
    OrderFootprint,
    OrderFootprint,
  ]
  return one.items.every(({ lines }, at) =>
    lines.every(({ emission }, line) => emission === other.items[at]!.lines[line]?.emission),
  )
}

const isUsedAlike = (one: ResolvedItem, other: ResolvedItem, years: YearRange): boolean =>
  one.type !== 'product' || other.type !== 'product' || haveSameFactors(one.grid, other.grid, years)

function isSameDevice(one: ResolvedItem, other: ResolvedItem): boolean {
  if (one.type !== 'product' || other.type !== 'product') return true
  const [a, b] = [one.footprint, other.footprint]
  return FIGURES.every((name) => isSame(a[name], b[name]))
}

/** What later rentals and events of the device are charged by. */
const FIGURES = ['embodied', 'lifetimeMonths', 'useOverLifetime', 'yearlyEnergyKwh'] as const

const isSame = (one: Rational | null, other: Rational | null): boolean =>
  one === null || other === null ? one === other : compare(one, other) === 0
