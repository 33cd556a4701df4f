// The inventory of electricity: emissions of the same kilowatt-hours by place, by market, and of losses on their way.
import { monthText } from '../numbers/calendar.ts'
import { sumMilligrams, type Milligrams } from '../numbers/emission.ts'
import { ONE, divide, multiply, subtract, type Rational } from '../numbers/rational.ts'
import type { GridSeries, ReferenceData, Source, YearFigure } from '../reference/reference-data.ts'
import { gridFactors } from '../resolve-order.ts'
import { ofYear } from '../use-phase.ts'
import { emissionOfEnergy, sumEnergy, type MilliwattHours } from './energy.ts'
import { coverEnergy, type Covered, type Instrument } from './instruments.ts'
import { instrumentsKey, type InventoryFigures } from './inventory-figures.ts'

/** The electricity of one customer in one country, or where none is stated, in the twelve months of the year. */
export interface CountryEnergy {
  readonly customerId: string
  readonly country: string | null
  readonly months: readonly MilliwattHours[]
}

/** How near in time a factor is: of the month, of its year, or of another year. */
export const FACTOR_QUALITIES = ['month', 'year_same', 'year_near'] as const
export type FactorQuality = (typeof FACTOR_QUALITIES)[number]

/** The average intensity of a country's electricity, kg CO2e per kWh. */
export interface LocationFactor {
  readonly factor: Rational
  readonly quality: FactorQuality
  /** The year that it is of, or the earliest of several. */
  readonly year: number
  readonly source: Source
  /** The series of grid factors; null for a figure of the account's own. */
  readonly series: string | null
}

/** A part of a month's electricity with the factor that it has on the market. */
export type MarketPart = { readonly energy: MilliwattHours } & (
  | { readonly by: 'instrument'; readonly instrument: Instrument; readonly emission: Milligrams }
  | { readonly by: 'residual_mix'; readonly residual: YearFigure; readonly emission: Milligrams }
  /** Without a residual mix the average stands in; null without that either. */
  | { readonly by: 'location_average'; readonly emission: Milligrams | null }
)

export interface InventoryLine {
  /** YYYY-MM */
  readonly month: string
  readonly country: string | null
  readonly energy: MilliwattHours
  /** True once the month is over and its own factor is there. */
  readonly isSettled: boolean
  /** Null if no factor of the country is known. */
  readonly location: { readonly factor: LocationFactor; readonly emission: Milligrams } | null
  readonly market: readonly MarketPart[]
  /** Null if no share is known, or if the factor includes them. */
  readonly losses: { readonly share: YearFigure; readonly emission: Milligrams } | null
}

/** What the lines are calculated with. */
export interface InventoryBasis {
  readonly year: number
  readonly referenceData: ReferenceData
  readonly figures: InventoryFigures
  /** The current month, YYYY-MM: it is not over. */
  readonly currentMonth: string
}

/**
 * One line for each month and country with electricity, by month and then country; electricity without a country comes
 * last in its month. METHODOLOGY.md#electricity-by-month
 */
export function inventoryLines(energies: readonly CountryEnergy[], basis: InventoryBasis): readonly InventoryLine[] {
  const countries = [...Map.groupBy(energies, ({ country }) => country)]
    .map(([country, own]) => ({ country, own, covered: own.flatMap((one) => coveredOf(one, basis)) }))
    .sort((a, b) => ((a.country ?? LAST) < (b.country ?? LAST) ? -1 : 1))
  return Array.from({ length: 12 }, (_, month) => month).flatMap((month) =>
    countries.flatMap(({ country, own, covered }) => {
      const energy = sumEnergy(own.map(({ months }) => months[month]!))
      if (energy === 0n) return []
      const ofMonth = covered.filter((one) => one.month === month)
      return [toLine(month, country, energy, ofMonth, basis)]
    }),
  )
}

/** After all codes of countries. */
const LAST = '~'

function coveredOf({ customerId, country, months }: CountryEnergy, { figures, year }: InventoryBasis) {
  if (country === null) return []
  return coverEnergy(months, figures.instruments.get(instrumentsKey(customerId, country)) ?? [], year)
}

