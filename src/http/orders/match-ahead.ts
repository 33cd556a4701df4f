// The words of many products are matched before their order is read: in slices, so that nobody else waits for all.
import type { FactorBook } from '../../engine/figures/factor-book.ts'
import { isToBeMatched, type MappingOf, type ProductNames } from '../../engine/find-product.ts'
import { matcherOf } from '../../engine/matching/book-matcher.ts'
import { mapInSteps } from '../../engine/numbers/steps.ts'
import { inSlices } from '../serving/in-slices.ts'
import { ITEMS_MAX } from '../wire/order-schema.ts'

/** So few are matched while their order is read: that takes some milliseconds, whatever their words are. */
const MATCHED_AT_ONCE_MAX = 8
/** Of 200 characters, as its schema counts them. */
const TEXT_LENGTH_MAX = 400

/**
 * Matches the products of an order of which only the words are known, so that the matcher remembers them when the order
 * is read. Null where there are few, as nearly always.
 * @param body not checked yet: of what is faulty nothing is matched
 * @param signal ends the work
 */
export type MatchAhead = (
  accountId: number,
  body: unknown,
  mappingOf: MappingOf,
  signal: () => AbortSignal,
) => Promise<void> | null

/** @param takeTurn of one order at a time: of several, each would take a slice of every turn of the event loop */
export function createMatchAhead(book: FactorBook, takeTurn: (accountId: number) => Promise<() => void>): MatchAhead {
  const matchInTurn = async (accountId: number, products: readonly ProductNames[], signal: AbortSignal) => {
    const { find } = matcherOf(book)
    const endTurn = await takeTurn(accountId)
    try {
      await inSlices(mapInSteps(products, find), signal)
    } finally {
      endTurn()
    }
  }
  return (accountId, body, mappingOf, signal) => {
    const items = itemsOf(body)
    if (items.length <= MATCHED_AT_ONCE_MAX) return null
    const products = items.slice(0, ITEMS_MAX).flatMap(namesOf)
    const unmatched = products.filter((product) => isToBeMatched(product, book, mappingOf))
    return unmatched.length <= MATCHED_AT_ONCE_MAX ? null : matchInTurn(accountId, unmatched, signal())
  }
}

const itemsOf = (body: unknown): readonly unknown[] =>
  isObject(body) && Array.isArray(body['items']) ? (body['items'] as readonly unknown[]) : []

/** As `readOrder` has them; none of an item that it would refuse. */
function namesOf(item: unknown): readonly ProductNames[] {
  if (!isObject(item) || item['type'] !== 'product' || !isObject(item['config'])) return []
  const { product_id: productId, model_id, product_name, brand, device_type } = item['config']
  const others = [model_id, product_name, brand, device_type].map((one) => one ?? null)
  const texts = [productId, ...others.filter((one) => one !== null)]
  if (!texts.every((text) => typeof text === 'string' && text.length <= TEXT_LENGTH_MAX)) return []
  const [modelId, productName, maker, deviceType] = others
  return [{ productId, modelId, productName, brand: maker, deviceType } as ProductNames]
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
