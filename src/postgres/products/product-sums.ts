// How much hangs on product ids that were guessed or mapped, state by state: the list of them, added up.
import type { Milligrams } from '../../engine/numbers/emission.ts'
import { isRowError } from '../connection/database-errors.ts'
import { JOB_BYTES, type BatchLimits } from '../orders/orders.ts'
import { LISTED_PRODUCTS_SQL, type ProductState } from './product-list.ts'
import type { ReplicaReads } from '../connection/replica.ts'
import { createBatcher } from '../../concurrency/batcher.ts'

export interface ProductSumsQuery {
  readonly accountId: number
  /** The models of the catalogue. */
  readonly modelIds: readonly string[]
}

export interface ProductSum {
  readonly state: ProductState
  readonly productCount: number
  readonly posted: Milligrams
}

export type SumProducts = (wanted: ProductSumsQuery) => Promise<readonly ProductSum[]>

/** As dear as a page of the list: all that was ever guessed is added up. */
const SUMS_AT_ONCE = 2

export function createProductSums(longReads: ReplicaReads, limits: BatchLimits): SumProducts {
  return createBatcher<ProductSumsQuery, readonly ProductSum[]>({
    ...limits,
    queue: 'product-sums',
    tripsMax: SUMS_AT_ONCE,
    isOfOneJob: isRowError,
    weightOf: () => JOB_BYTES,
    weightPerTripMax: 0,
    travel: async ([wanted]) => {
      const { accountId, modelIds } = wanted!
      const { rows } = await longReads((connection) =>
        connection.query<ProductSum>({
          name: 'sum-products',
          text: `select state, count(*)::integer as "productCount", sum(posted)::bigint as posted
            from (${LISTED_PRODUCTS_SQL}) as listed group by state order by state`,
          values: [accountId, modelIds],
        }),
      )
      return [rows]
    },
  })
}
