// What orders of a file are compared with: stored orders, earlier rows of the file, and orders that the import itself
// stored.
import type { Client, Pool } from 'pg'
import type { OrderKey } from '../engine/device-timeline.ts'
import type { OrderStatus } from '../engine/order.ts'
import { groupBySerialNumber } from './events.ts'
import { findLedgers } from './long-ledgers.ts'
import { findEventsById, findRevisionsOf, orderIdentity } from './order-reads.ts'
import type { DeviceLedgers, StoredEvent, StoredOrder } from '../ledger/records.ts'
import { connectDirectly } from './pool.ts'
import { findSimilarSerials, normalised } from './similar-serials.ts'
import { READ_ONLY_SNAPSHOT, inTransaction } from './transaction.ts'

export interface EarlierOrdersQuery {
  readonly key: OrderKey
  readonly serialNumbers: readonly string[]
  /** The ids of the events of the order to look for. @param revisions those of the order that are stored */
  readonly eventIdsOf: (revisions: readonly StoredOrder[]) => readonly string[]
}

/** What is known about some orders and devices before any of the orders is posted. */
export interface StoredOrders {
  /** All revisions of an order, in order; none if it is not stored. */
  readonly revisionsOf: (key: OrderKey) => readonly StoredOrder[]
  /** The ledgers of all devices that are stored, by serial number. */
  readonly ledgers: DeviceLedgers
  readonly eventOf: (eventId: string) => StoredEvent | undefined
  /** For some of the serial numbers, a device whose own differs from it in case or white space alone. */
  readonly similar: ReadonlyMap<string, string>
}

export const findStoredOrders = (
  pool: Pool,
  accountId: number,
  wanted: readonly EarlierOrdersQuery[],
): Promise<StoredOrders> =>
  inTransaction(
    pool,
    async (connection) => {
      const revisions = await findRevisionsOf(
        connection,
        accountId,
        wanted.map(({ key }) => key),
      )
      const devices = wanted.flatMap(({ serialNumbers }) =>
        serialNumbers.map((serialNumber) => ({ accountId, serialNumber })),
      )
      const ledgers = await findLedgers(connection, devices)
      const revisionsOf = (key: OrderKey) => revisions.get(orderIdentity(accountId, key)) ?? []
      const eventIds = wanted.flatMap(({ key, eventIdsOf }) => eventIdsOf(revisionsOf(key)))
      const events = await findEventsById(connection, accountId, eventIds)
      return {
        eventOf: (eventId) => events.get(eventId),
        revisionsOf,
        ledgers: groupBySerialNumber(ledgers),
        similar: await findSimilarSerials(
          connection,
          accountId,
          devices.map(({ serialNumber }) => serialNumber),
        ),
      }
    },
    READ_ONLY_SNAPSHOT,
  )

export interface StagedOrder {
  readonly key: OrderKey
  readonly row: number
  /** A hash of the order. */
  readonly content: string
}

/** What a row of a file states of a device. */
export interface StagedFact {
  readonly serialNumber: string
  readonly content: string
}

/**
 * The orders of a file that were read so far, and what they state of devices. They are in temporary tables while the
 * file is read, not in memory.
 */
