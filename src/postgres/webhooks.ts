// The webhooks of accounts: where events are sent, which ones, and the secrets that sign them.
import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { lockAccount } from './product-mappings.ts'
import { inTransaction } from './transaction.ts'

/** Of a Standard Webhooks secret; the form allows 24 to 64. */
const SECRET_BYTES = 32

/** Why a webhook was disabled otherwise than by a client. */
export type DisabledReason = 'gone' | 'attempts_exhausted'

export interface Webhook {
  readonly accountId: number
  readonly webhookId: number
  readonly url: string
  /** Empty for all types. */
  readonly types: readonly string[]
  readonly description: string
  readonly isEnabled: boolean
  readonly disabledReason: DisabledReason | null
  readonly createdAt: Date
  /** Until when the previous secret signs, too; null if there is none. */
  readonly previousUntil: Date | null
  readonly failuresInARow: number
  /** Nothing is sent before this time; null if it is sent. */
  readonly pausedUntil: Date | null
  /** Deliveries that wait for their first or next attempt. */
  readonly waiting: number
}

export interface WebhookChange {
  readonly url?: string
  readonly types?: readonly string[]
  readonly description?: string
  readonly isEnabled?: boolean
}

export type NewWebhook = Required<WebhookChange>

export interface Webhooks {
  /** The oldest first. */
  readonly list: (accountId: number) => Promise<readonly Webhook[]>
  readonly find: (accountId: number, webhookId: number) => Promise<Webhook | null>
  /** It gets what happens from now on. Null if the account has `max` already. */
  readonly create: (
    accountId: number,
    webhook: NewWebhook,
    max: number,
  ) => Promise<{ readonly webhook: Webhook; readonly secret: Buffer } | null>
  /** One that is enabled again goes on where it ended. */
  readonly change: (accountId: number, webhookId: number, change: WebhookChange) => Promise<Webhook | null>
  readonly remove: (accountId: number, webhookId: number) => Promise<Webhook | null>
  /** Gives it a new secret; the one before signs, too, until the given time. */
  readonly rotate: (
    accountId: number,
    webhookId: number,
    previousUntil: Date,
  ) => Promise<{ readonly webhook: Webhook; readonly secret: Buffer } | null>
}

const FIELDS = `account_id as "accountId", webhook_id as "webhookId", url, types, description,
  is_enabled as "isEnabled", disabled_reason as "disabledReason", created_at as "createdAt",
  case when previous_until > now() then previous_until end as "previousUntil",
  failures_in_a_row as "failuresInARow", case when paused_until > now() then paused_until end as "pausedUntil",
  (select count(*)::integer from webhook_deliveries as waiting where waiting.account_id = webhooks.account_id
    and waiting.webhook_id = webhooks.webhook_id and state = 'waiting') as waiting`

export const createWebhooks = (pool: Pool): Webhooks => ({
  list: async (accountId) => {
    const { rows } = await pool.query<Webhook>({
      name: 'list-webhooks',
      text: `select ${FIELDS} from webhooks where account_id = $1 order by webhook_id`,
      values: [accountId],
    })
    return rows
  },
  find: (accountId, webhookId) => find(pool, accountId, webhookId),
  create: (accountId, webhook, max) => create(pool, accountId, webhook, max),
  change: async (accountId, webhookId, { url, types, description, isEnabled }) => {
    const { rows } = await pool.query<Webhook>({
      name: 'change-webhook',
      text: `update webhooks set url = coalesce($3, url), types = coalesce($4::text[], types),
          description = coalesce($5, description), is_enabled = coalesce($6, is_enabled),
          disabled_reason = case when $6 is null then disabled_reason end,
          failures_in_a_row = case when $6 or $3 <> url then 0 else failures_in_a_row end,
          paused_until = case when $6 or $3 <> url then '-infinity' else paused_until end
        where account_id = $1 and webhook_id = $2 returning ${FIELDS}`,
      values: [accountId, webhookId, url ?? null, types ?? null, description ?? null, isEnabled ?? null],
    })
    return rows[0] ?? null
  },
  remove: (accountId, webhookId) => remove(pool, accountId, webhookId),
  rotate: async (accountId, webhookId, previousUntil) => {
    const secret = randomBytes(SECRET_BYTES)
    const { rows } = await pool.query<Webhook>({
      name: 'rotate-webhook-secret',
      text: `update webhooks set previous_secret = secret, previous_until = $4, secret = $3
        where account_id = $1 and webhook_id = $2 returning ${FIELDS}`,
      values: [accountId, webhookId, secret, previousUntil],
    })
    return rows[0] ? { webhook: rows[0], secret } : null
  },
})

async function find(pool: Pool, accountId: number, webhookId: number): Promise<Webhook | null> {
  const { rows } = await pool.query<Webhook>({
    name: 'find-webhook',
    text: `select ${FIELDS} from webhooks where account_id = $1 and webhook_id = $2`,
    values: [accountId, webhookId],
  })
  return rows[0] ?? null
}

const create = (pool: Pool, accountId: number, { url, types, description, isEnabled }: NewWebhook, max: number) =>
  inTransaction(pool, async (connection) => {
    await lockAccount(connection, accountId)
    const secret = randomBytes(SECRET_BYTES)
    const { rows } = await connection.query<Webhook>({
      name: 'add-webhook',
      text: `insert into webhooks (account_id, url, types, description, is_enabled, secret, created_at, delivered_until)
        select $1::integer, $2, $3::text[], $4, $5, $6, date_trunc('milliseconds', clock_timestamp()),
          coalesce((select last_position from feed_heads where account_id = $1), 0)
        where (select count(*) from webhooks where account_id = $1) < $7::integer
        returning ${FIELDS}`,
      values: [accountId, url, types, description, isEnabled, secret, max],
    })
    return rows[0] ? { webhook: rows[0], secret } : null
  })

const remove = (pool: Pool, accountId: number, webhookId: number): Promise<Webhook | null> =>
  inTransaction(pool, async (connection) => {
    const key = [accountId, webhookId]
    const { rows } = await connection.query<Webhook>({
      name: 'delete-webhook',
      text: `delete from webhooks where account_id = $1 and webhook_id = $2 returning ${FIELDS}`,
      values: key,
    })
    if (rows[0]) await connection.query('delete from webhook_deliveries where account_id = $1 and webhook_id = $2', key)
    return rows[0] ?? null
  })
