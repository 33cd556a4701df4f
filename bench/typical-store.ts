// The peer's database: its tables, its look-up of keys, and one INSERT transaction per order through a pool.
import { createHash } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import type { UsualEstimate, UsualOrder } from './typical-estimate.ts'

const KEY_CACHE_MS = 1000

const TABLES = `
  create table if not exists api_keys (
    key_hash bytea primary key,
    account_id bigint not null
  );
  create table if not exists orders (
    id bigint generated always as identity primary key,
    account_id bigint not null,
    customer_id text not null,
    order_id text not null,
    order_date date not null,
    tenure_start_date date not null,
    total_emission double precision not null,
    created_at timestamptz not null,
    unique (account_id, customer_id, order_id)
  );
  create table if not exists order_items (
    order_pk bigint not null references orders (id),
    position integer not null,
    account_id bigint not null,
    type text not null,
    serial_number text,
    total_emission double precision not null,
    emission_breakdown jsonb not null,
    primary key (order_pk, position)
  );
  create index if not exists order_items_serial_number on order_items (account_id, serial_number)
    where serial_number is not null;`

const INSERT_ORDER = `
  insert into orders (account_id, customer_id, order_id, order_date, tenure_start_date, total_emission, created_at)
  values ($1, $2, $3, $4, $5, $6, $7) returning id`

const INSERT_ITEMS = `
  insert into order_items (order_pk, position, account_id, type, serial_number, total_emission, emission_breakdown)
  select $1, position, $2, type, serial_number, total_emission, emission_breakdown::jsonb
  from unnest($3::int[], $4::text[], $5::text[], $6::float8[], $7::text[])
    as item (position, type, serial_number, total_emission, emission_breakdown)`

export async function createTables(pool: Pool, apiKey: string): Promise<void> {
  await pool.query(TABLES)
  await pool.query('insert into api_keys values ($1, 1) on conflict do nothing', [hashOf(apiKey)])
}

/** The account of a key, or null; looked up in the database at most once a second, as revocation would ask for. */
export function createKeyCheck(pool: Pool): (apiKey: string) => Promise<number | null> {
  const cache = new Map<string, { readonly accountId: number | null; readonly until: number }>()
  return async (apiKey) => {
    const cached = cache.get(apiKey)
    if (cached !== undefined && cached.until > Date.now()) return cached.accountId
    const text = 'select account_id::int from api_keys where key_hash = $1'
    const { rows } = await pool.query<{ account_id: number }>({ name: 'key', text, values: [hashOf(apiKey)] })
    const accountId = rows[0]?.account_id ?? null
    cache.set(apiKey, { accountId, until: Date.now() + KEY_CACHE_MS })
    return accountId
  }
}

/** Durable when it returns: the database runs with synchronous_commit on. */
export async function insertOrder(
  pool: Pool,
  accountId: number,
  order: UsualOrder,
  estimate: UsualEstimate,
): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await insertRows(client, accountId, order, estimate)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

async function insertRows(client: PoolClient, accountId: number, order: UsualOrder, estimate: UsualEstimate) {
  const { rows } = await client.query<{ id: string }>({
    name: 'insert-order',
    text: INSERT_ORDER,
    values: [
      accountId,
      order.customer_id,
      order.order_id,
      order.order_date,
      order.tenure_start_date,
      estimate.total_emission,
      estimate.created_at,
    ],
  })
  const items = estimate.items
  await client.query({
    name: 'insert-items',
    text: INSERT_ITEMS,
    values: [
      rows[0]?.id,
      accountId,
      items.map((_, position) => position),
      items.map((item) => item.type),
      items.map((item) => item.serial_number ?? null),
      items.map((item) => item.total_emission),
      items.map((item) => JSON.stringify(item.emission_breakdown)),
    ],
  })
}

const hashOf = (apiKey: string): Buffer => createHash('sha256').update(apiKey).digest()
