// The feed of an account: notices in the statement that posts, their place in one sequence, and reading by that place.
import { escapeIdentifier, type Pool, type PoolClient } from 'pg'
import { SUBJECT_SEPARATOR, renameSubject, type FeedNotice, type FeedType } from '../engine/feed-events.ts'
import { castTo, text, type Column, type OwnedRow } from './row-encoding.ts'
import { inTransaction, type Connection } from './transaction.ts'

/** One process at a time gives places. */
const FEED_LOCK = 1668440421
/** Rows of the outbox that are moved in one transaction; a row has the subjects of a whole batch. */
const ROWS_AT_ONCE = 2_000
/** Rows of the feed that are deleted in one statement. */
const ROWS_PER_DELETE = 10_000

/** Notices as they are sent with other rows of a statement. */
export const NOTICE_COLUMNS: readonly Column<OwnedRow<FeedNotice>>[] = [
  ['account_id', castTo('integer'), ({ accountId }) => String(accountId)],
  ['type', text, ({ row }) => row.type],
  ['subject', text, ({ row }) => row.subject],
]

export const SEPARATOR_SQL = `chr(${SUBJECT_SEPARATOR.charCodeAt(0)})`

/** SQL of a subject, as noticeOf() writes it. @param parts as SQL */
export const subjectSql = (...parts: readonly string[]): string => parts.join(` || ${SEPARATOR_SQL} || `)

/** SQL that writes the notices of a common table expression to the outbox: a row for an account and a type. */
export const toOutbox = (notices: string, postedAt: string): string => `
  insert into feed_outbox (account_id, type, posted_at, subjects)
  select account_id, type, ${postedAt}, array_agg(subject) from ${notices} group by account_id, type`

/** For what is not posted with entries: notices of one account, or of every account. */
export async function addNotices(
  connection: Connection,
  accountId: number | null,
  notices: readonly FeedNotice[],
): Promise<void> {
  if (notices.length === 0) return
  await connection.query({
    name: 'add-notices',
    text: `insert into feed_outbox (account_id, type, posted_at, subjects)
      select account_id, type, date_trunc('milliseconds', clock_timestamp()), array_agg(subject order by number)
      from accounts cross join unnest($2::text[], $3::text[]) with ordinality as notice (type, subject, number)
      where $1::integer is null or account_id = $1
      group by account_id, type`,
    values: [accountId, notices.map(({ type }) => type), notices.map(({ subject }) => subject)],
  })
}

/** An event of the feed, not rendered yet. */
export interface FeedItem {
  readonly accountId: number
  readonly position: number
  readonly type: FeedType
  readonly postedAt: Date
  readonly subject: string
}

export interface Feed {
  /** At most `limit` events after a position. What the account recorded before this call is among them, or before. */
  readonly after: (accountId: number, position: number, limit: number) => Promise<readonly FeedItem[]>
  /** Those of an account at certain positions; those that were deleted are missing. */
  readonly at: (accountId: number, positions: readonly number[]) => Promise<readonly FeedItem[]>
  /** The last position that was given; 0 if there is none. */
  readonly lastPosition: (accountId: number) => Promise<number>
  /** Deletes what was posted before a time. */
  readonly deleteBefore: (time: Date) => Promise<void>
}

export const createFeed = (pool: Pool): Feed => ({
  after: async (accountId, position, limit) => {
    // Others may have written much since; what this account had written is placed at the end.
    while (await hasWaiting(pool, accountId)) if ((await inTransaction(pool, settle)) < ROWS_AT_ONCE) break
    const rows = await readAfter(pool, accountId, position, limit)
    return rows
      .flatMap(toItems)
      .filter((item) => item.position > position)
      .slice(0, limit)
  },
  at: async (accountId, positions) => {
    const rows = await readAt(pool, accountId, positions)
    const wanted = new Set(positions)
    return rows.flatMap(toItems).filter((item) => wanted.has(item.position))
  },
  lastPosition: async (accountId) => {
    const { rows } = await pool.query<{ readonly last: bigint }>({
      name: 'find-last-position',
      text: 'select last_position as last from feed_heads where account_id = $1',
      values: [accountId],
    })
    return Number(rows[0]?.last ?? 0)
  },
  deleteBefore: async (time) => {
    for (;;) if ((await deleteBefore(pool, time)) < ROWS_PER_DELETE) return
  },
})

/** Waits for a process that gives places; until the end of the transaction, no other one does. */
const lockFeed = (connection: Connection): Promise<unknown> =>
  connection.query({ name: 'lock-feed', text: 'select pg_advisory_xact_lock($1)', values: [FEED_LOCK] })

async function hasWaiting(pool: Pool, accountId: number): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'find-waiting-notices',
    text: 'select from feed_outbox where account_id = $1 limit 1',
    values: [accountId],
  })
  return rowCount === 1
}

