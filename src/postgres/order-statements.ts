// The statements that write and read orders, each one trip for any number of them, and the values that go with them.
import { joinMembers, joinRows, splitMembers, splitRows } from './joined-texts.ts'
import type { PostedOrder, StoredOrder } from './order-record.ts'

export const POST_ORDERS = `
  with posted_orders as (
    insert into orders (account_id, release_id, order_date, tenure_start_date, created_at, customer_id, order_id,
      country, metadata, items, bases, lines_mg)
    select account_id::integer, release_id::smallint, order_date::date, tenure_start_date::date,
      created_at::timestamptz, customer_id, order_id, nullif(country, ''), nullif(metadata, ''), items,
      ${splitMembers('bases')}, ${splitMembers('lines_mg')}::bigint[]
    from unnest(${columns(12)}) as posted (account_id, release_id, order_date, tenure_start_date, created_at,
      customer_id, order_id, country, metadata, items, bases, lines_mg)
    on conflict do nothing
    returning account_id, customer_id, order_id, created_at
  ), posted_entries as (
    insert into entries (account_id, posted_at, embodied_mg, use_mg, packaging_mg, transportation_mg,
      serial_number, customer_id, order_id)
    select account_id, created_at, embodied_mg::bigint, use_mg::bigint, packaging_mg::bigint, transportation_mg::bigint,
      coalesce(serial_number, ''), customer_id, order_id
    from (
      select account_id::integer, customer_id, order_id, serial_number,
        embodied_mg, use_mg, packaging_mg, transportation_mg
      from unnest(${columns(8, 12)}) as entry (account_id, customer_id, order_id, serial_number,
        embodied_mg, use_mg, packaging_mg, transportation_mg)
    ) as entry
    join posted_orders using (account_id, customer_id, order_id)
  )
  select account_id, customer_id, order_id from posted_orders`

export const FIND_ORDERS = `
  select account_id, release_id, order_date, tenure_start_date, created_at, customer_id, order_id,
    country, metadata, items, bases, lines_mg
  from orders
  join unnest($1::integer[], $2::text[], $3::text[]) as wanted (account_id, customer_id, order_id)
    using (account_id, customer_id, order_id)`

export const LIST_OF_DEVICES = `
  select posted.*, release_id, order_date, tenure_start_date, created_at, country, metadata, items, bases, lines_mg
  from (
    select position, account_id, customer_id, order_id, sum(embodied_mg)::bigint as embodied_mg,
      sum(use_mg)::bigint as use_mg, sum(packaging_mg)::bigint as packaging_mg,
      sum(transportation_mg)::bigint as transportation_mg
    from unnest($1::integer[], $2::text[]) with ordinality as wanted (account_id, serial_number, position)
    join entries using (account_id, serial_number)
    group by position, account_id, customer_id, order_id
  ) as posted
  join orders using (account_id, customer_id, order_id)
  order by position, tenure_start_date, order_id, customer_id`

/** The values of POST_ORDERS: columns of the orders, then columns of their entries. */
export const postedValues = (posted: readonly PostedOrder[]): readonly string[] => [
  ...orderColumns(posted),
  ...entryColumns(posted),
]

/** Parameters of a statement as columns of texts, `first` of them standing before. */
function columns(count: number, first = 0): string {
  return Array.from({ length: count }, (_, position) => splitRows(`$${first + position + 1}`)).join(', ')
}

function orderColumns(posted: readonly PostedOrder[]): readonly string[] {
  const column = (valueOf: (order: StoredOrder) => string | null) => joinRows(posted.map(({ order }) => valueOf(order)))
  return [
    joinRows(posted.map(({ accountId }) => String(accountId))),
    column(({ releaseId }) => String(releaseId)),
    column(({ orderDate }) => orderDate),
    column(({ tenureStartDate }) => tenureStartDate),
    column(({ createdAt }) => createdAt.toISOString()),
    column(({ customerId }) => customerId),
    column(({ orderId }) => orderId),
    column(({ country }) => country),
    column(({ metadata }) => metadata),
    column(({ items }) => items),
    column(({ bases }) => joinMembers(bases)),
    column(({ lines }) => joinMembers(lines)),
  ]
}

function entryColumns(posted: readonly PostedOrder[]): readonly string[] {
  const entries = posted.flatMap(({ accountId, order, shares }) => shares.map((share) => ({ accountId, order, share })))
  const column = (valueOf: (entry: (typeof entries)[number]) => string) => joinRows(entries.map(valueOf))
  return [
    column(({ accountId }) => String(accountId)),
    column(({ order }) => order.customerId),
    column(({ order }) => order.orderId),
    column(({ share }) => share.serialNumber),
    column(({ share }) => String(share.product_embodied_emission)),
    column(({ share }) => String(share.product_use)),
    column(({ share }) => String(share.packaging)),
    column(({ share }) => String(share.transportation)),
  ]
}
