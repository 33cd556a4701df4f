// Releases with an account's own figures laid over them: their numbers, and a cache of the one that each account uses.
import { hash } from 'node:crypto'
import type { Pool } from 'pg'
import { raceDeadline } from '../concurrency/deadline.ts'
import { INVENTORY_FIGURE_KINDS } from '../engine/electricity/inventory-figures.ts'
import { withOwnFigures } from '../engine/reference/own-figures.ts'
import { readOwnFigures, type OwnFigureRow } from '../engine/reference/read-own-figures.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import type { BaseReleaseFor, ReleaseFor } from '../ledger/account-release.ts'
import type { CurrentRelease } from '../ledger/identify-device.ts'

export interface AccountReleases {
  /** Synchronous if the account has no figures of its own or they are cached, as they nearly always are. */
  readonly releaseFor: ReleaseFor
  /** The next order in this process uses figures of this version or a later one, whatever its key's look-up had. */
  readonly noteFigures: (accountId: number, figuresVersion: number) => void
}

/** Accounts whose figures are cached. */
const CACHED_MAX = 1_000

interface CachedRelease {
  readonly baseId: number
  readonly version: number
  readonly release: CurrentRelease
}

/** @param baseFor the release over which an account's own figures are laid, if it has any */
export function createAccountReleases(
  pool: Pool,
  baseFor: BaseReleaseFor,
  referenceDataOf: (releaseId: number) => Promise<ReferenceData>,
): AccountReleases {
  const cached = new Map<number, CachedRelease>()
  const changed = new Map<number, number>()
  const reading = new Map<string, Promise<CachedRelease>>()

  async function read(accountId: number, baseId: number): Promise<CachedRelease> {
    const { version, releaseId } = await numberRelease(pool, accountId, baseId)
    const found = { baseId, version, release: { releaseId, referenceData: await referenceDataOf(releaseId) } }
    cached.delete(accountId)
    cached.set(accountId, found)
    for (const other of cached.keys()) {
      if (cached.size <= CACHED_MAX) break
      cached.delete(other)
    }
    return found
  }

  /** One read at a time for an account and a release. A read that began before the change is not enough. */
  async function readUntil(accountId: number, version: number, baseId: number): Promise<CurrentRelease> {
    const name = `${accountId} ${baseId}`
    for (;;) {
      const begun = reading.get(name) ?? read(accountId, baseId).finally(() => reading.delete(name))
      reading.set(name, begun)
      const found = await begun
      if (found.version >= version) return found.release
    }
  }

  const over = (accountId: number, version: number, baseId: number): CurrentRelease | Promise<CurrentRelease> => {
    const known = cached.get(accountId)
    if (known && known.version >= version && known.baseId === baseId) return known.release
    return raceDeadline(readUntil(accountId, version, baseId))
  }

  return {
    releaseFor: (account) => {
      const base = baseFor(account)
      const { accountId, figuresVersion } = account
      if (figuresVersion === 0 && changed.size === 0) return base
      const version = Math.max(figuresVersion, changed.get(accountId) ?? 0)
      if (version === 0) return base
      if (base instanceof Promise) return base.then(({ releaseId }) => over(accountId, version, releaseId))
      return over(accountId, version, base.releaseId)
    },
    noteFigures: (accountId, figuresVersion) => {
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

/**
 * The release over which figures of an account's own are laid is exchanged, and they are kept as they were. A release
 * without such figures is simply exchanged.
 * @returns the number of the new release
 */
export async function exchangeBase(pool: Pool, releaseId: number, baseReleaseId: number): Promise<number> {
  if (!isAccountRelease(releaseId)) return baseReleaseId
  const { rows } = await pool.query<{ readonly release_id: number }>({
    name: 'exchange-base-release',
    text: `insert into account_releases (account_id, base_release_id, figures_version)
      select account_id, $2, figures_version from account_releases where release_id = $1
      on conflict (account_id, base_release_id, figures_version)
        do update set base_release_id = excluded.base_release_id
      returning release_id`,
    values: [releaseId, baseReleaseId],
  })
  if (!rows[0]) throw unknownRelease(releaseId)
  return rows[0].release_id
}

/** Figures that only the inventory of electricity uses are in no release. */
const IN_RELEASE = `kind not in ('${INVENTORY_FIGURE_KINDS.join("', '")}')`

/** The latest version of each figure. */
const CURRENT = `select from account_figures current where account_id = $1 and ${IN_RELEASE} and not exists (
    select from account_figures later where later.account_id = $1 and later.kind = current.kind
      and later.figure_id = current.figure_id and later.version > current.version)`

const unknownRelease = (releaseId: number) =>
  new Error(`The database has no release ${releaseId} with figures of an account's own`)

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
          where account_figures.account_id = account_releases.account_id and ${IN_RELEASE}
            and account_figures.figures_version <= account_releases.figures_version
          order by kind, figure_id, version desc
        ) latest where not is_withdrawn) as figures
      from account_releases where release_id = $1`,
    values: [releaseId],
  })
  if (!rows[0]) throw unknownRelease(releaseId)
  const { base, figures } = rows[0]
  const release = await referenceDataOf(base)
  const ofFigures = hash('sha256', JSON.stringify(figures))
  return withOwnFigures(release, readOwnFigures(figures, ofFigures, release), hash('sha256', release.hash + ofFigures))
}
