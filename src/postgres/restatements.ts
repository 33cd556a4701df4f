// The table of restatements: requests, their previews, what they change, and which process works on them.
import type { Pool, PoolClient } from 'pg'
import { LeaseLost } from './errors.ts'
import type { OrderKey } from '../engine/device-timeline.ts'
import { previousRevisionId, sentIdOf } from '../engine/order-revision.ts'
import type { StoredOrder } from '../ledger/records.ts'
import type { Candidate } from '../ledger/restatement/plan.ts'
import type { ChangeRow, ChangesOf } from '../ledger/restatement/work.ts'
import { lockAccount } from './product-mappings.ts'
import {
  FIRST_ANSWER_FIELDS,
  findEventsOfOrders,
  isRevisionOf,
  orderIdentity,
  orderOfRow,
  type OrderRow,
} from './order-reads.ts'
import { CLOCK_SQL } from './row-encoding.ts'
import { inTransaction } from './transaction.ts'

export type RestatementState = 'previewing' | 'previewed' | 'applying' | 'applied' | 'outdated' | 'failed'

export interface RestatementKey {
  readonly accountId: number
  readonly restatementId: number
}

export interface NewRestatement {
  /** JSON as it was sent. */
  readonly scope: string
  readonly figures: string
  readonly reason: string
  readonly keyId: number
}

export interface StoredRestatement extends RestatementKey {
  readonly scope: string
  readonly figures: string
  readonly reason: string
  readonly state: RestatementState
  readonly isChecked: boolean
  /** SHA-256 of what the preview says, in hexadecimal; null before it is complete. */
  readonly digest: string | null
  /** The summary of the preview, as JSON. */
  readonly document: string | null
  readonly ordersTotal: number
  readonly ordersDone: number
  readonly createdAt: Date
  readonly finishedAt: Date | null
  readonly keyHint: string
  readonly keyLabel: string
}

export interface PlacedEmission extends ChangeRow {
  readonly place: number
}

export interface Restatements {
  /** Null if the account has `max` that are not applied. */
  readonly create: (accountId: number, restatement: NewRestatement, max: number) => Promise<StoredRestatement | null>
  readonly find: (key: RestatementKey) => Promise<StoredRestatement | null>
  /** The latest first. @param before only those with a lower id; null for all */
  readonly list: (accountId: number, before: number | null, limit: number) => Promise<readonly StoredRestatement[]>
  /** False unless it is previewed with this digest, and none of the account is being applied. */
  readonly requestApply: (key: RestatementKey, digest: string) => Promise<boolean>
  /** False if it is applied, even in part, or is being applied. */
  readonly remove: (key: RestatementKey) => Promise<boolean>
  /** True while orders of the account are being posted. */
  readonly isApplying: (accountId: number) => Promise<boolean>
  /** In the order in which orders are restated. @param after the place of the last one of the page before */
  readonly changes: (
    key: RestatementKey,
    of: ChangesOf,
    after: number,
    limit: number,
  ) => Promise<readonly PlacedEmission[]>
  /** The orders that change most. */
  readonly largest: (key: RestatementKey, limit: number) => Promise<readonly PlacedEmission[]>
}

/** What the process that works on restatements does. */
export interface RestatementJobs {
  /** Takes the oldest restatement that nobody works on. */
  readonly claim: (holder: string, leaseMs: number) => Promise<StoredRestatement | null>
  /** @throws LeaseLost if another process works on it now */
  readonly update: (key: RestatementKey, holder: string, leaseMs: number, change: RestatementUpdate) => Promise<void>
  /** Adds to what is stored of its changes. */
  readonly storeChanges: (key: RestatementKey, from: number, changes: readonly ChangeRow[]) => Promise<void>
  readonly clearChanges: (key: RestatementKey) => Promise<void>
  /** All orders of an account that count, with their events, in pages. */
  readonly candidates: (accountId: number) => AsyncIterable<readonly Candidate[]>
}

