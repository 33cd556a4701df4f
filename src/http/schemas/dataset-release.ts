// Schemas of dataset releases and of the figures that differ between two of them.
import Type from 'typebox'
import type { FigureChange, FigureCounts } from '../../engine/reference/release-difference.ts'
import type { GridSeries } from '../../engine/reference/reference-data.ts'
import { namedSchema, schemaRef } from '../../contract/named-schema.ts'
import { Source } from './response.ts'

const releaseId = (description: string) => Type.String({ description, examples: ['2026.12-0a1b2c3d'] })
const count = Type.Integer({ minimum: 0 })

export const DatasetReleases = namedSchema(
  'DatasetReleases',
  Type.Object(
    {
      method_version: Type.String({ description: 'Version of the formulas, which come with the program.' }),
      dataset_releases: Type.Array(
        Type.Object({
          id: releaseId('Its number, and the first digits of its hash.'),
          created_at: Type.String({ format: 'date-time', description: 'When it was first served or installed.' }),
          installed_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
            description: 'When an operator installed it; null for one that is or was shipped with the program.',
          }),
          parent: Type.Union([Type.String(), Type.Null()], {
            description: 'The release that it was made from; null if it does not say.',
          }),
          content_sha256: Type.String({ description: 'SHA-256 of its files, in hexadecimal.' }),
          is_newest: Type.Boolean({ description: 'True for the release of accounts that follow the newest.' }),
          number_of_figures: Type.Record(Type.String(), count, { description: 'How many figures it has, by kind.' }),
        }),
        { description: 'The latest to come first.' },
      ),
      grid_series: Type.Array(
        Type.Object({
          id: Type.String({ examples: ['ember-generation'] }),
          name: Type.String(),
          is_default: Type.Boolean(),
          electricity: Type.Enum(['generation', 'consumption'], {
            description: 'What a country generates, or what it consumes.',
          }),
          upstream: Type.Boolean({ description: 'The factors include the making of fuels and plants.' }),
          losses: Type.Boolean({ description: 'The factors include losses in the grid.' }),
          method_version: Type.String(),
          published_on: Type.String({ format: 'date', description: 'Day of the snapshot that was read.' }),
          years: Type.Array(Type.Integer(), { description: 'Years of the factors.' }),
          number_of_countries: count,
          source: schemaRef(Source),
        }),
        { description: 'Series of grid factors of the release that is shipped with this version.' },
      ),
    },
    { description: 'The dataset releases of this service.' },
  ),
)

const figure = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })

export const ReleaseChanges = namedSchema(
  'ReleaseChanges',
  Type.Object(
    {
      from: releaseId('The first release.'),
      to: releaseId('The second release.'),
      number_of_changes: Type.Record(Type.String(), Type.Object({ added: count, removed: count, changed: count }), {
        description: 'How many figures differ, by kind, of all pages.',
      }),
      other_files: Type.Array(Type.String(), {
        description: 'Files that differ in something else than figures: words, names, sources.',
      }),
      changes: Type.Array(
        Type.Object({
          kind: Type.String({ description: 'Kind of the figure.', examples: ['grid_factor'] }),
          key: Type.String({
            description: 'Kind, row and column of the figure.',
            examples: ['grid_factor/DE/2022/factor_kg_co2e_per_kwh'],
          }),
          change: Type.Enum(['added', 'removed', 'changed']),
          old: figure('In the first release; null if it is not there.'),
          new: figure('In the second release; null if it is not there.'),
          percent: figure('Change in percent of the old figure; null without an old figure, or if it is 0.'),
        }),
        { description: 'The figures that differ, by kind and key, page by page.' },
      ),
    },
    { description: 'How one release differs from another.' },
  ),
)

export const printSeries = ({ grid, ...series }: GridSeries) => {
  const factors = [...grid.values()]
  return {
    id: series.id,
    name: series.name,
    is_default: series.isDefault,
    electricity: series.electricity,
    upstream: series.upstream,
    losses: series.losses,
    method_version: series.methodVersion,
    published_on: series.publishedOn,
    years: [...new Set(factors.flat().map(({ year }) => year))].sort((a, b) => a - b),
    number_of_countries: factors.filter(({ length }) => length > 0).length,
    source: series.source,
  }
}

export interface Release {
  readonly releaseId: number
  readonly name: string
  readonly hash: string
  readonly createdAt: Date
  readonly installedAt: Date | null
  readonly parent: string | null
  /** True for the release of accounts that follow the newest. */
  readonly isNewest: boolean
  readonly counts: FigureCounts
}

export const printRelease = ({ counts, parent, ...release }: Release) => ({
  id: release.name,
  created_at: release.createdAt.toISOString(),
  installed_at: release.installedAt?.toISOString() ?? null,
  parent,
  content_sha256: release.hash,
  is_newest: release.isNewest,
  number_of_figures: counts,
})

const numberOrNull = (text: string | null): number | null => (text === null ? null : Number(text))

/** The decimals have at most 9 places and 13 digits, which a double states exactly. */
export const printChange = ({ old, new: current, percent, ...change }: FigureChange) => ({
  ...change,
  old: numberOrNull(old),
  new: numberOrNull(current),
  percent: numberOrNull(percent),
})
