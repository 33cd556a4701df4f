// The queue of import jobs: one process leases a job at a time, renews the lease, and records progress.
import type { Pool } from 'pg'
import { noticeOf } from '../engine/feed-events.ts'
import type { Message } from '../engine/message.ts'
import { addNotices, subjectSql } from './feed.ts'
import {
  IMPORT_FIELDS,
  toImport,
  type ImportCounts,
  type ImportKey,
  type ImportRow,
  type ImportState,
  type RejectedRow,
  type StoredImport,
  type ReversalCounts,
} from './import-record.ts'
import { LeaseLost } from './errors.ts'
import { CLOCK_SQL } from './row-encoding.ts'
import { removeOldestRejectedRows, removeRejectedRows } from './rejected-rows.ts'
import { inTransaction, type Connection } from './transaction.ts'

/** When a lease was not renewed for this long, its owner has ended and another process continues. */
const LEASE_DURATION = `interval '15 seconds'`

/**
 * Attempts after which an import fails, if no checkpoint was reached in between. The death of a worker that the service
 * noticed counts as four attempts, so three of them are enough. A death that was not noticed counts as one: the whole
 * service may have been killed for another reason, even repeatedly.
 */
const ATTEMPTS_MAX = 10
/** In addition to the attempt that the claim counted. */
const ATTEMPTS_OF_END_SEEN = 3

const IS_OPEN = `state in ('queued', 'running', 'reversing') and lease_until < now()`
const IS_HELD = `state in ('running', 'reversing') and lease_until >= now() and lease_owner is not null`

/**
 * How work on an import ended: `in order`, it finished or reached a checkpoint; `interrupted` by the database, so it is
 * retried later, after other imports of its account; or `broken off` because of the import itself.
 */
export type EndOfWork = 'in order' | 'interrupted' | 'broken off'

export type ImportLeases = ReturnType<typeof createImportLeases>

/** @param holder identifies this process among all that work on imports */
export const createImportLeases = (pool: Pool, holder: string) => ({
  claim: (key: ImportKey | null) => claim(pool, holder, key),
  hold: (job: StoredImport) => hold(pool, holder, job),
  release: (key: ImportKey, end: EndOfWork) => release(pool, holder, key, end),
  failRepeated: (problem: Message) => failRepeated(pool, problem),
  othersWait: (accountId: number) => othersWait(pool, accountId),
})

/**
 * Claims a waiting import for this process, or the import of the given key if it is waiting. The account whose imports
 * were served least recently comes first, then its oldest import; an account has one import under way at a time. Each
 * claim counts as an attempt until the work ends in order or is interrupted by the database. It does not count if this
 * process is still the lease owner: it has only lost the database meanwhile.
 */
const claim = (pool: Pool, holder: string, key: ImportKey | null): Promise<StoredImport | null> =>
  inTransaction(pool, async (connection) => {
    const named = [key?.accountId ?? null, key?.importId ?? null]
    const lease = await connection.query<{ readonly account_id: number }>(
      `select account_id from accounts
      where account_id in (
          select account_id from imports
          where ${IS_OPEN} and ($1::integer is null or (account_id, import_id) = ($1, $2::integer))
        ) and account_id not in (select account_id from imports where ${IS_HELD})
      order by imports_served_at, account_id limit 1 for no key update skip locked`,
      named,
    )
    const accountId = lease.rows[0]?.account_id
    if (accountId === undefined) return null
    // The conditions are checked again, because the process that held the row lock before may have claimed an import.
    const { rows } = await connection.query<ImportRow>(
      `update imports set state = case state when 'queued' then 'running' else state end, lease_owner = $1,
        lease_until = now() + ${LEASE_DURATION}, started_at = coalesce(started_at, now()),
        attempts = attempts + case when lease_owner = $1 then 0 else 1 end
      where account_id = $2 and import_id = (
          select import_id from imports
          where account_id = $2 and ${IS_OPEN} and ($3::integer is null or import_id = $3)
          order by lease_until, created_at, import_id limit 1
        ) and not exists (select from imports where account_id = $2 and ${IS_HELD})
      returning ${IMPORT_FIELDS}`,
      [holder, accountId, key?.importId ?? null],
    )
    await connection.query('update accounts set imports_served_at = now() where account_id = $1', [accountId])
    return rows[0] ? toImport(rows[0]) : null
  })

/** @throws LeaseLost if another process has taken it over, it is to be reversed, or it is done */
async function hold(pool: Pool, holder: string, { accountId, importId, state }: StoredImport): Promise<void> {
  const { rowCount } = await pool.query({
    name: 'lease-import',
    text: `update imports set lease_until = now() + ${LEASE_DURATION}
      where account_id = $1 and import_id = $2 and lease_owner = $3 and state = $4`,
    values: [accountId, importId, holder, state],
  })
  if (rowCount !== 1) throw new LeaseLost()
}

