// Up to when the entries of each account are folded into chunks, who folds them, and up to when that is safe.
import type { Pool, PoolClient } from 'pg'
import { EMPTY_WATERMARK } from './fact-chunks.ts'
import { connectDirectly } from '../pool.ts'
import { inTransaction, type Connection } from '../transaction.ts'

/** Entries that are folded in one transaction, and some more where many were posted at one time. */
const ENTRIES_PER_FOLD = 16_384
/** Entries that are looked through for where those end: there is no index by account and time. */
const ENTRIES_LOOKED_THROUGH = 2 * ENTRIES_PER_FOLD

/**
 * Until when everything that will ever have been posted is there to be seen, as the database writes a time. An entry
 * bears the time at which its statement began: whoever writes now, or waits for a table to write to, is waited for,
 * however long that takes, and nothing that began more than `lagMs` ago has not come to that.
 * @returns null where somebody's transaction cannot be seen
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
  /** Since the first of its entries was posted that is not folded, or of those that were come upon first. */
  readonly oldestSeconds: number
}

/**
 * The accounts to which something was posted that is not folded, up to a safe time. The marks of all others are moved
 * there, so that nobody looks for anything there again; where they are further back than `idleMs`. Both in one
 * statement: an account that is forgotten meanwhile, to be folded again, must not get a mark over nothing. Where much
 * is unfolded, not all of it is looked through: those that were found are folded first, and no mark is moved.
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

/** Whether more of an account than is folded at once is not folded, up to a safe time. */
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

/** What is to be folded now: all that was posted after one time and until another. */
export interface RollupStep {
  readonly after: string
  readonly until: string
}

/**
 * Has some of what is not folded put into chunks: those and the mark move in one transaction, or neither does.
 * @returns false where nothing is left to fold until then, or another process folds this account
 */
export async function rollUpOnce(
  pool: Pool,
  accountId: number,
  safe: string,
  write: (connection: PoolClient, fold: RollupStep) => Promise<void>,
): Promise<boolean> {
  // By itself: whoever comes second finds it, to skip, and does not wait until the first is done.
  await pool.query({
    name: 'create-watermark',
    text: `insert into report_watermarks (account_id, rolled_up_until) values ($1, $2) on conflict do nothing`,
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
 * Where so much is unfolded that one statement could not look through it in its time, an earlier time: the middle of
 * the entries that come first, which lie in the sequence of their times unless they were restored from a backup.
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

/** The time of the last entry to be folded now; `near` where that is all. */
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

/** Deleted by one statement: a chunk has up to some hundred kilobytes. */
const CHUNKS_PER_DELETE = 200

/**
 * Forgets all that is folded, of one account or of all: it is folded again. Account by account, each in a transaction
 * of its own, and in portions, without a limit of time: it ends, however much there is, and however long it waits for
 * whoever folds.
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
  // The mark first, so that whoever folds is waited for.
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
