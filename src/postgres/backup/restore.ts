// Restores schema and rows of a backup into an empty database and compares them with the manifest, in one transaction.
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { BackupHeader, Frame, Manifest, TableFrame } from './format.ts'
import { copyInStatement, listTables, usePortableSettings, checksumOf, type BackupTable } from './backup.ts'
import {
  applyWithin,
  createHistory,
  describeHistoryConflict,
  migrate,
  takeMigrationLock,
  type Migration,
} from '../migrations.ts'
import { connectDirectly } from '../pool.ts'

/**
 * Runs in one transaction: after a failure the database is as empty as before. A backup of an older schema is restored
 * with that schema; migrateRestored then upgrades it to the schema of this release.
 * @throws Error with a sentence if the database is not empty, or the backup is incomplete
 */
export async function restore(
  pool: pg.Pool,
  frames: AsyncIterable<Frame>,
  migrations: readonly Migration[],
): Promise<Manifest> {
  const client = connectDirectly(pool)
  await client.connect()
  try {
    // A service that starts meanwhile waits for this lock, and then finds the schema.
    await takeMigrationLock(client)
    await usePortableSettings(client)
    await client.query('begin')
    await refuseFull(client)
    const manifest = await load(client, frames, migrations)
    await client.query('commit')
    await client.query('analyze')
    return manifest
  } finally {
    // Ending the session rolls back whatever is not committed.
    await client.end()
  }
}

/** Migrates the restored schema to that of this release. */
export const migrateRestored = (pool: pg.Pool, migrations: readonly Migration[]): Promise<readonly Migration[]> =>
  migrate(pool, migrations)

async function refuseFull(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ readonly name: string }>(`
    select c.relname::text as name from pg_class c
    where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and c.relnamespace = current_schema()::regnamespace
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by name limit 1`)
  if (rows[0]) {
    throw new Error(
      `The database is not empty: it has ${rows[0].name}. A backup is restored into a new database only, or ` +
        `with a CRADLE_DATA_DIR where there is nothing yet`,
    )
  }
}

async function load(
  client: pg.Client,
  frames: AsyncIterable<Frame>,
  migrations: readonly Migration[],
): Promise<Manifest> {
  const reader = frames[Symbol.asyncIterator]()
  const next = async (): Promise<Frame | null> => {
    const { value, done } = (await reader.next()) as IteratorResult<Frame, unknown>
    return done ? null : value
  }
  try {
    const first = await next()
    if (first?.kind !== 'about') throw new Error('The backup does not say what it is')
    await createSchema(client, JSON.parse(first.payload.toString()) as BackupHeader, migrations)
    const tables = await listTables(client)
    const manifest = await loadTables(client, tables, next)
    await compare(client, tables, manifest)
    await setSequences(client, manifest)
    return manifest
  } finally {
    await reader.return?.(undefined)
  }
}

type NextFrame = () => Promise<Frame | null>

async function loadTables(client: pg.Client, tables: readonly BackupTable[], next: NextFrame): Promise<Manifest> {
  let at = await next()
  while (at?.kind === 'table') at = await loadTable(client, tables, at, next)
  if (at?.kind !== 'manifest') throw new Error('The backup ends before its manifest')
  if ((await next()) !== null) throw new Error('The backup goes on after its manifest')
  return JSON.parse(at.payload.toString()) as Manifest
}

async function setSequences(client: pg.Client, { sequences }: Manifest): Promise<void> {
  for (const { table, column, last_value, is_called } of sequences) {
    await client.query('select setval(pg_get_serial_sequence(quote_ident($1), $2), $3, $4)', [
      table,
      column,
      last_value,
      is_called,
    ])
  }
}

async function createSchema(client: pg.Client, about: BackupHeader, migrations: readonly Migration[]): Promise<void> {
  if (about.format !== 'cradle-backup' || about.version !== 1) {
    throw new Error(`The backup has another format, written by Cradle ${about.cradle}`)
  }
  const fault = describeHistoryConflict(about.migrations, migrations)
  if (fault !== undefined) throw new Error(`The schema of the backup is not known here. ${fault}`)
  await createHistory(client)
  for (const migration of migrations.slice(0, about.migrations.length)) await applyWithin(client, migration)
}

/** @returns the frame after those of the table */
async function loadTable(
  client: pg.Client,
  tables: readonly BackupTable[],
  { payload }: Frame,
  next: NextFrame,
): Promise<Frame | null> {
  const { name, columns } = JSON.parse(payload.toString()) as TableFrame
  const table = tables.find((known) => known.name === name)
  if (table?.columns.join() !== columns.join())
    throw new Error(`The table ${name} of the backup is not the one of its schema`)
  const rows = client.query(copyFrom(copyInStatement(table)))
  // Observed from the start: a rejected row ends the stream while the next frame is still being read.
  const isStored = finished(rows)
  isStored.catch(() => undefined)
  let at = await next()
  for (; at?.kind === 'data'; at = await next()) {
    if (!rows.write(at.payload)) await Promise.race([drained(rows), isStored])
  }
  rows.end()
  await isStored
  return at
}

const drained = (stream: NodeJS.WritableStream): Promise<void> =>
  new Promise((resolve) => stream.once('drain', () => resolve()))

/**
 * Compares every restored table with the manifest: its name and the hash of its rows. Not their number, which the hash
 * implies: a backup of an earlier commit can state 0 where the database told the number after the rows.
 */
async function compare(client: pg.Client, tables: readonly BackupTable[], manifest: Manifest): Promise<void> {
  const named = manifest.tables.map(({ name }) => name)
  const lacking = tables.find(({ name }) => !named.includes(name))
  if (lacking || named.length !== tables.length)
    throw new Error(`The backup lacks a table, or has one too many: ${lacking?.name ?? named.join(', ')}`)
  for (const table of tables) {
    const expected = manifest.tables.find(({ name }) => name === table.name)!
    const checksum = await checksumOf(client, table)
    if (checksum.sha256 !== expected.sha256) {
      throw new Error(
        `The table ${table.name} of the backup has ${checksum.rows} rows with the hash ${checksum.sha256}, and by ` +
          `its manifest ${expected.rows} with ${expected.sha256}`,
      )
    }
  }
}
