// Files that are stored, or on their way, until they are processed: how many and how many bytes, over all processes.
import type { Connection } from './transaction.ts'

/** Each may be reached, not exceeded. */
export interface UnprocessedQuota {
  readonly accountFiles: number
  readonly accountBytes: number
  readonly totalFiles: number
  readonly totalBytes: number
}

/** Names the lock that whoever adds to the files holds, so that no two of them are let in by one and the same room. */
const QUOTA_LOCK = 7_140_026

/**
 * The quota that more files or bytes would exceed, the account's own before those of all; null where there is room,
 * which nobody else takes before the transaction of the connection ends.
 */
export async function exceededQuota(
  connection: Connection,
  accountId: number,
  more: { readonly files: number; readonly bytes: number },
  quota: UnprocessedQuota,
): Promise<keyof UnprocessedQuota | null> {
  await connection.query('select pg_advisory_xact_lock($1)', [QUOTA_LOCK])
  const { rows } = await connection.query<Readonly<Record<keyof UnprocessedQuota, number>>>(
    `select count(*) filter (where account_id = $1)::integer as "accountFiles",
        coalesce(sum(unprocessed_bytes) filter (where account_id = $1), 0)::float8 as "accountBytes",
        count(*)::integer as "totalFiles", coalesce(sum(unprocessed_bytes), 0)::float8 as "totalBytes"
      from imports where unprocessed_bytes > 0`,
    [accountId],
  )
  const used = rows[0]!
  if (used.accountFiles + more.files > quota.accountFiles) return 'accountFiles'
  if (used.accountBytes + more.bytes > quota.accountBytes) return 'accountBytes'
  if (used.totalFiles + more.files > quota.totalFiles) return 'totalFiles'
  if (used.totalBytes + more.bytes > quota.totalBytes) return 'totalBytes'
  return null
}
