// Uploaded files of orders or events, stored in chunks until all of them are stored, and the results of the imports.
import { findDevicesOfOrders, type SerialsOf } from './order-reader.ts'
import type { Pool } from 'pg'
import type { OrderKey } from '../engine/device-timeline.ts'
import { IMPORT_FIELDS, toImport, type ImportKey, type ImportRow, type StoredImport } from './import-record.ts'
import {
  findStoredOrders,
  listByKey,
  listEventsOfImport,
  openStagedOrders,
  type EarlierOrdersQuery,
} from './import-lookups.ts'
import { findRowErrors, findRejectedRows, removeExpiredRejectedRows } from './rejected-rows.ts'
import { exceededQuota, type UnprocessedQuota } from './unprocessed-quota.ts'
import { ConcurrentModification } from './errors.ts'
import { inTransaction } from './transaction.ts'

export type Imports = ReturnType<typeof createImports>

export const createImports = (pool: Pool) => ({
  begin: (accountId: number, file: NewFile, bytes: number, quota: UnprocessedQuota) =>
    begin(pool, accountId, file, bytes, quota),
  reserve: (key: ImportKey, bytes: number, quota: UnprocessedQuota) => reserve(pool, key, bytes, quota),
  keepReceiving: (key: ImportKey) => keepReceiving(pool, key),
  addPiece: (key: ImportKey, no: number, content: Buffer) => addPiece(pool, key, no, content),
  piece: (key: ImportKey, no: number) => findPiece(pool, key, no),
  accept: (key: ImportKey, file: AcceptedFile) => accept(pool, key, file),
  drop: (key: ImportKey) => drop(pool, key),
  find: (key: ImportKey) => find(pool, key),
  list: (accountId: number, before: number | null, limit: number) => list(pool, accountId, before, limit),
  errors: (key: ImportKey, after: number, limit: number) => findRowErrors(pool, key, after, limit),
  faultyRows: (key: ImportKey, after: number, limit: number) => findRejectedRows(pool, key, after, limit),
  undo: (key: ImportKey) => undo(pool, key),
  sweep: () => sweep(pool),
  before: (accountId: number, wanted: readonly EarlierOrdersQuery[]) => findStoredOrders(pool, accountId, wanted),
  devicesOfOrders: (accountId: number, keys: readonly OrderKey[], serialsOf: SerialsOf) =>
    findDevicesOfOrders(pool, accountId, keys, serialsOf),
  openEarlierOrders: () => openStagedOrders(pool),
  ordersByKey: (accountId: number, after: OrderKey | null, limit: number) => listByKey(pool, accountId, after, limit),
  eventsBackwards: ({ accountId, importId }: ImportKey, before: number | null, limit: number) =>
    listEventsOfImport(pool, accountId, importId, before, limit),
})

export interface NewFile {
  readonly fileName: string | null
  readonly isDryRun: boolean
}

/** A process that receives a file renews its lease several times in this period. If it does not, it has ended. */
const AWAITED_FOR = `interval '2 minutes'`

export type Begun =
  | { readonly ok: true; readonly key: ImportKey }
  | { readonly ok: false; readonly exceeded: keyof UnprocessedQuota }

/**
 * Creates an import with a number within its account.
 * @param bytes reserved for the file
 */
const begin = (
  pool: Pool,
  accountId: number,
  { fileName, isDryRun }: NewFile,
  bytes: number,
  quota: UnprocessedQuota,
): Promise<Begun> =>
  inTransaction(pool, async (connection): Promise<Begun> => {
    const exceeded = await exceededQuota(connection, accountId, { files: 1, bytes }, quota)
    if (exceeded !== null) return { ok: false, exceeded }
    // An account that was deleted while the request was under way must not have rows again.
    const account = await connection.query('select from accounts where account_id = $1 for key share', [accountId])
    if (account.rowCount === 0) throw new ConcurrentModification()
    const { rows } = await connection.query<{ readonly import_id: number }>(
      `insert into imports (account_id, import_id, file_name, is_dry_run, unprocessed_bytes, lease_until)
      select $1, coalesce(max(import_id), 0) + 1, $2, $3, $4, now() + ${AWAITED_FOR} from imports where account_id = $1
      returning import_id`,
      [accountId, fileName, isDryRun, bytes],
    )
    return { ok: true, key: { accountId, importId: rows[0]!.import_id } }
  })

/**
 * Reserves further bytes for a file whose size was not announced.
 * @returns the quota that they would exceed; null if they are reserved
 */
const reserve = (
  pool: Pool,
  { accountId, importId }: ImportKey,
  bytes: number,
  quota: UnprocessedQuota,
): Promise<keyof UnprocessedQuota | null> =>
  inTransaction(pool, async (connection) => {
    const exceeded = await exceededQuota(connection, accountId, { files: 0, bytes }, quota)
    if (exceeded !== null) return exceeded
    await connection.query(
      `update imports set unprocessed_bytes = unprocessed_bytes + $3
        where account_id = $1 and import_id = $2 and state = 'uploading'`,
      [accountId, importId, bytes],
    )
    return null
  })

/** Renews the lease while the file is being received or inspected. */
async function keepReceiving(pool: Pool, { accountId, importId }: ImportKey): Promise<void> {
  await pool.query({
    name: 'extend-upload-lease',
    text: `update imports set lease_until = now() + ${AWAITED_FOR}
      where account_id = $1 and import_id = $2 and state = 'uploading'`,
    values: [accountId, importId],
  })
}

