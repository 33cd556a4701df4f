// Up to when the entries of each account are folded into chunks, who folds them, and up to when that is safe.
import type { Pool, PoolClient } from 'pg'
import type { Connection } from './order-reads.ts'
import { NOTHING_FOLDED } from './report-chunks.ts'
import { inTransaction } from './transaction.ts'

/** Entries that are folded in one transaction, and some more where many were posted at one time. */
const ENTRIES_PER_FOLD = 65_536

/**
 * Until when everything that will ever have been posted is there to be seen, as the database writes a time. An entry
 * bears the time at which its statement began: nothing older than `lagMs` is still on its way, and whoever writes
 * entries now, for however long, is waited for.
 * @returns null where somebody's transaction cannot be seen
 */
export async function findSafeTime(connection: Connection, lagMs: number): Promise<string | null> {
  const { rows } = await connection.query<{ readonly safe: string; readonly hidden: boolean }>({
    name: 'find-safe-time',
    text: `select date_trunc('milliseconds', least(clock_timestamp() - $1 * interval '1 millisecond',
          min(xact_start) - interval '1 millisecond'))::text as safe,
        coalesce(bool_or(xact_start is null), false) as hidden
      from (
        select distinct pid from pg_locks where relation = 'entries'::regclass
          and mode = 'RowExclusiveLock'
          and database = (select oid from pg_database where datname = current_database())
      ) as lock
      left join pg_stat_activity using (pid)`,
    values: [lagMs],
  })
  return rows[0]!.hidden ? null : rows[0]!.safe
}

/**
 * The accounts to which something was posted that is not folded, up to a safe time. The marks of all others are moved
 * there, so that nobody looks for anything there again; where they are further back than `idleMs`. Both in one
 * statement: an account that is forgotten meanwhile, to be folded again, must not get a mark over nothing.
 */
export async function findUnfolded(connection: Connection, safe: string, idleMs: number): Promise<readonly number[]> {
  const { rows } = await connection.query<{ readonly accountId: number }>({
    name: 'find-unfolded-accounts',
    text: `with unfolded as materialized (
        select account_id from accounts left join report_marks using (account_id)
        where folded_until is null and exists (
          select from entries where entries.account_id = accounts.account_id and posted_at <= $1
        )
        union
        select account_id from entries join report_marks using (account_id)
        where posted_at > (select min(folded_until) from report_marks) and posted_at > folded_until and posted_at <= $1
      ), idle as (
        select account_id from report_marks
        where folded_until < $1::timestamptz - $2 * interval '1 millisecond'
          and account_id not in (select account_id from unfolded)
        for update skip locked
      ), moved as (
        update report_marks set folded_until = $1 from idle where report_marks.account_id = idle.account_id
      )
      select account_id as "accountId" from unfolded`,
    values: [safe, idleMs],
  })
  return rows.map(({ accountId }) => accountId)
}

/** What is to be folded now: all that was posted after one time and until another. */
export interface Fold {
  readonly after: string
  readonly until: string
}

/**
 * Has some of what is not folded put into chunks: those and the mark move in one transaction, or neither does.
 * @returns false where nothing is left to fold until then, or another process folds this account
 */
export const foldOnce = (
  pool: Pool,
  accountId: number,
  safe: string,
  write: (connection: PoolClient, fold: Fold) => Promise<void>,
): Promise<boolean> =>
  inTransaction(pool, async (connection) => {
    await connection.query({
      name: 'begin-report-mark',
      text: `insert into report_marks (account_id, folded_until) values ($1, $2) on conflict do nothing`,
      values: [accountId, NOTHING_FOLDED],
    })
    const { rows } = await connection.query<Fold>({
      name: 'hold-report-mark',
      text: `with mark as (select folded_until from report_marks where account_id = $1 for update skip locked)
        select folded_until::text as after, coalesce((
            select posted_at from entries
            where account_id = $1 and posted_at > folded_until and posted_at <= $2
            order by posted_at offset ${ENTRIES_PER_FOLD} limit 1
          ), $2)::text as until
        from mark where folded_until < $2`,
      values: [accountId, safe],
    })
    if (!rows[0]) return false
    await write(connection, rows[0])
    await connection.query({
      name: 'move-report-mark',
      text: 'update report_marks set folded_until = $2 where account_id = $1',
      values: [accountId, rows[0].until],
    })
    return true
  })

/** Forgets all that is folded, of one account or of all: it is folded again. */
export const forgetFolded = (pool: Pool, accountId: number | null): Promise<void> =>
  inTransaction(pool, async (connection) => {
    // The marks first, so that whoever folds is waited for.
    await connection.query('delete from report_marks where $1::integer is null or account_id = $1', [accountId])
    await connection.query('delete from report_chunks where $1::integer is null or account_id = $1', [accountId])
  })
