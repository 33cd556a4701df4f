// Reads the factors and losses of electricity from the tables of a release.
import countries from 'i18n-iso-countries/index.js'
import { add, divide, parseDecimal } from '../engine/numbers/rational.ts'
import type { GridFactor, GridSeries, ReferenceData, Source, YearFigure } from '../engine/reference/reference-data.ts'
import { rowsOf, type Row, type Tables } from './csv-table.ts'

type Sources = ReadonlyMap<string, Source>

export function toGrid(rows: readonly Row[], sources: Sources): Map<string, readonly GridFactor[]> {
  const byCountry = Map.groupBy(rows, ({ cells }) => cells['country']!)
  return new Map(
    Object.keys(countries.getAlpha2Codes())
      .sort()
      .map((country) => [
        country,
        (byCountry.get(country) ?? [])
          .map(({ cells }): GridFactor => ({
            year: Number(cells['year']),
            latestYear: Number(cells['latest_year'] || cells['year']),
            factor: parseDecimal(cells['factor_kg_co2e_per_kwh']!),
            source: sources.get(cells['source']!)!,
          }))
          .sort((a, b) => a.year - b.year),
      ]),
  )
}

export function toGridSeries(
  tables: Tables,
  ofDefault: ReferenceData['grid'],
  sources: Sources,
): Map<string, GridSeries> {
  const others = Map.groupBy(rowsOf(tables, 'electricity-maps/yearly-factors.csv'), ({ cells }) => cells['series']!)
  const read = ({ cells }: Row): GridSeries => {
    const [id, source, isDefault] = [cells['id']!, sources.get(cells['source']!)!, cells['is_default'] === 'yes']
    return {
      id,
      name: cells['name']!,
      isDefault,
      electricity: cells['electricity'] as GridSeries['electricity'],
      upstream: cells['upstream'] === 'yes',
      losses: cells['losses'] === 'yes',
      methodVersion: cells['method_version']!,
      publishedOn: cells['published_on']!,
      source,
      grid: isDefault ? ofDefault : factorsOfSeries(others.get(id) ?? [], source),
    }
  }
  const series = rowsOf(tables, 'grid-series.csv').map(read)
  return new Map(series.toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault)).map((one) => [one.id, one]))
}

/** The factors of the default series, each with what the others say of its country and year. */
export function comparedWithSeries(
  grid: ReferenceData['grid'],
  series: ReferenceData['gridSeries'],
): ReferenceData['grid'] {
  const others = [...series.values()].filter(({ isDefault }) => !isDefault)
  if (others.length === 0) return grid
  const saidBy = (country: string, { year }: GridFactor) =>
    others.flatMap((one) => (one.grid.get(country) ?? []).filter((other) => other.year === year))
  return new Map(
    [...grid].map(([country, factors]) => [
      country,
      factors.map((one) => ({ ...one, others: saidBy(country, one).map(({ factor }) => factor) })),
    ]),
  )
}

const factorsOfSeries = (rows: readonly Row[], source: Source): Map<string, readonly GridFactor[]> =>
  new Map(
    [...Map.groupBy(rows, ({ cells }) => cells['country']!)].map(([country, ofCountry]) => [
      country,
      ofCountry
        .map(({ cells }): GridFactor => {
          const year = Number(cells['year'])
          return { year, latestYear: year, factor: parseDecimal(cells['factor_kg_co2e_per_kwh']!), source }
        })
        .sort((a, b) => a.year - b.year),
    ]),
  )

/**
 * Shares of what is fed in: losses ÷ (generation + losses), so that ℓ ÷ (1 − ℓ) is losses ÷ generation, exactly.
 * Releases that were stored before there were losses have none.
 */
export function toGridLosses(rows: readonly Row[], sources: Sources): Map<string, readonly YearFigure[]> {
  const byCountry = Map.groupBy(rows, ({ cells }) => cells['country']!)
  const read = ({ cells }: Row): YearFigure => {
    const generation = parseDecimal(cells['generation_kg_co2e_per_kwh']!)
    const losses = parseDecimal(cells['losses_kg_co2e_per_kwh']!)
    const value = divide(losses, add(generation, losses))
    return { year: Number(cells['year']), value, source: sources.get(cells['source']!)! }
  }
  return new Map([...byCountry].map(([country, own]) => [country, own.map(read).sort((a, b) => a.year - b.year)]))
}
