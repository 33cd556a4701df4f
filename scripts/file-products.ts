// The products of a file as a rental company names them: a few hundred texts, some of which are in most of the rows.
import type { DeviceModel, FactorBook } from '../src/engine/factor-book.ts'
import type { WireItem } from '../src/http/order-schema.ts'
import { pick, randomFrom, type Random } from './random-orders.ts'

type ProductConfig = Extract<WireItem, { readonly type: 'product' }>['config']
/** What of a product is the same in every order that has it. */
export type ProductText = Pick<ProductConfig, 'product_id' | 'product_name' | 'brand' | 'device_type' | 'model_id'>

const PRODUCTS = 400
/** Of a draw from 0 to 1, so that twelve of the products are in half of the rows. */
const SKEW = 5

/** @returns draws the text of the next product */
export function createFileProducts(book: FactorBook, seed: number): () => ProductText {
  const random = randomFrom(seed)
  const models = [...book.models.values()]
  const aliases = [...book.aliases.keys()]
  const texts = Array.from({ length: PRODUCTS }, (_, number) => textOf(pick(random, models), number, aliases, random))
  return () => texts[Math.floor(PRODUCTS * random() ** SKEW)]!
}

/** By the catalogue's id or a name of the maker's, by a number of one's own with a name beside it, or by that alone. */
function textOf(model: DeviceModel, number: number, aliases: readonly string[], random: Random): ProductText {
  const kind = random()
  if (kind < 0.35) return { product_id: model.id }
  if (kind < 0.5) return { product_id: pick(random, aliases) }
  if (kind < 0.55) return { product_id: `P-${number}`, model_id: model.id }
  const { brand, type: device_type } = model
  if (kind < 0.65) return { product_id: `P-${number}`, device_type }
  // Every third name is one that CSV has to quote.
  const product_name = number % 3 === 0 ? `${model.name}, "as new"` : `${brand} ${model.name}`
  return { product_id: `P-${number}`, product_name, brand, device_type }
}
