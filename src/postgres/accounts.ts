// The table of accounts, with their API keys (stored as hashes) and the settings that admins change.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Pool, PoolClient } from 'pg'
import type { Recorder } from '../ledger/records.ts'
import { CLOCK_SQL } from './row-encoding.ts'

export const SCOPES = ['orders:write', 'orders:read', 'catalogue:read', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

const PREFIX = 'cradle_'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 32 base-62 characters hold 190.5 bits. */
const RANDOM_CHARACTERS = 32
const CHECKSUM_CHARACTERS = 6
const KEY_FORM = /^cradle_[0-9A-Za-z]{38}$/

/** The authenticated account and key of a request, and what the key may do. */
export interface Caller {
  readonly keyId: number
  /** The key as it is named in what it records. */
  readonly recordedBy: Recorder
  readonly accountId: number
  readonly accountName: string
  /** Amortisation of devices that the account rents for the first time: capped or uncapped. */
  readonly isCapped: boolean
  /** True if warnings about orders and events are refused like errors. */
  readonly isStrict: boolean
  /** How many days after today (UTC) an event may have happened; null for no limit. */
  readonly daysAheadMax: number | null
  /** Counts the changes to the account's product mappings. */
  readonly mappingsVersion: number
  /** Counts the changes to the account's own figures; 0 if it never had any. */
  readonly figuresVersion: number
  /** The dataset release that the account pinned; null if it follows the newest. */
  readonly pinnedReleaseId: number | null
  /** The installed dataset release with the highest number; null if none was installed. */
  readonly installedReleaseId: number | null
  readonly scopes: readonly Scope[]
  readonly expiresAt: Date | null
}

/** What becomes of warnings: reported, or refused like errors. */
export type Strictness = 'warn' | 'refuse'

export const AMORTISATIONS = ['capped', 'uncapped'] as const
export type Amortisation = (typeof AMORTISATIONS)[number]

export interface AccountSummary {
  readonly accountId: number
  readonly name: string
  readonly amortisation: Amortisation
  readonly createdAt: Date
}

export interface KeySummary {
  readonly keyId: number
  readonly account: string
  readonly hint: string
  readonly scopes: readonly Scope[]
  readonly label: string
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly lastUsedAt: Date | null
  readonly revokedAt: Date | null
}

export interface NewKey {
  readonly scopes: readonly Scope[]
  readonly expiresAt: Date | null
  /** Purpose of the key as free text; may be empty. */
  readonly label: string
}

/** Draws base-62 characters without bias: a byte outside the largest multiple of 62 is skipped. */
function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(2 * length)) {
      if (byte < 4 * BASE62.length && text.length < length) text += BASE62[byte % BASE62.length]
    }
  }
  return text
}

/** Distinguishes a mistyped key from an invalid one without a database query. */
export function checksumOf(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < CHECKSUM_CHARACTERS; place += 1) {
    digits = BASE62[rest % BASE62.length] + digits
    rest = Math.floor(rest / BASE62.length)
  }
  return digits
}

function createKeyText(): string {
  const text = PREFIX + randomText(RANDOM_CHARACTERS)
  return text + checksumOf(text)
}

/** True for a text in the format of a key with a correct checksum. */
export const isValidKeyFormat = (key: string): boolean =>
  KEY_FORM.test(key) && checksumOf(key.slice(0, -CHECKSUM_CHARACTERS)) === key.slice(-CHECKSUM_CHARACTERS)

/**
 * Only the hash of a secret (key or session token) is stored, so that read access to the database does not allow
 * requests.
 */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/**
 * Finds the account of this name, or creates it.
 * @param daysAheadMax of a new account: how many days after today an event may have happened; null for no limit
 */
export async function ensureAccount(
  pool: Pool,
  name: string,
  daysAheadMax: number | null = null,
): Promise<{ readonly accountId: number; readonly isNew: boolean }> {
  const { rows: added } = await pool.query<{ account_id: number }>(
    'insert into accounts (name, days_ahead_max) values ($1, $2) on conflict do nothing returning account_id',
    [name, daysAheadMax],
  )
  if (added[0]) return { accountId: added[0].account_id, isNew: true }
  const { rows } = await pool.query<{ account_id: number }>('select account_id from accounts where name = $1', [name])
  return { accountId: rows[0]!.account_id, isNew: false }
}

export async function listAccounts(pool: Pool): Promise<readonly AccountSummary[]> {
  const { rows } = await pool.query<AccountSummary>(
    'select account_id as "accountId", name, amortisation, created_at as "createdAt" from accounts order by name',
  )
  return rows
}

