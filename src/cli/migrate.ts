// `cradle migrate`: brings the database to the schema of this release, or only says whether it is there.
import { readConfig } from '../config.ts'
import { explainSchema, readMigrations } from '../postgres/migrations.ts'
import { openUnchanged } from '../postgres/database.ts'
import { print, withDatabase } from './with-database.ts'

const UP_TO_DATE = 'The schema of the database is the one of this release.'

/** With `check`, nothing is changed: ends with 0 where nothing is missing, else with 1 and what is. */
export async function migrateCommand(options: { readonly check?: boolean }): Promise<void> {
  if (!options.check) {
    await withDatabase(() => Promise.resolve())
    return print(UP_TO_DATE)
  }
  const { pool, close } = await openUnchanged(readConfig(process.env))
  try {
    const fault = await explainSchema(pool, readMigrations())
    if (fault !== undefined) throw new Error(fault)
    print(UP_TO_DATE)
  } finally {
    await close()
  }
}
