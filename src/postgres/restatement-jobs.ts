// What the process that works on restatements reads and writes of them.
import type { Pool } from 'pg'
import type { ApiErrorCode } from '../contract/errors.ts'
import { orderKey, type OrderKey } from '../engine/device-timeline.ts'
import { sentIdOf } from '../engine/order-revision.ts'
import type { ChangeRow } from '../ledger/restatement/change-rows.ts'
import type { StoredOrder } from '../ledger/records.ts'
import type { Candidate } from '../ledger/restatement/plan.ts'
import { LeaseLost } from './errors.ts'
import { subjectSql } from './feed.ts'
import { CLOCK_SQL } from './row-encoding.ts'
import {
  FIRST_ANSWER_FIELDS,
  findEventsOfOrders,
  keyValues,
  orderIdentity,
  orderOfRow,
  type OrderRow,
} from './order-reads.ts'
import { lockAccount } from './product-mappings.ts'
import { findReplacedRevisions } from './replaced-revisions.ts'
import { FIELDS, type RestatementKey, type RestatementState, type StoredRestatement } from './restatements.ts'
import { inTransaction, type Connection } from './transaction.ts'

/** What the process that works on restatements does. */
export interface RestatementJobs {
  /** Takes the oldest restatement that nobody works on. */
  readonly claim: (holder: string, leaseMs: number) => Promise<StoredRestatement | null>
  /** @throws LeaseLost if another process works on it now */
  readonly update: (key: RestatementKey, holder: string, leaseMs: number, change: RestatementUpdate) => Promise<void>
  /** Adds to what is stored of its changes. */
  readonly storeChanges: (key: RestatementKey, from: number, changes: readonly ChangeRow[]) => Promise<void>
  readonly clearChanges: (key: RestatementKey) => Promise<void>
  /**
   * Stores which of some orders could not be posted, in place of what was stored of them; not those that the preview
   * lists as problems, and those that have another name now.
   */
  readonly storeRefused: (
    key: RestatementKey,
    orders: readonly OrderKey[],
    refused: readonly ChangeRow[],
  ) => Promise<void>
  /**
   * All orders of an account that count, with their events, in pages.
   * @param undoes the number of a restatement that is undone
   */
  readonly candidates: (accountId: number, undoes?: number) => AsyncIterable<readonly Candidate[]>
}

export interface RestatementUpdate {
  readonly state?: RestatementState
  readonly isChecked?: boolean
  readonly digest?: string
  readonly document?: string
  readonly ordersTotal?: number
  readonly ordersDone?: number
  /** A failure that ended the work. */
  readonly error?: ApiErrorCode
}

/** So few that requests do not wait long while they are decoded. */
const CANDIDATES_AT_ONCE = 250