/** Sets the amortisation of devices that the account rents from now on. False if the account does not exist. */
export async function setAmortisation(pool: Pool, name: string, amortisation: Amortisation): Promise<boolean> {
  const { rowCount } = await pool.query('update accounts set amortisation = $2 where name = $1', [name, amortisation])
  return rowCount === 1
}

/** Creates a key for an account and returns it. It cannot be read again. */
export async function createKey(
  pool: Pool,
  accountId: number,
  scopes: readonly Scope[],
  expiresAt: Date | null,
  label = '',
): Promise<string> {
  return (await storeKey(pool, accountId, { scopes, expiresAt, label })).secret
}

/** @returns the key itself, which is not stored, and its number */
export async function storeKey(
  connection: Pool | PoolClient,
  accountId: number,
  { scopes, expiresAt, label }: NewKey,
): Promise<{ readonly secret: string; readonly keyId: number }> {
  const secret = createKeyText()
  const { rows } = await connection.query<{ readonly key_id: number }>(
    `insert into api_keys (account_id, key_hash, hint, scopes, expires_at, label) values ($1, $2, $3, $4, $5, $6)
      returning key_id`,
    [accountId, hashOf(secret), `${secret.slice(0, PREFIX.length + 4)}…${secret.slice(-4)}`, scopes, expiresAt, label],
  )
  return { secret, keyId: rows[0]!.key_id }
}

/** Null if no account has this name. */
export async function findAccountByName(pool: Pool, name: string): Promise<number | null> {
  const { rows } = await pool.query<{ readonly account_id: number }>(
    'select account_id from accounts where name = $1',
    [name],
  )
  return rows[0]?.account_id ?? null
}

/** The sort key is computed for installed releases only, whose names begin with a number like 2026.12 or 2026.12.1. */
const SETTINGS_COLUMNS = `amortisation, strictness, days_ahead_max, mappings_version, figures_version,
  dataset_release_id,
  (select release_id from dataset_releases where installed_at is not null
    order by string_to_array(split_part(dataset_releases.name, '-', 1), '.')::int[] desc limit 1)
    as installed_release_id`

/** What is needed to post orders of an account without a request and a key. */
export type Account = Pick<
  Caller,
  | 'accountId'
  | 'isCapped'
  | 'isStrict'
  | 'daysAheadMax'
  | 'mappingsVersion'
  | 'figuresVersion'
  | 'pinnedReleaseId'
  | 'installedReleaseId'
>

/** Reads the current settings of an account, which must exist. */
export async function findAccount(pool: Pool, accountId: number): Promise<Account> {
  const { rows } = await pool.query<SettingsRow>({
    name: 'find-account',
    text: `select ${SETTINGS_COLUMNS} from accounts where account_id = $1`,
    values: [accountId],
  })
  return { accountId, ...settingsOfRow(rows[0]!) }
}

/** The columns of a caller, from a key joined with its account, without the expiry. */
export const CALLER_COLUMNS = `account_id, accounts.name, key_id, hint, label, scopes, ${SETTINGS_COLUMNS}`

interface SettingsRow {
  readonly amortisation: Amortisation
  readonly strictness: Strictness
  readonly days_ahead_max: number | null
  readonly mappings_version: number
  readonly figures_version: number
  readonly dataset_release_id: number | null
  readonly installed_release_id: number | null
}

export interface CallerRow extends SettingsRow {
  readonly key_id: number
  readonly hint: string
  readonly label: string
  readonly name: string
  readonly account_id: number
  readonly scopes: readonly Scope[]
  readonly expires_at: Date | null
}

const settingsOfRow = (row: SettingsRow) => ({
  isCapped: row.amortisation === 'capped',
  isStrict: row.strictness === 'refuse',
  daysAheadMax: row.days_ahead_max,
  mappingsVersion: row.mappings_version,
  figuresVersion: row.figures_version,
  pinnedReleaseId: row.dataset_release_id,
  installedReleaseId: row.installed_release_id,
})

export const callerOfRow = (row: CallerRow): Caller => ({
  keyId: row.key_id,
  recordedBy: { keyHint: row.hint, keyLabel: row.label },
  accountId: row.account_id,
  accountName: row.name,
  ...settingsOfRow(row),
  scopes: row.scopes,
  expiresAt: row.expires_at,
})

/**
 * The conditions match the columns of index `api_keys_by_hash`, so no row of an expired or revoked key is read. The one
 * exception is a key that was just revoked: its old row version is read until no transaction can see it any more and
 * one look-up has come across it.
 */
export const FIND_CALLER = `select ${CALLER_COLUMNS}, key_hash, expires_at
  from api_keys join accounts using (account_id)
  where key_hash = $1 and revoked_at is null and coalesce(expires_at, 'infinity') > $2`