/** False if the upload was given up before and has been deleted. */
async function addPiece(pool: Pool, { accountId, importId }: ImportKey, no: number, content: Buffer): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'add-import-chunk',
    text: `with held as (
        update imports set lease_until = now() + ${AWAITED_FOR}
        where account_id = $1 and import_id = $2 and state = 'uploading' returning account_id, import_id
      )
      insert into import_chunks (account_id, import_id, chunk_no, content)
      select account_id, import_id, $3::integer, $4::bytea from held`,
    values: [accountId, importId, no, content],
  })
  return rowCount === 1
}

async function findPiece(pool: Pool, { accountId, importId }: ImportKey, no: number): Promise<Buffer> {
  const { rows } = await pool.query<{ readonly content: Buffer }>({
    name: 'find-import-chunk',
    text: 'select content from import_chunks where account_id = $1 and import_id = $2 and chunk_no = $3',
    values: [accountId, importId, no],
  })
  if (!rows[0]) throw new Error(`Piece ${no} of import ${importId} is not there`)
  return rows[0].content
}

/** With what was not known yet when the file began to arrive. */
export interface AcceptedFile extends Partial<NewFile> {
  readonly bytes: number
  readonly sha256: Buffer
  readonly settings: string
  readonly detected: string
}

/**
 * Queues the import. It is now worked on until it is done, whatever happens to this process. False if the upload was
 * given up before.
 */
async function accept(pool: Pool, { accountId, importId }: ImportKey, file: AcceptedFile): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update imports set state = 'queued', file_bytes = $3, unprocessed_bytes = $3, file_sha256 = $4, settings = $5,
      detected = $6, file_name = coalesce($7, file_name),
      is_dry_run = coalesce($8, is_dry_run), lease_until = '-infinity'
    where account_id = $1 and import_id = $2 and state = 'uploading'`,
    [
      accountId,
      importId,
      file.bytes,
      file.sha256,
      file.settings,
      file.detected,
      file.fileName ?? null,
      file.isDryRun ?? null,
    ],
  )
  return rowCount === 1
}

const givenUp = (condition: string): string => `
  with given_up as (
    delete from imports where state = 'uploading' and ${condition} returning account_id, import_id
  )
  delete from import_chunks using given_up
  where import_chunks.account_id = given_up.account_id and import_chunks.import_id = given_up.import_id`

/** Deletes an upload. An accepted import stays: the process that gives up may not know whether it was accepted. */
async function drop(pool: Pool, { accountId, importId }: ImportKey): Promise<void> {
  await pool.query({
    name: 'delete-import',
    text: givenUp('account_id = $1 and import_id = $2'),
    values: [accountId, importId],
  })
}

/** Deletes interrupted uploads and expired rejected rows. */
async function sweep(pool: Pool): Promise<void> {
  await pool.query({ name: 'delete-expired-uploads', text: givenUp('lease_until < now()') })
  await removeExpiredRejectedRows(pool)
}

async function find(pool: Pool, { accountId, importId }: ImportKey): Promise<StoredImport | null> {
  const { rows } = await pool.query<ImportRow>({
    name: 'find-import',
    text: `select ${IMPORT_FIELDS} from imports where account_id = $1 and import_id = $2 and state <> 'uploading'`,
    values: [accountId, importId],
  })
  return rows[0] ? toImport(rows[0]) : null
}

/** Limit for the detected columns on a page of imports, in bytes: some files have thousands of columns. */
const PAGE_BYTES_MAX = 1_000_000

export interface ImportPage {
  readonly imports: readonly StoredImport[]
  /** Whether there are older imports. */
  readonly hasMore: boolean
}

/** The account's imports, newest first: up to `limit`, fewer if they are large, but at least one. */
async function list(pool: Pool, accountId: number, before: number | null, limit: number): Promise<ImportPage> {
  const { rows } = await pool.query<ImportRow & { readonly found: number }>({
    name: 'list-imports',
    text: `select ${IMPORT_FIELDS}, found::integer from (
        select *, count(*) over () as found, row_number() over (order by import_id desc) as place,
          sum(octet_length(detected)) over (order by import_id desc) - octet_length(detected) as bytes_before
        from (
          select * from imports
          where account_id = $1 and state <> 'uploading' and ($2::integer is null or import_id < $2)
          order by import_id desc limit $3 + 1
        ) as imports
      ) as imports
      where place <= $3 and (place = 1 or bytes_before < ${PAGE_BYTES_MAX})
      order by import_id desc`,
    values: [accountId, before, limit],
  })
  return { imports: rows.map(toImport), hasMore: rows.length < (rows[0]?.found ?? 0) }
}

/**
 * Requests the reversal of an import's orders or events; for a running import, of those already stored. A dry run that
 * is queued or running is stopped. False if there is nothing to reverse: the import does not exist, or was a dry run.
 */
async function undo(pool: Pool, { accountId, importId }: ImportKey): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update imports set state = 'reversing', finished_at = null, attempts = 0
    where account_id = $1 and import_id = $2 and state <> 'uploading'
      and (not is_dry_run or state in ('queued', 'running'))`,
    [accountId, importId],
  )
  return rowCount === 1
}
