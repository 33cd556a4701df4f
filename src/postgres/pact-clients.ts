// The OAuth clients with which customers read their product footprints: one client reads those of one customer.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Pool } from 'pg'
import { inTransaction } from './transaction.ts'

export interface PactClient {
  readonly accountId: number
  readonly clientNo: number
  readonly clientId: string
  readonly customerId: string
  readonly label: string
  /** Where events are sent; null if none are. */
  readonly eventsUrl: string | null
  readonly createdAt: Date
  readonly revokedAt: Date | null
}

/** A client that may ask for tokens, with the key that signs them. */
export interface WorkingClient extends PactClient {
  readonly secretHash: Buffer
  /** Name of the account. */
  readonly account: string
}

/** Where events are sent, and the client with which tokens are asked for there. */
export interface EventTarget {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
}

interface NewPactClient {
  readonly customerId: string
  readonly label: string
  readonly events: EventTarget | null
}

export interface PactClients {
  /** Newest first, including revoked ones. */
  readonly list: (accountId: number) => Promise<readonly PactClient[]>
  /** The secret is returned only here. Null if the account has as many clients as it may have. */
  readonly create: (
    accountId: number,
    client: NewPactClient,
  ) => Promise<{ readonly secret: string; readonly client: PactClient } | null>
  /** Permanent; a client that was already revoked stays unchanged. Null for an unknown client. */
  readonly revoke: (accountId: number, clientId: string) => Promise<PactClient | null>
  /** Null for a client that is unknown or revoked. */
  readonly find: (clientId: string) => Promise<WorkingClient | null>
  /** Null, too, for a wrong secret. */
  readonly authenticate: (clientId: string, secret: string) => Promise<WorkingClient | null>
}

const FIELDS = `account_id as "accountId", client_no as "clientNo", client_id as "clientId",
  customer_id as "customerId", label, events_url as "eventsUrl",
  pact_clients.created_at as "createdAt", revoked_at as "revokedAt"`

/** The columns of a WorkingClient; accounts has to be joined. */
export const WORKING_FIELDS = `${FIELDS}, secret_hash as "secretHash", accounts.name as account`

const SECRET_BYTES = 32
const CLIENT_ID_BYTES = 12

const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** @param clientsPerAccountMax including revoked ones */
export const createPactClients = (pool: Pool, clientsPerAccountMax: number): PactClients => ({
  list: async (accountId) => {
    const text = `select ${FIELDS} from pact_clients where account_id = $1 order by client_no desc`
    return (await pool.query<PactClient>(text, [accountId])).rows
  },
  create: async (accountId, { customerId, label, events }) => {
    const secret = randomBytes(SECRET_BYTES).toString('base64url')
    const { rows } = await pool.query<PactClient>({
      name: 'add-pact-client',
      text: `insert into pact_clients (account_id, client_id, secret_hash, customer_id, label,
          events_url, events_client_id, events_client_secret)
        select account_id, $2, $3, $4, $5, $7, $8, $9 from accounts
        where account_id = $1 and (select count(*) from pact_clients where account_id = $1) < $6
        for key share
        returning ${FIELDS}`,
      values: [
        accountId,
        `pact_${randomBytes(CLIENT_ID_BYTES).toString('hex')}`,
        hashSecret(secret),
        customerId,
        label,
        clientsPerAccountMax,
        events?.url ?? null,
        events?.clientId ?? null,
        events?.clientSecret ?? null,
      ],
    })
    return rows[0] ? { secret, client: rows[0] } : null
  },
  revoke: (accountId, clientId) =>
    inTransaction(pool, async (connection) => {
      const { rows } = await connection.query<PactClient>(
        `update pact_clients set revoked_at = coalesce(revoked_at, now())
          where account_id = $1 and client_id = $2 returning ${FIELDS}`,
        [accountId, clientId],
      )
      const revoked = rows[0] ?? null
      // A statement of its own: it also finds messages that were added while the update waited for their transaction.
      if (revoked !== null) {
        await connection.query('delete from pact_messages where account_id = $1 and client_no = $2', [
          accountId,
          revoked.clientNo,
        ])
      }
      return revoked
    }),
  find: (clientId) => find(pool, clientId),
  authenticate: async (clientId, secret) => {
    const client = await find(pool, clientId)
    return client !== null && timingSafeEqual(hashSecret(secret), client.secretHash) ? client : null
  },
})

async function find(pool: Pool, clientId: string): Promise<WorkingClient | null> {
  const { rows } = await pool.query<WorkingClient>({
    name: 'find-pact-client',
    text: `select ${WORKING_FIELDS} from pact_clients join accounts using (account_id)
      where client_id = $1 and revoked_at is null`,
    values: [clientId],
  })
  return rows[0] ?? null
}
