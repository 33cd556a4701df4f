// `cradle keys`: makes, lists and revokes API keys, beside a running service or without one.
import {
  SCOPES,
  createKey,
  ensureAccount,
  listKeys,
  revokeKey,
  type KeySummary,
  type Scope,
} from '../postgres/accounts.ts'
import { print, withDatabase } from './with-database.ts'

export async function createKeyCommand(options: {
  readonly account: string
  readonly scope?: readonly string[]
  readonly expires?: string
  readonly json?: boolean
}): Promise<void> {
  const scopes = readScopes(options.scope ?? SCOPES)
  const expiresAt = options.expires === undefined ? null : readTime(options.expires)
  if (options.account.trim() === '' || options.account.length > 200)
    throw new Error('--account takes a name of 1 to 200 characters')
  const key = await withDatabase(async ({ pool }) => {
    const { accountId } = await ensureAccount(pool, options.account)
    return createKey(pool, accountId, scopes, expiresAt)
  })
  print(options.json ? JSON.stringify({ key, account: options.account, scopes, expires_at: expiresAt }) : key)
}

export async function listKeysCommand(options: { readonly json?: boolean }): Promise<void> {
  const keys = await withDatabase(({ pool }) => listKeys(pool))
  if (options.json) return print(JSON.stringify(keys))
  for (const key of keys) print(describe(key))
  if (keys.length === 0) process.stderr.write('There are no keys yet: cradle keys create --account NAME\n')
}

export async function revokeKeyCommand(keyId: string): Promise<void> {
  if (!/^\d{1,9}$/.test(keyId)) throw new Error(`"${keyId}" is not a number of a key; see cradle keys list`)
  const isRevoked = await withDatabase(({ pool }) => revokeKey(pool, Number(keyId)))
  if (!isRevoked) throw new Error(`There is no key ${keyId} that works; see cradle keys list`)
  process.stderr.write(`Key ${keyId} is revoked.\n`)
}

/** Scopes may be given one by one or with commas between. */
function readScopes(given: readonly string[]): readonly Scope[] {
  return given
    .flatMap((text) => text.split(','))
    .map((text) => {
      const scope = SCOPES.find((known) => known === text.trim())
      if (!scope) throw new Error(`There is no scope "${text}"; there are ${SCOPES.join(', ')}`)
      return scope
    })
}

function readTime(text: string): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw new Error(`--expires takes a day or time like 2027-12-31, not "${text}"`)
  if (time <= new Date()) throw new Error(`--expires ${text} is in the past`)
  return time
}

const describe = ({ keyId, account, hint, scopes, createdAt, expiresAt, revokedAt }: KeySummary): string =>
  [
    keyId,
    account,
    hint,
    scopes.join(','),
    `created ${createdAt.toISOString()}`,
    expiresAt && `expires ${expiresAt.toISOString()}`,
    revokedAt && `revoked ${revokedAt.toISOString()}`,
  ]
    .filter((part) => part !== null)
    .join('\t')
