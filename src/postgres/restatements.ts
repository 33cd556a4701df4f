// The table of restatements: requests, their previews, and what they change.
import type { Pool, PoolClient } from 'pg'
import type { ApiErrorCode } from '../contract/errors.ts'
import type { ChangeRow, ChangesOf } from '../ledger/restatement/change-rows.ts'
import { lockAccount } from './product-mappings.ts'
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
  /** Orders that the preview changes and that could not be posted. */
  readonly ordersRefused: number
  /** How often a failure ended the work on it; it was begun again each time but the last, if it failed. */
  readonly interruptions: number
  /** The code of the last of these failures; null if there was none. */
  readonly lastError: ApiErrorCode | null
  readonly lastErrorAt: Date | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
  readonly keyHint: string
  readonly keyLabel: string
}

export interface PlacedEmission extends Omit<ChangeRow, 'problem'> {
  readonly place: number
  /** In English; null for a change. */
  readonly problem: string | null
  /** The same with its code, as JSON; null in those that earlier versions stored. */
  readonly problemMessage: string | null
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

export const FIELDS = `account_id as "accountId", restatement_id as "restatementId", scope, figures, reason, state,
  is_checked as "isChecked", digest, document, orders_total as "ordersTotal", orders_done as "ordersDone",
  orders_refused as "ordersRefused", interruptions, last_error as "lastError", last_error_at as "lastErrorAt",
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
      name: `list-restated-${of}`,
      text: `select ${CHANGE_FIELDS} from restated_emissions
        where account_id = $1 and restatement_id = $2 and place > $3 and ${isOf(of)}
        order by place limit $4`,
      values: [accountId, restatementId, after, limit],
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
  difference_mg as difference, bridge, problem, problem_message as "problemMessage"`

/** As in the indexes of the table. */
const IS_OF: Readonly<Record<ChangesOf, string>> = {
  orders: 'year is null and problem is null',
  years: 'year is not null',
  problems: 'problem is not null and not is_refused',
  refused: 'problem is not null and is_refused',
}
const isOf = (of: ChangesOf): string => IS_OF[of]

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
