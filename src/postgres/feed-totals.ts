// The emissions of orders before and after something was posted, as the feed states them.
import type { Pool } from 'pg'
import type { OrderKey } from '../engine/device-timeline.ts'
import type { Milligrams } from '../engine/numbers/emission.ts'
import { belongsToOrder } from './entries.ts'
import { SERIALS } from './order-query.ts'
import { isRevisionOf } from './order-reads.ts'

/** An order by the id that the client sent, and the time of a posting that changed it. */
export interface PostedChange extends OrderKey {
  readonly postedAt: Date
}

export interface OrderTotals {
  /** Of what was posted before that time. */
  readonly before: Milligrams
  /** Of that, and of what was posted at that time. */
  readonly after: Milligrams
}

export type FindTotals = (
  accountId: number,
  changes: readonly PostedChange[],
) => Promise<readonly (OrderTotals | null)[]>

/** Over all revisions: one that was corrected adds up to nothing. Entries are looked up by device, as elsewhere. */
const FIND_TOTALS = `
  select number, sum(before)::bigint as before, sum(after)::bigint as after
  from unnest($2::text[], $3::text[], $4::timestamptz[]) with ordinality
    as wanted (customer_id, order_id, changed_at, number)
  cross join lateral (
    select * from orders where orders.account_id = $1 and ${isRevisionOf('wanted.customer_id', 'wanted.order_id')}
    offset 0
  ) as orders
  cross join lateral (
    select coalesce(sum(mg) filter (where posted_at < changed_at), 0) as before,
      coalesce(sum(mg) filter (where posted_at <= changed_at), 0) as after
    from (${SERIALS}) as held (serial) cross join lateral (
      select embodied_mg + use_mg + packaging_mg + transportation_mg as mg, posted_at from entries
      where entries.account_id = $1 and entries.serial_number = serial
        and ${belongsToOrder('entries', 'orders.customer_id', 'orders.order_id')}
      offset 0
    ) as own
  ) as posted
  group by number`

/** The totals are those that the API states at that time with `known_at`; null for an order that is not stored. */
export const createFindTotals =
  (pool: Pool): FindTotals =>
  async (accountId, changes) => {
    if (changes.length === 0) return []
    const { rows } = await pool.query<OrderTotals & { readonly number: bigint }>({
      name: 'find-totals-of-changes',
      text: FIND_TOTALS,
      values: [
        accountId,
        changes.map(({ customerId }) => customerId),
        changes.map(({ orderId }) => orderId),
        changes.map(({ postedAt }) => postedAt),
      ],
    })
    const found = new Map(rows.map(({ number, before, after }) => [Number(number), { before, after }]))
    return changes.map((_, at) => found.get(at + 1) ?? null)
  }
