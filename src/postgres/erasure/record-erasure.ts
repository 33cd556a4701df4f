// The table of erasures: that names were erased, when, with which key and how many, without the names.
import type { Connection } from '../transaction.ts'

export interface NewErasure {
  readonly accountId: number
  /** The key that asked for it; null for the command line. */
  readonly keyId: number | null
  readonly kind: 'customer' | 'account'
  readonly counts: Readonly<Record<string, number>>
}

export async function recordErasure(
  connection: Connection,
  { accountId, keyId, kind, counts }: NewErasure,
): Promise<Date> {
  const { rows } = await connection.query<{ readonly recorded_at: Date }>(
    `insert into erasures (account_id, erasure_no, kind, recorded_at, key_hint, counts)
    select $1, coalesce(max(erasure_no), 0) + 1, $2, date_trunc('milliseconds', clock_timestamp()),
      (select hint from api_keys where account_id = $1 and key_id = $3), $4
    from erasures where account_id = $1 returning recorded_at`,
    [accountId, kind, keyId, JSON.stringify(counts)],
  )
  return rows[0]!.recorded_at
}

/**
 * The number of the last erasure in an account, 0 if there was none: what was read before it may name what is erased.
 */
export async function findLastErasure(connection: Connection, accountId: number): Promise<number> {
  const { rows } = await connection.query<{ readonly last: number }>({
    name: 'find-last-erasure',
    text: 'select coalesce(max(erasure_no), 0) as last from erasures where account_id = $1',
    values: [accountId],
  })
  return rows[0]!.last
}
