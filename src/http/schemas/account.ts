// What is sent and answered about an account, its keys and its demo fleet, schema by schema.
import Type, { type Static } from 'typebox'
import type { AccountKey } from '../../postgres/api-keys.ts'
import type { AccountSettings, Amortisation, Scope } from '../../postgres/accounts.ts'
import { namedSchema } from '../../contract/named-schema.ts'
import { text } from '../../contract/order-schema.ts'

/** All of them, as they are asked for. */
export const SCOPE_NAMES = Object.keys({
  'orders:write': true,
  'orders:read': true,
  'catalogue:read': true,
  admin: true,
} satisfies Record<Scope, true>) as readonly Scope[]

const AMORTISATION_NAMES = Object.keys({ capped: true, uncapped: true } satisfies Record<Amortisation, true>)

const time = Type.String({ format: 'date-time' })
const timeOrNull = (description: string) => Type.Union([time, Type.Null()], { description })
const scopes = Type.Array(Type.Enum([...SCOPE_NAMES]), {
  description: 'What the key may do; `admin` may do all that the others may.',
  examples: [['orders:write', 'orders:read']],
  maxItems: SCOPE_NAMES.length,
})

export const KeyParams = namedSchema(
  'KeyParams',
  Type.Object(
    {
      label: text('What the key is for, as people say it.', ['Web shop']),
      scopes,
      expires_at: Type.Optional(
        Type.String({
          description: 'When it stops working, with its zone; without it, never.',
          examples: ['2030-12-31T23:59:59Z'],
          format: 'date-time',
        }),
      ),
    },
    { description: 'A key to be made.' },
  ),
)

const keyMembers = {
  key_id: Type.Integer({ description: 'Number of the key.', minimum: 1 }),
  label: Type.String({ description: 'What it is for; empty for a key that was made without saying so.' }),
  hint: Type.String({
    description: 'Its beginning and its end, to tell it from others.',
    examples: ['cradle_2TvG…T6Mp'],
  }),
  scopes,
  created_at: time,
  expires_at: timeOrNull('When it stops working; null for never.'),
  last_used_at: timeOrNull('When it was last used, behind by up to two minutes; null for never.'),
  revoked_at: timeOrNull('Since when it no longer works; null for a key that was not revoked.'),
  is_own: Type.Boolean({ description: 'True for the key that this was asked with.' }),
}

export const ApiKey = namedSchema('ApiKey', Type.Object(keyMembers, { description: 'A key, without the key itself.' }))

export const NewApiKey = namedSchema(
  'NewApiKey',
  Type.Object(
    { key: Type.String({ description: 'The key itself: it is shown this once, and kept nowhere.' }), ...keyMembers },
    { description: 'A key that was just made.' },
  ),
)

const amortisation = Type.Enum(AMORTISATION_NAMES, {
  description: 'capped: no device gives more than it embodies; uncapped: every month counts.',
  examples: ['capped'],
})

export const AccountParams = namedSchema(
  'AccountParams',
  Type.Object({ amortisation }, { description: 'What is to hold for devices that are rented from now on.' }),
)

export const Account = namedSchema(
  'Account',
  Type.Object(
    {
      name: Type.String({ description: 'Its name, which `cradle accounts` knows it by.' }),
      amortisation,
      mappings_version: Type.Integer({ description: 'Counts the changes to its product mappings.', minimum: 0 }),
      created_at: time,
      is_demo: Type.Boolean({ description: 'True for an account whose orders are made up.' }),
      has_demo_fleet: Type.Boolean({ description: 'True where a demo fleet was loaded beside it.' }),
    },
    { description: 'The account that the key belongs to.' },
  ),
)

export const DemoFleet = namedSchema(
  'DemoFleet',
  Type.Object(
    {
      account: Type.String({ description: 'Name of the account that holds it, beside your own.' }),
      progress: Type.Number({
        description: 'How much of it is there, 0 to 1. Where it stands still below 1, load it again to have the rest.',
        minimum: 0,
        maximum: 1,
      }),
      loaded_at: timeOrNull('When all of it was there; null until then.'),
      orders: Type.Integer({ minimum: 0 }),
      devices: Type.Integer({ minimum: 0 }),
      events: Type.Integer({ minimum: 0 }),
    },
    { description: 'A fleet that is made up, in an account of its own.' },
  ),
)

export const LoadedDemoFleet = namedSchema(
  'LoadedDemoFleet',
  Type.Object(
    {
      key: Type.String({ description: 'A key of that account, to look at it with: it is shown this once.' }),
      key_expires_at: time,
      ...DemoFleet.properties,
    },
    { description: 'The demo fleet, and the way in.' },
  ),
)

export const RemovedDemoFleet = namedSchema(
  'RemovedDemoFleet',
  Type.Object(
    {
      account: Type.String({ description: 'Name of the account that held it.' }),
      rows: Type.Integer({ description: 'Rows of it, of all tables.', minimum: 1 }),
    },
    { description: 'What was removed.' },
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

export const printAccount = (account: AccountSettings) => ({
  name: account.name,
  amortisation: account.amortisation,
  mappings_version: account.mappingsVersion,
  created_at: account.createdAt.toISOString(),
  is_demo: account.isDemo,
  has_demo_fleet: account.hasDemoFleet,
})

export type WireKey = Static<typeof KeyParams>
