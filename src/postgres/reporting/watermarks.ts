// Watermarks: up to when the entries of each account are rolled up, which process rolls up, and up to when that is
// safe.
import type { Pool, PoolClient } from 'pg'
import { EMPTY_WATERMARK } from './fact-chunks.ts'
import { connectDirectly } from '../pool.ts'
import { inTransaction, type Connection } from '../transaction.ts'

/** Entries rolled up in one transaction, and a few more if many were posted at the same time. */
const ENTRIES_PER_FOLD = 16_384
/** Entries that are searched for the end of a step: there is no index by account and time. */
const ENTRIES_LOOKED_THROUGH = 2 * ENTRIES_PER_FOLD

/**
 * The time up to which all entries that will ever be posted are visible, as the database writes it. An entry has the
 * time at which its statement began. So the result is before the start of every transaction that is writing, or waits
 * for a lock on a table to write to it, however long that takes; and every statement that began more than `lagMs` ago
 * has reached that state.
 * @returns null if the start time of a transaction is hidden from this role
 */
export async function findSafeWatermark(connection: Connection, lagMs: number): Promise<string | null> {
  const { rows } = await connection.query<{ readonly safe: string; readonly hidden: boolean }>({
    name: 'find-safe-watermark',
    text: `select date_trunc('milliseconds', least(clock_timestamp() - $1 * interval '1 millisecond',
          min(xact_start) - interval '1 millisecond'))::text as safe,
        coalesce(bool_or(xact_start is null), false) as hidden
      from (
        select distinct pid from pg_locks
        where relation in ('entries'::regclass, 'orders'::regclass, 'events'::regclass)
          and mode = 'RowExclusiveLock'
          and database = (select oid from pg_database where datname = current_database())
      ) as lock
      left join pg_stat_activity using (pid)`,
    values: [lagMs],
  })
  return rows[0]!.hidden ? null : rows[0]!.safe
}

export interface AccountRollupLag {
  readonly accountId: number
  /**
   * Seconds since the account's first entry that is not rolled up was posted, or the first of those that were found.
   */
  readonly oldestSeconds: number
}

/**
 * Finds the accounts with entries up to a safe time that are not rolled up. The watermarks of all other accounts are
 * moved to that time if they are further back than `idleMs`, so that these entries are not searched again. Both happen
 * in one statement: if an account is reset meanwhile, to be rolled up again, its watermark must not skip entries. If
 * very many entries are not rolled up, only some of them are searched: the accounts found are rolled up first, and no
 * watermark is moved.
 */
export async function findAccountsToRollUp(
  connection: Connection,
  safe: string,
  idleMs: number,
): Promise<readonly AccountRollupLag[]> {
  const { rows } = await connection.query<AccountRollupLag>({
    name: 'find-accounts-to-roll-up',
    text: `with seen as materialized (
        select account_id, posted_at from entries join report_watermarks using (account_id)
        where posted_at > (select min(rolled_up_until) from report_watermarks) and posted_at > rolled_up_until
          and posted_at <= $1
        limit ${ENTRIES_LOOKED_THROUGH}
      ), unfolded as materialized (
        select account_id, first.posted_at from accounts left join report_watermarks using (account_id)
        cross join lateral (
          select posted_at from entries where entries.account_id = accounts.account_id and posted_at <= $1 limit 1
        ) as first
        where rolled_up_until is null
        union all
        select account_id, min(posted_at) from seen group by account_id
      ), idle as (
        select account_id from report_watermarks
        where rolled_up_until < $1::timestamptz - $2 * interval '1 millisecond'
          and account_id not in (select account_id from unfolded)
          and (select count(*) from seen) < ${ENTRIES_LOOKED_THROUGH}
        for update skip locked
      ), moved as (
        update report_watermarks set rolled_up_until = $1 from idle where report_watermarks.account_id = idle.account_id
      )
      select account_id as "accountId", extract(epoch from clock_timestamp() - posted_at)::float8 as "oldestSeconds"
      from unfolded`,
    values: [safe, idleMs],
  })
  return rows
}

/** Whether an account has more entries that are not rolled up, up to a safe time, than one step takes. */
export async function isRollupLagging(connection: Connection, accountId: number, safe: string): Promise<boolean> {
  const { rows } = await connection.query({
    name: 'find-lagging-beyond',
    text: `select from entries
      where account_id = $1 and posted_at <= $2
        and posted_at > coalesce((select rolled_up_until from report_watermarks where account_id = $1), $3)
      offset ${ENTRIES_PER_FOLD} limit 1`,
    values: [accountId, safe, EMPTY_WATERMARK],
  })
  return rows.length > 0
}

/** A step of rolling up: all entries posted after one time and up to another. */
export interface RollupStep {
  readonly after: string
  readonly until: string
}

/**
 * Rolls up some of the remaining entries: the chunks and the watermark change in one transaction, or neither does.
 * @returns false if nothing remains up to that time, or another process is rolling up this account
 */
