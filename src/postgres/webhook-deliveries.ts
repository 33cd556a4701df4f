// What is to be sent to webhooks: made from the feed, claimed by one process at a time, and what became of it.
import type { Pool } from 'pg'
import type { FeedType } from '../engine/feed-events.ts'
import { SEPARATOR_SQL, settle, subjectSql } from './feed.ts'
import { inTransaction, type Connection } from './transaction.ts'
import type { DisabledReason } from './webhooks.ts'

export interface DeliveryKey {
  readonly accountId: number
  readonly webhookId: number
  readonly deliveryId: number
}

/** A delivery as its log shows it. */
export interface Delivery extends DeliveryKey {
  /** In the feed; null for a test. */
  readonly position: number | null
  readonly type: FeedType | 'webhook.test'
  /** When the event happened, or the test was asked for. */
  readonly createdAt: Date
  readonly state: 'waiting' | 'succeeded' | 'failed'
  readonly attempts: number
  readonly nextAttemptAt: Date
  readonly attemptedAt: Date | null
  /** The status of the last response; null if there was none. */
  readonly status: number | null
  readonly problem: string | null
  readonly milliseconds: number | null
  readonly finishedAt: Date | null
}

/** A delivery that this process is to attempt, with what it needs of its webhook. */
export interface ClaimedDelivery extends Pick<
  Delivery,
  'accountId' | 'webhookId' | 'deliveryId' | 'position' | 'type' | 'createdAt' | 'attempts'
> {
  readonly url: string
  readonly failuresInARow: number
  /** The current one first. */
  readonly secrets: readonly Buffer[]
}

export interface ClaimLimits {
  readonly leaseMs: number
  /** Deliveries of one webhook that are attempted at the same time; 1 after `failuresMax` failures in a row. */
  readonly ofOneMax: number
  readonly failuresMax: number
  readonly max: number
  /** Of one account, so that its receivers, however slow, leave room for those of others. */
  readonly ofAccountMax: number
  /** The account of each attempt that is under way in this process. */
  readonly underWay: readonly number[]
}

/** What became of an attempt. */
export interface Attempted {
  readonly status: number | null
  readonly problem: string | null
  readonly milliseconds: number
  readonly at: Date
  /** When to try again; null if it succeeded or will not be tried again. */
  readonly nextAttemptAt: Date | null
  /** Until when nothing is sent to the webhook; null to go on. */
  readonly pauseUntil: Date | null
  readonly disables: DisabledReason | null
  readonly succeeded: boolean
}

export type WebhookDeliveries = ReturnType<typeof createWebhookDeliveries>

/** @param waitingMax deliveries that are made of the feed for a webhook as long as no more than these wait */
export const createWebhookDeliveries = (pool: Pool, waitingMax: number) => ({
  /** Gives the outbox its places, and makes deliveries of the feed. @returns whether there was anything to do */
  prepare: (now: Date): Promise<boolean> => prepare(pool, waitingMax, now),
  claim: (holder: string, now: Date, limits: ClaimLimits) => claim(pool, holder, now, limits),
  /** Returns false if the lease was lost: another process attempts it again. */
  finish: (delivery: ClaimedDelivery, holder: string, attempted: Attempted) =>
    finish(pool, delivery, holder, attempted),
  /** Gives back a delivery whose attempt was broken off, as if it had not been claimed. */
  release: (delivery: ClaimedDelivery, holder: string) => release(pool, delivery, holder),
  /** The latest first. @param before only those with a lower id; null for all */
  list: (accountId: number, webhookId: number, before: number | null, limit: number) =>
    list(pool, accountId, webhookId, before, limit),
  addTest: (accountId: number, webhookId: number) => addTest(pool, accountId, webhookId),
  /** Null if it is unknown. One that is waiting is attempted at once. */
  replay: (key: DeliveryKey) => replay(pool, key),
  deleteBefore: (time: Date) => deleteBefore(pool, time),
})

/** Rows of the feed from which deliveries of a webhook are made at a time; each may have the orders of a batch. */
const FEED_ROWS_AT_ONCE = 20
const WEBHOOKS_AT_ONCE = 100

