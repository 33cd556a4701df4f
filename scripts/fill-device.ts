// Orders on one serial number, posted as the service posts them, but many to a statement: its ledger stays in memory.
import type { Pool } from 'pg'
import type { ReferenceData } from '../src/engine/reference/reference-data.ts'
import { resolveOrder } from '../src/engine/resolve-order.ts'
import { postingOfNewOrder, postingOfKnownDevices } from '../src/ledger/order-posting.ts'
import type { WireOrder } from '../src/contract/order-schema.ts'
import { normaliseOrder, toEngineOrder } from '../src/contract/parse-order.ts'
import { inTransaction } from '../src/postgres/transaction.ts'
import { newCachedLedger } from '../src/postgres/ledger-cache.ts'
import type { DeviceLedger, OrderPosting } from '../src/ledger/records.ts'
import { appendLocked } from '../src/postgres/entries.ts'
import { withDevices, type LedgerWrite } from '../src/postgres/entries.ts'

const ORDERS_PER_STATEMENT = 500

export interface Filling {
  readonly accountId: number
  readonly releaseId: number
  readonly referenceData: ReferenceData
  /** The order of a number, of one product, all with one serial number. */
  readonly orderOf: (n: number) => WireOrder
}

/** Posts orders to a device that nobody rented yet, until it has so many entries. @returns how many orders */
export async function fillDevice(pool: Pool, filling: Filling, entriesMin: number): Promise<number> {
  const { accountId, releaseId, referenceData, orderOf } = filling
  const ledgers = new Map<string, DeviceLedger>()
  let [orders, entries] = [0, 0]
  let writings: LedgerWrite[] = []
  const write = async () => {
    await inTransaction(pool, (connection) => appendLocked(connection, writings))
    writings = []
  }
  while (entries < entriesMin) {
    const wire = normaliseOrder(orderOf(orders))
    const resolved = resolveOrder(toEngineOrder(wire), referenceData)
    if (!resolved.ok) throw new Error(resolved.problems[0]!.message)
    const order = { wire, items: resolved.items, releaseId, isCapped: true }
    const asNew = postingOfNewOrder(order)
    const serial = asNew.devices[0]!.serialNumber
    const known = ledgers.get(serial)
    const posting: OrderPosting = known
      ? await postingOfKnownDevices(order, asNew, ledgers, () => Promise.resolve(referenceData))
      : asNew
    const written = withDevices(posting.entries, posting.devices, ledgers)
    writings.push({ accountId, orders: [posting.order], entries: written, statuses: [], notices: [] })
    // The first order is in the ledger that is run next; what is posted from then on, the ledger has taken in.
    const first = posting.entries.map((entry) => ({
      ...entry,
      postedAt: new Date(0),
      eventContent: null,
      countsFrom: null,
      isSpreadUntilEnd: true,
    }))
    ledgers.set(serial, {
      device: posting.devices[0]!,
      entries: known ? [] : first,
      cached: known?.cached ?? newCachedLedger(0),
    })
    orders += 1
    entries += posting.entries.length
    if (writings.length === ORDERS_PER_STATEMENT) await write()
  }
  if (writings.length > 0) await write()
  await inTransaction(pool, async (connection) => {
    await connection.query('set local statement_timeout = 0')
    await connection.query('analyze entries, orders')
    await connection.query(
      `update orders set status = 'amended' where account_id = $1 and (order_id, customer_id) in (
        select order_id, customer_id from entries where account_id = $1 and reason <> 'order'
      )`,
      [accountId],
    )
  })
  return orders
}
