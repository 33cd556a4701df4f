// The types by which products are charged, for tests of how they are read: a row is a text, its brand and its weight.
import assert from 'node:assert/strict'
import { parseDecimal } from '../src/engine/numbers/rational.ts'
import { footprintById } from '../src/engine/reference/footprint.ts'
import { NO_MAPPINGS, matchProduct } from '../src/engine/reference/product-match.ts'
import { anyProduct } from './product-arbitraries.ts'
import { shippedReferenceData } from './shipped-book.ts'

const { referenceData } = shippedReferenceData()

export type TypedRow = readonly [text: string, brand?: string | null, weight?: string]

export const productOf = ([productName, brand = null, weight = '1']: TypedRow) =>
  anyProduct({ productId: 'q-1', productName, brand, weightKg: parseDecimal(weight) })

/** The type by which a product is charged; `none` for other IT equipment, `unknown` for its weight alone. */
export function typeOf(row: TypedRow): string {
  const product = productOf(row)
  const { footprintId } = matchProduct(product, referenceData, NO_MAPPINGS)
  if (footprintId === 'weight') return 'none'
  const { type } = footprintById(footprintId, product.weightKg, referenceData).typeDefault
  return type === 'any' ? 'unknown' : type
}

export function assertTypes(type: string, rows: readonly TypedRow[]): void {
  const wrong = rows.map((row) => ({ row, is: typeOf(row) })).filter(({ is }) => is !== type)
  assert.deepEqual(wrong, [])
}