/** True if there may be more to do. One query if there is nothing, as nearly always. */
async function prepare(pool: Pool, waitingMax: number, now: Date): Promise<boolean> {
  const { rows } = await pool.query<{ readonly outbox: boolean; readonly webhooks: boolean }>({
    name: 'find-feed-work',
    text: `select exists (select from feed_outbox) as outbox, exists (
        select from webhooks join feed_heads using (account_id)
        where is_enabled and delivered_until < last_position and ${WAITING} < $1
      ) as webhooks`,
    values: [waitingMax],
  })
  const { outbox, webhooks } = rows[0]!
  if (!outbox && !webhooks) return false
  await inTransaction(pool, async (connection) => {
    // Also locks the feed, so that two processes never make the same delivery.
    await settle(connection)
    await addDeliveries(connection, waitingMax, now)
  })
  return true
}

const WAITING = `(select count(*) from webhook_deliveries as waiting where waiting.account_id = webhooks.account_id
  and waiting.webhook_id = webhooks.webhook_id and waiting.state = 'waiting')`

const partSql = (place: number): string => `split_part(subject, ${SEPARATOR_SQL}, ${place})`

/** An order by the id that the client sent: its revisions are one order. */
const ORDER_HASH = `case when type like 'order.%' then hashtextextended(
    ${subjectSql(partSql(1), `split_part(${partSql(2)}, chr(31), 1)`)}, 0) end`

async function addDeliveries(connection: Connection, waitingMax: number, now: Date): Promise<void> {
  await connection.query({
    name: 'add-webhook-deliveries',
    text: `with behind as materialized (
        select account_id, webhook_id, types, delivered_until from webhooks join feed_heads using (account_id)
        where is_enabled and delivered_until < last_position and ${WAITING} < $1
        order by account_id, webhook_id limit ${WEBHOOKS_AT_ONCE} for update of webhooks
      ), placed as materialized (
        select behind.account_id, webhook_id, types, delivered_until, last_position, type, posted_at,
          subjects
        from behind cross join lateral (
          select last_position, type, posted_at, subjects from feed
          where account_id = behind.account_id and last_position > delivered_until
          order by last_position limit ${FEED_ROWS_AT_ONCE}
        ) as next
      ), added as (
        insert into webhook_deliveries
          (account_id, webhook_id, position, type, created_at, order_hash, next_attempt_at)
        select account_id, webhook_id, last_position - cardinality(subjects) + number, type, posted_at,
          ${ORDER_HASH}, $2
        from placed cross join unnest(subjects) with ordinality as told (subject, number)
        where (cardinality(types) = 0 or type = any (types))
          and last_position - cardinality(subjects) + number > delivered_until
        order by last_position, number
      )
      update webhooks set delivered_until = reached.last_position
      from (
        select account_id, webhook_id, max(last_position) as last_position from placed group by account_id, webhook_id
      ) as reached
      where webhooks.account_id = reached.account_id and webhooks.webhook_id = reached.webhook_id`,
    values: [waitingMax, now],
  })
}

interface ClaimedRow extends Omit<ClaimedDelivery, 'deliveryId' | 'position' | 'secrets'> {
  readonly deliveryId: bigint
  readonly position: bigint | null
  readonly secret: Buffer
  readonly previousSecret: Buffer | null
}

/**
 * A webhook is locked while its deliveries are claimed, and ignored if another process has locked it. Of the deliveries
 * about one order, only the first that waits can be claimed. The oldest come first: while a webhook fails, they go
 * through the schedule of attempts, after which it is disabled, however many others wait. Accounts take turns: the next
 * place is that of the account with the fewest under way. The update compares the lease
 * once more, since another process may have claimed and committed after this statement began.
 */
