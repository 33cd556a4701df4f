// The revisions of orders that a restatement replaced, for its undo.
import { orderKey, type OrderKey } from '../engine/device-timeline.ts'
import { previousRevisionId, sentIdOf } from '../engine/order-revision.ts'
import type { StoredOrder } from '../ledger/records.ts'
import { FIRST_ANSWER_FIELDS, isRevisionOf, orderOfRow, type OrderRow } from './order-reads.ts'
import type { Connection } from './transaction.ts'

/**
 * The first revision that a restatement replaced of each order since the order was sent last. Of most orders it
 * replaced none.
 * @param orders their current revisions, each once
 * @returns by the orderKey with the id that the client sent
 */
export async function findReplacedRevisions(
  connection: Connection,
  accountId: number,
  orders: readonly OrderKey[],
  restatementId: number,
): Promise<ReadonlyMap<string, StoredOrder>> {
  const wanted = orders.filter(({ orderId }) => previousRevisionId(orderId) !== null)
  if (wanted.length === 0) return new Map()
  const { rows } = await connection.query<OrderRow & { readonly wanted_sent: string }>({
    name: 'find-replaced-revisions',
    text: `select wanted_sent, ${FIRST_ANSWER_FIELDS}
      from unnest($2::text[], $3::text[], $4::text[]) as wanted (wanted_customer, wanted_sent, wanted_order)
      cross join lateral (
        select * from orders
        where account_id = $1 and ${isRevisionOf('wanted_customer', 'wanted_sent')} and order_id < wanted_order
          and exists (
            select from events
            where events.account_id = $1 and events.customer_id = wanted_customer
              and events.order_id = orders.order_id
              and event_id like 'restatement-' || $5::integer || '-%'
              and (content::jsonb ->> 'restatement_id')::integer = $5
          )
          and not exists (
            select from orders as later
            where later.account_id = $1 and later.customer_id = wanted_customer
              and later.order_id >= orders.order_id and later.order_id < wanted_order and later.status = 'reversed'
          )
        order by order_id limit 1
      ) as replaced`,
    values: [
      accountId,
      wanted.map(({ customerId }) => customerId),
      wanted.map(({ orderId }) => sentIdOf(orderId)),
      wanted.map(({ orderId }) => orderId),
      restatementId,
    ],
  })
  return new Map(
    rows.map((row) => [orderKey({ customerId: row.customer_id, orderId: row.wanted_sent }), orderOfRow(row)]),
  )
}
