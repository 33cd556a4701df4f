// Rejected rows of import files, read by pages. They are stored until their import is reversed, for at most 90 days,
// and within a size limit per account.
import type { Pool } from 'pg'
import type { RejectedRow, ImportKey } from './import-record.ts'
import type { Connection } from './transaction.ts'

export type ErrorsOfRow = Pick<RejectedRow, 'row' | 'errors'>

const OF_ROWS_AFTER = `from import_errors
  where account_id = $1 and import_id = $2 and row_no > $3 order by row_no limit $4`

/** The errors of the rows that were not stored, from the one after `after`. */
export async function findRowErrors(
  pool: Pool,
  { accountId, importId }: ImportKey,
  after: number,
  limit: number,
): Promise<readonly ErrorsOfRow[]> {
  const { rows } = await pool.query<ErrorsOfRow>({
    name: 'find-import-errors',
    text: `select row_no as row, errors ${OF_ROWS_AFTER}`,
    values: [accountId, importId, after, limit],
  })
  return rows
}

/** The rows themselves, with their errors. */
export async function findRejectedRows(
  pool: Pool,
  { accountId, importId }: ImportKey,
  after: number,
  limit: number,
): Promise<readonly RejectedRow[]> {
  const { rows } = await pool.query<RejectedRow>({
    name: 'find-import-rows',
    text: `select row_no as row, cells, errors, is_truncated as "isTruncated" ${OF_ROWS_AFTER}`,
    values: [accountId, importId, after, limit],
  })
  return rows
}

const STORED_FOR = `interval '90 days'`
/** For all imports of an account, in bytes; the latest import has at most 64 MiB of them. */
const ACCOUNT_BYTES_MAX = 256 * 1024 * 1024
/** Imports per call, so that no statement takes long: each has at most 100,000 rows. */
const EXPIRED_MAX = 5

/** Deletes the rejected rows of imports and records that none are stored. */
export async function removeRejectedRows(connection: Connection, keys: readonly ImportKey[]): Promise<void> {
  if (keys.length === 0) return
  await connection.query({
    name: 'delete-rejected-rows',
    text: `with emptied as (
        update imports set rows_rejected_stored = 0, rows_rejected_bytes = 0
        where (account_id, import_id) in (select * from unnest($1::integer[], $2::integer[]))
        returning account_id, import_id
      )
      delete from import_errors using emptied
      where import_errors.account_id = emptied.account_id and import_errors.import_id = emptied.import_id`,
    values: [keys.map(({ accountId }) => accountId), keys.map(({ importId }) => importId)],
  })
}

/** Deletes the rows of an account's oldest imports if it has more bytes than allowed. */
export async function removeOldestRejectedRows(connection: Connection, accountId: number): Promise<void> {
  const { rows } = await connection.query<ImportKey>(
    `select account_id as "accountId", import_id as "importId" from (
        select account_id, import_id, finished_at, sum(rows_rejected_bytes) over (order by import_id desc) as bytes
        from imports where account_id = $1 and rows_rejected_stored > 0
      ) as added_up
      where bytes > $2 and finished_at is not null`,
    [accountId, ACCOUNT_BYTES_MAX],
  )
  await removeRejectedRows(connection, rows)
}

/** Deletes the expired rows of any account. */
export async function removeExpiredRejectedRows(connection: Connection): Promise<void> {
  const { rows } = await connection.query<ImportKey>(
    `select account_id as "accountId", import_id as "importId" from imports
      where rows_rejected_stored > 0 and finished_at < now() - ${STORED_FOR}
      order by finished_at limit $1`,
    [EXPIRED_MAX],
  )
  await removeRejectedRows(connection, rows)
}
