// Releases with an account's own figures laid over them: their numbers, and a cache of the one that each account uses.
import { hash } from 'node:crypto'
import type { Pool } from 'pg'
import { raceDeadline } from '../concurrency/deadline.ts'
import { withOwnFigures } from '../engine/reference/own-figures.ts'
import { readOwnFigures, type OwnFigureRow } from '../engine/reference/read-own-figures.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'

/** A release by which new orders are calculated. */
export interface AccountRelease {
  readonly releaseId: number
  readonly referenceData: ReferenceData
}

export interface FiguresOwner {
  readonly accountId: number
  /** The version in the account's row when it was last read. */
  readonly figuresVersion: number
}

export interface AccountReleases {
  /**
   * The release with the account's own figures, if it has any: synchronous if it has none or they are cached, as they
   * nearly always are.
   */
  readonly of: (owner: FiguresOwner) => AccountRelease | Promise<AccountRelease>
  /** The next order in this process uses figures of this version or a later one, whatever its key's look-up had. */
  readonly noteChange: (accountId: number, figuresVersion: number) => void
}

/** Accounts whose figures are cached. */
const CACHED_MAX = 1_000

interface CachedRelease {
  readonly version: number
  readonly release: AccountRelease
}

/** @param served the release that is served to accounts without figures of their own */
export function createAccountReleases(
  pool: Pool,
  served: AccountRelease,
  referenceDataOf: (releaseId: number) => Promise<ReferenceData>,
): AccountReleases {
  const cached = new Map<number, CachedRelease>()
  const changed = new Map<number, number>()
  const reading = new Map<number, Promise<CachedRelease>>()

  async function read(accountId: number): Promise<CachedRelease> {
    const { version, releaseId } = await numberRelease(pool, accountId, served.releaseId)
    const found = { version, release: { releaseId, referenceData: await referenceDataOf(releaseId) } }
    cached.delete(accountId)
    cached.set(accountId, found)
    for (const other of cached.keys()) {
      if (cached.size <= CACHED_MAX) break
      cached.delete(other)
    }
    return found
  }

  /** One read at a time for an account. A read that began before the change is not enough. */
  async function readUntil(accountId: number, version: number): Promise<AccountRelease> {
    for (;;) {
      const begun = reading.get(accountId) ?? read(accountId).finally(() => reading.delete(accountId))
      reading.set(accountId, begun)
      const found = await begun
      if (found.version >= version) return found.release
    }
  }

  return {
    of: ({ accountId, figuresVersion }) => {
      if (figuresVersion === 0 && changed.size === 0) return served
      const version = Math.max(figuresVersion, changed.get(accountId) ?? 0)
      if (version === 0) return served
      const known = cached.get(accountId)
      return known && known.version >= version ? known.release : raceDeadline(readUntil(accountId, version))
    },
    noteChange: (accountId, figuresVersion) => {
      changed.delete(accountId)
      changed.set(accountId, figuresVersion)
    },
  }
}

/** The number of the release with the account's current figures; the release itself if none of them applies. */
async function numberRelease(
  pool: Pool,
  accountId: number,
  baseReleaseId: number,
): Promise<{ readonly version: number; readonly releaseId: number }> {
  const { rows } = await pool.query<{ readonly version: number; readonly release_id: number | null }>({
    name: 'find-account-release',
    text: `select accounts.figures_version as version,
        case when exists (${CURRENT} and not current.is_withdrawn) then release_id else $2 end as release_id
      from accounts left join account_releases on account_releases.account_id = $1 and base_release_id = $2
        and account_releases.figures_version = accounts.figures_version
      where accounts.account_id = $1`,
    values: [accountId, baseReleaseId],
  })
  const found = rows[0] ?? { version: 0, release_id: baseReleaseId }
  if (found.release_id !== null) return { version: found.version, releaseId: found.release_id }
  await pool.query({
    name: 'number-account-release',
    text: `insert into account_releases (account_id, base_release_id, figures_version) values ($1, $2, $3)
      on conflict do nothing`,
    values: [accountId, baseReleaseId, found.version],
  })
  return numberRelease(pool, accountId, baseReleaseId)
}

/** The latest version of each figure. */
const CURRENT = `select from account_figures current where account_id = $1 and not exists (
    select from account_figures later where later.account_id = $1 and later.kind = current.kind
      and later.figure_id = current.figure_id and later.version > current.version)`

/** True for a release with figures of an account's own. */
export const isAccountRelease = (releaseId: number): boolean => releaseId < 0

/**
 * Reads a release with own figures: the figures are those that applied when it was numbered, whatever changed since.
 * @throws Error if this database does not have the release
 */
export async function readAccountRelease(
  pool: Pick<Pool, 'query'>,
  releaseId: number,
  referenceDataOf: (releaseId: number) => ReferenceData | Promise<ReferenceData>,
): Promise<ReferenceData> {
  const { rows } = await pool.query<{ readonly base: number; readonly figures: readonly OwnFigureRow[] }>({
    name: 'read-account-release',
    text: `select base_release_id as base, (
        select coalesce(json_agg(json_build_object('kind', kind, 'id', figure_id, 'version', version, 'body', body)
          order by kind, figure_id), '[]')
        from (
          select distinct on (kind, figure_id) kind, figure_id, version, body, is_withdrawn from account_figures
          where account_figures.account_id = account_releases.account_id
            and account_figures.figures_version <= account_releases.figures_version
          order by kind, figure_id, version desc
        ) latest where not is_withdrawn) as figures
      from account_releases where release_id = $1`,
    values: [releaseId],
  })
  if (!rows[0]) throw new Error(`The database has no release ${releaseId} with figures of an account's own`)
  const { base, figures } = rows[0]
  const release = await referenceDataOf(base)
  const ofFigures = hash('sha256', JSON.stringify(figures))
  return withOwnFigures(release, readOwnFigures(figures, ofFigures, release), hash('sha256', release.hash + ofFigures))
}
