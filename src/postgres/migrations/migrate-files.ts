// Reads the migrations from their directory, and refuses a set that has no single order.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Migration {
  readonly number: number
  readonly name: string
  readonly file: string
  readonly sql: string
  /** SHA-256 of the text, in hexadecimal. */
  readonly checksum: string
}

const OWN = join(import.meta.dirname, '..', '..', '..', 'sql')

/** All `NNNN-name.sql` of a directory, this release's own unless another is named, in order from 0001 without a gap. */
export function readMigrations(directory = OWN): readonly Migration[] {
  const files = readdirSync(directory)
    .filter((file) => /^\d.*\.sql$/.test(file))
    .sort()
  const migrations = files.map((file) => readMigration(directory, file))
  migrations.forEach(({ number, file }, at) => {
    if (number === at + 1) return
    const before = migrations[at - 1]
    throw new Error(
      before?.number === number
        ? `Two migrations in ${directory} have the number ${number}: ${before.file} and ${file}. ` +
            `Renumber the newer one.`
        : `Migration ${padVersion(at + 1)} is missing in ${directory}: ${file} comes next. ` +
            `Migrations are numbered without a gap.`,
    )
  })
  return migrations
}

function readMigration(directory: string, file: string): Migration {
  const match = /^(\d{4})-([a-z0-9-]+)\.sql$/.exec(file)
  if (!match) throw new Error(`${join(directory, file)} is not named like a migration: 0001-what-it-does.sql.`)
  // Git may have given the file the line ends of Windows; that is not a change.
  const sql = readFileSync(join(directory, file), 'utf8').replaceAll('\r\n', '\n')
  const checksum = createHash('sha256').update(sql).digest('hex')
  return { number: Number(match[1]), name: match[2]!, file, sql, checksum }
}

/** A migration's number as its file bears it. */
export function padVersion(number: number): string {
  return String(number).padStart(4, '0')
}
