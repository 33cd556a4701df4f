// An order's packaging and transportation for a statement: what each line comes to, and what each device has of it.
import { allocate, toIntegerWeights } from '../../engine/allocation.ts'
import { estimateItem, asFirstRental } from '../../engine/estimate.ts'
import type { ReferenceData } from '../../engine/reference/reference-data.ts'
import type { Milligrams } from '../../engine/numbers/emission.ts'
import { productsOf, resolveStored } from '../../engine/resolve-order.ts'
import type { StoredOrder } from '../../ledger/records.ts'
import type { StatementShare } from '../../statement/statement.ts'
import { kilogramsOf } from '../../statement/tally.ts'
import { toEngineOrder } from '../read-order.ts'
import type { CalculationBases } from './statement-grounds.ts'
import { decodeOrder } from '../../ledger/codec.ts'

/** An order with its packaging and transportation: what they come to, and what each device has of them. */
export interface AllocatedLines {
  readonly order: StoredOrder
  /** By the number of what they rest on. */
  readonly lines: ReadonlyMap<number, Milligrams>
  /** By serial number of the devices that it was sent with. */
  readonly shares: ReadonlyMap<string, ReadonlyMap<number, Milligrams>>
}

/** As the order was sent, and posted first: by weight, each line by itself. METHODOLOGY.md#allocation */
export function allocateSharedLines(
  order: StoredOrder,
  book: ReferenceData,
  grounds: CalculationBases,
): AllocatedLines {
  const sent = toEngineOrder(decodeOrder(order))
  const products = productsOf(sent)
  const others = sent.items.filter((item) => item.type !== 'product')
  const weights = toIntegerWeights(products.map(({ weightKg }) => weightKg))
  const lines = new Map<number, Milligrams>()
  const shares = new Map(products.map(({ serialNumber }) => [serialNumber, new Map<number, Milligrams>()]))
  for (const item of resolveStored({ ...sent, items: others }, NO_PRODUCTS, book)) {
    for (const line of estimateItem(item, asFirstRental(true))) {
      const ground = grounds.noOf(line, book)
      addTo(lines, ground, line.emission)
      if (products.length === 0) continue
      for (const [at, share] of allocate(line.emission, weights).entries())
        addTo(shares.get(products[at]!.serialNumber)!, ground, share)
    }
  }
  return { order, lines, shares }
}

const NO_PRODUCTS = { bases: [], found: [] }

const addTo = (sums: Map<number, Milligrams>, ground: number, emission: Milligrams): void =>
  void sums.set(ground, (sums.get(ground) ?? 0n) + emission)

export const toAllocatedShares = (sums: ReadonlyMap<number, Milligrams>): readonly StatementShare[] =>
  [...sums].map(([ground, emission]) => ({ ground, emission: kilogramsOf(emission) }))