/** The caller of a key, or null if the key is unknown, expired or revoked. These three cases take the same time. */
export async function findCaller(pool: Pool, key: string, now: Date): Promise<Caller | null> {
  const hash = hashOf(key)
  const { rows } = await pool.query<CallerRow & { readonly key_hash: Buffer }>({
    name: 'find-caller',
    text: FIND_CALLER,
    values: [hash, now],
  })
  const found = rows.find(({ key_hash }) => timingSafeEqual(key_hash, hash))
  return found ? callerOfRow(found) : null
}

export async function listKeys(pool: Pool): Promise<readonly KeySummary[]> {
  const { rows } = await pool.query<KeySummary>(`
    select key_id as "keyId", accounts.name as account, label, hint, scopes, api_keys.created_at as "createdAt",
      expires_at as "expiresAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt"
    from api_keys join accounts using (account_id)
    order by accounts.name, key_id`)
  return rows
}

export interface AccountSettings {
  readonly name: string
  readonly amortisation: Amortisation
  /** `refuse`: warnings about orders and events are errors. */
  readonly strictness: Strictness
  /** How many days after today (UTC) an event may have happened; null for no limit. */
  readonly daysAheadMax: number | null
  /** 0 to 100, of the total of a customer's year: larger corrections after its closing propose a restatement. */
  readonly restatementThresholdPercent: number
  /** The name of the dataset release that the account pinned; null if it follows the newest. */
  readonly datasetRelease: string | null
  readonly mappingsVersion: number
  readonly createdAt: Date
  /** True for an account whose orders are invented demo data. */
  readonly isDemo: boolean
  /** True if a demo fleet was loaded for the account. */
  readonly hasDemoFleet: boolean
}

export type ChangedSettings = Pick<AccountSettings, 'amortisation'> &
  Partial<Pick<AccountSettings, 'strictness' | 'daysAheadMax' | 'restatementThresholdPercent' | 'datasetRelease'>>

export interface AccountsSettings {
  readonly find: (accountId: number) => Promise<AccountSettings>
  /**
   * Changes the amortisation, and what else is given. Devices that were already rented keep their amortisation.
   * @returns null if there is no dataset release of the given name; then nothing is changed
   */
  readonly change: (accountId: number, settings: ChangedSettings) => Promise<AccountSettings | null>
}

const FIELDS = `name, amortisation, strictness, days_ahead_max as "daysAheadMax",
  restatement_threshold_percent as "restatementThresholdPercent",
  (select releases.name from dataset_releases releases where releases.release_id = dataset_release_id)
    as "datasetRelease",
  mappings_version as "mappingsVersion", created_at as "createdAt",
  demo_of is not null as "isDemo",
  exists (select from accounts demo where demo.demo_of = accounts.account_id) as "hasDemoFleet"`

const SETTINGS = `name, amortisation, strictness, "daysAheadMax", "restatementThresholdPercent", "datasetRelease",
  "mappingsVersion", "createdAt", "isDemo", "hasDemoFleet"`

export const createAccountsSettings = (pool: Pool): AccountsSettings => ({
  find: async (accountId) => {
    const text = `select ${FIELDS} from accounts where account_id = $1`
    return (await pool.query<AccountSettings>(text, [accountId])).rows[0]!
  },
  change: async (accountId, settings) => {
    const { amortisation, strictness, daysAheadMax, restatementThresholdPercent, datasetRelease } = settings
    const text = `with before as (
        select dataset_release_id as release_before from accounts where account_id = $1
      ), changed as (update accounts set amortisation = $2, strictness = coalesce($3, strictness),
        days_ahead_max = case when $4 then $5 else days_ahead_max end,
        restatement_threshold_percent = coalesce($6, restatement_threshold_percent),
        dataset_release_id = case when $7 then (select release_id from dataset_releases where name = $8)
          else dataset_release_id end
      where account_id = $1 and ($8::text is null or $8 in (select name from dataset_releases))
      returning ${FIELDS}, dataset_release_id as release_after
      ), told as (
        insert into feed_outbox (account_id, type, posted_at, subjects)
        select $1, 'release.applied', ${CLOCK_SQL}, array[coalesce($8, '')] from before, changed
        where release_before is distinct from release_after
      ) select ${SETTINGS} from changed`
    const days = [daysAheadMax !== undefined, daysAheadMax ?? null]
    const release = [datasetRelease !== undefined, datasetRelease ?? null]
    const others = [strictness ?? null, ...days, restatementThresholdPercent ?? null, ...release]
    return (await pool.query<AccountSettings>(text, [accountId, amortisation, ...others])).rows[0] ?? null
  },
})