export interface RestatementUpdate {
  readonly state?: RestatementState
  readonly isChecked?: boolean
  readonly digest?: string
  readonly document?: string
  readonly ordersTotal?: number
  readonly ordersDone?: number
}

const FIELDS = `account_id as "accountId", restatement_id as "restatementId", scope, figures, reason, state,
  is_checked as "isChecked", digest, document, orders_total as "ordersTotal", orders_done as "ordersDone",
  created_at as "createdAt", finished_at as "finishedAt", key_hint as "keyHint", key_label as "keyLabel"`

export const createRestatements = (pool: Pool): Restatements => ({ ...createRequests(pool), ...createLists(pool) })

const createRequests = (pool: Pool): Pick<Restatements, 'create' | 'requestApply' | 'remove' | 'isApplying'> => ({
  create: (accountId, restatement, max) =>
    inTransaction(pool, (connection) => create(connection, accountId, restatement, max)),
  requestApply: async ({ accountId, restatementId }, digest) => {
    const { rowCount } = await pool.query({
      name: 'apply-restatement',
      text: `update restatements set state = 'applying', orders_done = 0, leased_until = null
        where account_id = $1 and restatement_id = $2 and state = 'previewed' and digest = $3
          and not exists (
            select from restatements as other where other.account_id = $1 and other.state = 'applying'
          )`,
      values: [accountId, restatementId, digest],
    })
    return rowCount === 1
  },
  remove: async ({ accountId, restatementId }) => {
    const { rowCount } = await pool.query({
      name: 'delete-restatement',
      text: `with removed as (
          delete from restatements
          where account_id = $1 and restatement_id = $2 and state not in ('applying', 'applied') and not is_checked
          returning restatement_id
        ), changes as (
          delete from restated_emissions
          where account_id = $1 and restatement_id in (select restatement_id from removed)
        ) select from removed`,
      values: [accountId, restatementId],
    })
    return rowCount === 1
  },
  isApplying: async (accountId) => {
    const { rowCount } = await pool.query({
      name: 'find-restatement-in-progress',
      text: `select 1 from restatements where account_id = $1 and state = 'applying' limit 1`,
      values: [accountId],
    })
    return rowCount === 1
  },
})

const createLists = (pool: Pool): Pick<Restatements, 'find' | 'list' | 'changes' | 'largest'> => ({
  find: async ({ accountId, restatementId }) => {
    const { rows } = await pool.query<StoredRestatement>({
      name: 'find-restatement',
      text: `select ${FIELDS} from restatements where account_id = $1 and restatement_id = $2`,
      values: [accountId, restatementId],
    })
    return rows[0] ?? null
  },
  list: async (accountId, before, limit) => {
    const { rows } = await pool.query<StoredRestatement>({
      name: 'list-restatements',
      text: `select ${FIELDS} from restatements
        where account_id = $1 and ($2::integer is null or restatement_id < $2)
        order by restatement_id desc limit $3`,
      values: [accountId, before, limit],
    })
    return rows
  },
  changes: async ({ accountId, restatementId }, of, after, limit) => {
    const { rows } = await pool.query<PlacedEmission>({
      name: 'list-restated-emissions',
      text: `select ${CHANGE_FIELDS} from restated_emissions
        where account_id = $1 and restatement_id = $2 and place > $4
          and (case when problem is not null then 'problems' when year is null then 'orders' else 'years' end) = $3
        order by place limit $5`,
      values: [accountId, restatementId, of, after, limit],
    })
    return rows
  },
  largest: async ({ accountId, restatementId }, limit) => {
    const { rows } = await pool.query<PlacedEmission>({
      name: 'list-largest-restated-emissions',
      text: `select ${CHANGE_FIELDS} from restated_emissions
        where account_id = $1 and restatement_id = $2 and year is null and problem is null
        order by abs(difference_mg) desc, place limit $3`,
      values: [accountId, restatementId, limit],
    })
    return rows
  },
})

