// The dataset release with which an account's new orders are made: the one that it pinned, else the newest; and its own
// figures over it.
import { matcherFor } from '../engine/matching/matcher.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import { compareVersions, versionOfName } from '../engine/reference/release-version.ts'
import type { CurrentRelease } from './identify-device.ts'

/** What decides on the release of an account. */
export interface ReleaseChoice {
  /** The release that the account pinned; null if it follows the newest. */
  readonly pinnedReleaseId: number | null
  /** The installed release with the highest number; null if none was installed. */
  readonly installedReleaseId: number | null
}

export interface FiguresOwner {
  readonly accountId: number
  /** Counts the changes to the account's own figures, as its row was last read; 0 if it never had any. */
  readonly figuresVersion: number
}

/** Not a promise if the release is in memory, as nearly always: then nothing needs to be awaited. */
export type ReleaseFor = (account: ReleaseChoice & FiguresOwner) => CurrentRelease | Promise<CurrentRelease>

/** The release without figures of the account's own. */
export type BaseReleaseFor = (account: ReleaseChoice) => CurrentRelease | Promise<CurrentRelease>

/**
 * @param shipped the release that is shipped with the program, which is always in memory
 * @param keptMax how many other releases are kept in memory; the one that was not used for longest is dropped
 */
export function createBaseReleaseFor(
  shipped: CurrentRelease,
  referenceDataOf: (releaseId: number) => Promise<ReferenceData>,
  keptMax: number,
): BaseReleaseFor {
  const kept = new Map<number, CurrentRelease>()
  /** Held beside them: most accounts follow the newest, and its number is compared only once. */
  let newest: { readonly installedReleaseId: number; readonly release: CurrentRelease } | null = null

  async function load(releaseId: number): Promise<CurrentRelease> {
    const referenceData = await referenceDataOf(releaseId)
    // Built now, not by the order that needs it first.
    matcherFor(referenceData)
    const release = keep({ releaseId, referenceData })
    for (const other of [...kept.keys()].slice(0, -keptMax)) kept.delete(other)
    return release
  }

  function keep(release: CurrentRelease): CurrentRelease {
    kept.delete(release.releaseId)
    kept.set(release.releaseId, release)
    return release
  }

  const open = (releaseId: number): CurrentRelease | Promise<CurrentRelease> => {
    if (releaseId === shipped.releaseId) return shipped
    const known = kept.get(releaseId)
    return known ? keep(known) : load(releaseId)
  }

  /** Between equal numbers, the installed one: an upgrade must not replace what the operator chose. */
  const newerThanShipped = (installed: CurrentRelease): CurrentRelease => {
    const [a, b] = [installed, shipped].map(({ referenceData }) => versionOfName(referenceData.release))
    const release = compareVersions(a!, b!) >= 0 ? installed : shipped
    newest = { installedReleaseId: installed.releaseId, release }
    return release
  }

  return ({ pinnedReleaseId, installedReleaseId }) => {
    if (pinnedReleaseId !== null) return open(pinnedReleaseId)
    if (installedReleaseId === null) return shipped
    if (newest?.installedReleaseId === installedReleaseId) return newest.release
    const installed = open(installedReleaseId)
    return installed instanceof Promise ? installed.then(newerThanShipped) : newerThanShipped(installed)
  }
}
