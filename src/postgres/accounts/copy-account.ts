// Copies an account with all its data and settings to a new account, such as a sandbox; nothing is shared by the two.
import { escapeIdentifier } from 'pg'
import type pg from 'pg'
import { listTables, type BackupTable } from '../backup/backup.ts'
import { connectDirectly } from '../pool.ts'
import type { Connection } from '../transaction.ts'

interface TableCopy {
  /** SQL for columns that have another value in the copy. */
  readonly replaced?: Readonly<Record<string, string>>
  /** Columns that hold the number of a release, which is the account's own if it is negative. */
  readonly releases?: readonly string[]
  /** The column by which the rows are sorted: entries lie by time, and events are numbered anew in their sequence. */
  readonly sortedBy?: string
}

/** What is copied, parents first. A table with a column `account_id` is either here or below. */
export const COPIED_TABLES: Readonly<Record<string, TableCopy>> = {
  // The key is one of the original.
  account_figures: { replaced: { created_by_key: 'null' } },
  account_releases: {},
  orders: { releases: ['release_id'] },
  entries: { releases: ['release_id', 'device_release_id'], sortedBy: 'posted_at' },
  events: { sortedBy: 'event_no' },
  erasures: {},
  period_closings: {},
  product_mappings: {},
  import_profiles: {},
  // A lease that is left of work that has ended is one of the original.
  imports: { replaced: { lease_owner: 'null', lease_until: `'-infinity'::timestamptz` } },
  import_chunks: {},
  import_errors: {},
  restatements: {},
  restated_emissions: {},
}

/** What is not, and why. */
export const NOT_COPIED_TABLES: Readonly<Record<string, string>> = {
  accounts: 'its settings are copied, see SETTINGS_NOT_COPIED',
  api_keys: 'the copy gets keys of its own',
  console_sessions: 'they belong to keys',
  statement_keys: 'the copy must not sign as the original; its own key is created with its first statement',
  webhooks: 'the copy must not send to the receivers of the original',
  webhook_deliveries: 'they belong to webhooks',
  feed_outbox: 'the feed of the copy begins with what happens in it',
  feed: 'the feed of the copy begins with what happens in it',
  feed_heads: 'the feed of the copy begins with what happens in it',
  pact_clients: 'the customers of the original must not read the copy',
  pact_footprints: 'they were published by the original',
  pact_messages: 'they belong to clients',
  fact_chunks: 'rolled up again from the entries',
  report_watermarks: 'rolled up again from the entries',
}

/** Columns of `accounts`; all others are settings. */
const SETTINGS_NOT_COPIED: readonly string[] = [
  'account_id',
  'name',
  'created_at',
  'demo_of',
  'demo_facts',
  'demo_loaded_at',
  'imports_served_at',
]

/** `busy`: a file is being imported, or a restatement is calculated or posted. */
export type CopiedAccount = { readonly accountId: number; readonly rows: number } | 'unknown' | 'name-taken' | 'busy'

/**
 * Copies in one transaction and from one snapshot, without a time limit, while the service runs: the copy is there
 * completely or not at all, and no other account waits for it.
 * @throws Error if the schema has a table that is neither copied nor left out on purpose
 */
export async function copyAccount(pool: pg.Pool, name: string, copyName: string): Promise<CopiedAccount> {
  const client = connectDirectly(pool)
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read')
    const copied = await copyIn(client, name, copyName)
    await client.query(typeof copied === 'object' ? 'commit' : 'rollback')
    return copied
  } finally {
    // Without a commit, the end of the connection rolls back.
    await client.end()
  }
}

async function copyIn(client: Connection, name: string, copyName: string): Promise<CopiedAccount> {
  const tables = await listTables(client)
  const forgotten = tables.filter(
    ({ name: table, columns }) =>
      columns.includes('account_id') && !(table in COPIED_TABLES) && !(table in NOT_COPIED_TABLES),
  )
  if (forgotten.length > 0)
    throw new Error(`It is not known how to copy the table ${forgotten.map((table) => table.name).join(', ')}`)
  const accountId = await findByName(client, name)
  if (accountId === null) return 'unknown'
  if (await isBusy(client, accountId)) return 'busy'
  const copyId = await copySettings(client, tables, accountId, copyName)
  if (copyId === null) return 'name-taken'
  let rows = 0
  const byName = new Map(tables.map((table) => [table.name, table]))
  for (const [table, copy] of Object.entries(COPIED_TABLES)) {
    const { rowCount } = await client.query(copyStatement(byName.get(table)!, copy), [accountId, copyId])
    rows += rowCount ?? 0
  }
  return { accountId: copyId, rows }
}

async function findByName(client: Connection, name: string): Promise<number | null> {
  const text = 'select account_id from accounts where name = $1'
  return (await client.query<{ readonly account_id: number }>(text, [name])).rows[0]?.account_id ?? null
}

async function isBusy(client: Connection, accountId: number): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from imports where account_id = $1 and state in ('uploading', 'queued', 'running', 'reversing')
    union all
    select from restatements where account_id = $1 and state in ('previewing', 'applying')`,
    [accountId],
  )
  return rowCount !== 0
}

/** The number of the new account; null if its name is taken. */
async function copySettings(
  client: Connection,
  tables: readonly BackupTable[],
  accountId: number,
  copyName: string,
): Promise<number | null> {
  const { columns } = tables.find(({ name }) => name === 'accounts')!
  const settings = columns.filter((column) => !SETTINGS_NOT_COPIED.includes(column))
  const { rows } = await client.query<{ readonly account_id: number }>(
    `insert into accounts (name, ${listOf(settings)}) select $2, ${listOf(settings)} from accounts where account_id = $1
    on conflict do nothing returning account_id`,
    [accountId, copyName],
  )
  return rows[0]?.account_id ?? null
}

const listOf = (columns: readonly string[]): string => columns.map((column) => escapeIdentifier(column)).join(', ')

/**
 * Identity columns are numbered anew, by the database. So the releases with own figures have other numbers in the copy,
 * and rows that name one get the number of the release with the same base and the same version of the figures.
 */
function copyStatement(
  { name, columns, numbered }: BackupTable,
  { replaced = {}, releases = [], sortedBy }: TableCopy,
): string {
  const copied = columns.filter((column) => column !== 'account_id' && !numbered.includes(column))
  const values = copied.map((column) => {
    const own = `source.${escapeIdentifier(column)}`
    return replaced[column] ?? (releases.includes(column) ? `coalesce(of_${column}.copy_id, ${own})` : own)
  })
  const joins = releases.map((column) => `left join renumbered of_${column} on of_${column}.own_id = source.${column}`)
  return `with renumbered as materialized (
      select own.release_id as own_id, copy.release_id as copy_id
      from account_releases own join account_releases copy using (base_release_id, figures_version)
      where own.account_id = $1::integer and copy.account_id = $2::integer
    )
    insert into ${escapeIdentifier(name)} (account_id, ${listOf(copied)})
    select $2::integer, ${values.join(', ')}
    from ${escapeIdentifier(name)} source ${joins.join(' ')}
    where source.account_id = $1::integer
    ${sortedBy === undefined ? '' : `order by source.${escapeIdentifier(sortedBy)}`}`
}
