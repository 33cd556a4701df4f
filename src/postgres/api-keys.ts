// The keys of one account, for its admins: listing, creation, revocation, and the time of last use.
import type { Pool } from 'pg'
import { storeKey, type Caller, type NewKey, type Scope } from './accounts.ts'
import { lockAccount } from './product-mappings.ts'
import { inTransaction, type Connection } from './transaction.ts'

export interface AccountKey {
  readonly keyId: number
  readonly label: string
  readonly hint: string
  readonly scopes: readonly Scope[]
  readonly createdAt: Date
  readonly expiresAt: Date | null
  /** Accurate to the minute; null if the key was never used. */
  readonly lastUsedAt: Date | null
  readonly revokedAt: Date | null
}

export type RevokedKey =
  | { readonly outcome: 'revoked'; readonly key: AccountKey }
  | { readonly outcome: 'unknown' }
  /** No other valid key has the scope admin. */
  | { readonly outcome: 'last-admin' }

export interface AccountKeys {
  /**
   * Newest first.
   * @param onlyWorking leaves out expired and revoked keys
   */
  readonly list: (
    accountId: number,
    before: number | null,
    limit: number,
    onlyWorking: boolean,
  ) => Promise<readonly AccountKey[]>
  /** The key itself is returned only here. */
  readonly create: (accountId: number, key: NewKey) => Promise<{ readonly secret: string; readonly key: AccountKey }>
  /**
   * Revokes a key permanently. A key that was already revoked stays unchanged.
   * @param evenLastAdmin whether the account may be left without a key that can create other keys
   */
  readonly revoke: (accountId: number, keyId: number, evenLastAdmin: boolean) => Promise<RevokedKey>
}

const FIELDS = `key_id as "keyId", label, hint, scopes, created_at as "createdAt", expires_at as "expiresAt",
  last_used_at as "lastUsedAt", revoked_at as "revokedAt"`

export const createAccountKeys = (pool: Pool): AccountKeys => ({
  list: (accountId, before, limit, onlyWorking) => list(pool, accountId, before, limit, onlyWorking),
  create: async (accountId, newKey) => {
    const { keyId, secret } = await storeKey(pool, accountId, newKey)
    return { secret, key: (await find(pool, accountId, keyId))! }
  },
  revoke: (accountId, keyId, evenLastAdmin) => revoke(pool, accountId, keyId, evenLastAdmin),
})

async function list(pool: Pool, accountId: number, before: number | null, limit: number, onlyWorking: boolean) {
  const text = `select ${FIELDS} from api_keys where account_id = $1 and ($2::integer is null or key_id < $2)
      and (not $4 or revoked_at is null and (expires_at is null or expires_at > now()))
    order by key_id desc limit $3`
  const { rows } = await pool.query<AccountKey>(text, [accountId, before, limit, onlyWorking])
  return rows
}

async function find(connection: Connection, accountId: number, keyId: number): Promise<AccountKey | null> {
  const text = `select ${FIELDS} from api_keys where account_id = $1 and key_id = $2`
  const { rows } = await connection.query<AccountKey>(text, [accountId, keyId])
  return rows[0] ?? null
}

/** The account is locked, so that two admins cannot revoke each other's key concurrently. */
const revoke = (pool: Pool, accountId: number, keyId: number, evenLastAdmin: boolean): Promise<RevokedKey> =>
  inTransaction(pool, async (connection): Promise<RevokedKey> => {
    await lockAccount(connection, accountId)
    const key = await find(connection, accountId, keyId)
    if (!key) return { outcome: 'unknown' }
    if (key.revokedAt !== null) return { outcome: 'revoked', key }
    if (!evenLastAdmin && key.scopes.includes('admin') && !(await hasOtherAdmin(connection, accountId, keyId)))
      return { outcome: 'last-admin' }
    const text = 'update api_keys set revoked_at = now() where account_id = $1 and key_id = $2'
    await connection.query(text, [accountId, keyId])
    return { outcome: 'revoked', key: (await find(connection, accountId, keyId))! }
  })

/** Revokes a key by its number alone, for the operator. A key that is already revoked is `unknown`. */
export async function revokeKey(pool: Pool, keyId: number, evenLastAdmin: boolean): Promise<RevokedKey['outcome']> {
  const text = 'select account_id from api_keys where key_id = $1 and revoked_at is null'
  const { rows } = await pool.query<{ readonly account_id: number }>(text, [keyId])
  return rows[0] ? (await revoke(pool, rows[0].account_id, keyId, evenLastAdmin)).outcome : 'unknown'
}

async function hasOtherAdmin(connection: Connection, accountId: number, keyId: number): Promise<boolean> {
  const { rowCount } = await connection.query(
    `select from api_keys where account_id = $1 and key_id <> $2 and 'admin' = any(scopes)
      and revoked_at is null and (expires_at is null or expires_at > now()) limit 1`,
    [accountId, keyId],
  )
  return rowCount === 1
}

const USE_TOLD_MS = 60_000

/**
 * Records in the database that a key was used; requests do not wait for it. Each process writes at most once a minute
 * for a key, and so do all processes together.
 * @param keysMax how many keys are remembered, to bound memory
 */
export function createLastUsedRecorder(pool: Pool, keysMax: number, now: () => Date): (caller: Caller) => void {
  const usedAt = new Map<number, number>()
  return ({ accountId, keyId }) => {
    const time = now().getTime()
    if (time - (usedAt.get(keyId) ?? -Infinity) < USE_TOLD_MS) return
    if (usedAt.size >= keysMax) usedAt.clear()
    usedAt.set(keyId, time)
    // A failure does not affect the request; the use of the next minute is recorded.
    void pool
      .query({
        name: 'record-key-use',
        text: `update api_keys set last_used_at = now() where account_id = $1 and key_id = $2
          and (last_used_at is null or last_used_at < now() - $3 * interval '1 millisecond')`,
        values: [accountId, keyId, USE_TOLD_MS],
      })
      .catch(() => undefined)
  }
}