export async function rollUpOnce(
  pool: Pool,
  accountId: number,
  safe: string,
  write: (connection: PoolClient, fold: RollupStep) => Promise<void>,
): Promise<boolean> {
  // Not part of the transaction, so that a second process finds the row and skips it instead of waiting for the first.
  // The lock is for an account that is being removed: no watermark must stay behind.
  await pool.query({
    name: 'create-watermark',
    text: `insert into report_watermarks (account_id, rolled_up_until)
      select account_id, $2 from accounts
      where account_id = $1 and not exists (select from report_watermarks where account_id = $1)
      for key share of accounts skip locked
      on conflict do nothing`,
    values: [accountId, EMPTY_WATERMARK],
  })
  return inTransaction(pool, async (connection) => {
    const { rows } = await connection.query<Pick<RollupStep, 'after'>>({
      name: 'lock-watermark',
      text: `select rolled_up_until::text as after from report_watermarks where account_id = $1 and rolled_up_until < $2
        for update skip locked`,
      values: [accountId, safe],
    })
    if (!rows[0]) return false
    const { after } = rows[0]
    const until = await findEnd(connection, accountId, after, await findNear(connection, accountId, after, safe))
    await write(connection, { after, until })
    await connection.query({
      name: 'move-watermark',
      text: 'update report_watermarks set rolled_up_until = $2 where account_id = $1',
      values: [accountId, until],
    })
    return true
  })
}

/**
 * If there are too many entries for one statement to search within its time limit, an earlier time: the median of the
 * first entries found. These lie in the order of their times, unless they were restored from a backup.
 */
async function findNear(connection: Connection, accountId: number, after: string, until: string): Promise<string> {
  let near = until
  for (;;) {
    const { rows } = await connection.query<{ readonly seen: number; readonly middle: string | null }>({
      name: 'halve-rollup',
      text: `select count(*)::integer as seen, percentile_disc(0.5) within group (order by posted_at)::text as middle
        from (
          select posted_at from entries where account_id = $1 and posted_at > $2 and posted_at <= $3
          limit ${ENTRIES_LOOKED_THROUGH}
        ) as seen`,
      values: [accountId, after, near],
    })
    const { seen, middle } = rows[0]!
    if (seen < ENTRIES_LOOKED_THROUGH || middle === near) return near
    near = middle!
  }
}

/** The time of the last entry of this step; `near` if the step takes all entries up to there. */
async function findEnd(connection: Connection, accountId: number, after: string, near: string): Promise<string> {
  const { rows } = await connection.query<{ readonly end: string }>({
    name: 'end-rollup',
    text: `select posted_at::text as end from entries
      where account_id = $1 and posted_at > $2 and posted_at <= $3
      order by posted_at offset ${ENTRIES_PER_FOLD} limit 1`,
    values: [accountId, after, near],
  })
  return rows[0]?.end ?? near
}

/**
 * Deletes the chunks of an account in the current transaction, to be rolled up again from the beginning. It waits for a
 * process that is rolling up; until the transaction ends, no other one begins.
 */
export async function restartRollup(connection: Connection, accountId: number): Promise<void> {
  await connection.query(
    `insert into report_watermarks (account_id, rolled_up_until) values ($1, $2)
    on conflict (account_id) do update set rolled_up_until = excluded.rolled_up_until`,
    [accountId, EMPTY_WATERMARK],
  )
  await connection.query('delete from fact_chunks where account_id = $1', [accountId])
}

/** Chunks deleted by one statement; a chunk has up to some hundred kilobytes. */
const CHUNKS_PER_DELETE = 200

/**
 * Deletes the chunks and watermarks of one account or of all, to be rolled up again. Each account has its own
 * transaction, and its chunks are deleted in portions and without a time limit. So it finishes, however much there is,
 * and however long it waits for a process that is rolling up.
 */
export async function resetRollups(pool: Pool, accountId: number | null): Promise<void> {
  const client = connectDirectly(pool)
  await client.connect()
  try {
    const { rows } = await client.query<{ readonly account_id: number }>(
      `select account_id from report_watermarks union select account_id from fact_chunks order by account_id`,
    )
    for (const { account_id: one } of rows) {
      if (accountId === null || accountId === one) await forgetAccount(client, one)
    }
  } finally {
    await client.end()
  }
}

async function forgetAccount(client: Connection, accountId: number): Promise<void> {
  await client.query('begin')
  // The watermark is deleted first, which waits for a process that is rolling up.
  await client.query('delete from report_watermarks where account_id = $1', [accountId])
  for (;;) {
    const { rowCount } = await client.query(
      `delete from fact_chunks where account_id = $1
        and chunk_no in (select chunk_no from fact_chunks where account_id = $1 limit ${CHUNKS_PER_DELETE})`,
      [accountId],
    )
    if (rowCount === 0) break
  }
  await client.query('commit')
}
