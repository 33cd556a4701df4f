// What work on an import comes to, stored for as long as the process that claimed it holds it.
import type { Pool } from 'pg'
import {
  IMPORT_FIELDS,
  toImport,
  type RejectedRow,
  type ImportCounts,
  type ImportKey,
  type ImportRow,
  type ImportState,
  type StoredImport,
  type UndoCounts,
} from './import-record.ts'
import { removeRejectedRows, removeOldestRejectedRows } from './failed-rows.ts'
import { LEASE_DURATION, LeaseLost } from './import-claims.ts'
import { inTransaction, type Connection } from '../connection/transaction.ts'

export type ImportJobs = ReturnType<typeof createImportJobs>

/** @param holder names the process that has claimed the imports that are worked on */
export const createImportJobs = (pool: Pool, holder: string) => ({
  dealtWith: (key: ImportKey, counts: ImportCounts, faulty: readonly RejectedRow[]) =>
    dealtWith(pool, holder, key, counts, faulty),
  restart: (key: ImportKey) => restart(pool, holder, key),
  undone: (key: ImportKey, counts: UndoCounts) => undone(pool, holder, key, counts),
  finish: (key: ImportKey, state: 'done' | 'failed' | 'undone', problem: string | null) =>
    finish(pool, holder, key, state, problem),
})

/**
 * Says how far it has come, with the rows up to there that were not stored, in one transaction. From here on only this
 * claim counts as an attempt; a dry run that breaks off begins again, so that for it nothing is gained.
 * @throws LeaseLost where another process has taken it over
 */
const dealtWith = (
  pool: Pool,
  holder: string,
  { accountId, importId }: ImportKey,
  counts: ImportCounts,
  faulty: readonly RejectedRow[],
): Promise<void> =>
  inTransaction(pool, async (connection) => {
    const { rowCount } = await connection.query({
      name: 'import-dealt-with',
      text: `update imports set held_until = now() + ${LEASE_DURATION}, rows_read = $4, bytes_read = $5,
          orders_stored = $6, orders_replayed = $7, orders_failed = $8, rows_failed = $9, emission_mg = $10,
          working_ms = $11, row_done = $12, ignored = $13, rows_failed_stored = $14, rows_failed_bytes = $15,
          attempts = case when is_dry_run then attempts else 1 end
        where account_id = $1 and import_id = $2 and holder = $3 and state = 'running'`,
      values: [
        accountId,
        importId,
        holder,
        counts.rowsRead,
        counts.bytesRead,
        counts.ordersStored,
        counts.ordersReplayed,
        counts.ordersFailed,
        counts.rowsFailed,
        counts.emission,
        Math.round(counts.workingMs),
        counts.rowDone,
        JSON.stringify(counts.ignored),
        counts.rowsFailedStored,
        counts.rowsFailedBytes,
      ],
    })
    if (rowCount !== 1) throw new LeaseLost()
    for (const rows of inPortions(faulty)) await addFaulty(connection, { accountId, importId }, rows)
  })

const addFaulty = (connection: Connection, { accountId, importId }: ImportKey, rows: readonly RejectedRow[]) =>
  connection.query({
    name: 'add-import-faults',
    text: `insert into import_faults (account_id, import_id, row_no, cells, faults, is_truncated)
      select $1, $2, * from unnest($3::integer[], $4::text[], $5::text[], $6::boolean[])`,
    values: [
      accountId,
      importId,
      rows.map(({ row }) => row),
      rows.map(({ cells }) => cells),
      rows.map(({ faults }) => faults),
      rows.map(({ isTruncated }) => isTruncated),
    ],
  })

/** Sent at once: others are served between two of them, and there are rows of megabytes. */
const PORTION_LENGTH = 256 * 1024

function* inPortions(rows: readonly RejectedRow[]): Generator<readonly RejectedRow[]> {
  let [portion, length]: [RejectedRow[], number] = [[], 0]
  for (const row of rows) {
    portion.push(row)
    length += row.cells.length + row.faults.length
    if (length < PORTION_LENGTH) continue
    yield portion
    ;[portion, length] = [[], 0]
  }
  if (portion.length > 0) yield portion
}

/** Forgets how far it came. */
const restart = (pool: Pool, holder: string, { accountId, importId }: ImportKey): Promise<StoredImport> =>
  inTransaction(pool, async (connection) => {
    await connection.query('delete from import_faults where account_id = $1 and import_id = $2', [accountId, importId])
    const { rows } = await connection.query<ImportRow>(
      `update imports set row_done = 0, rows_read = 0, bytes_read = 0, orders_stored = 0, orders_replayed = 0,
        orders_failed = 0, rows_failed = 0, rows_failed_stored = 0, rows_failed_bytes = 0, emission_mg = 0,
        working_ms = 0, ignored = '[]'
      where account_id = $1 and import_id = $2 and holder = $3
      returning ${IMPORT_FIELDS}`,
      [accountId, importId, holder],
    )
    if (!rows[0]) throw new LeaseLost()
    return toImport(rows[0])
  })

/** One that is begun again goes through the same orders first, and gains nothing until it is past them. */
async function undone(
  pool: Pool,
  holder: string,
  { accountId, importId }: ImportKey,
  { ordersUndone, ordersKept }: UndoCounts,
): Promise<void> {
  const { rowCount } = await pool.query({
    name: 'import-undone',
    text: `update imports set held_until = now() + ${LEASE_DURATION},
        orders_undone = case when $6 < orders_undone + orders_kept then orders_undone else $4 end,
        orders_kept = case when $6 < orders_undone + orders_kept then orders_kept else $5 end,
        attempts = case when $6 > orders_undone + orders_kept then 1 else attempts end
      where account_id = $1 and import_id = $2 and holder = $3`,
    values: [accountId, importId, holder, ordersUndone, ordersKept, ordersUndone + ordersKept],
  })
  if (rowCount !== 1) throw new LeaseLost()
}

/**
 * The file is not needed any more: what it held is in the orders and in the rows that were refused. Of an import that
 * is undone, these are not needed either: the file would have to be imported anew.
 */
const finish = (
  pool: Pool,
  holder: string,
  { accountId, importId }: ImportKey,
  state: ImportState,
  problem: string | null,
): Promise<void> =>
  inTransaction(pool, async (connection) => {
    const { rowCount } = await connection.query(
      // Of the last orders that it stored, it may not have come to say so before it was stopped.
      `update imports set state = $4, problem = $5, finished_at = now(), held_until = '-infinity',
        unprocessed_bytes = 0, orders_stored = case $4
          when 'undone' then greatest(orders_stored, orders_undone + orders_kept) else orders_stored end
      where account_id = $1 and import_id = $2 and holder = $3
        and state = case $4 when 'undone' then 'undoing' else 'running' end`,
      [accountId, importId, holder, state, problem],
    )
    if (rowCount !== 1) throw new LeaseLost()
    await connection.query('delete from import_pieces where account_id = $1 and import_id = $2', [accountId, importId])
    if (state === 'undone') await removeRejectedRows(connection, [{ accountId, importId }])
    await removeOldestRejectedRows(connection, accountId)
  })
