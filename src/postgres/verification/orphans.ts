// Queries for orphaned rows, which are run if the counts show that there are some.

/** A row whose parent row is missing, and what is missing. */
export interface OrphanedRow {
  readonly account_id: number
  /** 'entry' or 'event'. */
  readonly what: string
  readonly serial_number: string | null
  readonly customer_id: string | null
  readonly order_id: string | null
  readonly event_id: string | null
  readonly lacks: string
}

const STRAYS_MAX = 20

// A serial number is an item's `s`, see ledger/codec.ts.
const itemsOf = `case when items is json array then items::jsonb else '[]' end`
const bySerialOf = (member: string): string =>
  `exists (select from jsonb_array_elements(${itemsOf}) as item where item ->> 's' = ${member})`

/** The first rows of each kind. */
export const ORPHAN_QUERIES: readonly string[] = [
  `select account_id, 'entry' as what, serial_number, customer_id, order_id, null as event_id, 'its order' as lacks
  from entries where (order_id <> '' or serial_number = '') and not exists (
    select from orders where orders.account_id = entries.account_id and orders.customer_id = entries.customer_id
      and orders.order_id = entries.order_id
  )`,
  `select account_id, 'entry' as what, serial_number, customer_id, order_id, null as event_id,
    'a place in its order' as lacks
  from entries join orders using (account_id, customer_id, order_id)
  where case when serial_number = '' then ${bySerialOf(`item ->> 's'`)}
    else not ${bySerialOf('entries.serial_number')} and not exists (
      select from events where events.account_id = entries.account_id and events.customer_id = entries.customer_id
        and events.order_id = entries.order_id and content is json object
        and content::jsonb ->> 'new_serial_number' = entries.serial_number
    ) end`,
  `select account_id, 'event' as what, serial_number, customer_id, order_id, event_id, 'its order' as lacks
  from events where order_id is not null and not exists (
    select from orders where orders.account_id = events.account_id and orders.customer_id = events.customer_id
      and orders.order_id = events.order_id
  )`,
  `select account_id, 'event' as what, serial_number, customer_id, order_id, event_id, 'its entry' as lacks
  from events where order_id is null and not exists (
    select from entries where entries.account_id = events.account_id
      and entries.serial_number = events.serial_number and entries.order_id = ''
      and entries.event_id = events.event_id
  )`,
].map((text) => `${text} limit ${STRAYS_MAX}`)