async function release(pool: Pool, holder: string, { accountId, importId }: ImportKey, end: EndOfWork): Promise<void> {
  await pool.query(
    `with released as (
      update imports set lease_owner = null,
        lease_until = case $4 when 'interrupted' then now() + ${LEASE_DURATION} else '-infinity' end,
        attempts = case $4 when 'broken off' then attempts + ${ATTEMPTS_OF_END_SEEN}
          else greatest(attempts - 1, 0) end
      where account_id = $1 and import_id = $2 and lease_owner = $3 returning account_id
    )
    update accounts set imports_served_at = now() from released where accounts.account_id = released.account_id`,
    [accountId, importId, holder, end],
  )
}

/** Fails the imports with too many attempts. */
async function failRepeated(pool: Pool, problem: Message): Promise<readonly ImportKey[]> {
  const { rows } = await pool.query<ImportKey>({
    name: 'fail-imports',
    text: `with failed as (
        update imports set state = 'failed', problem = $1, finished_at = now(), lease_until = '-infinity',
          lease_owner = null, unprocessed_bytes = 0
        where ${IS_OPEN} and attempts >= ${ATTEMPTS_MAX} returning account_id, import_id
      ), removed as (
        delete from import_chunks using failed
        where import_chunks.account_id = failed.account_id and import_chunks.import_id = failed.import_id
      ), told as (
        insert into feed_outbox (account_id, type, posted_at, subjects)
        select account_id, 'import.finished', ${CLOCK_SQL}, array[${subjectSql('import_id', "'failed'")}] from failed
      )
      select account_id as "accountId", import_id as "importId" from failed`,
    values: [JSON.stringify(problem)],
  })
  return rows
}

/** Whether another account has an import that no process works on. */
async function othersWait(pool: Pool, accountId: number): Promise<boolean> {
  const { rows } = await pool.query<{ readonly wait: boolean }>({
    name: 'count-queued-imports',
    text: `select exists (
      select from imports where ${IS_OPEN} and account_id <> $1
        and account_id not in (select account_id from imports where ${IS_HELD})
    ) as wait`,
    values: [accountId],
  })
  return rows[0]!.wait
}

export type ImportJobs = ReturnType<typeof createImportJobs>

/** @param holder identifies the process that has claimed the imports */
export const createImportJobs = (pool: Pool, holder: string) => ({
  dealtWith: (key: ImportKey, counts: ImportCounts, faulty: readonly RejectedRow[]) =>
    recordBatch(pool, holder, key, counts, faulty),
  restart: (key: ImportKey) => restart(pool, holder, key),
  undone: (key: ImportKey, counts: ReversalCounts) => undone(pool, holder, key, counts),
  finish: (key: ImportKey, state: 'succeeded' | 'failed' | 'reversed', problem: Message | null) =>
    finish(pool, holder, key, state, problem),
})

/**
 * Records progress together with the rows rejected so far, in one transaction. From then on only the current claim
 * counts as an attempt. A dry run starts from the beginning after an interruption, so its attempts are not reset.
 * @throws LeaseLost if another process has taken it over
 */
const recordBatch = (
  pool: Pool,
  holder: string,
  { accountId, importId }: ImportKey,
  counts: ImportCounts,
  faulty: readonly RejectedRow[],
): Promise<void> =>
  inTransaction(pool, async (connection) => {
    const { rowCount } = await connection.query({
      name: 'record-import-batch',
      text: `update imports set lease_until = now() + ${LEASE_DURATION}, rows_read = $4, bytes_read = $5,
          orders_stored = $6, orders_replayed = $7, orders_rejected = $8, rows_rejected = $9, emission_mg = $10,
          working_ms = $11, last_row = $12, ignored = $13, rows_rejected_stored = $14, rows_rejected_bytes = $15,
          warnings = $16,
          attempts = case when is_dry_run then attempts else 1 end
        where account_id = $1 and import_id = $2 and lease_owner = $3 and state = 'running'`,
      values: [
        accountId,
        importId,
        holder,
        counts.rowsRead,
        counts.bytesRead,
        counts.ordersStored,
        counts.ordersReplayed,
        counts.ordersRejected,
        counts.rowsRejected,
        counts.emission,
        Math.round(counts.workingMs),
        counts.rowDone,
        JSON.stringify(counts.ignored),
        counts.rowsRejectedStored,
        counts.rowsRejectedBytes,
        JSON.stringify(counts.warnings),
      ],
    })
    if (rowCount !== 1) throw new LeaseLost()
    for (const rows of inPortions(faulty)) await addFaulty(connection, { accountId, importId }, rows)
  })

