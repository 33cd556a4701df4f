// The ledger cut by account: every key and every look-up begins with the account, and all comes out as from one table.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg, { type Pool } from 'pg'
import { verifyAll } from '../src/cli/verify.ts'
import { decodeFrames } from '../src/postgres/backup/format.ts'
import { backup } from '../src/postgres/backup/backup.ts'
import { readMigrations } from '../src/postgres/migrations.ts'
import { restore } from '../src/postgres/backup/restore.ts'
import { freshDatabase } from './fresh-database.ts'
import { drawHistories, openSubject, runHistories } from './model-based/history-run.ts'
import { startService, type Service } from './service.ts'
import { tableOf } from './markdown.ts'
import { CUT_TABLES, isOfFolding, statementsOnCutTables } from './partitioned-schema.ts'
import { readScenariosHere, importHere, useAccount, useBusyDevice } from './use-all-statements.ts'

const ROOT = join(import.meta.dirname, '..')
const CITUS = readFileSync(join(ROOT, 'deploy', 'citus.sql'), 'utf8')
const PARTITIONS = 4
/** Of statements that read all that a database has, for `verify --all`. */
const OF_EVERYTHING = ['find-order-entries-of-page']
/** Statements without a name that the service asks of the cut tables. */
const UNNAMED = [/with listed as materialized/, /^declare exported/, /^select distinct label/, /^select page/]

process.env['TEST_PARTITIONS'] = String(PARTITIONS)

let service: Service
/** What was sent to the database while the service worked, by name, or by itself where it has none. */
const asked = new Map<string, string>()

before(async () => {
  service = await startService()
})
after(() => service.stop())

/** Listens to what every connection is asked, which goes on as it was. */
async function listening(work: () => Promise<void>): Promise<void> {
  const prototype = pg.Client.prototype as unknown as { query: (...parts: unknown[]) => unknown }
  const { query } = prototype
  prototype.query = function (this: unknown, ...parts: unknown[]) {
    const [config] = parts as [string | { readonly name?: string; readonly text?: string } | undefined]
    const text = typeof config === 'string' ? config : config?.text
    if (text !== undefined) asked.set(typeof config === 'object' && config.name ? config.name : text, text)
    return query.apply(this, parts)
  }
  await work().finally(() => (prototype.query = query))
}

/** A summary of stretches of a table: it is no key, and knows of no account. */
const BY_TIME = ['entries_by_posted_at']

