// The statements that replace names in orders, entries and events. They are the exception to the rule that an entry,
// once posted, is never changed: no figure, day or number of an entry changes.
import type { Connection } from '../transaction.ts'
import type { CustomerKey, EventText, OrderText } from './customer-records.ts'
import { renamedOrderId } from './pseudonyms.ts'
import { rewriteContent, type Renaming } from './rewrite-content.ts'

const ORDERS_PER_STATEMENT = 1_000
const DEVICES_PER_STATEMENT = 2_000

function* inPortions<Value>(all: readonly Value[], size: number): Generator<readonly Value[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size)
}

/** Replaces the ids of orders and the serial numbers in their items, and removes their metadata and warnings. */
export async function rewriteOrders(
  connection: Connection,
  { accountId, customerId }: CustomerKey,
  orders: readonly OrderText[],
  renaming: Renaming,
): Promise<void> {
  for (const portion of inPortions(orders, ORDERS_PER_STATEMENT)) {
    await connection.query(
      `update orders set customer_id = $3, order_id = renamed.order_id, items = renamed.items, metadata = null,
        warnings = null
      from unnest($4::text[], $5::text[], $6::text[]) as renamed (old_id, order_id, items)
      where account_id = $1 and customer_id = $2 and orders.order_id = renamed.old_id`,
      [
        accountId,
        customerId,
        renaming.customers.get(customerId),
        portion.map((order) => order.order_id),
        portion.map((order) => renamedOrderId(renaming.orders, order.order_id)),
        portion.map(({ items }) => rewriteContent(items, renaming).content),
      ],
    )
  }
}

/** Orders that rent one of the devices can have been warned that they cut short a rental of the customer. */
const WARNED_ORDERS = `
  update orders set warnings = null from (
    select distinct customer_id, order_id from entries
    where account_id = $1 and serial_number = any ($3::text[]) and order_id <> ''
  ) as renting
  where orders.account_id = $1 and orders.customer_id = renting.customer_id and orders.order_id = renting.order_id
    and exists (
      select from jsonb_array_elements(orders.warnings::jsonb) as warning where warning -> 2 ->> 'customer_id' = $2
    )`

/** Removes the warnings of orders of other customers that name the customer: repetitions of them have none any more. */
export async function removeOrderWarnings(
  connection: Connection,
  { accountId, customerId }: CustomerKey,
  devices: readonly string[],
): Promise<void> {
  for (const portion of inPortions(devices, DEVICES_PER_STATEMENT))
    await connection.query(WARNED_ORDERS, [accountId, customerId, portion])
}

/** Gives the entries of `found` their new names, by the parameters $1 to $5; numbers of revisions of orders stay. */
const RENAMED_ENTRIES = (found: string): string => `
  update entries set customer_id = renamed.customer_id, order_id = renamed.order_id,
    cause_customer_id = renamed.cause_customer_id, cause_order_id = renamed.cause_order_id,
    serial_number = renamed.new_serial
  from (
    select entries.serial_number, entries.order_key, entries.entry_no, new_serial,
      case when customer_id = $2::text then $3::text else customer_id end as customer_id,
      coalesce(own.new_id || substr(order_id, length(own.old_id) + 1), order_id) as order_id,
      case when cause_customer_id = $2::text then $3::text else cause_customer_id end as cause_customer_id,
      coalesce(cause.new_id || substr(cause_order_id, length(cause.old_id) + 1), cause_order_id) as cause_order_id
    from ${found}
    left join unnest($4::text[], $5::text[]) as own (old_id, new_id)
      on customer_id = $2 and own.old_id = split_part(order_id, chr(31), 1)
    left join unnest($4::text[], $5::text[]) as cause (old_id, new_id)
      on cause_customer_id = $2 and cause.old_id = split_part(cause_order_id, chr(31), 1)
    where customer_id = $2 or cause_customer_id = $2 or new_serial <> entries.serial_number
  ) as renamed
  where entries.account_id = $1 and entries.serial_number = renamed.serial_number
    and entries.order_key = renamed.order_key and entries.entry_no = renamed.entry_no`

const OF_DEVICES = RENAMED_ENTRIES(`unnest($6::text[], $7::text[]) as devices (serial, new_serial)
    join entries on entries.account_id = $1 and entries.serial_number = serial`)
const OF_ORDERS_ALONE = RENAMED_ENTRIES(`(
      select entries.*, '' as new_serial
      from unnest($6::text[]) as listed (listed_id)
      join entries on account_id = $1 and serial_number = '' and order_key = $2::text || chr(31) || listed_id
    ) as entries`)

/**
 * The entries of devices, and of orders without devices.
 * @param listed the orders that are rewritten: another one may have been posted since, without a locked device
 * @returns how many entries were changed
 */
export async function rewriteEntries(
  connection: Connection,
  { accountId, customerId }: CustomerKey,
  listed: readonly OrderText[],
  devices: readonly string[],
  { customers, orders, serials }: Renaming,
): Promise<number> {
  const names = [accountId, customerId, customers.get(customerId), [...orders.keys()], [...orders.values()]]
  const orderIds = listed.map((order) => order.order_id)
  let changed = (await connection.query(OF_ORDERS_ALONE, [...names, orderIds])).rowCount ?? 0
  for (const portion of inPortions(devices, DEVICES_PER_STATEMENT)) {
    const renamed = portion.map((serial) => serials.get(serial) ?? serial)
    changed += (await connection.query(OF_DEVICES, [...names, portion, renamed])).rowCount ?? 0
  }
  return changed
}

export interface RewrittenEvents {
  readonly events: number
  /** Free texts and metadata removed from them. */
  readonly removed: number
}

/** Events of the customer's orders, and of the devices themselves. */
export async function rewriteEvents(
  connection: Connection,
  { accountId, customerId }: CustomerKey,
  events: readonly EventText[],
  renaming: Renaming,
): Promise<RewrittenEvents> {
  const { customers, orders, serials } = renaming
  let [changed, removed] = [0, 0]
  for (const portion of inPortions(events, ORDERS_PER_STATEMENT)) {
    const rewritten = portion.map(({ content }) => rewriteContent(content, renaming))
    for (const one of rewritten) removed += one.removed
    const { rowCount } = await connection.query(
      `update events set content = renamed.content, order_id = renamed.order_id,
        serial_number = renamed.serial_number, customer_id = case when customer_id = $2 then $3 else customer_id end
      from unnest($4::text[], $5::text[], $6::text[], $7::text[])
        as renamed (event_id, content, order_id, serial_number)
      where account_id = $1 and events.event_id = renamed.event_id
        and (customer_id = $2 or (events.content, events.serial_number)
          is distinct from (renamed.content, renamed.serial_number))`,
      [
        accountId,
        customerId,
        customers.get(customerId),
        portion.map((event) => event.event_id),
        rewritten.map(({ content }) => content),
        portion.map((event) => event.order_id && renamedOrderId(orders, event.order_id)),
        portion.map((event) => event.serial_number && (serials.get(event.serial_number) ?? event.serial_number)),
      ],
    )
    changed += rowCount ?? 0
  }
  return { events: changed, removed }
}
