// Dataset releases that estimates were made with, stored completely, so that an old estimate can always be recomputed.
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import type { Pool } from 'pg'

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

/** If another process inserts the release concurrently, its row is used. */
async function addRelease(pool: Pool, name: string, hash: string, files: ReleaseFiles): Promise<ReleaseRow> {
  const packed = await promisify(brotliCompress)(JSON.stringify([...files]), { params: PACKING })
  await pool.query(
    `
    insert into dataset_releases (name, content_hash, files) values ($1, $2, $3) on conflict do nothing`,
    [name, Buffer.from(hash, 'hex'), packed],
  )
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
