// Tests that rows are looked up by key in an account that is missing in PostgreSQL's statistics.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Pool } from 'pg'
import { freshDatabase } from '../../test/fresh-database.ts'
import { ensureAccount } from './accounts.ts'
import { migrate, readMigrations } from './migrations.ts'
import { findOrderEntries, lockDevices } from './entries.ts'
import { findLedgers } from './long-ledgers.ts'
import { buildOrderQuery } from './order-query.ts'
import { findOrders } from './order-reads.ts'
import { createProductList } from './product-list.ts'
import { createQueueLoad } from '../concurrency/queue-load.ts'

interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly PlanNode[]
}

const nodesOf = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** Devices without a possible match, with one entry each, from which the statistics are made. */
const KNOWN_ENTRIES = `
  insert into entries (account_id, entry_no, posted_at, embodied_mg, use_mg, packaging_mg, transportation_mg,
    embodied_added_mg, release_id, device_release_id, is_capped, serial_number, customer_id, order_id,
    reason, footprint_id)
  select $1, 1, now(), 1, 1, 0, 0, 1, 1, 1, true, 'S' || no, 'c', 'O' || no, 'order', 'some-model'
  from generate_series(1, 5000) as no`
const KNOWN_ORDERS = `
  insert into orders (account_id, release_id, order_date, tenure_start_date, created_at, status, customer_id, order_id,
    items, footprint_ids, match_methods, line_emissions_mg)
  select $1, 1, '2025-01-01', '2025-01-01', now(), 'created', 'c', 'O' || no, '[]', '', '', ''
  from generate_series(1, 5000) as no`

let pool: Pool
let newAccount: number

before(async () => {
  pool = (await freshDatabase()).pool
  await migrate(pool, readMigrations())
  const { accountId } = await ensureAccount(pool, 'known')
  await pool.query(KNOWN_ENTRIES, [accountId])
  await pool.query(KNOWN_ORDERS, [accountId])
  await pool.query('analyze')
  newAccount = (await ensureAccount(pool, 'new')).accountId
})

/** The query plans of the statements that `ask` runs; each statement returns no rows. */
async function planned(ask: (connection: Pool) => Promise<unknown>): Promise<readonly PlanNode[]> {
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
  await ask(explaining)
  return plans.flatMap(nodesOf)
}

const conditionsOf = (nodes: readonly PlanNode[], relation: string): readonly string[] =>
  nodes.filter((node) => node['Relation Name'] === relation).map((node) => node['Index Cond'] ?? '')

test('the list of products looks entries and orders up one by one', async () => {
  const limits = { batchBytesMax: 1, queueBytesMax: 1e6, queueLoad: createQueueLoad() }
  const states = ['unmatched'] as const
  const nodes = await planned((connection) =>
    createProductList(
      (read) => read(connection),
      limits,
    )({ accountId: newAccount, states, modelIds: [], after: null, limit: 20 }),
  )
  const ofEntries = conditionsOf(nodes, 'entries')
  // One of them looks whether the device has been identified since.
  assert.equal(ofEntries.filter((condition) => /serial_number = /.test(condition)).length, 3)
  // The devices, both of the list and of its words, are found by their matched product.
  const guessed = nodes.filter((node) => node['Index Name'] === 'devices_by_matched_product')
  assert.equal(guessed.length, ofEntries.length - 3)
  for (const condition of conditionsOf(nodes, 'orders')) assert.match(condition, /order_id = /)
})

test('devices, their ledgers and their orders are looked up by serial number and order, each by its key', async () => {
  const [device, key] = [
    { accountId: newAccount, serialNumber: 'S' },
    { customerId: 'c', orderId: 'O' },
  ]
  const everything = { customerId: null, orderId: null, statuses: null, from: null, to: null, beginning: null }
  const nodes = await planned(async (connection) => {
    await lockDevices(connection, [device], 'wait')
    await lockDevices(connection, [device], 'skip')
    await findLedgers(connection, [device])
    await findOrders(connection, [{ accountId: newAccount, key }])
    await findOrderEntries(connection, { accountId: newAccount, key })
    for (const by of ['order_id', 'order_date', 'total_emission'] as const) {
      const filter = { ...everything, serialNumber: 'S' }
      const sequence = { by, isDescending: true }
      const choice = { accountId: newAccount, filter, sequence, after: null, limit: 100, weighedMax: 100_000 }
      const chosen = await buildOrderQuery(connection, choice)
      assert.ok(chosen !== 'too-many')
      await connection.query({ text: chosen.text, values: [...chosen.values] })
    }
  })
  const [ofEntries, ofOrders] = [conditionsOf(nodes, 'entries'), conditionsOf(nodes, 'orders')]
  assert.equal(ofEntries.length, 8)
  for (const condition of ofEntries) assert.match(condition, /serial_number = /)
  // Each list also looks for later revisions, by a range of ids.
  assert.equal(ofOrders.length, 7)
  for (const condition of ofOrders) assert.match(condition, /order_id (=|>) /)
})
