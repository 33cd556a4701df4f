// What was posted to orders that have no devices.
import { entryOfRow, type EntryRow } from './journal-reads.ts'
import type { AccountOrder } from './order-reads.ts'
import type { StoredEntry } from '../../ledger/records.ts'
import type { Connection } from '../connection/transaction.ts'

/** What was posted to an order without devices, in sequence. */
export async function findOrderEntries(
  connection: Connection,
  { accountId, key }: AccountOrder,
  knownAt: Date | null = null,
): Promise<readonly StoredEntry[]> {
  const { rows } = await connection.query<EntryRow>({
    name: 'find-order-entries',
    text: `select entries.*, null as event_content from entries
      where account_id = $1 and serial_number = '' and order_key = $2::text || chr(31) || $3::text
        and ($4::timestamptz is null or posted_at <= $4)
      order by entry_no`,
    values: [accountId, key.customerId, key.orderId, knownAt],
  })
  return rows.map(entryOfRow)
}

/** What was posted to a customer's orders that have no devices, by order id, in sequence. */
export async function findEntriesOfCustomer(
  connection: Connection,
  accountId: number,
  customerId: string,
  knownAt: Date | null,
): Promise<readonly StoredEntry[]> {
  const { rows } = await connection.query<EntryRow>({
    name: 'find-order-entries-of-customer',
    text: `select entries.*, null as event_content from entries
      where account_id = $1 and serial_number = ''
        and order_key > $2::text || chr(31) and order_key < $2::text || chr(32)
        and ($3::timestamptz is null or posted_at <= $3)
      order by order_id, entry_no`,
    values: [accountId, customerId, knownAt],
  })
  return rows.map(entryOfRow)
}
