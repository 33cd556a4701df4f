// After many writers: what is kept of a device, what its entries come to and what is answered of it are the same.
import assert from 'node:assert/strict'
import type { Pool } from 'pg'
import { exchange } from './raw-http.ts'

const CHECKED_ORDERS_MAX = 60

/** A service, and the key to ask it with. */
interface Asked {
  readonly address: string
  readonly key: string
}

interface Ledger {
  readonly total_emission: number
  readonly orders: readonly { readonly total_emission: number }[]
  readonly history: {
    readonly balance: Readonly<Record<'embodied_total' | 'allocated' | 'unallocated' | 'remaining', number>>
  }
}

const milligrams = (kilograms: number): number => Math.round(kilograms * 1e6)

/** What is kept of a device is what its entries come to, and what its ledger answers. Gives the number of entries. */
export async function checkCloses(pool: Pool, { address, key }: Asked, serial: string): Promise<number> {
  const { rows } = await pool.query<Record<'whole' | 'kept' | 'rebuilt' | 'total' | 'entries', string>>(
    `select embodied_total_mg as whole, allocated_mg as kept, own.* from devices cross join lateral (
      select sum(embodied_mg) as rebuilt, count(*) as entries,
        sum(embodied_mg + use_mg + packaging_mg + transportation_mg) as total
      from entries where entries.account_id = devices.account_id and entries.serial_number = devices.serial_number
    ) as own where serial_number = $1`,
    [serial],
  )
  const row = rows[0]!
  assert.equal(row.rebuilt, String(row.kept), `the balance of ${serial} from its entries`)
  const path = `/api/device-emissions/${serial}?include=history`
  const ledger = JSON.parse((await exchange(address, path, { headers: { 'x-api-key': key } })).text) as Ledger
  const { embodied_total, allocated, unallocated, remaining } = ledger.history.balance
  assert.equal(milligrams(embodied_total), Number(row.whole))
  assert.equal(milligrams(allocated), Number(row.kept))
  assert.equal(milligrams(allocated) + milligrams(unallocated) + milligrams(remaining), Number(row.whole))
  assert.equal(milligrams(ledger.total_emission), Number(row.total))
  const orders = ledger.orders.reduce((total, order) => total + milligrams(order.total_emission), 0)
  assert.equal(orders, Number(row.total))
  return Number(row.entries)
}

/** Orders spread over the whole contest answer what their entries come to. */
export async function checkOrders(pool: Pool, { address, key }: Asked, orders: readonly string[]): Promise<void> {
  const step = Math.ceil(orders.length / CHECKED_ORDERS_MAX)
  for (let at = 0; at < orders.length; at += step) {
    const { rows } = await pool.query<{ total: string }>(
      `select sum(embodied_mg + use_mg + packaging_mg + transportation_mg) as total from entries where order_id = $1`,
      [orders[at]],
    )
    const path = `/api/customer-orders/customer/${orders[at]}`
    const { text } = await exchange(address, path, { headers: { 'x-api-key': key } })
    const { total_emission } = JSON.parse(text) as { readonly total_emission: number }
    assert.equal(milligrams(total_emission), Number(rows[0]!.total), `the total of order ${orders[at]}`)
  }
}
