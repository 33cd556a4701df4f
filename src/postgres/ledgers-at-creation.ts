// The ledgers of devices as known when an order was created: the inputs of its first answer.
import { LONG_LEDGER } from '../engine/ledger-history.ts'
import { deviceKey, belongsToOrder, toLedger, type LedgerRow } from './entries.ts'
import type { AccountOrder } from './order-reads.ts'
import type { DeviceLedger, DeviceLedgers } from '../ledger/records.ts'
import type { Connection } from './transaction.ts'

/** A stored order and its devices. */
export interface OrderDevices extends AccountOrder {
  readonly serialNumbers: readonly string[]
}

/** Each device once, up to the first entry of the last of the orders that ask for it. */
const LEDGERS_AT_CREATION = `
  select entries.*, events.content as event_content
  from (
    select wanted.account_id, wanted.serial_number, max(own_no) as last_no
    from unnest($1::integer[], $2::text[], $3::text[], $4::text[]) as wanted
      (account_id, serial_number, customer_id, order_id)
    cross join lateral (
      select min(entry_no) as own_no from entries as own
      where own.account_id = wanted.account_id and own.serial_number = wanted.serial_number
        and ${belongsToOrder('own', 'wanted.customer_id', 'wanted.order_id')}
    ) as own
    group by wanted.account_id, wanted.serial_number
  ) as wanted
  cross join lateral (
    select * from entries
    where entries.account_id = wanted.account_id and entries.serial_number = wanted.serial_number
      and entry_no <= least(last_no, ${LONG_LEDGER + 1})
    offset 0
  ) as entries
  left join events on entries.order_id = '' and events.account_id = entries.account_id
    and events.event_id = entries.event_id
  order by entries.account_id, entries.serial_number, entry_no`

/**
 * One statement for all orders. The ledgers may include entries that were posted after an order was created. Returns
 * 'long' for an order with a long ledger.
 */
export async function findLedgersAtCreation(
  connection: Connection,
  orders: readonly OrderDevices[],
): Promise<readonly (DeviceLedgers | 'long')[]> {
  const wanted = orders.flatMap(({ accountId, key, serialNumbers }) =>
    serialNumbers.map((serialNumber) => ({ accountId, serialNumber, ...key })),
  )
  const { rows } = await connection.query<LedgerRow>({
    name: 'find-ledgers-at-creation',
    text: LEDGERS_AT_CREATION,
    values: [
      wanted.map(({ accountId }) => accountId),
      wanted.map(({ serialNumber }) => serialNumber),
      wanted.map(({ customerId }) => customerId),
      wanted.map(({ orderId }) => orderId),
    ],
  })
  const byDevice = Map.groupBy(rows, (row) => deviceKey({ accountId: row.account_id, serialNumber: row.serial_number }))
  const ledgers = new Map([...byDevice].map(([identity, own]) => [identity, toLedger(own)]))
  return orders.map(({ accountId, serialNumbers }) => ofDevices(accountId, serialNumbers, ledgers))
}

function ofDevices(
  accountId: number,
  serialNumbers: readonly string[],
  ledgers: ReadonlyMap<string, DeviceLedger>,
): DeviceLedgers | 'long' {
  const own = serialNumbers.map(
    (serialNumber) => [serialNumber, ledgers.get(deviceKey({ accountId, serialNumber }))!] as const,
  )
  return own.every(([, { entries }]) => entries.length <= LONG_LEDGER) ? new Map(own) : 'long'
}