async function claim(
  pool: Pool,
  holder: string,
  now: Date,
  { leaseMs, ofOneMax, failuresMax, max, ofAccountMax, underWay }: ClaimLimits,
): Promise<readonly ClaimedDelivery[]> {
  const { rows } = await pool.query<ClaimedRow>({
    name: 'claim-webhook-deliveries',
    text: `with ready as materialized (
        select account_id, webhook_id, failures_in_a_row from webhooks
        where is_enabled and paused_until <= $2 and exists (
          select from webhook_deliveries as due where due.account_id = webhooks.account_id
            and due.webhook_id = webhooks.webhook_id and state = 'waiting' and next_attempt_at <= $2
              and lease_until < $2
        )
        for update skip locked
      ), found as materialized (
        select found.account_id, found.webhook_id, delivery_id from ready cross join lateral (
          select account_id, webhook_id, delivery_id from webhook_deliveries as due
          where due.account_id = ready.account_id and due.webhook_id = ready.webhook_id and state = 'waiting'
            and next_attempt_at <= $2 and lease_until < $2
            and (order_hash is null or not exists (
              select from webhook_deliveries as earlier where earlier.account_id = due.account_id
                and earlier.webhook_id = due.webhook_id and earlier.state = 'waiting'
                and earlier.order_hash = due.order_hash and earlier.delivery_id < due.delivery_id
            ))
          order by delivery_id
          limit greatest(0, case when failures_in_a_row >= $5::integer then 1 else $4::integer end - (
            select count(*) from webhook_deliveries as held where held.account_id = ready.account_id
              and held.webhook_id = ready.webhook_id and held.state = 'waiting' and held.lease_until >= $2
          ))
        ) as found
      ), placed as (
        select *, row_number() over (partition by account_id order by delivery_id)
          + (select count(*) from unnest($7::integer[]) as own (account) where account = found.account_id) as place
        from found
      ), due as materialized (
        select * from placed where place <= $8 order by place, delivery_id limit $6
      )
      update webhook_deliveries as claimed set lease_owner = $1, lease_until = $2 + $3 * interval '1 millisecond',
        attempts = attempts + 1
      from due join webhooks using (account_id, webhook_id)
      where claimed.account_id = due.account_id and claimed.webhook_id = due.webhook_id
        and claimed.delivery_id = due.delivery_id and claimed.lease_until < $2 and claimed.state = 'waiting'
      returning claimed.account_id as "accountId", claimed.webhook_id as "webhookId",
        claimed.delivery_id as "deliveryId", position, type, claimed.created_at as "createdAt", attempts, url,
        failures_in_a_row as "failuresInARow", secret,
        case when previous_until > $2 then previous_secret end as "previousSecret"`,
    values: [holder, now, leaseMs, ofOneMax, failuresMax, max, underWay, ofAccountMax],
  })
  return rows.map(({ deliveryId, position, secret, previousSecret, ...row }) => ({
    ...row,
    deliveryId: Number(deliveryId),
    position: position === null ? null : Number(position),
    secrets: previousSecret === null ? [secret] : [secret, previousSecret],
  }))
}

async function release(pool: Pool, { accountId, webhookId, deliveryId }: DeliveryKey, holder: string): Promise<void> {
  await pool.query({
    name: 'release-webhook-delivery',
    text: `update webhook_deliveries set lease_until = '-infinity', lease_owner = null, attempts = attempts - 1
      where account_id = $1 and webhook_id = $2 and delivery_id = $3 and lease_owner = $4`,
    values: [accountId, webhookId, deliveryId, holder],
  })
}

