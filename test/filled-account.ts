// An account with rows in every table that has any of an account.
import assert from 'node:assert/strict'
import type { Pool } from 'pg'
import { openDemo } from '../src/postgres/accounts/demo-accounts.ts'
import { ensureAccount } from '../src/postgres/accounts.ts'
import { pseudonymise } from './erasure-client.ts'
import { createOrderClient, order } from './order-client.ts'
import type { Service } from './service.ts'
import { useAccount } from './use-all-statements.ts'

export interface AccountColumn {
  readonly table: string
  readonly column: string
}

/** Every column of every table that holds the number of an account. */
export async function accountColumns(pool: Pool): Promise<readonly AccountColumn[]> {
  const { rows } = await pool.query<AccountColumn>(
    `select table_name::text as table, column_name::text as column from information_schema.columns
    where table_schema = current_schema() and (column_name like '%account_id' or column_name = 'demo_of')
      and table_name in (select table_name from information_schema.tables where table_type = 'BASE TABLE')
    order by 1, 2`,
  )
  return rows
}

/** An account with rows in every table, and a demo account with some. */
export async function fillAccount(service: Service, name: string): Promise<readonly number[]> {
  await useAccount(service, name)
  const key = await service.createKey(undefined, null, name)
  const { accountId } = await ensureAccount(service.pool, name)
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const ask = (path: string, sent: object = {}) => service.ask(path, { ...sent, headers })
  assert.equal((await ask('/api/periods', { method: 'POST', body: '{"closed_until":"2024-01-01"}' })).status, 200)
  assert.equal((await pseudonymise({ ask }, 'c', { serial_numbers: true })).status, 200)
  const demo = await openDemo(service.pool, accountId, new Date(), 1)
  assert.ok(typeof demo === 'object')
  await createOrderClient(service, await service.createKey(undefined, null, demo.name)).post(order('c', 'o', ['d']))
  // What comes and goes: sessions, chunks of files and of facts.
  const keyOf = (account: string) => `(select key_id from api_keys where account_id = ${account}::integer limit 1)`
  await service.pool.query(
    `insert into console_sessions (account_id, session_hash, key_id, expires_at, own_account_id, own_key_id)
    select $2::integer, decode(repeat('00', 32), 'hex'), ${keyOf('$2')}, now(), $1::integer, ${keyOf('$1')}
    union all
    select $1::integer, decode(repeat('01', 32), 'hex'), ${keyOf('$1')}, now(), null, null`,
    [accountId, demo.accountId],
  )
  await service.pool.query(
    `insert into import_chunks select account_id, import_id, 99, '' from imports where account_id = $1`,
    [accountId],
  )
  await service.pool.query(
    `insert into import_errors (account_id, import_id, row_no, cells, errors) values ($1, 1, 99, '[]', '[]')`,
    [accountId],
  )
  await service.pool.query(
    `insert into import_profiles (account_id, name, header, header_sha256, settings)
     values ($1, 'list', '[]', '', '{}')`,
    [accountId],
  )
  await service.pool.query(`insert into fact_chunks select $1::integer, 99, 0, 0, 0, 0, 0, 0, 0, ''`, [accountId])
  await service.pool.query(
    `with made as (
      insert into webhooks (account_id, url, types, description, is_enabled, secret, created_at, delivered_until)
      values ($1, 'https://example.com/', '{}', '', false, decode(repeat('00', 32), 'hex'), now(), 0) returning *
    )
    insert into webhook_deliveries (account_id, webhook_id, type, created_at, next_attempt_at)
    select account_id, webhook_id, 'webhook.test', now(), now() from made`,
    [accountId],
  )
  await service.pool.query(
    `with client as (
      insert into pact_clients (account_id, client_id, secret_hash, customer_id, label)
      values ($1::integer, 'pact_' || $1::integer, decode(repeat('00', 32), 'hex'), 'c', '') returning *
    ), footprint as (
      insert into pact_footprints (account_id, footprint_id, customer_id, product, digest, content, created_at)
      select account_id, gen_random_uuid(), customer_id, 'urn:x', secret_hash, '{}', now() from client
    )
    insert into pact_messages (account_id, client_no, event_id, created_at, next_attempt_at)
    select account_id, client_no, gen_random_uuid(), now(), 'infinity' from client`,
    [accountId],
  )
  return [accountId, demo.accountId]
}
