// How much hangs on product ids that were guessed or mapped, state by state: the list of them, added up.
import type { Milligrams } from '../../engine/numbers/line.ts'
import { isOfOneRow } from '../connection/database-errors.ts'
import { JOB_WEIGHT, type SharedLimits } from '../orders/orders.ts'
import { LISTED, type ProductState } from './product-list.ts'
import type { LongReads } from '../connection/replica.ts'
import { createSharedTrips } from '../connection/shared-trips.ts'

export interface WantedSums {
  readonly accountId: number
  /** The models of the catalogue. */
  readonly modelIds: readonly string[]
}

export interface ProductSum {
  readonly state: ProductState
  readonly productCount: number
  readonly posted: Milligrams
}

export type SumProducts = (wanted: WantedSums) => Promise<readonly ProductSum[]>

/** As dear as a page of the list: all that was ever guessed is added up. */
const SUMS_AT_ONCE = 2

export function createProductSums(longReads: LongReads, limits: SharedLimits): SumProducts {
  return createSharedTrips<WantedSums, readonly ProductSum[]>({
    ...limits,
    queue: 'product-sums',
    tripsMax: SUMS_AT_ONCE,
    isOfOneJob: isOfOneRow,
    weightOf: () => JOB_WEIGHT,
    weightPerTripMax: 0,
    travel: async ([wanted]) => {
      const { accountId, modelIds } = wanted!
      const { rows } = await longReads((connection) =>
        connection.query<ProductSum>({
          name: 'sum-products',
          text: `select state, count(*)::integer as "productCount", sum(posted)::bigint as posted
            from (${LISTED}) as listed group by state order by state`,
          values: [accountId, modelIds],
        }),
      )
      return [rows]
    },
  })
}
