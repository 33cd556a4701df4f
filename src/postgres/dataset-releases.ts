// Dataset releases that estimates were made with, stored completely, so that an old estimate can always be recomputed.
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import type { Pool } from 'pg'
import { newestRelease } from '../engine/reference/release-version.ts'
import { noticeOf } from '../engine/feed-events.ts'
import { addNotices } from './feed.ts'
import { CLOCK_SQL } from './row-encoding.ts'
import { inTransaction, type Connection } from './transaction.ts'

/** The highest quality would save 10 kB per release, but would take most of the time of the first start. */
const PACKING = { [constants.BROTLI_PARAM_QUALITY]: 5 }

/** The files of a release: file name to text. */
export type ReleaseFiles = ReadonlyMap<string, string>

interface ReleaseRow {
  readonly release_id: number
  readonly content_hash: Buffer
}

/**
 * The id of a release in this database. Its files are stored when the release is first used.
 * @throws Error if the name is taken by other content: two different datasets must never share a name
 */
export async function registerRelease(pool: Pool, name: string, hash: string, files: ReleaseFiles): Promise<number> {
  const known = (await findRelease(pool, name)) ?? (await addRelease(pool, name, hash, files))
  if (known.content_hash.toString('hex') !== hash) {
    throw new Error(
      `The database holds another dataset release named "${name}"; give the changed data a new name in data/RELEASE`,
    )
  }
  return known.release_id
}

export interface ReleaseSummary {
  readonly releaseId: number
  /** Its number and the first digits of its hash: 2026.12-0a1b2c3d. */
  readonly name: string
  /** SHA-256 of its files, in hexadecimal. */
  readonly hash: string
  /** When it was first served or installed. */
  readonly createdAt: Date
  /** When an operator installed it; null for one that is or was shipped with the program. */
  readonly installedAt: Date | null
}

const SUMMARY = `release_id as "releaseId", name, encode(content_hash, 'hex') as hash, first_used_at as "createdAt",
  installed_at as "installedAt"`

/** All releases of this database, in the sequence in which they came into it. */
export async function listReleases(pool: Pool): Promise<readonly ReleaseSummary[]> {
  return (await pool.query<ReleaseSummary>(`select ${SUMMARY} from dataset_releases order by release_id`)).rows
}

export type Installed =
  | { readonly outcome: 'installed' | 'installed-already' }
  /** The number is that of another release, with other content. */
  | { readonly outcome: 'taken'; readonly by: string }

interface DescribedRelease {
  /** Its number: the name without the digits of its hash. */
  readonly version: string
  readonly name: string
  readonly hash: string
  /** Whether accounts that follow the newest release use it from now on. */
  readonly isNewest: boolean
}

/**
 * Makes a release available, as a whole or not at all. A shipped one is only marked as installed.
 */
export async function installRelease(
  pool: Pool,
  { version, name, hash, isNewest }: DescribedRelease,
  files: ReleaseFiles,
): Promise<Installed> {
  const packed = await pack(files)
  return inTransaction(pool, async (connection) => {
    // Two commands that install at the same time must not both find the number free.
    await connection.query('lock table dataset_releases in share row exclusive mode')
    const { rows } = await connection.query<Pick<ReleaseSummary, 'name' | 'hash' | 'installedAt'>>(
      `select name, encode(content_hash, 'hex') as hash, installed_at as "installedAt" from dataset_releases
        where split_part(name, '-', 1) = $1`,
      [version],
    )
    const same = rows.find((row) => row.hash === hash)
    const other = rows.find((row) => row.hash !== hash)
    if (same?.installedAt) return { outcome: 'installed-already' }
    if (other) return { outcome: 'taken', by: other.name }
    await connection.query(
      `insert into dataset_releases (name, content_hash, files, installed_at) values ($1, $2, $3, now())
        on conflict (name) do update set installed_at = now()`,
      [name, Buffer.from(hash, 'hex'), packed],
    )
    // A shipped one was told of when it came.
    if (!same) await addNotices(connection, null, [noticeOf('release.available', [name])])
    if (isNewest) await tellFollowers(connection, name)
    return { outcome: 'installed' }
  })
}

/** Tells the accounts that follow the newest release which one that is from now on. */
async function tellFollowers(connection: Connection, name: string): Promise<void> {
  await connection.query(
    `insert into feed_outbox (account_id, type, posted_at, subjects)
    select account_id, 'release.applied', ${CLOCK_SQL}, array[$1::text] from accounts where dataset_release_id is null`,
    [name],
  )
}

/** The id of a release by its name; null if this database does not have it. */
export const findReleaseId = async (pool: Pool, name: string): Promise<number | null> =>
  (await findRelease(pool, name))?.release_id ?? null

async function findRelease(pool: Pool, name: string): Promise<ReleaseRow | undefined> {
  const { rows } = await pool.query<ReleaseRow>(
    'select release_id, content_hash from dataset_releases where name = $1',
    [name],
  )
  return rows[0]
}

const pack = (files: ReleaseFiles): Promise<Buffer> =>
  promisify(brotliCompress)(JSON.stringify([...files]), { params: PACKING })

/** If another process inserts the release concurrently, its row is used. */
async function addRelease(pool: Pool, name: string, hash: string, files: ReleaseFiles): Promise<ReleaseRow> {
  const packed = await pack(files)
  await inTransaction(pool, async (connection) => {
    const { rowCount } = await connection.query(
      `insert into dataset_releases (name, content_hash, files) values ($1, $2, $3) on conflict do nothing`,
      [name, Buffer.from(hash, 'hex'), packed],
    )
    if (rowCount !== 1) return
    await addNotices(connection, null, [noticeOf('release.available', [name])])
    const { rows } = await connection.query<Pick<ReleaseSummary, 'name' | 'installedAt'>>(
      'select name, installed_at as "installedAt" from dataset_releases',
    )
    if (newestRelease({ name }, rows).name === name) await tellFollowers(connection, name)
  })
  return (await findRelease(pool, name))!
}

/**
 * The files of a release.
 * @throws Error if this database does not have the release
 */
export async function filesOfRelease(pool: Pool, releaseId: number): Promise<ReleaseFiles> {
  const { rows } = await pool.query<{ files: Buffer }>('select files from dataset_releases where release_id = $1', [
    releaseId,
  ])
  if (!rows[0]) throw new Error(`The database has no dataset release ${releaseId}`)
  const text = await promisify(brotliDecompress)(rows[0].files)
  return new Map(JSON.parse(text.toString('utf8')) as [string, string][])
}
