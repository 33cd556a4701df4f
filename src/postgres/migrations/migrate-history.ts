// Compares what a database has been through with what this release knows, and says what is wrong in a sentence.
import { padVersion, type Migration } from './migrate-files.ts'

export interface AppliedMigration {
  readonly number: number
  readonly name: string
  readonly checksum: string
}

/** Nothing when the applied ones are the first of the known ones, unchanged. */
export function describeHistoryConflict(
  applied: readonly AppliedMigration[],
  known: readonly Migration[],
): string | undefined {
  const newer = applied.filter(({ number }) => number > known.length)
  if (newer.length > 0) {
    return (
      `The database is newer than this Cradle: it has ${newer.map(fileOf).join(', ')}, and this release knows ` +
      `${known.length === 0 ? 'none' : `0001 to ${padVersion(known.length)}`}. Start the newer release, or ` +
      `restore a backup ` +
      `from before its first start.`
    )
  }
  for (const [at, migration] of applied.entries()) {
    const fault = explainOne(migration, at + 1, known)
    if (fault) return fault
  }
  return undefined
}

function explainOne(applied: AppliedMigration, expected: number, known: readonly Migration[]): string | undefined {
  if (applied.number !== expected) {
    return (
      `The database lacks migration ${padVersion(expected)} and has ${fileOf(applied)}: its table ` +
      `schema_migrations was ` +
      `changed by hand. Restore it from a backup.`
    )
  }
  const { name, checksum, file } = known[expected - 1]!
  if (applied.name !== name) {
    return (
      `Migration ${fileOf(applied)} was applied to the database and is missing in this release, which has ${file} ` +
      `in its place. Bring the file back; a change goes into a new migration.`
    )
  }
  if (applied.checksum === checksum) return undefined
  return (
    `Migration ${file} was changed after it had been applied to the database. Bring its old text back; ` +
    `a change goes into a new migration.`
  )
}

function fileOf({ number, name }: AppliedMigration): string {
  return `${padVersion(number)}-${name}.sql`
}