const CHANGE_FIELDS = `place, customer_id as "customerId", order_id as "orderId", year, before_mg as before,
  difference_mg as difference, bridge, problem`

async function create(
  connection: PoolClient,
  accountId: number,
  { scope, figures, reason, keyId }: NewRestatement,
  max: number,
): Promise<StoredRestatement | null> {
  // The lock also keeps the account from being deleted meanwhile.
  await lockAccount(connection, accountId)
  const { rows } = await connection.query<StoredRestatement>({
    name: 'add-restatement',
    text: `insert into restatements (account_id, restatement_id, scope, figures, reason, key_hint, key_label)
      select $1::integer, coalesce((select max(restatement_id) from restatements where account_id = $1), 0) + 1,
        $2, $3, $4, hint, label
      from api_keys where key_id = $5
        and (select count(*) from restatements where account_id = $1 and state <> 'applied') < $6::integer
      returning ${FIELDS}`,
    values: [accountId, scope, figures, reason, keyId, max],
  })
  return rows[0] ?? null
}

/** The revision of an order that a restatement replaced; null if it replaced none since the order was sent last. */
export async function findRevisionBefore(
  pool: Pool,
  { accountId, restatementId }: RestatementKey,
  { customerId, orderId }: OrderKey,
): Promise<StoredOrder | null> {
  if (previousRevisionId(orderId) === null) return null
  const { rows } = await pool.query<OrderRow>({
    name: 'find-revision-before-restatement',
    text: `select ${FIRST_ANSWER_FIELDS} from orders
      where account_id = $1 and ${isRevisionOf('$2::text', '$3::text')} and order_id < $4
        and exists (
          select from events
          where events.account_id = $1 and events.customer_id = $2 and events.order_id = orders.order_id
            and event_id like 'restatement-' || $5::integer || '-%'
            and (content::jsonb ->> 'restatement_id')::integer = $5
        )
        and not exists (
          select from orders as later
          where later.account_id = $1 and later.customer_id = $2 and later.order_id >= orders.order_id
            and later.order_id < $4 and later.status = 'reversed'
        )
      order by order_id limit 1`,
    values: [accountId, customerId, sentIdOf(orderId), orderId, restatementId],
  })
  return rows[0] ? orderOfRow(rows[0]) : null
}

const CANDIDATES_AT_ONCE = 500

export const createRestatementJobs = (pool: Pool): RestatementJobs => ({
  ...createLeases(pool),
  ...createChanges(pool),
  candidates: (accountId) => candidatesOf(pool, accountId),
})

const createLeases = (pool: Pool): Pick<RestatementJobs, 'claim' | 'update'> => ({
  claim: async (holder, leaseMs) => {
    const { rows } = await pool.query<StoredRestatement>({
      name: 'claim-restatement',
      text: `update restatements set holder = $1, leased_until = clock_timestamp() + $2 * interval '1 ms'
        where (account_id, restatement_id) = (
          select account_id, restatement_id from restatements
          where state in ('previewing', 'applying') and (leased_until is null or leased_until < clock_timestamp())
          order by created_at limit 1 for update skip locked
        ) returning ${FIELDS}`,
      values: [holder, leaseMs],
    })
    return rows[0] ?? null
  },
  update: async ({ accountId, restatementId }, holder, leaseMs, change) => {
    const { state = null, isChecked = null, digest = null, document = null } = change
    const { ordersTotal = null, ordersDone = null } = change
    const isOver = state !== null && state !== 'applying'
    const { rowCount } = await pool.query({
      name: 'update-restatement',
      text: `with updated as (
        update restatements set state = coalesce($4, state), is_checked = coalesce($5, is_checked),
          digest = coalesce($6, digest), document = coalesce($7, document),
          orders_total = coalesce($8, orders_total), orders_done = coalesce($9, orders_done),
          finished_at = case when $11 then clock_timestamp() else finished_at end,
          leased_until = case when $11 then null else clock_timestamp() + $10 * interval '1 ms' end
        where account_id = $1 and restatement_id = $2 and holder = $3 and state in ('previewing', 'applying')
        returning account_id, restatement_id, state, document
      ), told as (
        insert into feed_outbox (account_id, type, posted_at, subjects)
        select updated.account_id, 'statement.superseded', ${CLOCK_SQL},
          array_agg(customer_id || chr(29) || year || chr(29) || restated.restatement_id order by place)
        from updated cross join restated_emissions as restated
        where restated.account_id = $1 and restated.restatement_id = $2 and state = 'applied'
          and year is not null and problem is null and year + 1 || '-01-01' <= document::jsonb ->> 'final_before'
        group by updated.account_id
      ) select from updated`,
      values: [
        accountId,
        restatementId,
        holder,
        state,
        isChecked,
        digest,
        document,
        ordersTotal,
        ordersDone,
        leaseMs,
        isOver,
      ],
    })
    if (rowCount !== 1) throw new LeaseLost()
  },
})

