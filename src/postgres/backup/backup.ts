// A backup: all of one moment, read by COPY while the service goes on, with what must come out of it again.
import type pg from 'pg'
import {
  encodeFrame,
  encodeJsonFrame,
  type BackupHeader,
  type Manifest,
  type SequenceState,
  type TableSum,
} from './backup-format.ts'
import { copyOut, listTables, usePortableSettings, type BackupTable } from './backup-tables.ts'
import { listApplied } from '../migrations/migrate.ts'
import { connectDirectly } from '../connection/pool.ts'

/**
 * The bytes of a backup, as they are read. One transaction sees one state of the database, however long it takes;
 * nobody waits for it. The generator returns what it has told.
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

/** Read after the snapshot was taken: a sequence is in no transaction, and so is never behind what was copied. */
async function listSequences(client: pg.Client, tables: readonly BackupTable[]): Promise<readonly SequenceState[]> {
  const found: SequenceState[] = []
  for (const { name: table, numbered } of tables) {
    for (const column of numbered) {
      const { rows: named } = await client.query<{ readonly sequence: string }>(
        'select pg_get_serial_sequence(quote_ident($1), $2) as sequence',
        [table, column],
      )
      const { rows } = await client.query<Pick<SequenceState, 'last_value' | 'is_called'>>(
        `select last_value::text, is_called from ${named[0]!.sequence}`,
      )
      found.push({ table, column, ...rows[0]! })
    }
  }
  return found
}
