// The number of a dataset release, such as 2026.12 or 2026.12.1: its form, its sequence, and the next one.

/** Year and month as it is shipped; a third number counts releases that an operator derives from it. */
export const RELEASE_FORM = /^\d{4}\.(?:0[1-9]|1[0-2])(?:\.[1-9]\d{0,3})?$/

/** The number in the name of a release, which ends with the first digits of its hash: 2026.12 of 2026.12-0a1b2c3d. */
export const versionOfName = (name: string): string => name.split('-')[0]!

/** Negative, zero or positive if release number `a` is before, equal to or after `b`. Any other text is before all. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)]
  const at = [0, 1, 2].find((place) => (left[place] ?? 0) !== (right[place] ?? 0))
  return at === undefined ? 0 : (left[at] ?? 0) - (right[at] ?? 0)
}

const partsOf = (version: string): readonly number[] =>
  RELEASE_FORM.test(version) ? version.split('.').map(Number) : []

/** The next number for data that are derived from a release: 2026.12.1 after 2026.12, 2026.12.2 after that. */
export function nextVersion(version: string): string {
  const [year, month, derived = '0'] = version.split('.')
  return `${year}.${month}.${Number(derived) + 1}`
}

interface ListedRelease {
  readonly name: string
  /** Null for a release that is or was shipped with the program. */
  readonly installedAt: Date | null
}

/**
 * The release that accounts which follow the newest use: the installed or shipped one with the highest number. Releases
 * that other versions of the program shipped do not count, so that an older program serves its own again. Between equal
 * numbers, the installed one: an upgrade must not replace what the operator chose.
 */
export function newestRelease<Shipped extends { readonly name: string }, Listed extends ListedRelease>(
  shipped: Shipped,
  all: readonly Listed[],
): Shipped | Listed {
  return all
    .filter(({ installedAt }) => installedAt !== null)
    .reduce<Shipped | Listed>(
      (newest, one) => (compareVersions(versionOfName(one.name), versionOfName(newest.name)) >= 0 ? one : newest),
      shipped,
    )
}