export const createRestatementJobs = (pool: Pool): RestatementJobs => ({
  ...createLeases(pool),
  ...createChanges(pool),
  candidates: (accountId, undoes) => candidatesOf(pool, accountId, undoes),
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
    const { ordersTotal = null, ordersDone = null, error = null } = change
    const isOver = state !== null && state !== 'applying'
    const { rowCount } = await pool.query({
      name: 'update-restatement',
      text: `with updated as (
          update restatements set state = coalesce($4, state), is_checked = coalesce($5, is_checked),
            digest = coalesce($6, digest), document = coalesce($7, document),
            orders_total = coalesce($8, orders_total), orders_done = coalesce($9, orders_done),
            interruptions = interruptions + case when $12::text is null then 0 else 1 end,
            last_error = coalesce($12, last_error),
            last_error_at = case when $12 is null then last_error_at else clock_timestamp() end,
            finished_at = case when $11 then clock_timestamp() else finished_at end,
            leased_until =
              case when $11 or $12 is not null then null else clock_timestamp() + $10 * interval '1 ms' end
          where account_id = $1 and restatement_id = $2 and holder = $3 and state in ('previewing', 'applying')
          returning account_id, restatement_id, state, document
        ), told as (
          insert into feed_outbox (account_id, type, posted_at, subjects)
          select updated.account_id, 'statement.superseded', ${CLOCK_SQL},
            array_agg(${subjectSql('customer_id', 'year', 'restated.restatement_id')} order by place)
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
        error,
      ],
    })
    if (rowCount !== 1) throw new LeaseLost()
  },
})

const createChanges = (pool: Pool): Pick<RestatementJobs, 'clearChanges' | 'storeChanges' | 'storeRefused'> => ({
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
          (account_id, restatement_id, place, customer_id, order_id, year, before_mg, difference_mg, bridge, problem,
            problem_message)
        select $1, $2, $3::integer + number::integer - 1, customer_id, order_id, year, before_mg, difference_mg,
          bridge, problem, problem_message
        from unnest($4::text[], $5::text[], $6::integer[], $7::bigint[], $8::bigint[], $9::text[], $10::text[],
            $11::text[])
          with ordinality
          as sent (customer_id, order_id, year, before_mg, difference_mg, bridge, problem, problem_message, number)
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
        changes.map(({ problem }) => problem && problem.message),
        changes.map(({ problem }) => problem && JSON.stringify(problem)),
      ],
    })
  },
  storeRefused: (key, orders, refused) =>
    inTransaction(pool, async (connection) => {
      // No names are erased meanwhile.
      await lockAccount(connection, key.accountId)
      await storeRefused(connection, key, orders, refused)
    }),
})

async function storeRefused(
  connection: Connection,
  { accountId, restatementId }: RestatementKey,
  orders: readonly OrderKey[],
  refused: readonly ChangeRow[],
): Promise<void> {
  await connection.query({
    name: 'remove-refused-orders',
    text: `delete from restated_emissions using unnest($3::text[], $4::text[]) as posted (customer_id, order_id)
      where account_id = $1 and restatement_id = $2 and is_refused and problem is not null
        and restated_emissions.customer_id = posted.customer_id and restated_emissions.order_id = posted.order_id`,
    values: [accountId, restatementId, ...keyValues(orders)],
  })
  await connection.query({
    name: 'add-refused-orders',
    text: `insert into restated_emissions (account_id, restatement_id, place, customer_id, order_id, difference_mg,
          bridge, problem, problem_message, is_refused)
      select $1, $2, last_place + number::integer, customer_id, order_id, 0, '{}', problem, problem_message, true
      from unnest($3::text[], $4::text[], $5::text[], $6::text[]) with ordinality
          as sent (customer_id, order_id, problem, problem_message, number)
        cross join (
          select coalesce(max(place), 0) as last_place from restated_emissions
          where account_id = $1 and restatement_id = $2
        ) as placed
      where exists (
          select from orders where orders.account_id = $1 and orders.customer_id = sent.customer_id
            and orders.order_id = sent.order_id
        )
        and not exists (
          select from restated_emissions as known
          where known.account_id = $1 and known.restatement_id = $2 and known.problem is not null
            and known.customer_id = sent.customer_id and known.order_id = sent.order_id
        )`,
    values: [
      accountId,
      restatementId,
      ...keyValues(refused),
      refused.map(({ problem }) => problem!.message),
      refused.map(({ problem }) => JSON.stringify(problem)),
    ],
  })
  await connection.query({
    name: 'count-refused-orders',
    text: `update restatements set orders_refused = (
        select count(*) from restated_emissions
        where account_id = $1 and restatement_id = $2 and is_refused and problem is not null
      )
      where account_id = $1 and restatement_id = $2`,
    values: [accountId, restatementId],
  })
}

async function* candidatesOf(
  pool: Pool,
  accountId: number,
  undoes?: number,
): AsyncGenerator<readonly Candidate[], void> {
  const find = (after: OrderKey | null) => findCandidates(pool, accountId, after, undoes)
  let next = find(null)
  for (;;) {
    const page = await next
    const last = page.length === CANDIDATES_AT_ONCE ? page.at(-1)!.order : null
    // Read while this page is worked on.
    if (last) next = find(last)
    // It may fail before it is awaited.
    next.catch(() => undefined)
    yield page
    if (!last) return
  }
}

/** The page after an order, or the first, in the order of the primary key. */
async function findCandidates(
  pool: Pool,
  accountId: number,
  after: OrderKey | null,
  undoes?: number,
): Promise<readonly Candidate[]> {
  const { rows } = await pool.query<OrderRow>({
    name: 'find-orders-to-restate',
    text: `select ${FIRST_ANSWER_FIELDS} from orders
      where account_id = $1 and (order_id, customer_id) > ($2, $3) and status not in ('corrected', 'reversed')
      order by order_id, customer_id limit ${CANDIDATES_AT_ONCE}`,
    values: [accountId, after?.orderId ?? '', after?.customerId ?? ''],
  })
  const orders = rows.map(orderOfRow)
  const events = await findEventsOfOrders(pool, accountId, orders)
  const replaced =
    undoes === undefined ? new Map<string, StoredOrder>() : await findReplacedRevisions(pool, accountId, orders, undoes)
  return orders.map((order) => ({
    order,
    events: events.get(orderIdentity(accountId, order)) ?? [],
    replaced: replaced.get(orderKey({ customerId: order.customerId, orderId: sentIdOf(order.orderId) })) ?? null,
  }))
}
