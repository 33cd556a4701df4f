// The footprints that were published to a customer name it, its orders and devices, and its clients its id.
import type { Connection } from '../transaction.ts'
import type { CustomerKey } from './customer-records.ts'

/** The clients of the customer stop working: they are made again for the new id, if it is to read its footprints. */
export async function removePactTraces(connection: Connection, { accountId, customerId }: CustomerKey): Promise<void> {
  const key = [accountId, customerId]
  // Requests and publications lock the client: what one of them adds meanwhile is seen by the statements that follow.
  await connection.query(
    'select from pact_clients where account_id = $1 and customer_id = $2 order by client_no for update',
    key,
  )
  await connection.query(
    `delete from pact_messages using pact_clients where pact_messages.account_id = $1
      and pact_clients.account_id = $1 and pact_clients.client_no = pact_messages.client_no and customer_id = $2`,
    key,
  )
  await connection.query('delete from pact_clients where account_id = $1 and customer_id = $2', key)
  await connection.query('delete from pact_footprints where account_id = $1 and customer_id = $2', key)
}
