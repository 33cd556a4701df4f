// What the preview of an event reads: the emissions posted to orders, and in which periods an entry would count.
import type { OrderKey } from '../engine/device-timeline.ts'
import type { Milligrams } from '../engine/numbers/emission.ts'
import type { PostedOrder, PostingTime } from '../ledger/records.ts'
import { belongsToOrder } from './entries.ts'
import { SERIALS } from './order-query.ts'
import { isRevisionOf } from './order-reads.ts'
import type { Connection } from './transaction.ts'

interface PostedRow extends OrderKey {
  readonly tenureStartDate: string
  readonly embodied: Milligrams
  readonly use: Milligrams
  readonly packaging: Milligrams
  readonly transportation: Milligrams
}

/**
 * Of all revisions, each order by its key: joined to many, the planner would read all orders. Entries are looked up by
 * device, because they have no index by order.
 */
const FIND_POSTED = `
  select orders.customer_id as "customerId", orders.order_id as "orderId", tenure_start_date as "tenureStartDate",
    posted.*
  from unnest($2::text[], $3::text[]) as wanted (customer_id, order_id)
  cross join lateral (
    select * from orders where orders.account_id = $1 and ${isRevisionOf('wanted.customer_id', 'wanted.order_id')}
    offset 0
  ) as orders
  cross join lateral (
    select coalesce(sum(embodied_mg), 0)::bigint as embodied, coalesce(sum(use_mg), 0)::bigint as use,
      coalesce(sum(packaging_mg), 0)::bigint as packaging,
      coalesce(sum(transportation_mg), 0)::bigint as transportation
    from (${SERIALS}) as held (serial) cross join lateral (
      select embodied_mg, use_mg, packaging_mg, transportation_mg from entries
      where entries.account_id = $1 and entries.serial_number = serial
        and ${belongsToOrder('entries', 'orders.customer_id', 'orders.order_id')}
      offset 0
    ) as own
  ) as posted`

/** @param keys with the ids that clients sent, each once */
export async function findPostedEmissions(
  connection: Connection,
  accountId: number,
  keys: readonly OrderKey[],
): Promise<readonly PostedOrder[]> {
  const { rows } = await connection.query<PostedRow>({
    name: 'find-posted-emissions',
    text: FIND_POSTED,
    values: [accountId, keys.map(({ customerId }) => customerId), keys.map(({ orderId }) => orderId)],
  })
  return rows.map(({ customerId, orderId, tenureStartDate, embodied, use, packaging, transportation }) => ({
    customerId,
    orderId,
    tenureStartDate,
    emission: { product_embodied_emission: embodied, product_use: use, packaging, transportation },
  }))
}

/** Locks the books of the account, as posting does, so that they are not closed before the preview is complete. */
export async function findPostingTime(connection: Connection, accountId: number): Promise<PostingTime> {
  const { rows } = await connection.query<Pick<PostingTime, 'postedAt' | 'countsFrom'>>({
    name: 'find-posting-time',
    text: `select date_trunc('milliseconds', clock_timestamp()) as "postedAt", books_closed_until($1) as "countsFrom"`,
    values: [accountId],
  })
  return { ...rows[0]!, isSpreadUntilEnd: true }
}
