// Quotas of files that are uploaded or being uploaded, until they are processed: their number and bytes, over all
// processes.
import type { Connection } from './transaction.ts'

/** Each limit may be reached, but not exceeded. */
export interface UnprocessedQuota {
  readonly accountFiles: number
  readonly accountBytes: number
  readonly totalFiles: number
  readonly totalBytes: number
}

/** Key of the advisory lock for adding files, so that two transactions cannot use the same remaining space. */
const QUOTA_LOCK = 7_140_026

/**
 * The quota that more files or bytes would exceed, checking the account's own before the totals. Null if there is
 * space, which no other transaction can take before this one ends.
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
