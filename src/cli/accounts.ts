// The commands on accounts: `cradle accounts`, `cradle keys` and `cradle statement-key`.
import { createPrivateKey } from 'node:crypto'
import {
  AMORTISATIONS,
  SCOPES,
  createKey,
  ensureAccount,
  findAccountByName,
  listAccounts,
  listKeys,
  setAmortisation,
  type KeySummary,
  type Scope,
} from '../postgres/accounts.ts'
import { DAYS_AHEAD_DEFAULT, KEYS_KNOWN_MS } from '../config.ts'
import { copyAccount } from '../postgres/accounts/copy-account.ts'
import { deleteAccount } from '../postgres/accounts/delete-account.ts'
import { revokeKey } from '../postgres/api-keys.ts'
import { statementKeyOf } from '../postgres/statement-keys.ts'
import { signingKeyOf } from '../documents/signature.ts'
import { print, withDatabase } from './context.ts'

const NAME_MAX = 200

export async function listAccountsCommand(options: { readonly json?: boolean }): Promise<void> {
  const accounts = await withDatabase(({ pool }) => listAccounts(pool))
  if (options.json) return print(JSON.stringify(accounts))
  for (const { accountId, name, amortisation, createdAt } of accounts) {
    print([accountId, name, amortisation, `created ${createdAt.toISOString()}`].join('\t'))
  }
}

export async function setAccountCommand(name: string, options: { readonly amortisation: string }): Promise<void> {
  const amortisation = AMORTISATIONS.find((known) => known === options.amortisation)
  if (!amortisation)
    throw new Error(`--amortisation takes ${AMORTISATIONS.join(' or ')}, not "${options.amortisation}"`)
  const isKnown = await withDatabase(({ pool }) => setAmortisation(pool, name, amortisation))
  if (!isKnown) throw new Error(`There is no account "${name}"; see cradle accounts list`)
  process.stderr.write(`Devices that "${name}" rents for the first time from now on are ${amortisation}.\n`)
}

/** Works while the service runs. The copy has no keys yet. */
export async function copyAccountCommand(name: string, { as: copyName }: { readonly as: string }): Promise<void> {
  if (copyName.trim() === '' || copyName.length > NAME_MAX)
    throw new Error(`--as takes a name of 1 to ${NAME_MAX} characters`)
  const copied = await withDatabase(({ pool }) => copyAccount(pool, name, copyName))
  if (copied === 'unknown') throw new Error(`There is no account "${name}"; see cradle accounts list`)
  if (copied === 'name-taken')
    throw new Error(`There is an account "${copyName}" already; choose another name, or delete it first`)
  if (copied === 'busy') throw new Error('The account imports a file or restates orders; copy it when that is done')
  process.stderr.write(
    `Account ${copied.accountId} is a copy, ${copied.rows} rows. It has no key yet; see cradle keys create\n`,
  )
}

/** Works while the service runs: the keys of the account are revoked first. */
export async function deleteAccountCommand(name: string, options: { readonly confirm: string }): Promise<void> {
  if (options.confirm !== name) throw new Error(`--confirm repeats the name of the account, which is "${name}"`)
  const deleted = await withDatabase(({ pool }) => deleteAccount(pool, name, KEYS_KNOWN_MS))
  if (deleted === 'unknown') throw new Error(`There is no account "${name}"; see cradle accounts list`)
  if (deleted === 'busy')
    throw new Error('The account imports a file or loads its demo fleet; delete it when that is done')
  process.stderr.write(`Account ${deleted.accountId} is deleted, ${deleted.rows} rows. Backups still have it.\n`)
}

const LABEL_MAX = 200

export async function createKeyCommand(options: {
  readonly account: string
  readonly label?: string
  readonly scope?: readonly string[]
  readonly expires?: string
  readonly json?: boolean
}): Promise<void> {
  const { account, label = '' } = options
  const scopes = readScopes(options.scope ?? SCOPES)
  const expiresAt = options.expires === undefined ? null : readTime(options.expires)
  if (account.trim() === '' || account.length > NAME_MAX)
    throw new Error(`--account takes a name of 1 to ${NAME_MAX} characters`)
  if ([...label].length > LABEL_MAX) throw new Error(`--label takes at most ${LABEL_MAX} characters`)
  const { key, isNew } = await withDatabase(async ({ pool }) => {
    const { accountId, isNew } = await ensureAccount(pool, account, DAYS_AHEAD_DEFAULT)
    return { key: await createKey(pool, accountId, scopes, expiresAt, label), isNew }
  })
  // A mistyped name creates a separate account without orders.
  if (isNew) process.stderr.write(`The account "${account}" is new.\n`)
  print(options.json ? JSON.stringify({ key, account, label, scopes, expires_at: expiresAt }) : key)
}

export async function listKeysCommand(options: { readonly json?: boolean }): Promise<void> {
  const keys = await withDatabase(({ pool }) => listKeys(pool))
  if (options.json) return print(JSON.stringify(keys))
  for (const key of keys) print(describe(key))
  if (keys.length === 0) process.stderr.write('There are no keys yet: cradle keys create --account NAME\n')
}

/** Follows the rules of `DELETE /api/keys`. */
export async function revokeKeyCommand(keyId: string, options: { readonly evenLastAdmin?: boolean }): Promise<void> {
  if (!/^\d{1,9}$/.test(keyId)) throw new Error(`"${keyId}" is not a number of a key; see cradle keys list`)
  const outcome = await withDatabase(({ pool }) => revokeKey(pool, Number(keyId), options.evenLastAdmin ?? false))
  if (outcome === 'unknown') throw new Error(`There is no key ${keyId} that works; see cradle keys list`)
  if (outcome === 'last-admin')
    throw new Error(`Key ${keyId} is the last of its account with the scope admin; say --even-last-admin to revoke it`)
  process.stderr.write(`Key ${keyId} is revoked.\n`)
}

/** Scopes may be given separately or separated by commas. */
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

const describe = (key: KeySummary): string =>
  [
    key.keyId,
    key.account,
    key.hint,
    key.scopes.join(','),
    key.label === '' ? null : `"${key.label}"`,
    `created ${key.createdAt.toISOString()}`,
    key.lastUsedAt && `used ${key.lastUsedAt.toISOString()}`,
    key.expiresAt && `expires ${key.expiresAt.toISOString()}`,
    key.revokedAt && `revoked ${key.revokedAt.toISOString()}`,
  ]
    .filter((part) => part !== null)
    .join('\t')

export async function statementKeyCommand(options: {
  readonly account: string
  readonly json?: boolean
}): Promise<void> {
  const { privateKey, createdAt } = await withDatabase(async ({ pool }) => {
    const accountId = await findAccountByName(pool, options.account)
    if (accountId === null) throw new Error(`There is no account "${options.account}"; see cradle accounts list`)
    return statementKeyOf(pool, accountId)
  })
  const key = signingKeyOf(createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' }))
  print(options.json ? JSON.stringify({ ...key, created_at: createdAt.toISOString() }) : key.fingerprint)
}
