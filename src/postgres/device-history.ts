// The ledger of a device with the events of its orders, from one snapshot.
import type { Pool } from 'pg'
import { orderKey, type OrderKey } from '../engine/device-timeline.ts'
import { LONG_LEDGER } from '../engine/ledger-history.ts'
import type { DeviceHistory } from '../ledger/records.ts'
import { deviceKey, type AccountDevice } from './entries.ts'
import { findLedgers } from './long-ledgers.ts'
import { findEventsOfOrders } from './order-reads.ts'
import { READ_ONLY_SNAPSHOT, inTransaction, type Connection } from './transaction.ts'

/** @returns null for a device of which nothing is known, 'too-large' for one with more entries than wanted */
export type ReadDeviceHistory = (
  device: AccountDevice,
  entriesMax: number,
) => Promise<DeviceHistory | 'too-large' | null>

export const createDeviceHistoryReader =
  (pool: Pool): ReadDeviceHistory =>
  (device, entriesMax) =>
    inTransaction(pool, (connection) => findHistory(connection, device, entriesMax), READ_ONLY_SNAPSHOT)

async function findHistory(
  connection: Connection,
  device: AccountDevice,
  entriesMax: number,
): Promise<DeviceHistory | 'too-large' | null> {
  if (await hasMoreEntries(connection, device, entriesMax)) return 'too-large'
  const ledger = (await findLedgers(connection, [device])).get(deviceKey(device))
  if (!ledger) return null
  const named = ledger.entries.filter(({ orderId }) => orderId !== '')
  const orders = new Map(named.map((key): [string, OrderKey] => [orderKey(key), key]))
  const events = await findEventsOfOrders(connection, device.accountId, [...orders.values()])
  return { ledger, orderEvents: Map.groupBy([...events.values()].flat(), ({ order }) => orderKey(order!)) }
}

/** By the index of long ledgers. */
async function hasMoreEntries(
  connection: Connection,
  { accountId, serialNumber }: AccountDevice,
  entriesMax: number,
): Promise<boolean> {
  const { rowCount } = await connection.query({
    name: 'has-more-entries',
    text: `select from entries
      where account_id = $1 and serial_number = $2 and entry_no > ${LONG_LEDGER} and entry_no > $3 limit 1`,
    values: [accountId, serialNumber, entriesMax],
  })
  return rowCount === 1
}
