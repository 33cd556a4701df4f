// Backups: every table from one snapshot, referenced tables first, read by COPY while the service runs.
import { createHash } from 'node:crypto'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { listApplied } from '../migrations.ts'
import { connectDirectly } from '../pool.ts'
import {
  encodeFrame,
  encodeJsonFrame,
  type BackupHeader,
  type Manifest,
  type SequenceState,
  type TableSum,
} from './format.ts'

export interface BackupTable {
  readonly name: string
  readonly columns: readonly string[]
  readonly key: readonly string[]
  /** Identity columns, which are numbered by a sequence. */
  readonly numbered: readonly string[]
}

/** The migration history is not copied: restoring applies the migrations, which writes it. */
const HISTORY = 'schema_migrations'

/** The output of COPY must not depend on the settings of a server, database or role. */
const PLAIN_TEXTS = `
  set client_encoding = 'UTF8';
  set timezone = 'UTC';
  set datestyle = 'ISO, YMD';
  set intervalstyle = 'postgres';
  set bytea_output = 'hex';
  set extra_float_digits = 3`

export const usePortableSettings = (client: pg.Client): Promise<unknown> => client.query(PLAIN_TEXTS)

type TableRow = BackupTable & { readonly parents: readonly string[] }

export async function listTables(client: Pick<pg.ClientBase, 'query'>): Promise<readonly BackupTable[]> {
  const { rows } = await client.query<TableRow>(
    `
    select c.relname::text as name,
      array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped
        and attgenerated = '' order by attnum) as columns,
      array(select attname::text from pg_index i, unnest(i.indkey::int2[]) with ordinality k (attnum, position)
        join pg_attribute a on a.attnum = k.attnum
        where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid order by position) as key,
      array(select attname::text from pg_attribute where attrelid = c.oid and attidentity <> '' order by attnum)
        as numbered,
      array(select p.relname::text from pg_constraint f join pg_class p on p.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as parents
    from pg_class c
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = current_schema()::regnamespace
      and c.relname <> $1
    order by name`,
    [HISTORY],
  )
  return parentsFirst(rows)
}

function parentsFirst(tables: readonly TableRow[]): readonly BackupTable[] {
  const sorted: BackupTable[] = []
  const names = new Set<string>()
  while (sorted.length < tables.length) {
    const next = tables.filter(({ name, parents }) => !names.has(name) && parents.every((parent) => names.has(parent)))
    if (next.length === 0) throw new Error('The tables refer to one another in a circle')
    for (const { name, columns, key, numbered } of next) {
      sorted.push({ name, columns, key, numbered })
      names.add(name)
    }
  }
  return sorted
}

const listOf = (names: readonly string[]): string => names.map((name) => pg.escapeIdentifier(name)).join(', ')

export const copyInStatement = ({ name, columns }: BackupTable): string =>
  `copy ${pg.escapeIdentifier(name)} (${listOf(columns)}) from stdin`

const copyOutText = ({ name, columns, key }: BackupTable): string =>
  `copy (select ${listOf(columns)} from ${pg.escapeIdentifier(name)} order by ${listOf(key)}) to stdout`

/** Streams the COPY output of a table; the checksum is known at the end. */
async function* copyOut(client: pg.Client, table: BackupTable): AsyncGenerator<Buffer, TableSum> {
  const hash = createHash('sha256')
  const rows = client.query(copyTo(copyOutText(table)))
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    hash.update(chunk)
    yield chunk
  }
  // The stream ends with the last row. The server tells their number after it, but before it answers a next query.
  await client.query('select')
  return { name: table.name, rows: rows.rowCount, sha256: hash.digest('hex') }
}

/** The checksum of the current content of a table. */
export async function checksumOf(client: pg.Client, table: BackupTable): Promise<TableSum> {
  const chunks = copyOut(client, table)
  for (;;) {
    const next = await chunks.next()
    if (next.done) return next.value
  }
}

/**
 * Streams the bytes of a backup. All tables are read in one repeatable-read transaction, so they show one snapshot, and
 * no other transaction waits for it. The generator returns the manifest that it wrote.
 */
export async function* backup(pool: pg.Pool, cradleVersion: string): AsyncGenerator<Buffer, Manifest> {
  const client = connectDirectly(pool)
  await client.connect()
  try {
    await usePortableSettings(client)
    await client.query('begin isolation level repeatable read read only')
    yield encodeJsonFrame('about', await describe(client, cradleVersion))
    const tables = await listTables(client)
    const sums: TableSum[] = []
    for (const table of tables) sums.push(yield* tableFrames(client, table))
    const manifest = { tables: sums, sequences: await listSequences(client, tables) }
    await client.query('commit')
    yield encodeJsonFrame('manifest', manifest)
    return manifest
  } finally {
    await client.end()
  }
}

async function describe(client: pg.Client, cradle: string): Promise<BackupHeader> {
  const { rows } = await client.query<{ readonly postgresql: string; readonly taken_at: Date }>(
    `select current_setting('server_version') as postgresql, now() as taken_at`,
  )
  const { postgresql, taken_at } = rows[0]!
  const migrations = await listApplied(client)
  return { format: 'cradle-backup', version: 1, cradle, postgresql, taken_at: taken_at.toISOString(), migrations }
}

async function* tableFrames(client: pg.Client, table: BackupTable): AsyncGenerator<Buffer, TableSum> {
  yield encodeJsonFrame('table', { name: table.name, columns: table.columns })
  const chunks = copyOut(client, table)
  for (;;) {
    const next = await chunks.next()
    if (next.done) return next.value
    yield encodeFrame('data', next.value)
  }
}

/** Read after the snapshot was taken: sequences are not transactional, so they are never behind the copied rows. */
async function listSequences(client: pg.Client, tables: readonly BackupTable[]): Promise<readonly SequenceState[]> {
  const sequences: SequenceState[] = []
  for (const { name: table, numbered } of tables) {
    for (const column of numbered) {
      const { rows: named } = await client.query<{ readonly sequence: string }>(
        'select pg_get_serial_sequence(quote_ident($1), $2) as sequence',
        [table, column],
      )
      const { rows } = await client.query<Pick<SequenceState, 'last_value' | 'is_called'>>(
        `select last_value::text, is_called from ${named[0]!.sequence}`,
      )
      sequences.push({ table, column, ...rows[0]! })
    }
  }
  return sequences
}
