// Events that wait to be sent to clients of the PACT interface, and whose footprints are to be compared.
import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { WORKING_FIELDS, type EventTarget, type WorkingClient } from './pact-clients.ts'

/** What a message is about: an answer to a request, or footprints that were published. */
export type MessageContent =
  | { readonly requestId: string; readonly filter: Readonly<Record<string, unknown>> }
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
  /** Keeps a request until it is answered. */
  readonly addRequest: (
    client: Pick<WorkingClient, 'accountId' | 'clientNo'>,
    requestId: string,
    filter: Readonly<Record<string, unknown>>,
    at: Date,
  ) => Promise<void>
  /** What is due; no other process gets it before the lease ends. */
  readonly claim: (now: Date, leaseMs: number, max: number) => Promise<readonly ClaimedMessage[]>
  /** @param nextAttemptAt null if it was delivered, or is given up */
  readonly finish: (message: ClaimedMessage, nextAttemptAt: Date | null) => Promise<void>
  /** Clients that take events and whose footprints were compared before a time; they count as compared from now on. */
  readonly claimClients: (before: Date, now: Date, max: number) => Promise<readonly WorkingClient[]>
}

interface MessageRow extends Omit<ClaimedMessage, 'content' | 'target'>, EventTarget {
  readonly requestId: string | null
  readonly filter: Readonly<Record<string, unknown>> | null
  readonly footprintIds: readonly string[] | null
}

export const createPactMessages = (pool: Pool): PactMessages => ({
  addRequest: async ({ accountId, clientNo }, requestId, filter, at) => {
    await pool.query({
      name: 'add-pact-request',
      text: `insert into pact_messages
          (account_id, client_no, event_id, created_at, request_id, filter, next_attempt_at)
        values ($1, $2, $3, $4, $5, $6, $4)`,
      values: [accountId, clientNo, randomUUID(), at, requestId, JSON.stringify(filter)],
    })
  },
  claim: (now, leaseMs, max) => claim(pool, now, leaseMs, max),
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

async function claim(pool: Pool, now: Date, leaseMs: number, max: number): Promise<readonly ClaimedMessage[]> {
  const { rows } = await pool.query<MessageRow>({
    name: 'claim-pact-messages',
    text: `with due as (
        select account_id, message_no from pact_messages where next_attempt_at <= $1 and lease_until < $1
        order by next_attempt_at limit $3 for update skip locked
      ), claimed as (
        update pact_messages set lease_until = $2, attempts = attempts + 1 from due
        where pact_messages.account_id = due.account_id and pact_messages.message_no = due.message_no
        returning pact_messages.*
      )
      select claimed.account_id as "accountId", message_no as "messageNo", customer_id as "customerId",
        event_id as "eventId", claimed.created_at as "createdAt", attempts, request_id as "requestId", filter,
        footprint_ids as "footprintIds", events_url as url, events_client_id as "clientId",
        events_client_secret as "clientSecret"
      from claimed join pact_clients using (account_id, client_no)
      where events_url is not null and revoked_at is null`,
    values: [now, new Date(now.getTime() + leaseMs), max],
  })
  return rows.map(({ requestId, filter, footprintIds, url, clientId, clientSecret, ...message }) => ({
    ...message,
    target: { url, clientId, clientSecret },
    content: requestId === null ? { footprintIds: footprintIds ?? [] } : { requestId, filter: filter ?? {} },
  }))
}
