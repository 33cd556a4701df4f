// The list of products over many devices that PostgreSQL's statistics know nothing of.
import { join } from 'node:path'
import { test } from 'node:test'
import assert from 'node:assert/strict'
import type { Pool } from 'pg'
import { freshDatabase } from '../../../test/fresh-database.ts'
import { ensureAccount } from '../accounts/accounts.ts'
import { migrate } from '../migrations/migrate.ts'
import { readMigrations } from '../migrations/migrate-files.ts'
import { createProductList } from './product-list.ts'
import { nobodyWaits } from '../connection/waiting.ts'

interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly PlanNode[]
}

const nodesOf = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** Devices without a guess, with an entry each: what the statistics are to be made of. */
const KNOWN_DEVICES = `
  insert into devices (account_id, release_id, is_capped, whole_mg, posted_mg, serial_number, basis)
  select $1, 1, true, 1, 1, 'S' || no, 'some-model' from generate_series(1, 5000) as no`
const KNOWN_ENTRIES = `
  insert into entries (account_id, entry_no, posted_at, embodied_mg, use_mg, packaging_mg, transportation_mg,
    release_id, serial_number, customer_id, order_id, reason)
  select $1, 1, now(), 1, 1, 0, 0, 1, 'S' || no, 'c', 'O' || no, 'order' from generate_series(1, 5000) as no`
const KNOWN_ORDERS = `
  insert into orders (account_id, release_id, order_date, tenure_start_date, created_at, status, customer_id, order_id,
    items, bases, found_by, lines_mg)
  select $1, 1, '2025-01-01', '2025-01-01', now(), 'created', 'c', 'O' || no, '[]', '', '', ''
  from generate_series(1, 5000) as no`

test('entries and orders are looked up one by one, also of an account too new for statistics', async () => {
  const { pool } = await freshDatabase()
  await migrate(pool, readMigrations(join(import.meta.dirname, '..', '..', '..', 'sql')))
  const { accountId } = await ensureAccount(pool, 'known')
  await pool.query(KNOWN_DEVICES, [accountId])
  await pool.query(KNOWN_ENTRIES, [accountId])
  await pool.query(KNOWN_ORDERS, [accountId])
  await pool.query('analyze')
  const plans: PlanNode[] = []
  const explaining = {
    query: async ({ text, values }: { readonly text: string; readonly values: unknown[] }) => {
      const { rows } = await pool.query<Record<string, readonly { readonly Plan: PlanNode }[]>>(
        `explain (format json) ${text}`,
        values,
      )
      plans.push(rows[0]!['QUERY PLAN']![0]!.Plan)
      return { rows: [] }
    },
  } as unknown as Pool
  const limits = { weightPerTripMax: 1, weightWaitingMax: 1e6, waiting: nobodyWaits() }
  const newAccount = (await ensureAccount(pool, 'new')).accountId
  const states = ['unmatched'] as const
  await createProductList(
    (read) => read(explaining),
    limits,
  )({ accountId: newAccount, states, modelIds: [], after: null, limit: 20 })
  const nodes = plans.flatMap(nodesOf)
  const conditionsOf = (relation: string) =>
    nodes.filter((node) => node['Relation Name'] === relation).map((node) => node['Index Cond'] ?? '')
  assert.equal(conditionsOf('entries').length, 2)
  for (const condition of conditionsOf('entries')) assert.match(condition, /serial_number = devices/)
  for (const condition of conditionsOf('orders')) assert.match(condition, /order_id = /)
})