const createChanges = (pool: Pool): Pick<RestatementJobs, 'clearChanges' | 'storeChanges'> => ({
  clearChanges: async ({ accountId, restatementId }) => {
    await pool.query({
      name: 'clear-restated-emissions',
      text: 'delete from restated_emissions where account_id = $1 and restatement_id = $2',
      values: [accountId, restatementId],
    })
  },
  storeChanges: async ({ accountId, restatementId }, from, changes) => {
    await pool.query({
      name: 'add-restated-emissions',
      text: `insert into restated_emissions
          (account_id, restatement_id, place, customer_id, order_id, year, before_mg, difference_mg, bridge, problem)
        select $1, $2, $3::integer + number::integer - 1, customer_id, order_id, year, before_mg, difference_mg,
          bridge, problem
        from unnest($4::text[], $5::text[], $6::integer[], $7::bigint[], $8::bigint[], $9::text[], $10::text[])
          with ordinality
          as sent (customer_id, order_id, year, before_mg, difference_mg, bridge, problem, number)
        where exists (
          select from restatements where account_id = $1 and restatement_id = $2 and state = 'previewing'
        )`,
      values: [
        accountId,
        restatementId,
        from,
        changes.map(({ customerId }) => customerId),
        changes.map(({ orderId }) => orderId),
        changes.map(({ year }) => year),
        changes.map(({ before }) => before),
        changes.map(({ difference }) => difference),
        changes.map(({ bridge }) => bridge),
        changes.map(({ problem }) => problem),
      ],
    })
  },
})

async function* candidatesOf(pool: Pool, accountId: number): AsyncGenerator<readonly Candidate[], void> {
  let next = findCandidates(pool, accountId, null)
  for (;;) {
    const page = await next
    const last = page.length === CANDIDATES_AT_ONCE ? page.at(-1)!.order : null
    // Read while this page is worked on.
    if (last) next = findCandidates(pool, accountId, last)
    // It may fail before it is awaited.
    next.catch(() => undefined)
    yield page
    if (!last) return
  }
}

/** The page after an order, or the first, in the order of the primary key. */
async function findCandidates(pool: Pool, accountId: number, after: OrderKey | null): Promise<readonly Candidate[]> {
  const { rows } = await pool.query<OrderRow>({
    name: 'find-orders-to-restate',
    text: `select ${FIRST_ANSWER_FIELDS} from orders
      where account_id = $1 and (order_id, customer_id) > ($2, $3) and status not in ('corrected', 'reversed')
      order by order_id, customer_id limit ${CANDIDATES_AT_ONCE}`,
    values: [accountId, after?.orderId ?? '', after?.customerId ?? ''],
  })
  const orders = rows.map(orderOfRow)
  const events = await findEventsOfOrders(pool, accountId, orders)
  return orders.map((order) => ({ order, events: events.get(orderIdentity(accountId, order)) ?? [] }))
}