async function finish(
  pool: Pool,
  { accountId, webhookId, deliveryId }: DeliveryKey,
  holder: string,
  { status, problem, milliseconds, at, nextAttemptAt, pauseUntil, disables, succeeded }: Attempted,
): Promise<boolean> {
  const state = succeeded ? 'succeeded' : nextAttemptAt === null ? 'failed' : 'waiting'
  const { rows } = await pool.query<{ readonly finished: bigint }>({
    name: 'finish-webhook-delivery',
    text: `with finished as (
        update webhook_deliveries set state = $5, status = $6, problem = $7, milliseconds = $8, attempted_at = $9,
          next_attempt_at = coalesce($10, next_attempt_at),
          finished_at = case when $5 <> 'waiting' then $9::timestamptz end,
          lease_owner = null, lease_until = '-infinity'
        where account_id = $1 and webhook_id = $2 and delivery_id = $3 and lease_owner = $4
        returning account_id, webhook_id
      ), counted as (
        update webhooks set failures_in_a_row = case when $5 = 'succeeded' then 0 else failures_in_a_row + 1 end,
          paused_until = case when $5 = 'succeeded' then '-infinity'
            else greatest(paused_until, coalesce($11::timestamptz, '-infinity')) end,
          is_enabled = is_enabled and $12::text is null, disabled_reason = coalesce($12, disabled_reason)
        from finished
        where webhooks.account_id = finished.account_id and webhooks.webhook_id = finished.webhook_id
          and ($5 <> 'succeeded' or failures_in_a_row > 0)
      )
      select count(*) as finished from finished`,
    values: [
      accountId,
      webhookId,
      deliveryId,
      holder,
      state,
      status,
      problem,
      milliseconds,
      at,
      nextAttemptAt,
      pauseUntil,
      disables,
    ],
  })
  return rows[0]!.finished === 1n
}

interface DeliveryRow extends Omit<Delivery, 'deliveryId' | 'position'> {
  readonly deliveryId: bigint
  readonly position: bigint | null
}

const FIELDS = `account_id as "accountId", webhook_id as "webhookId", delivery_id as "deliveryId", position, type,
  created_at as "createdAt", state, attempts, next_attempt_at as "nextAttemptAt", attempted_at as "attemptedAt", status,
  problem, milliseconds, finished_at as "finishedAt"`

const toDelivery = ({ deliveryId, position, ...row }: DeliveryRow): Delivery => ({
  ...row,
  deliveryId: Number(deliveryId),
  position: position === null ? null : Number(position),
})

async function list(pool: Pool, accountId: number, webhookId: number, before: number | null, limit: number) {
  const { rows } = await pool.query<DeliveryRow>({
    name: 'list-webhook-deliveries',
    text: `select ${FIELDS} from webhook_deliveries
      where account_id = $1 and webhook_id = $2 and ($3::bigint is null or delivery_id < $3)
      order by delivery_id desc limit $4`,
    values: [accountId, webhookId, before, limit],
  })
  return rows.map(toDelivery)
}

async function addTest(pool: Pool, accountId: number, webhookId: number): Promise<Delivery | null> {
  const { rows } = await pool.query<DeliveryRow>({
    name: 'add-test-delivery',
    text: `insert into webhook_deliveries (account_id, webhook_id, type, created_at, next_attempt_at)
      select account_id, webhook_id, 'webhook.test', date_trunc('milliseconds', clock_timestamp()),
        date_trunc('milliseconds', clock_timestamp())
      from webhooks where account_id = $1 and webhook_id = $2 for key share
      returning ${FIELDS}`,
    values: [accountId, webhookId],
  })
  return rows[0] ? toDelivery(rows[0]) : null
}

async function replay(pool: Pool, { accountId, webhookId, deliveryId }: DeliveryKey): Promise<Delivery | null> {
  const { rows } = await pool.query<DeliveryRow>({
    name: 'replay-webhook-delivery',
    text: `update webhook_deliveries set state = 'waiting',
        attempts = case when state = 'waiting' then attempts else 0 end,
        next_attempt_at = date_trunc('milliseconds', clock_timestamp()), finished_at = null
      where account_id = $1 and webhook_id = $2 and delivery_id = $3 returning ${FIELDS}`,
    values: [accountId, webhookId, deliveryId],
  })
  return rows[0] ? toDelivery(rows[0]) : null
}

const ROWS_PER_DELETE = 10_000

async function deleteBefore(pool: Pool, time: Date): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query({
      name: 'delete-old-deliveries',
      text: `delete from webhook_deliveries where (account_id, webhook_id, delivery_id) in (
          select account_id, webhook_id, delivery_id from webhook_deliveries
          where finished_at < $1 limit ${ROWS_PER_DELETE}
        )`,
      values: [time],
    })
    if ((rowCount ?? 0) < ROWS_PER_DELETE) return
  }
}
