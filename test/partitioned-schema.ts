// The tables of the ledger cut into partitions by account: a statement is asked of several, as on several machines.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Migration } from '../src/postgres/migrations.ts'

/** The tables whose rows are many: all that an account has. The others are small, and needed everywhere. */
export const CUT_TABLES: readonly string[] = [
  'product_mappings',
  'orders',
  'entries',
  'events',
  'import_chunks',
  'import_errors',
  'fact_chunks',
  'restated_emissions',
]

/** The name under which a migration created a table that a later one renamed. */
const FORMER_NAMES: Readonly<Record<string, string>> = {
  import_chunks: 'import_pieces',
  import_errors: 'import_faults',
  fact_chunks: 'report_chunks',
}
const CUT_NAMES: readonly string[] = [...CUT_TABLES, ...Object.values(FORMER_NAMES)]

/** Statements that fold entries for reports, or forget it: they look for what to do in all accounts. */
const OF_FOLDING: readonly string[] = [
  ...['find-watermark', 'find-last-fact-chunk', 'write-fact-chunk', 'find-safe-watermark', 'find-accounts-to-roll-up'],
  ...['create-watermark', 'lock-watermark', 'find-lagging-beyond', 'halve-rollup', 'end-rollup', 'move-watermark'],
  ...['find-orders-of-entries', 'find-fact-chunk', 'declare postings no scroll cursor'],
]
/** Statements on the feed, webhooks and deliveries, which are not cut. */
const OF_EVENTS: readonly string[] = [
  ...['add-notices', 'find-last-position', 'lock-feed', 'find-waiting-notices', 'settle-feed', 'read-feed'],
  ...['read-feed-at', 'delete-old-feed', 'find-feed-work', 'add-webhook-deliveries', 'claim-webhook-deliveries'],
  ...['release-webhook-delivery', 'finish-webhook-delivery', 'list-webhook-deliveries', 'add-test-delivery'],
  ...['replay-webhook-delivery', 'delete-old-deliveries', 'list-webhooks', 'change-webhook'],
  ...['rotate-webhook-secret', 'find-webhook', 'add-webhook', 'delete-webhook'],
]
/** Statements on tables alone that are not cut: imports, accounts with their keys, what the database says of itself. */
const ELSEWHERE: readonly string[] = [
  ...['lease-import', 'find-import', 'list-imports', 'record-import-batch', 'record-import-reversal'],
  ...['count-queued-imports', 'extend-upload-lease'],
  ...['put-import-profile', 'find-import-profile', 'delete-import-profile', 'list-import-profiles'],
  'find-import-profiles-by-header',
  ...['list-figures', 'find-figures', 'find-same-figures', 'store-figures'],
  ...['find-account-release', 'number-account-release', 'read-account-release', 'exchange-base-release'],
  ...['add-restatement', 'find-restatement', 'list-restatements', 'apply-restatement', 'delete-restatement'],
  ...['find-restatement-in-progress', 'claim-restatement'],
  ...['add-pact-request', 'claim-pact-messages', 'claim-pact-clients'],
  ...['add-pact-client', 'find-pact-client', 'list-pact-footprints', 'find-pact-footprint'],
  ...['find-account', 'lock-account', 'record-key-use', 'find-caller', 'find-session-caller'],
  ...[
    'find-last-erasure',
    'find-statement-key',
    'add-statement-key',
    'find-position',
    'find-lagging',
    'find-posting-time',
  ],
]

export const isOfFolding = (name: string): boolean => OF_FOLDING.includes(name.split(' for ')[0]!)

/** The names that src/postgres gives to statements on the cut tables. */
export function statementsOnCutTables(): readonly string[] {
  const folder = join(import.meta.dirname, '..', 'src', 'postgres')
  const texts = globSync('**/*.ts', { cwd: folder })
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => readFileSync(join(folder, path), 'utf8'))
  const names = texts.flatMap((text) => [...text.matchAll(/\bname: '([a-z]+(?:-[a-z]+)+)'/g)].map(([, name]) => name!))
  const others = [...ELSEWHERE, ...OF_EVENTS, ...OF_FOLDING]
  return [...names.filter((name) => !others.includes(name)), 'lock-devices-wait', 'lock-devices-skip']
}

/** The same migrations, numbers and checksums; a database made by them counts as made by the real ones. */
export function partitioned(migrations: readonly Migration[], count: number): readonly Migration[] {
  const cut: string[] = []
  const changed = migrations.map((migration) => ({
    ...migration,
    sql: migration.sql.replace(/^create table (\w+) \(\n([^]*?)^\);$/gm, (whole, table: string, body: string) => {
      if (!CUT_NAMES.includes(table)) return whole
      cut.push(table)
      const parts = partsOf(table, migration.number, count)
      return [`create table ${table} (\n${body}) partition by hash (account_id);`, ...parts].join('\n')
    }),
  }))
  assert.deepEqual([...new Set(cut)].toSorted(), CUT_TABLES.map((table) => FORMER_NAMES[table] ?? table).toSorted())
  return changed
}

/** Named by the migration that makes them, since a table may be made anew. */
const partsOf = (table: string, made: number, count: number): readonly string[] =>
  Array.from(
    { length: count },
    (_, at) =>
      `create table ${table}_${made}_${at} partition of ${table} for values with (modulus ${count}, remainder ${at});`,
  )
