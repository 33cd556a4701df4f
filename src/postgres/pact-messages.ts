// Events that wait to be sent to clients of the PACT interface, and whose footprints are to be compared.
import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { WORKING_FIELDS, type EventTarget, type WorkingClient } from './pact-clients.ts'

type MessageFilter = Readonly<Record<string, readonly string[]>>

/** What a message is about: an answer to a request, or footprints that were published. */
export type MessageContent =
  | { readonly requestId: string; readonly filter: MessageFilter }
  | { readonly footprintIds: readonly string[] }

export interface ClaimedMessage {
  readonly accountId: number
  readonly messageNo: number
  readonly customerId: string
  readonly eventId: string
  readonly createdAt: Date
  /** Including the one that is to be made. */
  readonly attempts: number
  readonly content: MessageContent
  readonly target: EventTarget
}

export interface PactMessages {
  /** Keeps a request until it is answered. False for a client of which as many wait, or that was revoked. */
  readonly addRequest: (
    client: Pick<WorkingClient, 'accountId' | 'clientNo'>,
    requestId: string,
    filter: MessageFilter,
    at: Date,
  ) => Promise<boolean>
  /** What is due, of each client one at a time; no other process gets it before the lease ends. */
  readonly claim: (now: Date, limits: MessageLimits) => Promise<readonly ClaimedMessage[]>
  /** @param nextAttemptAt null if it was delivered, or is given up */
  readonly finish: (message: ClaimedMessage, nextAttemptAt: Date | null) => Promise<void>
  /** Clients that take events and whose footprints were compared before a time; they count as compared from now on. */
  readonly claimClients: (before: Date, now: Date, max: number) => Promise<readonly WorkingClient[]>
}

export interface MessageLimits {
  readonly leaseMs: number
  readonly max: number
  /** Of one account, so that receivers of one that do not answer keep none of another waiting. */
  readonly ofAccountMax: number
  /** Accounts of which so many are under way already. */
  readonly busyAccounts: readonly number[]
}

/** Requests of one client that wait: a client whose receiver does not answer must not fill the table. */
const REQUESTS_WAITING_MAX = 100

interface MessageRow extends Omit<ClaimedMessage, 'content' | 'target'>, EventTarget {
  readonly requestId: string | null
  readonly filter: MessageFilter | null
  readonly footprintIds: readonly string[] | null
}

export const createPactMessages = (pool: Pool): PactMessages => ({
  addRequest: async ({ accountId, clientNo }, requestId, filter, at) => {
    // The lock makes a revocation wait, which then deletes the request.
    const { rowCount } = await pool.query({
      name: 'add-pact-request',
      text: `insert into pact_messages
          (account_id, client_no, event_id, created_at, request_id, filter, next_attempt_at)
        select account_id, client_no, $3, $4, $5, $6, $4 from pact_clients
        where account_id = $1 and client_no = $2 and revoked_at is null and (
            select count(*) from pact_messages where account_id = $1 and client_no = $2 and request_id is not null
          ) < $7
        for share`,
      values: [accountId, clientNo, randomUUID(), at, requestId, JSON.stringify(filter), REQUESTS_WAITING_MAX],
    })
    return rowCount === 1
  },
  claim: (now, limits) => claim(pool, now, limits),
  finish: async ({ accountId, messageNo }, nextAttemptAt) => {
    await pool.query(
      nextAttemptAt === null
        ? 'delete from pact_messages where account_id = $1 and message_no = $2'
        : `update pact_messages set next_attempt_at = $3, lease_until = '-infinity'
          where account_id = $1 and message_no = $2`,
      nextAttemptAt === null ? [accountId, messageNo] : [accountId, messageNo, nextAttemptAt],
    )
  },
  claimClients: async (before, now, max) => {
    const { rows } = await pool.query<WorkingClient>({
      name: 'claim-pact-clients',
      text: `with due as (
          select account_id, client_no from pact_clients
          where events_url is not null and revoked_at is null and compared_at < $1
          order by account_id, client_no limit $3 for update skip locked
        ), claimed as (
          update pact_clients set compared_at = $2 from due
          where pact_clients.account_id = due.account_id and pact_clients.client_no = due.client_no
          returning pact_clients.*
        )
        select ${WORKING_FIELDS} from claimed as pact_clients join accounts using (account_id)`,
      values: [before, now, max],
    })
    return rows
  },
})

async function claim(
  pool: Pool,
  now: Date,
  { leaseMs, max, ofAccountMax, busyAccounts }: MessageLimits,
): Promise<readonly ClaimedMessage[]> {
  const { rows } = await pool.query<MessageRow>({
    name: 'claim-pact-messages',
    text: `with first_of_client as (
        select distinct on (account_id, client_no) account_id, client_no, message_no, next_attempt_at
        from pact_messages join pact_clients using (account_id, client_no)
        where next_attempt_at <= $1 and events_url is not null and revoked_at is null and account_id <> all($5::int[])
        and not exists (
          select from pact_messages as sent
          where sent.account_id = pact_clients.account_id and sent.client_no = pact_clients.client_no
            and sent.lease_until >= $1
        )
        order by account_id, client_no, next_attempt_at, message_no
      ), ranked as (
        select account_id, message_no,
          row_number() over (partition by account_id order by next_attempt_at, message_no) as of_account
        from first_of_client
      ), due as (
        select account_id, message_no from pact_messages join ranked using (account_id, message_no)
        where of_account <= $4 and lease_until < $1
        order by next_attempt_at limit $3 for update of pact_messages skip locked
      ), claimed as (
        update pact_messages set lease_until = $2, attempts = attempts + 1 from due
        where pact_messages.account_id = due.account_id and pact_messages.message_no = due.message_no
        returning pact_messages.*
      )
      select claimed.account_id as "accountId", message_no as "messageNo", customer_id as "customerId",
        event_id as "eventId", claimed.created_at as "createdAt", attempts, request_id as "requestId", filter,
        footprint_ids as "footprintIds", events_url as url, events_client_id as "clientId",
        events_client_secret as "clientSecret"
      from claimed join pact_clients using (account_id, client_no)`,
    values: [now, new Date(now.getTime() + leaseMs), max, ofAccountMax, busyAccounts],
  })
  return rows.map(({ requestId, filter, footprintIds, url, clientId, clientSecret, ...message }) => ({
    ...message,
    target: { url, clientId, clientSecret },
    content: requestId === null ? { footprintIds: footprintIds ?? [] } : { requestId, filter: filter ?? {} },
  }))
}
