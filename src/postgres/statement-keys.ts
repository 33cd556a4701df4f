// The Ed25519 key that an account’s statements are signed with: one for each account, created when it is first needed.
import { generateKeyPairSync } from 'node:crypto'
import type { Pool } from 'pg'

export interface StatementKey {
  /** Name of the account. */
  readonly account: string
  /** PKCS #8 in DER. */
  readonly privateKey: Buffer
  readonly createdAt: Date
}

/** The key of an existing account. If two processes create one concurrently, both get the first. */
export async function statementKeyOf(pool: Pool, accountId: number): Promise<StatementKey> {
  return (await findKey(pool, accountId)) ?? (await makeKey(pool, accountId))
}

async function findKey(pool: Pool, accountId: number): Promise<StatementKey | null> {
  const { rows } = await pool.query<StatementKey>({
    name: 'find-statement-key',
    text: `select accounts.name as account, private_key as "privateKey", statement_keys.created_at as "createdAt"
      from statement_keys join accounts using (account_id) where account_id = $1`,
    values: [accountId],
  })
  return rows[0] ?? null
}

async function makeKey(pool: Pool, accountId: number): Promise<StatementKey> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  await pool.query({
    name: 'add-statement-key',
    // The lock is for an account that is being deleted.
    text: `insert into statement_keys (account_id, public_key, private_key)
      select account_id, $2, $3 from accounts where account_id = $1 for key share
      on conflict do nothing`,
    values: [
      accountId,
      Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url'),
      privateKey.export({ format: 'der', type: 'pkcs8' }),
    ],
  })
  const key = await findKey(pool, accountId)
  if (!key) throw new Error('There is no such account')
  return key
}
