// An import as the database stores it: a file of orders, how it is read, and its progress.
import type { MessageParams } from '../engine/message.ts'

export type ImportState = 'uploading' | 'queued' | 'running' | 'succeeded' | 'failed' | 'reversing' | 'reversed'

export interface ImportKey {
  readonly accountId: number
  readonly importId: number
}

/** Warnings of one kind in one column, with the message of the first. */
export interface WarningGroup {
  /** As in the errors of an import; for JSON lines, `*` replaces the number of an item. */
  readonly column: string | null
  readonly reason: string
  readonly code: string
  readonly params?: MessageParams
  readonly warnings: number
  /** The first few rows. */
  readonly rows: readonly number[]
}

/** Results of the rows of a file: all rows, or those processed so far. */
export interface ImportCounts {
  /** The last row that was processed, counted as in a spreadsheet. */
  readonly rowDone: number
  readonly rowsRead: number
  readonly bytesRead: number
  readonly ordersStored: number
  readonly ordersReplayed: number
  readonly ordersRejected: number
  readonly rowsRejected: number
  /** The rejected rows that are stored, and their bytes; both are limited per file. */
  readonly rowsRejectedStored: number
  readonly rowsRejectedBytes: number
  /** Emissions of the stored orders in milligrams; for a dry run, of those that would be stored. */
  readonly emission: bigint
  /** Unknown members of orders as JSON pointers, each listed once for all items; only the first ones are recorded. */
  readonly ignored: readonly string[]
  /** Warnings about orders that were stored or already there. */
  readonly warnings: readonly WarningGroup[]
  /** Time spent working on the import, without the time between two processes. */
  readonly workingMs: number
}

/** Results of reversing the orders of an import. */
export interface ReversalCounts {
  readonly ordersReversed: number
  /** Orders that could not be reversed because of events since they were stored. */
  readonly ordersKept: number
}

export interface StoredImport extends ImportKey {
  readonly state: ImportState
  readonly isDryRun: boolean
  readonly fileName: string | null
  readonly fileBytes: number
  /** In hexadecimal; null while the file is being received. */
  readonly fileSha256: string | null
  /** JSON texts, null while the file is being received: how the file is read, and what was detected in it. */
  readonly settings: string | null
  readonly detected: string | null
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
  readonly counts: ImportCounts
  readonly undone: ReversalCounts
  /** Why the import failed, as it is stored: a message as JSON. */
  readonly problem: string | null
}

/** A row that was not stored, with its errors; cells are as they were written. */
export interface RejectedRow {
  readonly row: number
  /** JSON: an array of the cells; for JSON Lines, the line as a string. */
  readonly cells: string
  /** JSON: an array of errors. */
  readonly errors: string
  /** Whether cells or the end of the row are missing here. */
  readonly isTruncated: boolean
}

export const IMPORT_FIELDS = `account_id, import_id, state, is_dry_run, file_name, file_bytes,
  encode(file_sha256, 'hex') as file_sha256, settings, detected, created_at, started_at, finished_at, last_row,
  rows_read, bytes_read, orders_stored, orders_replayed, orders_rejected, rows_rejected, rows_rejected_stored,
  rows_rejected_bytes, emission_mg, working_ms, ignored, warnings, orders_reversed, orders_kept, problem`

export interface ImportRow {
  readonly account_id: number
  readonly import_id: number
  readonly state: ImportState
  readonly is_dry_run: boolean
  readonly file_name: string | null
  readonly file_bytes: bigint
  readonly file_sha256: string | null
  readonly settings: string | null
  readonly detected: string | null
  readonly created_at: Date
  readonly started_at: Date | null
  readonly finished_at: Date | null
  readonly last_row: number
  readonly rows_read: number
  readonly bytes_read: bigint
  readonly orders_stored: number
  readonly orders_replayed: number
  readonly orders_rejected: number
  readonly rows_rejected: number
  readonly rows_rejected_stored: number
  readonly rows_rejected_bytes: bigint
  readonly emission_mg: bigint
  readonly working_ms: bigint
  readonly ignored: string
  readonly warnings: string
  readonly orders_reversed: number
  readonly orders_kept: number
  readonly problem: string | null
}

export const toImport = (row: ImportRow): StoredImport => ({
  accountId: row.account_id,
  importId: row.import_id,
  state: row.state,
  isDryRun: row.is_dry_run,
  fileName: row.file_name,
  fileBytes: Number(row.file_bytes),
  fileSha256: row.file_sha256,
  settings: row.settings,
  detected: row.detected,
  createdAt: row.created_at,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
  counts: {
    rowDone: row.last_row,
    rowsRead: row.rows_read,
    bytesRead: Number(row.bytes_read),
    ordersStored: row.orders_stored,
    ordersReplayed: row.orders_replayed,
    ordersRejected: row.orders_rejected,
    rowsRejected: row.rows_rejected,
    rowsRejectedStored: row.rows_rejected_stored,
    rowsRejectedBytes: Number(row.rows_rejected_bytes),
    emission: row.emission_mg,
    ignored: JSON.parse(row.ignored) as readonly string[],
    warnings: JSON.parse(row.warnings) as readonly WarningGroup[],
    workingMs: Number(row.working_ms),
  },
  undone: { ordersReversed: row.orders_reversed, ordersKept: row.orders_kept },
  problem: row.problem,
})
