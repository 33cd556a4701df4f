// What the words of an order's products were matched to: printed by a receipt, and read again to be computed with.
import { DEVICE_TYPES, type FactorBook, type NameMatch } from '../engine/factor-book.ts'
import { matchOf, textKey } from '../engine/match-product.ts'
import type { Product } from '../engine/order.ts'
import { toDecimal } from '../engine/ratio.ts'
import { findModelId } from '../engine/resolve.ts'
import type { Node } from './tree-node.ts'

/** A row for each of the texts that no id or alias decides, and that any model comes close to. */
export function printNameMatches(products: readonly Product[], book: FactorBook) {
  const open = products.filter(({ modelId, productId }) => findModelId(modelId ?? productId, book) === null)
  const rows = new Map(open.map((product) => [textKey(product), { product, match: matchOf(product, book) }]))
  return [...rows.values()].flatMap(({ product, match }) =>
    match.candidates.length === 0
      ? []
      : [
          {
            product_id: product.productId,
            product_name: product.productName ?? undefined,
            brand: product.brand ?? undefined,
            device_type: product.deviceType ?? undefined,
            model_id: match.model ?? undefined,
            one_variant_of_several: match.isVariant,
            candidates: printCandidates(match),
          },
        ],
  )
}

export const printCandidates = ({ candidates }: NameMatch) =>
  candidates.map(({ id, score }) => ({ model_id: id, score }))

/** @throws ReceiptFault where something is not what it has to be */
export function readNameMatch(row: Node): readonly [key: string, match: NameMatch] {
  const text = {
    productId: row.get('product_id').text(),
    productName: row.get('product_name').maybe((name) => name.text()),
    brand: row.get('brand').maybe((brand) => brand.text()),
    deviceType: row.get('device_type').maybe((type) => type.oneOf(DEVICE_TYPES)),
  }
  const candidates = row
    .get('candidates')
    .list()
    .map((one) => ({ id: one.get('model_id').text(), score: Number(toDecimal(one.get('score').amount(1))) }))
  const model = row.get('model_id').maybe((id) => id.text())
  return [textKey(text), { model, isVariant: row.get('one_variant_of_several').flag(), candidates }]
}
