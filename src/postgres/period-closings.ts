// Until when the books of an account are closed, and each time they were closed or reopened.
import type { Pool } from 'pg'
import { noticeOf } from '../engine/feed-events.ts'
import { addNotices } from './feed.ts'
import { inTransaction, type Connection } from './transaction.ts'

/** The same number as in the function books_closed_until of the schema, whose lock this one excludes. */
export const BOOKS_LOCK = 1668440420

export interface PeriodClosing {
  /** From 1 on, in the order of recording. */
  readonly no: number
  /** The books are closed for the days before this one, YYYY-MM-DD; null if they are open for all days. */
  readonly closedUntil: string | null
  readonly kind: 'closed' | 'reopened' | 'upgraded'
  readonly recordedAt: Date
  /** First and last characters of the key with which it was recorded; null for an upgrade of Cradle. */
  readonly keyHint: string | null
  readonly reason: string | null
}

export interface NewClosing {
  readonly closedUntil: string | null
  readonly keyId: number
  readonly reason: string | null
}

export interface PeriodClosings {
  /** At most so many of them, the latest first. @param before only those with a lower number; null for all */
  readonly list: (accountId: number, before: number | null, limit: number) => Promise<readonly PeriodClosing[]>
  /** The first open day, YYYY-MM-DD; null if the books are open for all days. */
  readonly closedUntil: (accountId: number) => Promise<string | null>
  /**
   * Closes or reopens the books. It waits until all entries are committed that are being posted, so that no entry
   * counts in a closed month once this returns.
   * @returns false if this would reopen closed days and no reason is given; then nothing changes
   */
  readonly record: (accountId: number, closing: NewClosing) => Promise<boolean>
}

const LATEST_FIRST = `
  select closing_no as no, closed_until as "closedUntil", kind, recorded_at as "recordedAt", key_hint as "keyHint",
    reason
  from period_closings where account_id = $1 and ($2::bigint is null or closing_no < $2)
  order by closing_no desc limit $3`

export const createPeriodClosings = (pool: Pool): PeriodClosings => ({
  list: async (...page) => (await pool.query<PeriodClosing>(LATEST_FIRST, page)).rows,
  closedUntil: (accountId) => findClosedUntil(pool, accountId, null),
  record: (accountId, closing) => inTransaction(pool, (connection) => record(connection, accountId, closing)),
})

async function record(connection: Connection, accountId: number, closing: NewClosing): Promise<boolean> {
  const { closedUntil, keyId, reason } = closing
  await connection.query('select pg_advisory_xact_lock($1, $2)', [BOOKS_LOCK, accountId])
  const before = await findClosedUntil(connection, accountId, null)
  if (before === closedUntil) return true
  const isReopening = before !== null && (closedUntil === null || closedUntil < before)
  if (isReopening && reason === null) return false
  await connection.query(
    `insert into period_closings (account_id, closing_no, closed_until, kind, recorded_at, key_hint, reason)
    select $1, coalesce((select max(closing_no) from period_closings where account_id = $1), 0) + 1, $2, $3,
      greatest(
        date_trunc('milliseconds', clock_timestamp()),
        (select rolled_up_until + interval '1 millisecond' from report_watermarks where account_id = $1),
        (select max(recorded_at) + interval '1 millisecond' from period_closings where account_id = $1)
      ), hint, $5 from api_keys
    where account_id = $1 and key_id = $4`,
    [accountId, closedUntil, isReopening ? 'reopened' : 'closed', keyId, reason],
  )
  const years = isReopening ? [] : yearsClosed(before, closedUntil!)
  await addNotices(
    connection,
    accountId,
    years.map((year) => noticeOf('statement.issued', [String(year)])),
  )
  return true
}

/** The years whose last day is closed now and was not before; of a first closing, the last one. */
function yearsClosed(before: string | null, closedUntil: string): readonly number[] {
  const end = Number(closedUntil.slice(0, 4))
  const begin = before === null ? end - 1 : Number(before.slice(0, 4))
  return Array.from({ length: end - begin }, (_, at) => begin + at)
}

/** Until when the books were closed at a time, or are closed now. What an upgrade closed was so from the beginning. */
export async function findClosedUntil(
  connection: Connection,
  accountId: number,
  knownAt: Date | null,
): Promise<string | null> {
  const { rows } = await connection.query<{ readonly closed_until: string | null }>(
    `select closed_until from period_closings
    where account_id = $1 and ($2::timestamptz is null or recorded_at <= $2 or kind = 'upgraded')
    order by closing_no desc limit 1`,
    [accountId, knownAt],
  )
  return rows[0]?.closed_until ?? null
}

/** The latest day before which the books were ever closed; null if they always were open. */
export async function findLatestClosed(connection: Connection, accountId: number): Promise<string | null> {
  const { rows } = await connection.query<{ readonly latest: string | null }>(
    'select max(closed_until) as latest from period_closings where account_id = $1',
    [accountId],
  )
  return rows[0]!.latest
}