/**
 * Gives the next places to rows of the outbox. The lock is taken in a statement of its own, so that the next one sees
 * everything that was committed before; it is held until the commit. So places are given, and become visible, in one
 * sequence: a row that is committed late gets a late place, and no reader that has passed a place misses anything
 * before it. Of two events of one order or device, the later was written after the earlier was committed.
 */
export async function settle(connection: PoolClient): Promise<number> {
  await lockFeed(connection)
  const { rows } = await connection.query<{ readonly moved: bigint }>({
    name: 'settle-feed',
    text: `with taken as (
        delete from feed_outbox where (account_id, outbox_no) in (
          select account_id, outbox_no from feed_outbox order by outbox_no limit ${ROWS_AT_ONCE}
        ) returning *
      ), placed as materialized (
        select taken.account_id, type, posted_at, subjects,
          (coalesce(feed_heads.last_position, 0)
            + sum(cardinality(subjects)) over (partition by taken.account_id order by outbox_no))::bigint
            as last_position
        from taken left join feed_heads on feed_heads.account_id = taken.account_id
      ), heads as (
        insert into feed_heads (account_id, last_position)
        select account_id, max(last_position) from placed group by account_id
        on conflict (account_id) do update set last_position = excluded.last_position
      ), added as (
        insert into feed (account_id, last_position, type, posted_at, subjects)
        select account_id, last_position, type, posted_at, subjects from placed
      )
      select count(*) as moved from placed`,
  })
  return Number(rows[0]!.moved)
}

interface FeedRow {
  readonly account_id: number
  readonly last_position: bigint
  readonly type: FeedType
  readonly posted_at: Date
  readonly subjects: readonly string[]
}

const FIELDS = 'account_id, last_position, type, posted_at, subjects'

/** Each row has at least one event, so `limit` rows are enough. */
async function readAfter(pool: Pool, accountId: number, position: number, limit: number) {
  const { rows } = await pool.query<FeedRow>({
    name: 'read-feed',
    text: `select ${FIELDS} from feed where account_id = $1 and last_position > $2 order by last_position limit $3`,
    values: [accountId, position, limit],
  })
  return rows
}

async function readAt(pool: Pool, accountId: number, positions: readonly number[]) {
  const { rows } = await pool.query<FeedRow>({
    name: 'read-feed-at',
    text: `select distinct on (last_position) ${FIELDS}
      from unnest($2::bigint[]) as wanted (position) cross join lateral (
        select * from feed where account_id = $1 and last_position >= position order by last_position limit 1
      ) as found
      where position > last_position - cardinality(subjects) order by last_position`,
    values: [accountId, positions],
  })
  return rows
}

function toItems({ account_id, last_position, type, posted_at, subjects }: FeedRow): readonly FeedItem[] {
  const first = Number(last_position) - subjects.length + 1
  return subjects.map((subject, at) => ({
    accountId: account_id,
    position: first + at,
    type,
    postedAt: posted_at,
    subject,
  }))
}

async function deleteBefore(pool: Pool, time: Date): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'delete-old-feed',
    text: `delete from feed where (account_id, last_position) in (
        select account_id, last_position from feed where posted_at < $1 limit ${ROWS_PER_DELETE}
      )`,
    values: [time],
  })
  return rowCount ?? 0
}

/**
 * Replaces the names of a customer in the feed of an account. Nothing of it may be posted until the end of the
 * transaction; nothing gets a place meanwhile.
 */
export async function renameInFeed(
  connection: Connection,
  accountId: number,
  renaming: Parameters<typeof renameSubject>[2],
): Promise<void> {
  await lockFeed(connection)
  for (const [table, key] of [
    ['feed', 'last_position'],
    ['feed_outbox', 'outbox_no'],
  ] as const) {
    const names = [...renaming.customers.keys(), ...renaming.serials.keys()]
    const { rows } = await connection.query<Omit<FeedRow, 'last_position'> & { readonly no: bigint }>(
      `select ${escapeIdentifier(key)} as no, type, subjects from ${escapeIdentifier(table)}
      where account_id = $1
        and exists (
          select from unnest(subjects) as subject where string_to_array(subject, ${SEPARATOR_SQL}) && $2::text[]
        )`,
      [accountId, names],
    )
    for (const { no, type, subjects } of rows) {
      const renamed = subjects.map((subject) => renameSubject(type, subject, renaming))
      await connection.query(
        `update ${escapeIdentifier(table)} set subjects = $3 where account_id = $1 and ${escapeIdentifier(key)} = $2`,
        [accountId, no, renamed],
      )
    }
  }
}

/** Deletes what was placed in the feeds of accounts while their other rows were being deleted. */
export async function deleteFeeds(connection: Connection, accountIds: readonly number[]): Promise<void> {
  await lockFeed(connection)
  for (const table of ['feed_outbox', 'feed', 'feed_heads', 'webhook_deliveries'])
    await connection.query(`delete from ${escapeIdentifier(table)} where account_id = any ($1)`, [accountIds])
}
