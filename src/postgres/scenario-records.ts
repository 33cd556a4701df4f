// Reads what a scenario recomputes: the orders in its scope with all revisions and events, and the whole ledgers of
// their devices.
import { LONG_LEDGER } from '../engine/ledger-history.ts'
import { orderKey, type OrderKey } from '../engine/device-timeline.ts'
import { idsUpToRevision, sentIdOf } from '../engine/order-revision.ts'
import type { DeviceLedger, StoredEntry, StoredEvent, StoredOrder } from '../ledger/records.ts'
import type { ScenarioRecords } from '../ledger/scenario/run-scenario.ts'
import { entryOfRow, type EntryRow } from './entry-rows.ts'
import { findShortLedgers } from './entries.ts'
import { findLedgers } from './long-ledgers.ts'
import {
  FIRST_ANSWER_FIELDS,
  IS_CURRENT,
  findEventsOfOrders,
  findOrders,
  keyValues,
  orderOfRow,
  type OrderRow,
} from './order-reads.ts'
import type { Connection } from './transaction.ts'

/** Orders by the date of their current revision; null where nothing is limited. */
export interface ScenarioScope {
  readonly customerId: string | null
  /** YYYY-MM-DD, both inclusive. */
  readonly from: string | null
  readonly to: string | null
}

export interface ScenarioLimits {
  readonly ordersMax: number
  /** Of all ledgers together. */
  readonly entriesMax: number
}

/** Where the scope has more than a limit allows, its name. */
export type ReadScenario = ScenarioRecords | keyof ScenarioLimits

export interface ScenarioQuery {
  readonly accountId: number
  readonly scope: ScenarioScope
  readonly limits: ScenarioLimits
  readonly serialsOf: (order: StoredOrder, events: readonly StoredEvent[]) => readonly string[]
}

const AT_ONCE = 500

/** @param connection of one snapshot */
export async function readScenario(connection: Connection, wanted: ScenarioQuery): Promise<ReadScenario> {
  const { accountId, limits, serialsOf } = wanted
  const orders = await findInScope(connection, wanted)
  if (orders.length > limits.ordersMax) return 'ordersMax'
  const revisions = await findAllRevisions(connection, accountId, orders)
  const events = new Map<string, readonly StoredEvent[]>()
  const serials = new Set<string>()
  const alone: OrderKey[] = []
  for (const page of pagesOf(revisions)) {
    const found = await findEventsOfOrders(connection, accountId, page)
    const byOrder = Map.groupBy([...found.values()].flat(), ({ order }) => orderKey(order!))
    for (const order of page) {
      const own = byOrder.get(orderKey(order)) ?? []
      events.set(orderKey(order), own)
      const devices = serialsOf(order, own)
      for (const serial of devices) serials.add(serial)
      if (devices.length === 0) alone.push(order)
    }
  }
  const ledgers = await findAllLedgers(connection, accountId, [...serials], limits.entriesMax)
  if (!ledgers) return 'entriesMax'
  return { orders, revisions, events, ledgers, alone: await findAlone(connection, accountId, alone) }
}

async function findInScope(
  connection: Connection,
  { accountId, scope: { customerId, from, to }, limits }: ScenarioQuery,
): Promise<readonly StoredOrder[]> {
  const { rows } = await connection.query<OrderRow>({
    name: 'find-orders-of-scenario',
    text: `select ${FIRST_ANSWER_FIELDS} from orders
      where account_id = $1 and account_id + 0 = $1 and ($2::text is null or customer_id = $2)
        and ($3::date is null or order_date >= $3) and ($4::date is null or order_date <= $4) and ${IS_CURRENT}
      limit $5`,
    values: [accountId, customerId, from, to, limits.ordersMax + 1],
  })
  return rows.map(orderOfRow)
}

/** Nearly all orders have one. */
async function findAllRevisions(
  connection: Connection,
  accountId: number,
  orders: readonly StoredOrder[],
): Promise<readonly StoredOrder[]> {
  const earlier = orders.flatMap(({ customerId, orderId }) =>
    idsUpToRevision(sentIdOf(orderId), orderId)
      .filter((id) => id !== orderId)
      .map((id) => ({ accountId, key: { customerId, orderId: id } })),
  )
  const found: StoredOrder[] = []
  for (const page of pagesOf(earlier)) found.push(...(await findOrders(connection, page)).values())
  return [...found, ...orders]
}

/** Null if they have more entries than allowed. */
async function findAllLedgers(
  connection: Connection,
  accountId: number,
  serials: readonly string[],
  entriesMax: number,
): Promise<ReadonlyMap<string, DeviceLedger> | null> {
  const ledgers = new Map<string, DeviceLedger>()
  let entries = 0
  for (const page of pagesOf(serials.map((serialNumber) => ({ accountId, serialNumber })))) {
    const short = await findShortLedgers(connection, page, null)
    const long = [...short.values()].filter((ledger) => ledger.entries.length > LONG_LEDGER)
    for (const { device } of long)
      if (await isLongerThan(connection, accountId, device.serialNumber, entriesMax - entries)) return null
    const whole = long.length === 0 ? short : await findLedgers(connection, page)
    for (const ledger of whole.values()) {
      ledgers.set(ledger.device.serialNumber, ledger)
      entries += ledger.entries.length
    }
    if (entries > entriesMax) return null
  }
  return ledgers
}

/** By the index of long ledgers. */
async function isLongerThan(
  connection: Connection,
  accountId: number,
  serialNumber: string,
  length: number,
): Promise<boolean> {
  const { rows } = await connection.query({
    name: 'find-any-later-entry',
    text: `select from entries where account_id = $1 and serial_number = $2 and entry_no > ${LONG_LEDGER}
      and entry_no > $3 limit 1`,
    values: [accountId, serialNumber, length],
  })
  return rows.length > 0
}

/** The entries of orders without devices. */
async function findAlone(
  connection: Connection,
  accountId: number,
  keys: readonly OrderKey[],
): Promise<ReadonlyMap<string, readonly StoredEntry[]>> {
  const found: StoredEntry[] = []
  for (const page of pagesOf(keys)) {
    const { rows } = await connection.query<EntryRow>({
      name: 'find-entries-of-orders-without-devices',
      text: `select entries.*, null as event_content
        from unnest($2::text[], $3::text[]) as wanted (wanted_customer, wanted_order)
        join entries on account_id = $1 and serial_number = ''
          and order_key = wanted_customer || chr(31) || wanted_order
        order by entry_no`,
      values: [accountId, ...keyValues(page)],
    })
    found.push(...rows.map(entryOfRow))
  }
  return Map.groupBy(found, orderKey)
}

function* pagesOf<One>(all: readonly One[]): Generator<readonly One[]> {
  for (let at = 0; at < all.length; at += AT_ONCE) yield all.slice(at, at + AT_ONCE)
}
