// Request and response schemas of accounts, API keys and demo fleets.
import Type, { type Static } from 'typebox'
import type { AccountKey } from '../../postgres/api-keys.ts'
import type { AccountSettings, Amortisation, Scope, Strictness } from '../../postgres/accounts.ts'
import { namedSchema } from '../../contract/named-schema.ts'
import { text } from '../../contract/order-schema.ts'

/** All scopes, as requests name them. */
export const SCOPE_NAMES = Object.keys({
  'orders:write': true,
  'orders:read': true,
  'catalogue:read': true,
  admin: true,
} satisfies Record<Scope, true>) as readonly Scope[]

const AMORTISATION_NAMES = Object.keys({ capped: true, uncapped: true } satisfies Record<Amortisation, true>)

const STRICTNESS_NAMES = Object.keys({ warn: true, refuse: true } satisfies Record<Strictness, true>)

/** A hundred years. */
const DAYS_AHEAD_MAX = 36_525

const time = Type.String({ format: 'date-time' })
const timeOrNull = (description: string) => Type.Union([time, Type.Null()], { description })
const scopes = Type.Array(Type.Enum([...SCOPE_NAMES]), {
  description: 'Scopes of the key; `admin` includes all other scopes.',
  examples: [['orders:write', 'orders:read']],
  maxItems: SCOPE_NAMES.length,
})

export const KeyParams = namedSchema(
  'KeyParams',
  Type.Object(
    {
      label: text('Label of the key, stating its purpose.', ['Web shop']),
      scopes,
      expires_at: Type.Optional(
        Type.String({
          description: 'When the key expires, with a time zone; without it, the key never expires.',
          examples: ['2030-12-31T23:59:59Z'],
          format: 'date-time',
        }),
      ),
    },
    { description: 'A key to create.' },
  ),
)

const keyMembers = {
  key_id: Type.Integer({ description: 'Number of the key.', minimum: 1 }),
  label: Type.String({ description: 'Label of the key; empty if it was created without one.' }),
  hint: Type.String({
    description: 'First and last characters of the key, to distinguish it from other keys.',
    examples: ['cradle_2TvG…T6Mp'],
  }),
  scopes,
  created_at: time,
  expires_at: timeOrNull('When the key expires; null if it never does.'),
  last_used_at: timeOrNull('When the key was last used, with a delay of up to two minutes; null if never.'),
  revoked_at: timeOrNull('When the key was revoked; null if it was not.'),
  is_own: Type.Boolean({ description: 'True for the key that authenticated this request.' }),
}

export const ApiKey = namedSchema(
  'ApiKey',
  Type.Object(keyMembers, { description: 'A key, without its secret value.' }),
)

export const NewApiKey = namedSchema(
  'NewApiKey',
  Type.Object(
    {
      key: Type.String({ description: 'The secret value of the key. It is returned only once and is not stored.' }),
      ...keyMembers,
    },
    { description: 'A key that was just created.' },
  ),
)

const amortisation = Type.Enum(AMORTISATION_NAMES, {
  description:
    'capped: a device allocates at most its embodied emission. uncapped: every month of rental is allocated.',
  examples: ['capped'],
})

const strictness = Type.Enum(STRICTNESS_NAMES, {
  description:
    'What becomes of warnings about orders and events. warn: the request is accepted, and the response lists them. ' +
    'refuse: the request is rejected with each warning as an error: 400 for warnings about its content, 409 for what ' +
    'the ledgers of devices say against an order.',
  examples: ['warn'],
})

const daysAheadMax = Type.Union([Type.Integer({ minimum: 0, maximum: DAYS_AHEAD_MAX }), Type.Null()], {
  description:
    'Maximum number of days after today (UTC) for the date of an event that records what happened: returned, ' +
    'swapped, refurbished, retired, lost. If it is set, tenures may start at most 3 years ahead. null: no limit on ' +
    'either.',
  examples: [1],
})

const restatementThreshold = Type.Number({
  description:
    'Percent of the total of a customer’s year. If corrections of the year that were recorded after its books had ' +
    'been closed exceed it, `GET /api/periods/corrections` proposes a restatement.',
  examples: [5],
  minimum: 0,
  maximum: 100,
})

/** Stands for the newest release, whichever it is. */
export const LATEST = 'latest'

