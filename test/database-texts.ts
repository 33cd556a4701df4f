// All texts of a database: every row of every table, as JSON, so that a name is found in whatever column it is.
import type { Pool } from 'pg'
import { listTables } from '../src/postgres/backup/backup.ts'

/** The rows that contain one of the texts; contents that are bytes are searched as such. */
export async function textsInDatabase(pool: Pool, texts: readonly string[]): Promise<readonly string[]> {
  const found: string[] = []
  const hex = texts.map((text) => Buffer.from(text).toString('hex'))
  for (const { name } of await listTables(pool)) {
    if (name === 'dataset_releases') continue
    const { rows } = await pool.query<{ readonly row: string }>(
      `select row from (select $1 || ' ' || to_json(t)::text as row from ${name} as t) as rows
      where exists (select from unnest($2::text[]) as wanted (part) where strpos(row, part) > 0)`,
      [name, [...texts, ...hex]],
    )
    found.push(...rows.map(({ row }) => row))
  }
  return found
}
