// Matches the words of many products before their order is parsed: in slices, and in a worker if they take long.
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import { isToBeMatched, type MappingOf, type ProductNames } from '../engine/reference/product-match.ts'
import { matcherFor, type Meaning } from '../engine/matching/matcher.ts'
import { mapResumable, type Resumable } from '../engine/numbers/steps.ts'
import { runCooperatively } from '../concurrency/cooperative.ts'
import { ApiError } from '../contract/errors.ts'
import { ITEMS_MAX } from '../contract/order-schema.ts'
import { normaliseId } from '../contract/parse-order.ts'
import type { CurrentRelease } from './identify-device.ts'

/**
 * Up to this many products are matched while their order is parsed: that takes some milliseconds, whatever the words.
 */
const MATCHED_AT_ONCE_MAX = 8
/** If matching takes longer, it continues in a worker: it may take as long as a thousand orders. */
const MATCHED_HERE_MS_MAX = 50
/** After this time the worker is regarded as busy: it has a low priority. */
const WORKER_MS_MAX = 3_000
/** The UTF-16 length of 200 characters, the limit of the schema. */
const TEXT_LENGTH_MAX = 400

/**
 * Matches the products of an order that are identified by words only, so that the matcher has the results cached when
 * the order is parsed. Null if there are few, as nearly always.
 * @param body the body before validation; invalid items are not matched
 * @param release the release whose models the words are matched to
 * @param signal ends the work
 */
export type PrematchProducts = (
  accountId: number,
  body: unknown,
  mappingOf: MappingOf,
  release: CurrentRelease,
  signal: () => AbortSignal,
) => Promise<void> | null

/** Matches the words of products in a worker. @throws ApiError if the worker has ended */
export type MatchInWorker = (
  products: readonly ProductNames[],
  releaseId: number,
  signal: AbortSignal,
) => Promise<readonly Meaning[]>

/**
 * @param takeTurn admits one order at a time: several would each take a slice of every turn of the event loop
 * @param matchInWorker matches what takes long, so that none of its slices delays other requests
 */
export function createPrematcher(
  takeTurn: (accountId: number) => Promise<() => void>,
  matchInWorker: MatchInWorker,
): PrematchProducts {
  const matchInTurn = async (
    accountId: number,
    products: readonly ProductNames[],
    { referenceData, releaseId }: CurrentRelease,
    signal: AbortSignal,
  ) => {
    const { find, learn } = matcherFor(referenceData)
    const endTurn = await takeTurn(accountId)
    try {
      const rest = await runCooperatively(findFor(MATCHED_HERE_MS_MAX, products, find), signal)
      if (rest.length === 0) return
      const meanings = await inTime((products, until) => matchInWorker(products, releaseId, until), rest, signal)
      if (meanings === null) await runCooperatively(mapResumable(rest, find), signal)
      else for (const [at, product] of rest.entries()) learn(product, meanings[at]!)
    } finally {
      endTurn()
    }
  }
  return (accountId, body, mappingOf, release, signal) => {
    const items = itemsOf(body)
    if (items.length <= MATCHED_AT_ONCE_MAX) return null
    const products = items.slice(0, ITEMS_MAX).flatMap(namesOf)
    const unmatched = products.filter((product) => isToBeMatched(product, release.referenceData, mappingOf))
    return unmatched.length <= MATCHED_AT_ONCE_MAX ? null : matchInTurn(accountId, unmatched, release, signal())
  }
}

/** Null if the worker does not answer in time or has ended: a busy machine must not make an order fail. */
async function inTime(
  match: (products: readonly ProductNames[], signal: AbortSignal) => Promise<readonly Meaning[]>,
  products: readonly ProductNames[],
  signal: AbortSignal,
): Promise<readonly Meaning[] | null> {
  try {
    return await match(products, AbortSignal.any([signal, AbortSignal.timeout(WORKER_MS_MAX)]))
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ApiError || (error as Error).name === 'TimeoutError') return null
    throw error
  }
}

/** The worker's side. */
export const matchAll = (
  referenceData: ReferenceData,
  products: readonly ProductNames[],
  signal: AbortSignal,
): Promise<readonly Meaning[]> => runCooperatively(mapResumable(products, matcherFor(referenceData).find), signal)

/** @returns the products that were not matched before the time was over */
function* findFor(
  milliseconds: number,
  products: readonly ProductNames[],
  find: (product: ProductNames) => Meaning,
): Resumable<readonly ProductNames[]> {
  const endsAt = performance.now() + milliseconds
  for (const [at, product] of products.entries()) {
    if (performance.now() >= endsAt) return products.slice(at)
    find(product)
    yield
  }
  return []
}

const itemsOf = (body: unknown): readonly unknown[] =>
  isObject(body) && Array.isArray(body['items']) ? (body['items'] as readonly unknown[]) : []

/** The names that `parseOrder` would read; none for an item that it would reject. */
function namesOf(item: unknown): readonly ProductNames[] {
  if (!isObject(item) || item['type'] !== 'product' || !isObject(item['config'])) return []
  const { product_id: productId, model_id, product_name, brand, device_type } = item['config']
  const others = [model_id, product_name, brand, device_type].map((one) => one ?? null)
  const texts = [productId, ...others.filter((one) => one !== null)]
  if (!texts.every((text) => typeof text === 'string' && text.length <= TEXT_LENGTH_MAX)) return []
  const [modelId, productName, maker, deviceType] = others
  const names = { productId: normaliseId(productId as string), modelId, productName, brand: maker, deviceType }
  return [names as ProductNames]
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
