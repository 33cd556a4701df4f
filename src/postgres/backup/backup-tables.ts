// The tables of a database as a backup sees them: all that there are, parents first, each copied by its primary key.
import { createHash } from 'node:crypto'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { TableSum } from './backup-format.ts'

export interface BackupTable {
  readonly name: string
  readonly columns: readonly string[]
  readonly key: readonly string[]
  /** Columns that a sequence numbers. */
  readonly numbered: readonly string[]
}

/** The history of migrations is written by migrating, and told by itself. */
const HISTORY = 'schema_migrations'

/** What COPY says must not hang on how a server, a database or a role is set up. */
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

/** What COPY says of a table, as it comes; its sum is known at the end. */
export async function* copyOut(client: pg.Client, table: BackupTable): AsyncGenerator<Buffer, TableSum> {
  const hash = createHash('sha256')
  const rows = client.query(copyTo(copyOutText(table)))
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    hash.update(chunk)
    yield chunk
  }
  return { name: table.name, rows: rows.rowCount, sha256: hash.digest('hex') }
}

/** The sum of a table as it is now. */
export async function checksumOf(client: pg.Client, table: BackupTable): Promise<TableSum> {
  const chunks = copyOut(client, table)
  for (;;) {
    const next = await chunks.next()
    if (next.done) return next.value
  }
}
