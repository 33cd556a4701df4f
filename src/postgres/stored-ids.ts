// Whether something is stored under exactly the id that a client sent.
import type { Pool } from 'pg'
import type { StoredIds } from '../ledger/stored-ids.ts'

export function createStoredIds(pool: Pool): StoredIds {
  const exists = async (name: string, from: string, values: readonly unknown[]): Promise<boolean> => {
    const text = `select exists (select from ${from}) as "isStored"`
    const { rows } = await pool.query<{ readonly isStored: boolean }>({ name, text, values: [...values] })
    return rows[0]!.isStored
  }
  return {
    hasOrder: (accountId, { customerId, orderId }) =>
      exists('has-order', 'orders where account_id = $1 and customer_id = $2 and order_id = $3', [
        accountId,
        customerId,
        orderId,
      ]),
    // Written like the index, `orders_by_customer`.
    hasCustomer: (accountId, customerId) =>
      exists('has-customer', 'orders where account_id = $1 and account_id + 0 = $1 and customer_id = $2', [
        accountId,
        customerId,
      ]),
    hasOrderId: (accountId, orderId) =>
      exists('has-order-id', 'orders where account_id = $1 and order_id = $2', [accountId, orderId]),
    hasEvent: (accountId, eventId) =>
      exists('has-event', 'events where account_id = $1 and event_id = $2', [accountId, eventId]),
  }
}
