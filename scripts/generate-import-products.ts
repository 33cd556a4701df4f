// The products of a file as a rental company names them: a few hundred, some of which are in most of the rows.
import type { DeviceModel, ReferenceData } from '../src/engine/reference/reference-data.ts'
import type { WireItem } from '../src/contract/order-schema.ts'
import { pick, randomFrom, type Random } from './random-orders.ts'

type ProductConfig = Extract<WireItem, { readonly type: 'product' }>['config']
/** What of a device is the same in every order that has it. */
export type FileProduct = Omit<ProductConfig, 'serial_number' | 'tenure_months' | 'country'>

const PRODUCTS = 400
/** Of a draw from 0 to 1, so that twelve of the products are in half of the rows. */
const SKEW = 5

/** @returns the product that a device is, by the number in which its serial number ends */
export function createFileProducts(referenceData: ReferenceData, seed: number): (serialNumber: string) => FileProduct {
  const random = randomFrom(seed)
  const [models, aliases] = [[...referenceData.models.values()], [...referenceData.aliases.keys()]]
  const products = Array.from({ length: PRODUCTS }, (_, number) => ({
    ...namesOf(pick(random, models), number, aliases, random),
    weight_kg: Number((0.1 + 8 * random()).toFixed(2)),
  }))
  return (serialNumber) => {
    const draw = randomFrom(seed + Number(/\d+$/.exec(serialNumber)![0]))()
    return products[Math.floor(PRODUCTS * draw ** SKEW)]!
  }
}

type Names = Omit<FileProduct, 'weight_kg'>

/** By the catalogue's id or a name of the maker's, by a number of one's own with a name beside it, or by that alone. */
function namesOf(model: DeviceModel, number: number, aliases: readonly string[], random: Random): Names {
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