function toLine(
  at: number,
  country: string | null,
  energy: MilliwattHours,
  covered: readonly Covered[],
  basis: InventoryBasis,
): InventoryLine {
  const month = monthText(12 * basis.year + at)
  const factor = country === null ? null : locationFactor(country, month, basis)
  return {
    month,
    country,
    energy,
    isSettled: factor?.quality === 'month' && month < basis.currentMonth,
    location: factor && { factor, emission: emissionOfEnergy(energy, factor.factor) },
    market: [
      ...covered.map(({ instrument, energy: part }) => ({
        by: 'instrument' as const,
        instrument,
        energy: part,
        emission: emissionOfEnergy(part, instrument.factor),
      })),
      ...restOnMarket(energy - sumEnergy(covered.map((one) => one.energy)), country, factor, basis),
    ],
    losses: country === null || factor === null ? null : lossesOf(energy, country, factor, basis),
  }
}

/** The month's own factor; else that of the year, as use by grid takes it. Null for a country without a factor. */
function locationFactor(
  country: string,
  month: string,
  { year, referenceData, figures }: InventoryBasis,
): LocationFactor | null {
  const own = figures.months.get(`${country}-${month}`)
  if (own) return { ...own, quality: 'month', year, series: null }
  const factors = gridFactors(country, referenceData)
  if (factors.length === 0) return null
  const found = ofYear(year, factors)
  const isSame = found.year === year && found.latestYear === year
  const series = found.source.origin === 'account' ? null : (seriesOf(country, referenceData)?.id ?? null)
  return {
    factor: found.factor,
    quality: isSame ? 'year_same' : 'year_near',
    year: found.year,
    source: found.source,
    series,
  }
}

/** The series of which a country has its factors: the one that the account chose, else the default. */
export function seriesOf(country: string | null, { gridSeries, own }: ReferenceData): GridSeries | null {
  const chosen = gridSeries.get(own?.figures.gridSeries ?? '')
  if (chosen && (country === null || chosen.grid.has(country))) return chosen
  return gridSeries.values().find(({ isDefault }) => isDefault) ?? null
}

/** What no instrument covers has the residual mix, else the average of the place. */
function restOnMarket(
  energy: MilliwattHours,
  country: string | null,
  location: LocationFactor | null,
  { year, figures }: InventoryBasis,
): readonly MarketPart[] {
  if (energy === 0n) return []
  const mixes = figures.residualMixes.get(country ?? '')
  if (!mixes) {
    const emission = location && emissionOfEnergy(energy, location.factor)
    return [{ by: 'location_average', energy, emission }]
  }
  const residual = ofYear(year, mixes)
  return [{ by: 'residual_mix', energy, residual, emission: emissionOfEnergy(energy, residual.value) }]
}

/**
 * Losses of transmission and distribution: kWh × EF × ℓ ÷ (1 − ℓ), where ℓ is the share of what is fed in. The
 * account's own shares of a country come before those of the release. Nothing is added to a series that includes them.
 * METHODOLOGY.md#market-based-electricity
 */
function lossesOf(
  energy: MilliwattHours,
  country: string,
  { factor, series }: LocationFactor,
  { year, figures, referenceData }: InventoryBasis,
): InventoryLine['losses'] {
  const shares = figures.losses.get(country) ?? referenceData.gridLosses.get(country)
  if (!shares || (series !== null && referenceData.gridSeries.get(series)!.losses)) return null
  const share = ofYear(year, shares)
  const perKilowattHour = multiply(factor, divide(share.value, subtract(ONE, share.value)))
  return { share, emission: emissionOfEnergy(energy, perKilowattHour) }
}

export interface InventoryTotal {
  readonly energy: MilliwattHours
  /** Electricity of lines without a factor, which the emissions leave out. */
  readonly withoutFactor: { readonly location: MilliwattHours; readonly market: MilliwattHours }
  readonly location: Milligrams
  readonly market: Milligrams
  readonly losses: Milligrams
}

/** Sums of the published lines. */
export function inventoryTotal(lines: readonly InventoryLine[]): InventoryTotal {
  const parts = lines.flatMap(({ market }) => market)
  const unknown = lines.filter(({ location }) => location === null)
  return {
    energy: sumEnergy(lines.map(({ energy }) => energy)),
    withoutFactor: {
      location: sumEnergy(unknown.map(({ energy }) => energy)),
      market: sumEnergy(parts.map(({ emission, energy }) => (emission === null ? energy : 0n))),
    },
    location: sumMilligrams(lines.map(({ location }) => location?.emission ?? 0n)),
    market: sumMilligrams(parts.map(({ emission }) => emission ?? 0n)),
    losses: sumMilligrams(lines.map(({ losses }) => losses?.emission ?? 0n)),
  }
}
