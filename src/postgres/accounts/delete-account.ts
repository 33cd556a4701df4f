// Deletes an account with everything that is stored of it, and its demo account.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { recordErasure } from '../erasure/record-erasure.ts'
import { BOOKS_LOCK } from '../period-closings.ts'
import { connectDirectly } from '../pool.ts'
import type { Connection } from '../transaction.ts'
import { deleteAll, hasImportUnderWay } from './delete-rows.ts'

/** `busy`: a file is being imported into the account or its demo account, or that is being loaded. */
export type DeletedAccount = { readonly accountId: number; readonly rows: number } | 'unknown' | 'busy'

/**
 * Revokes all keys of the account. When no process accepts them any more, deletes all rows in one transaction, without
 * a time limit, and records that under the number of the account, which is never used again. What is being posted is
 * waited for, and what would be posted afterwards is refused.
 * @param keysKnownMs how long a process may accept a revoked key, because it caches keys
 */
export async function deleteAccount(pool: pg.Pool, name: string, keysKnownMs: number): Promise<DeletedAccount> {
  const client = connectDirectly(pool)
  await client.connect()
  try {
    const accountId = await findByName(client, name)
    if (accountId === null) return 'unknown'
    if (!(await transaction(client, () => revokeKeys(client, accountId)))) return 'busy'
    await sleep(keysKnownMs)
    const rows = await transaction(client, () => deleteRows(client, accountId))
    return rows === null ? 'busy' : { accountId, rows }
  } finally {
    await client.end()
  }
}

async function findByName(client: pg.Client, name: string): Promise<number | null> {
  const text = 'select account_id from accounts where name = $1'
  return (await client.query<{ readonly account_id: number }>(text, [name])).rows[0]?.account_id ?? null
}

async function transaction<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
  await client.query('begin')
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** The account and its demo account; null if one of them is in use by something else than requests. */
async function lockIdle(client: Connection, accountId: number): Promise<readonly number[] | null> {
  const counted = await client.query('select from accounts where account_id = $1 or demo_of = $1', [accountId])
  const { rows } = await client.query<{ readonly account_id: number }>(
    'select account_id from accounts where account_id = $1 or demo_of = $1 order by account_id for update skip locked',
    [accountId],
  )
  const accountIds = rows.map((row) => row.account_id)
  if (accountIds.length < (counted.rowCount ?? 0) || (await hasImportUnderWay(client, accountIds))) return null
  return accountIds
}

async function revokeKeys(client: Connection, accountId: number): Promise<boolean> {
  const accountIds = await lockIdle(client, accountId)
  if (!accountIds) return false
  const text = 'update api_keys set revoked_at = now() where account_id = any ($1) and revoked_at is null'
  await client.query(text, [accountIds])
  return true
}

async function deleteRows(client: Connection, accountId: number): Promise<number | null> {
  const accountIds = await lockIdle(client, accountId)
  if (!accountIds) return null
  for (const one of accountIds) await client.query('select pg_advisory_xact_lock($1, $2)', [BOOKS_LOCK, one])
  const rows = await deleteAll(client, accountIds)
  await recordErasure(client, { accountId, keyId: null, kind: 'account', counts: { rows } })
  return rows
}