const datasetRelease = Type.String({
  description:
    'Dataset release with which new orders, estimates and matches are made: the id of an installed release, to stay ' +
    'with it, or `latest`, to follow the newest. What is stored keeps its release. `GET /api/dataset-releases` lists ' +
    'them.',
  examples: [LATEST, '2026.12-0a1b2c3d'],
  minLength: 1,
  maxLength: 80,
})

/** Stands for the series that the dataset release has as its default. */
export const DEFAULT_SERIES = 'default'

const gridSeries = Type.String({
  description:
    'Series of grid factors for new orders: the id of one of `grid_series` of `GET /api/dataset-releases`, or ' +
    '`default`. A country that the series does not have, and a release without the series, keep the default. Grid ' +
    'factors of your own take precedence.',
  examples: [DEFAULT_SERIES, 'electricity-maps-consumption'],
  minLength: 1,
  maxLength: 80,
})

export const AccountParams = namedSchema(
  'AccountParams',
  Type.Object(
    {
      amortisation,
      strictness: Type.Optional(strictness),
      days_ahead_max: Type.Optional(daysAheadMax),
      restatement_threshold_percent: Type.Optional(restatementThreshold),
      dataset_release: Type.Optional(datasetRelease),
      grid_series: Type.Optional(gridSeries),
    },
    { description: 'Settings of the account. The amortisation is that of devices first rented from now on.' },
  ),
)

export const Account = namedSchema(
  'Account',
  Type.Object(
    {
      name: Type.String({ description: 'Name of the account, as used by `cradle accounts`.' }),
      amortisation,
      strictness,
      days_ahead_max: daysAheadMax,
      restatement_threshold_percent: restatementThreshold,
      dataset_release: datasetRelease,
      grid_series: gridSeries,
      mappings_version: Type.Integer({ description: 'Number of changes made to its product mappings.', minimum: 0 }),
      created_at: time,
      is_demo: Type.Boolean({ description: 'True for an account with generated orders.' }),
      has_demo_fleet: Type.Boolean({ description: 'True if a demo fleet was loaded for this account.' }),
    },
    { description: 'The account to which the key belongs.' },
  ),
)

export const DemoFleet = namedSchema(
  'DemoFleet',
  Type.Object(
    {
      account: Type.String({ description: 'Name of the separate account that holds the demo fleet.' }),
      progress: Type.Number({
        description:
          'Fraction of the fleet that is loaded, 0 to 1. If it stays below 1, load the fleet again to complete it.',
        minimum: 0,
        maximum: 1,
      }),
      loaded_at: timeOrNull('When loading was complete; null until then.'),
      orders: Type.Integer({ minimum: 0 }),
      devices: Type.Integer({ minimum: 0 }),
      events: Type.Integer({ minimum: 0 }),
    },
    { description: 'A generated fleet, in a separate account.' },
  ),
)

export const LoadedDemoFleet = namedSchema(
  'LoadedDemoFleet',
  Type.Object(
    {
      key: Type.String({ description: 'A key of the demo account. It is returned only once.' }),
      key_expires_at: time,
      ...DemoFleet.properties,
    },
    { description: 'The demo fleet, with a key to its account.' },
  ),
)

export const RemovedDemoFleet = namedSchema(
  'RemovedDemoFleet',
  Type.Object(
    {
      account: Type.String({ description: 'Name of the account that held the demo fleet.' }),
      rows: Type.Integer({ description: 'Number of rows removed, in all tables.', minimum: 1 }),
    },
    { description: 'The demo fleet that was removed.' },
  ),
)

export const printKey = (key: AccountKey, ownKeyId: number) => ({
  key_id: key.keyId,
  label: key.label,
  hint: key.hint,
  scopes: key.scopes,
  created_at: key.createdAt.toISOString(),
  expires_at: key.expiresAt?.toISOString() ?? null,
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
  revoked_at: key.revokedAt?.toISOString() ?? null,
  is_own: key.keyId === ownKeyId,
})

/** @param gridSeries the series that the account chose; null for the default */
export const printAccount = (account: AccountSettings, gridSeries: string | null) => ({
  name: account.name,
  amortisation: account.amortisation,
  strictness: account.strictness,
  days_ahead_max: account.daysAheadMax,
  restatement_threshold_percent: account.restatementThresholdPercent,
  dataset_release: account.datasetRelease ?? LATEST,
  grid_series: gridSeries ?? DEFAULT_SERIES,
  mappings_version: account.mappingsVersion,
  created_at: account.createdAt.toISOString(),
  is_demo: account.isDemo,
  has_demo_fleet: account.hasDemoFleet,
})

export type WireKey = Static<typeof KeyParams>