const addFaulty = (connection: Connection, { accountId, importId }: ImportKey, rows: readonly RejectedRow[]) =>
  connection.query({
    name: 'add-import-errors',
    text: `insert into import_errors (account_id, import_id, row_no, cells, errors, is_truncated)
      select $1, $2, * from unnest($3::integer[], $4::text[], $5::text[], $6::boolean[])`,
    values: [
      accountId,
      importId,
      rows.map(({ row }) => row),
      rows.map(({ cells }) => cells),
      rows.map(({ errors }) => errors),
      rows.map(({ isTruncated }) => isTruncated),
    ],
  })

/** Length of rows sent in one statement. Other requests are served between two of them, and rows can have megabytes. */
const PORTION_LENGTH = 256 * 1024

function* inPortions(rows: readonly RejectedRow[]): Generator<readonly RejectedRow[]> {
  let [portion, length]: [RejectedRow[], number] = [[], 0]
  for (const row of rows) {
    portion.push(row)
    length += row.cells.length + row.errors.length
    if (length < PORTION_LENGTH) continue
    yield portion
    ;[portion, length] = [[], 0]
  }
  if (portion.length > 0) yield portion
}

/** Resets the progress. */
const restart = (pool: Pool, holder: string, { accountId, importId }: ImportKey): Promise<StoredImport> =>
  inTransaction(pool, async (connection) => {
    await connection.query('delete from import_errors where account_id = $1 and import_id = $2', [accountId, importId])
    const { rows } = await connection.query<ImportRow>(
      `update imports set last_row = 0, rows_read = 0, bytes_read = 0, orders_stored = 0, orders_replayed = 0,
        orders_rejected = 0, rows_rejected = 0, rows_rejected_stored = 0, rows_rejected_bytes = 0, emission_mg = 0,
        working_ms = 0, ignored = '[]', warnings = '[]'
      where account_id = $1 and import_id = $2 and lease_owner = $3
      returning ${IMPORT_FIELDS}`,
      [accountId, importId, holder],
    )
    if (!rows[0]) throw new LeaseLost()
    return toImport(rows[0])
  })

/** A restarted reversal passes the same orders first; its counts grow only once it is past them. */
async function undone(
  pool: Pool,
  holder: string,
  { accountId, importId }: ImportKey,
  { ordersReversed, ordersKept }: ReversalCounts,
): Promise<void> {
  const { rowCount } = await pool.query({
    name: 'record-import-reversal',
    text: `update imports set lease_until = now() + ${LEASE_DURATION},
        orders_reversed = case when $6 < orders_reversed + orders_kept then orders_reversed else $4 end,
        orders_kept = case when $6 < orders_reversed + orders_kept then orders_kept else $5 end,
        attempts = case when $6 > orders_reversed + orders_kept then 1 else attempts end
      where account_id = $1 and import_id = $2 and lease_owner = $3`,
    values: [accountId, importId, holder, ordersReversed, ordersKept, ordersReversed + ordersKept],
  })
  if (rowCount !== 1) throw new LeaseLost()
}

/**
 * Deletes the file, which is no longer needed: its content is in the orders and in the rejected rows. A reversed import
 * does not need the rejected rows either, because the file would have to be imported again.
 */
const finish = (
  pool: Pool,
  holder: string,
  { accountId, importId }: ImportKey,
  state: ImportState,
  problem: Message | null,
): Promise<void> =>
  inTransaction(pool, async (connection) => {
    const { rowCount } = await connection.query(
      // The import may have been stopped before it recorded the last orders that it stored.
      `update imports set state = $4, problem = $5, finished_at = now(), lease_until = '-infinity',
        unprocessed_bytes = 0, orders_stored = case $4
          when 'reversed' then greatest(orders_stored, orders_reversed + orders_kept) else orders_stored end
      where account_id = $1 and import_id = $2 and lease_owner = $3
        and state = case $4 when 'reversed' then 'reversing' else 'running' end`,
      [accountId, importId, holder, state, problem && JSON.stringify(problem)],
    )
    if (rowCount !== 1) throw new LeaseLost()
    await addNotices(connection, accountId, [noticeOf('import.finished', [String(importId), state])])
    await connection.query('delete from import_chunks where account_id = $1 and import_id = $2', [accountId, importId])
    if (state === 'reversed') await removeRejectedRows(connection, [{ accountId, importId }])
    await removeOldestRejectedRows(connection, accountId)
  })
