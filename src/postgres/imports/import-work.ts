// Who works on which import: one process at a time, another as soon as that one falls silent.
import type { Pool } from 'pg'
import {
  IMPORT_FIELDS,
  toImport,
  type FaultyRow,
  type ImportCounts,
  type ImportKey,
  type ImportRow,
  type ImportState,
  type StoredImport,
  type UndoCounts,
} from './import-record.ts'
import { removeFailedRows, removeOldestFailedRows } from './failed-rows.ts'
import { inTransaction, type Connection } from '../connection/transaction.ts'

/** A process that has not been heard of for so long has ended, and another goes on. */
const HELD_FOR = `interval '15 seconds'`

/** The import is another process's by now, or is not to go on. */
export class ImportLost extends Error {
  override name = 'ImportLost'
}

export type ImportWork = ReturnType<typeof createImportWork>

/** @param holder names this process among all that work on imports */
export const createImportWork = (pool: Pool, holder: string) => ({
  claim: (key: ImportKey | null) => claim(pool, holder, key),
  hold: (key: ImportKey) => hold(pool, holder, key),
  release: (key: ImportKey) => release(pool, holder, key),
  dealtWith: (key: ImportKey, counts: ImportCounts, faulty: readonly FaultyRow[]) =>
    dealtWith(pool, holder, key, counts, faulty),
  restart: (key: ImportKey) => restart(pool, holder, key),
  undone: (key: ImportKey, counts: UndoCounts) => undone(pool, holder, key, counts),
  finish: (key: ImportKey, state: 'done' | 'failed' | 'undone', problem: string | null) =>
    finish(pool, holder, key, state, problem),
})

/** An import that waits for somebody to work on it, the oldest first; from now on this process does. */
async function claim(pool: Pool, holder: string, key: ImportKey | null): Promise<StoredImport | null> {
  const { rows } = await pool.query<ImportRow>(
    `update imports set state = case state when 'waiting' then 'running' else state end, holder = $1,
      held_until = now() + ${HELD_FOR}, started_at = coalesce(started_at, now())
    where (account_id, import_id) = (
      select account_id, import_id from imports
      where state in ('waiting', 'running', 'undoing') and held_until < now()
        and ($2::integer is null or (account_id, import_id) = ($2, $3))
      order by created_at limit 1 for update skip locked
    )
    returning ${IMPORT_FIELDS}`,
    [holder, key?.accountId ?? null, key?.importId ?? null],
  )
  return rows[0] ? toImport(rows[0]) : null
}

/** @throws ImportLost where another process has taken it over */
async function hold(pool: Pool, holder: string, { accountId, importId }: ImportKey): Promise<void> {
  const { rowCount } = await pool.query({
    name: 'hold-import',
    text: `update imports set held_until = now() + ${HELD_FOR}
      where account_id = $1 and import_id = $2 and holder = $3`,
    values: [accountId, importId, holder],
  })
  if (rowCount !== 1) throw new ImportLost()
}

async function release(pool: Pool, holder: string, { accountId, importId }: ImportKey): Promise<void> {
  await pool.query(
    `update imports set held_until = '-infinity' where account_id = $1 and import_id = $2 and holder = $3`,
    [accountId, importId, holder],
  )
}

/**
 * Says how far it has come, with the rows up to there that were not stored, in one transaction.
 * @throws ImportLost where another process has taken it over
 */
const dealtWith = (
  pool: Pool,
  holder: string,
  { accountId, importId }: ImportKey,
  counts: ImportCounts,
  faulty: readonly FaultyRow[],
): Promise<void> =>
  inTransaction(pool, async (connection) => {
    const { rowCount } = await connection.query({
      name: 'import-dealt-with',
      text: `update imports set held_until = now() + ${HELD_FOR}, rows_read = $4, bytes_read = $5,
          orders_stored = $6, orders_replayed = $7, orders_failed = $8, rows_failed = $9, emission_mg = $10,
          working_ms = $11, row_done = $12, ignored = $13, rows_failed_stored = $14, rows_failed_bytes = $15
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
    if (rowCount !== 1) throw new ImportLost()
    for (const rows of inPortions(faulty)) await addFaulty(connection, { accountId, importId }, rows)
  })

const addFaulty = (connection: Connection, { accountId, importId }: ImportKey, rows: readonly FaultyRow[]) =>
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

function* inPortions(rows: readonly FaultyRow[]): Generator<readonly FaultyRow[]> {
  let [portion, length]: [FaultyRow[], number] = [[], 0]
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
    if (!rows[0]) throw new ImportLost()
    return toImport(rows[0])
  })

async function undone(
  pool: Pool,
  holder: string,
  { accountId, importId }: ImportKey,
  { ordersUndone, ordersKept }: UndoCounts,
): Promise<void> {
  const { rowCount } = await pool.query({
    name: 'import-undone',
    text: `update imports set held_until = now() + ${HELD_FOR}, orders_undone = $4, orders_kept = $5
      where account_id = $1 and import_id = $2 and holder = $3`,
    values: [accountId, importId, holder, ordersUndone, ordersKept],
  })
  if (rowCount !== 1) throw new ImportLost()
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
      `update imports set state = $4, problem = $5, finished_at = now(), held_until = '-infinity', unprocessed_bytes = 0
      where account_id = $1 and import_id = $2 and holder = $3
        and state = case $4 when 'undone' then 'undoing' else 'running' end`,
      [accountId, importId, holder, state, problem],
    )
    if (rowCount !== 1) throw new ImportLost()
    await connection.query('delete from import_pieces where account_id = $1 and import_id = $2', [accountId, importId])
    if (state === 'undone') await removeFailedRows(connection, [{ accountId, importId }])
    await removeOldestFailedRows(connection, accountId)
  })