export interface StagedOrders {
  /** For each order, the earlier row with the same identity; null if there is none. */
  readonly add: (orders: readonly StagedOrder[]) => Promise<readonly (StagedRow | null)[]>
  /**
   * Adds serial numbers. @returns by serial number, the one of an earlier row that differs from it in case or white
   * space alone
   */
  readonly addSerials: (serialNumbers: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** Orders that an import would refuse after all. */
  readonly remove: (keys: readonly OrderKey[]) => Promise<void>
  readonly addFacts: (facts: readonly StagedFact[]) => Promise<void>
  /** The facts about devices, in the order in which they were added. */
  readonly factsOf: (serialNumbers: readonly string[]) => Promise<readonly StagedFact[]>
}

export interface StagedRow {
  readonly row: number
  readonly isSame: boolean
}

/** The database role lacks the privilege that a dry run needs. */
export class MissingPrivilege extends Error {
  override name = 'MissingPrivilege'
  constructor(cause: Error) {
    super(
      'A dry run needs the privilege TEMPORARY on the database, which its user lacks: its owner grants it by ' +
        '"grant temporary on database … to …". Nothing was stored',
      { cause },
    )
  }
}

/** The SQLSTATE of insufficient_privilege. */
const INSUFFICIENT_PRIVILEGE = '42501'

/** Holds its own connection until it is closed. */
export async function openStagedOrders(pool: Pool): Promise<StagedOrders & { readonly close: () => Promise<void> }> {
  const client = connectDirectly(pool)
  try {
    await client.connect()
    await createEarlierOrders(client)
  } catch (error) {
    await client.end()
    throw error
  }
  return {
    add: (orders) => addEarlier(client, orders),
    addSerials: (serialNumbers) => addSerials(client, serialNumbers),
    remove: (keys) => removeEarlier(client, keys),
    addFacts: (facts) => addFacts(client, facts),
    factsOf: (serialNumbers) => findFacts(client, serialNumbers),
    close: () => client.end(),
  }
}

async function createEarlierOrders(client: Client): Promise<void> {
  try {
    await client.query(`create temporary table earlier_orders (customer_id text collate "C", order_id text collate "C",
      row_no integer, content text, primary key (customer_id, order_id))`)
    await client.query(`create temporary table earlier_serials (normal text collate "C" primary key,
      serial_number text collate "C")`)
    await client.query(`create temporary table earlier_facts (fact_no bigint generated always as identity,
      serial_number text collate "C", content text, primary key (serial_number, fact_no))`)
  } catch (error) {
    if ((error as { readonly code?: string }).code === INSUFFICIENT_PRIVILEGE)
      throw new MissingPrivilege(error as Error)
    throw error
  }
}

const SENT = 'unnest($1::text[], $2::text[], $3::integer[], $4::text[])'

async function addEarlier(client: Client, orders: readonly StagedOrder[]): Promise<readonly (StagedRow | null)[]> {
  const values = [
    orders.map(({ key }) => key.customerId),
    orders.map(({ key }) => key.orderId),
    orders.map(({ row }) => row),
    orders.map(({ content }) => content),
  ]
  await client.query(`insert into earlier_orders select * from ${SENT} on conflict do nothing`, values)
  const { rows } = await client.query<{ readonly at: number } & StagedRow>(
    `select at::integer - 1 as at, row_no as row, earlier_orders.content = sent.content as "isSame"
    from ${SENT} with ordinality as sent (customer_id, order_id, sent_row, content, at)
    join earlier_orders using (customer_id, order_id) where row_no <> sent_row`,
    values,
  )
  const byPlace = new Map(rows.map(({ at, ...row }) => [at, row]))
  return orders.map((_, at) => byPlace.get(at) ?? null)
}

const SENT_SERIALS = `(select ${normalised('serial_number')} as normal, serial_number, at
  from unnest($1::text[]) with ordinality as one (serial_number, at)) as sent`

async function addSerials(client: Client, serialNumbers: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (serialNumbers.length === 0) return new Map()
  await client.query(
    `insert into earlier_serials select normal, serial_number from ${SENT_SERIALS} order by at on conflict do nothing`,
    [serialNumbers],
  )
  const { rows } = await client.query<{ readonly sent: string; readonly known: string }>(
    `select sent.serial_number as sent, earlier_serials.serial_number as known from ${SENT_SERIALS}
    join earlier_serials using (normal) where earlier_serials.serial_number <> sent.serial_number`,
    [serialNumbers],
  )
  return new Map(rows.map(({ sent, known }) => [sent, known]))
}

async function removeEarlier(client: Client, keys: readonly OrderKey[]): Promise<void> {
  if (keys.length === 0) return
  await client.query(
    `delete from earlier_orders using unnest($1::text[], $2::text[]) as refused (customer_id, order_id)
    where (earlier_orders.customer_id, earlier_orders.order_id) = (refused.customer_id, refused.order_id)`,
    [keys.map(({ customerId }) => customerId), keys.map(({ orderId }) => orderId)],
  )
}

async function addFacts(client: Client, facts: readonly StagedFact[]): Promise<void> {
  await client.query(
    `insert into earlier_facts (serial_number, content)
    select serial_number, content
    from unnest($1::text[], $2::text[]) with ordinality as sent (serial_number, content, at) order by at`,
    [facts.map(({ serialNumber }) => serialNumber), facts.map(({ content }) => content)],
  )
}

/** Nothing is known of the temporary table when the statement is planned: each device is looked up by its key. */
async function findFacts(client: Client, serialNumbers: readonly string[]): Promise<readonly StagedFact[]> {
  const { rows } = await client.query<StagedFact>(
    `select facts.serial_number as "serialNumber", content from unnest($1::text[]) as wanted (serial_number)
    cross join lateral (
      select * from earlier_facts where earlier_facts.serial_number = wanted.serial_number order by fact_no offset 0
    ) as facts
    order by fact_no`,
    [[...new Set(serialNumbers)]],
  )
  return rows
}

export interface ListedOrder extends OrderKey {
  /** The import that stored it and its row in the file; null if it did not come by import. */
  readonly importId: number | null
  readonly row: number | null
  readonly status: OrderStatus
}

/**
 * Orders of an account sorted by key, from the one after `after`. Includes orders that did not come by import, so that
 * each page is read quickly, however many there are.
 */
export async function listByKey(
  pool: Pool,
  accountId: number,
  after: OrderKey | null,
  limit: number,
): Promise<readonly ListedOrder[]> {
  const { rows } = await pool.query<ListedOrder>({
    name: 'list-orders-by-key',
    text: `select customer_id as "customerId", order_id as "orderId", import_id as "importId", import_row as row, status
      from orders where account_id = $1 and (order_id, customer_id) > ($2, $3)
      order by order_id, customer_id limit $4`,
    values: [accountId, after?.orderId ?? '', after?.customerId ?? '', limit],
  })
  return rows
}

/** An event that an import recorded. */
export interface ImportedEvent {
  readonly no: number
  readonly eventId: string
  /** Null for an event of a device. */
  readonly order: OrderKey | null
  readonly serialNumber: string | null
  readonly content: string
}

/** Events that an import recorded, from the last one backwards. @param before only those with a smaller number */
export async function listEventsOfImport(
  pool: Pool,
  accountId: number,
  importId: number,
  before: number | null,
  limit: number,
): Promise<readonly ImportedEvent[]> {
  const { rows } = await pool.query<
    Omit<ImportedEvent, 'order'> & { readonly [Name in keyof OrderKey]: string | null }
  >({
    name: 'list-events-of-import',
    text: `select event_no::float8 as no, event_id as "eventId", customer_id as "customerId", order_id as "orderId",
        serial_number as "serialNumber", content
      from events where account_id = $1 and import_id = $2 and ($3::bigint is null or event_no < $3)
      order by event_no desc limit $4`,
    values: [accountId, importId, before, limit],
  })
  return rows.map(({ customerId, orderId, ...event }) => ({
    ...event,
    order: customerId === null || orderId === null ? null : { customerId, orderId },
  }))
}
