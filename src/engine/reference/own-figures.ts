// An account's own figures laid over a dataset release: they are looked up first, and nothing of the release is copied.
import type { DeviceType, GridFactor, OwnFigures, OwnLifetime, ReferenceData, TypeDefault } from './reference-data.ts'
import { layered } from './layered-map.ts'

const OWN = 'own:'

/** The id under which an order keeps an own model: with the version, so that a new version changes no stored order. */
export const ownModelId = (id: string, version: number): string => `${OWN}${id}@${version}`

/** The id without version of an own model; null for any other footprint id. */
export const idOfOwnModel = (footprintId: string): string | null =>
  footprintId.startsWith(OWN) ? footprintId.slice(OWN.length, footprintId.lastIndexOf('@')) : null

/** The id by which a model is referred to from outside an order: without version. */
export const unversionedId = (footprintId: string): string => idOfOwnModel(footprintId) ?? footprintId

const HASH_LENGTH = 8

/**
 * The release with the account's figures in front of it. Its name has the hash of these figures, so that no two sets of
 * figures have the same name.
 * @param hash SHA-256 of the release and the figures together, in hexadecimal
 */
export function withOwnFigures(release: ReferenceData, figures: OwnFigures, hash: string): ReferenceData {
  return {
    ...release,
    release: `${release.release}+${figures.hash.slice(0, HASH_LENGTH)}`,
    hash,
    models: layered(figures.models, release.models),
    aliases: layered(figures.aliases, release.aliases),
    typeDefaults: layered(typesWith(figures.lifetimes, release.typeDefaults), release.typeDefaults),
    transports: layered(figures.transports, release.transports),
    packagings: layered(figures.packagings, release.packagings),
    grid: ownGrid(figures, release),
    own: { release, figures },
  }
}

const typesWith = (
  lifetimes: ReadonlyMap<DeviceType, OwnLifetime>,
  types: ReferenceData['typeDefaults'],
): ReadonlyMap<DeviceType | 'any', TypeDefault> =>
  new Map(
    [...lifetimes].flatMap(([type, { months, source }]) => {
      const ofRelease = types.get(type)
      return ofRelease ? [[type, { ...ofRelease, lifetimeMonths: months, lifetimeSource: source }] as const] : []
    }),
  )

/** A country that the chosen series does not have keeps the factors of the release's default. */
function ownGrid({ gridSeries, grid }: OwnFigures, release: ReferenceData): ReferenceData['grid'] {
  const chosen = release.gridSeries.get(gridSeries ?? '')?.grid
  const factors = chosen ? layered(chosen, release.grid) : release.grid
  return layered(gridWith(grid, factors), factors)
}

const gridWith = (own: ReferenceData['grid'], grid: ReferenceData['grid']): ReferenceData['grid'] =>
  new Map([...own].map(([country, factors]) => [country, replaceYears(factors, grid.get(country) ?? [])]))

/** A factor of the release that overlaps an own one is left out. */
const replaceYears = (own: readonly GridFactor[], factors: readonly GridFactor[]): readonly GridFactor[] =>
  [...own, ...factors.filter((one) => !own.some((other) => overlap(one, other)))].sort((a, b) => a.year - b.year)

const overlap = (a: GridFactor, b: GridFactor): boolean => a.year <= b.latestYear && b.year <= a.latestYear