test('every key and index of the cut tables begins with the account, and nothing else binds them', async () => {
  const { rows } = await service.pool.query<{ readonly name: string; readonly first: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid, 1, true) as first from pg_index i
      where i.indrelid::regclass::text = any($1)`,
    [CUT_TABLES],
  )
  assert.ok(rows.length >= CUT_TABLES.length)
  assert.deepEqual(
    rows.filter(({ name, first }) => !/^\(?account_id( \+ 0\))?$/.test(first) && !BY_TIME.includes(name)),
    [],
  )
  const bound = await service.pool.query<{ readonly text: string }>(
    `select conrelid::regclass || ' → ' || confrelid::regclass as text from pg_constraint
      where contype = 'f' and conparentid = 0
        and (conrelid::regclass::text = any($1) or confrelid::regclass::text = any($1))
      union all select attrelid::regclass || '.' || attname || ' ' || atttypid::regtype from pg_attribute
      where attidentity <> '' and attrelid::regclass::text = any($1) order by 1`,
    [CUT_TABLES],
  )
  assert.deepEqual(
    bound.rows.map(({ text }) => text),
    ['events.event_no bigint', 'product_mappings → accounts'],
  )
})

test('every statement of the service looks up rows of the cut tables by their account', async () => {
  const own = await freshDatabase()
  await listening(async () => {
    for (const account of ['one', 'two', 'three', 'four', 'five', 'six']) await useAccount(service, account)
    await useBusyDevice(service)
    await readScenariosHere(service.pool)
    await importHere(own.pool)
  })
  const isOfLedger = (text: string) => new RegExp(`\\b(${CUT_TABLES.join('|')})\\b`).test(text)
  const statements = [...asked].filter(([name, text]) => isOfLedger(text) && !isOfFolding(name))
  const found = new Set(statements.map(([name]) => name))
  const expected = statementsOnCutTables().filter((name) => !OF_EVERYTHING.includes(name))
  assert.deepEqual(
    expected.filter((name) => !found.has(name)),
    [],
    'statements that were not asked',
  )
  for (const unnamed of UNNAMED)
    assert.ok(
      [...found].some((name) => unnamed.test(name)),
      String(unnamed),
    )
  const unkeyed = await scansOf(service.pool, 'select from orders where order_id = $1')
  assert.deepEqual(new Set(unkeyed.map(([, condition]) => /account_id/.test(condition))), new Set([false]))
  const loose: string[] = []
  const shared = new Set<string>()
  let scans = 0
  for (const [name, text] of statements) {
    const conditions = await scansOf(service.pool, text)
    for (const [table, condition] of conditions) {
      scans += 1
      if (!/account_id( \+ 0)?\)? = /.test(condition))
        loose.push(`${name.slice(0, 60)} of ${table}: ${condition || 'all rows'}`)
      // The view of devices looks its own entries up again: by the account by which these were found.
      if (!/account_id( \+ 0\))? = (\$\d|charged)/.test(condition)) shared.add(name)
    }
  }
  assert.deepEqual(loose, [])
  assert.ok(scans > statements.length, `${scans} scans of ${statements.length} statements`)
  const named = tableOf(CITUS.replaceAll(/^-- /gm, ''), 'statement').flatMap(([cell]) => cell!.match(/[a-z-]+/g)!)
  assert.deepEqual([...shared].toSorted(), named.toSorted(), 'statements for several accounts at once')
})

test('deploy/citus.sql distributes the tables that are cut here, and has the others everywhere', () => {
  const namesIn = (pattern: RegExp) => [...CITUS.matchAll(pattern)].map(([, name]) => name!)
  const distributed = namesIn(/create_distributed_table\('(\w+)', 'account_id'/g)
  assert.deepEqual(distributed.toSorted(), CUT_TABLES.toSorted())
  const schema = readFileSync(join(ROOT, 'sql', 'schema.sql'), 'utf8')
  const tables = [...schema.matchAll(/^create table (\w+)/gm)].map(([, name]) => name!)
  assert.deepEqual([...distributed, ...namesIn(/create_reference_table\('(\w+)'/g)].toSorted(), tables.toSorted())
  const dropped = namesIn(/drop constraint (\w+)/g)
  const references = [...schema.matchAll(/constraint (\w+) FOREIGN KEY/g)].map(([, name]) => name!)
  assert.deepEqual(dropped.toSorted(), references.toSorted())
})

interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Index Cond'?: string
  readonly 'Node Type': string
  readonly Plans?: readonly PlanNode[]
}

/** What a statement reads of the cut tables, whatever its values are: the table, and by what it is looked up there. */
async function scansOf(pool: Pool, text: string): Promise<readonly (readonly [string, string])[]> {
  const connection = await pool.connect()
  try {
    for (const way of ['seqscan', 'hashjoin', 'mergejoin', 'bitmapscan'])
      await connection.query(`set enable_${way} = off`)
    const { rows } = await connection.query<Record<string, readonly { readonly Plan: PlanNode }[]>>(
      `explain (generic_plan, format json) ${text}`,
    )
    const nodes = nodesOf(rows[0]!['QUERY PLAN']![0]!.Plan)
    return nodes
      .filter((node) => / Scan|^Scan/.test(node['Node Type']) && /_\d+$/.test(node['Relation Name'] ?? ''))
      .map((node) => [node['Relation Name']!, node['Index Cond'] ?? ''] as const)
  } finally {
    connection.release(true)
  }
}

const nodesOf = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

test('the rows of several accounts lie in several partitions, and all of them are what their facts give', async () => {
  const { rows } = await service.pool.query<{ readonly count: bigint }>(
    'select count(distinct tableoid) as count from orders',
  )
  assert.ok(Number(rows[0]!.count) > 1)
  const { lines, differences } = await verifyAll(service.pool)
  assert.deepEqual([lines, differences], [[], 0])
})

test('random histories on cut tables are what the methodology says', async (t) => {
  const { pool } = await freshDatabase()
  const subject = await openSubject(pool)
  t.after(() => subject.app.close())
  const { steps, accepted } = await runHistories(subject, drawHistories(23, 20))
  assert.ok(accepted > steps / 2)
})

test('a backup of cut tables is restored into whole ones, with the same hashes', async () => {
  const { pool } = await freshDatabase(0)
  await restore(pool, decodeFrames(backup(service.pool, '0.0.0')), readMigrations())
  const { lines, differences, counts } = await verifyAll(pool)
  assert.deepEqual([lines, differences, counts.orders > 0], [[], 0, true])
})
