// Uncertainty of a line or total: the interval with the true value in 95 of 100 cases. METHODOLOGY.md#uncertainty
import type { DeviceModel, GridFactor, PackagingFactor } from '../reference/reference-data.ts'
import type { EmissionLine, CalculationInputs } from '../estimate.ts'
import { sumMilligrams, type Milligrams } from '../numbers/emission.ts'
import { DATASHEET_LOG_SD, intervalOf, logSdOf, type ErrorSource, type UncertainMean } from './lognormal.ts'
import { propagateSum } from './error-propagation.ts'
import {
  BASIC_MATERIALS,
  BASIC_TRANSPORT,
  pedigreeLogSd,
  temporalScore,
  type Pedigree,
  type Score,
} from './pedigree.ts'
import type { Rational } from '../numbers/rational.ts'
import { innerBasis } from '../reference/fallback.ts'
import type { ResolvedProduct } from '../resolve-order.ts'
import type { GridUse } from '../use-phase.ts'

export interface Uncertainty {
  /** Rounded outward, so that low ≤ emission ≤ high always holds. */
  readonly low: Milligrams
  readonly high: Milligrams
  /** Geometric standard deviation, 1 or more. */
  readonly gsd: number
}

export const UNCERTAINTY_LEVEL = 0.95

/** Assumed for a fallback without a fit, whose error is unknown and therefore taken to be large. */
const UNFITTED_LOG_SD = Math.log(3)
/** Assumed for a user whose hours of use and chargers differ from those of the scenario. */
const SCENARIO_LOG_SD = Math.log(1.5)
/** Assumed for a device's yearly electricity from its own sheet, which depends on the manufacturer's usage hours. */
const OWN_ENERGY_LOG_SD = Math.log(1.3)

/**
 * For electricity that follows from a use emission: the factor of a region is not the one that the maker took. Where
 * sheets state both, the maker's is 1.15 to 1.8 times the average of the region. METHODOLOGY.md#electricity-from-use
 */
const REGION_LOG_SD = Math.log(1.5)

/**
 * Series of grid factors that agree in one year differ in others. With the least whole percentage for which that is so,
 * the interval of a factor has what another series says in 95 of 100 countries and years from which it was not made.
 * METHODOLOGY.md#uncertainty
 */
const SERIES_LOG_SD = Math.log(1.2)
/** Of a country of which no other series says anything: the root mean square over the countries of two series. */
const ONE_SERIES_LOG_SD = Math.log(1.35)
/** Reports keep the spread of series as a whole number of these. */
const SPREAD_STEPS = 1000

/** For the type's use share, used instead of the sheet's own. */
const SHARE_OF_TYPE: Pedigree = { technological: 3 }
/** For an average vehicle and load, used instead of the actual ones. */
export const FREIGHT_PEDIGREE: Pedigree = {
  reliability: 4,
  completeness: 4,
  temporal: 3,
  geographical: 3,
  technological: 4,
}
export const MATERIAL_PEDIGREE: Pedigree = {
  reliability: 2,
  completeness: 2,
  temporal: 3,
  geographical: 2,
  technological: 3,
}

/** The uncertainty of one published line. */
export const uncertaintyOf = (line: EmissionLine): Uncertainty => intervalAround(line.emission, logSdOf(unsure(line)))

/** The uncertainty of a sum of lines; errors of lines that use the same factor are correlated. */
export const uncertaintyOfSum = (lines: readonly EmissionLine[]): Uncertainty =>
  intervalAround(sumMilligrams(lines.map(({ emission }) => emission)), propagateSum(lines.map(unsure)).logSd)

export function intervalAround(emission: Milligrams, logSd: number): Uncertainty {
  if (emission === 0n) return { low: 0n, high: 0n, gsd: 1 }
  const { low, high } = intervalOf(logSd)
  const [one, other] = [Number(emission) * low, Number(emission) * high]
  const [least, most] = [BigInt(Math.floor(Math.min(one, other))), BigInt(Math.ceil(Math.max(one, other)))]
  return { low: least < emission ? least : emission, high: most > emission ? most : emission, gsd: Math.exp(logSd) }
}

const unsure = (line: EmissionLine): UncertainMean => ({
  mean: Number(line.emission),
  errors: errorSources(line.working),
})

/** The independent errors of a line; their logarithms add up in quadrature. */
export function errorSources(working: CalculationInputs): readonly ErrorSource[] {
  switch (working.method) {
    case 'embodied-linear':
      return embodiedErrors(working.item)
    case 'use-by-share':
      return useByShareErrors(working.item)
    case 'use-by-grid':
      return useByGridErrors(working.item, gridScore(working.use), gridSpread(working.use))
    case 'tonne-kilometres':
      return freightErrors(working.item.factor.id)
    case 'mass':
      return packagingErrors(working.item.factor)
  }
}

export const freightErrors = (factorId: string): readonly ErrorSource[] => [
  {
    factor: `transportation:${factorId}`,
    kind: 'error_freight',
    logSd: pedigreeLogSd(FREIGHT_PEDIGREE, BASIC_TRANSPORT),
  },
]

/** Of a default: nothing was fitted for what a refurbishment emits. */
export const refurbishmentErrors = (type: string): readonly ErrorSource[] => [
  { factor: `refurbishment:${type}`, kind: 'error_unfitted', logSd: UNFITTED_LOG_SD },
]

export function packagingErrors({ id, standsIn }: Pick<PackagingFactor, 'id' | 'standsIn'>): readonly ErrorSource[] {
  const pedigree: Pedigree = standsIn ? { ...MATERIAL_PEDIGREE, technological: 4 } : MATERIAL_PEDIGREE
  const logSd = pedigreeLogSd(pedigree, BASIC_MATERIALS)
  return [{ factor: `packaging:${id}`, kind: 'error_packaging', logSd }]
}

/** The parts of a resolved product that determine its errors. */
type Charged = Pick<ResolvedProduct, 'footprintId' | 'footprint'>

/** A fallback is one source of error, shared by all devices that use it. */
const standInOf = ({ footprint, footprintId }: Charged): string => footprint.fallback?.key ?? innerBasis(footprintId)

/** The sheet's own error; for a fallback, the scatter of the sheets it was fitted to, including their own errors. */
export function embodiedErrors(item: Charged): readonly ErrorSource[] {
  const { model, useFrom, useOverLifetime, fallback } = item.footprint
  if (!model) {
    const isKnown = fallback !== null && fallback.beyondKg === null
    const logSd = isKnown ? toNumber(fallback.fallback.intervalLogSd) : UNFITTED_LOG_SD
    const kind = isKnown ? 'error_fallback' : 'error_unfitted'
    return [{ factor: `stand-in:${standInOf(item)}`, kind, logSd }]
  }
  const own = datasheetError(model)
  return useFrom === 'type' && useOverLifetime ? [own, shareOfType(`sheet-share:${model.id}`)] : [own]
}

/** The error of a published footprint: as stated by its sheet, else the error assumed for sheets that state none. */
export function datasheetError(model: DeviceModel): ErrorSource {
  const logSd = model.uncertaintyRatio === null ? DATASHEET_LOG_SD : Math.log1p(toNumber(model.uncertaintyRatio))
  const kind = model.uncertaintyRatio === null ? 'error_sheet_unstated' : 'error_sheet'
  return { factor: `sheet:${model.id}`, kind, logSd }
}

const shareOfType = (factor: string): ErrorSource => ({
  factor,
  kind: 'error_use_share',
  logSd: pedigreeLogSd(SHARE_OF_TYPE),
})

/** The use share of a known total varies with the scenario; a value from a fallback also has the fallback's errors. */
export function useByShareErrors(item: Charged): readonly ErrorSource[] {
  const scenario = {
    factor: `scenario:${standInOf(item)}`,
    kind: 'error_scenario' as const,
    logSd: SCENARIO_LOG_SD,
  }
  if (!item.footprint.model) return [scenario, ...embodiedErrors(item)]
  return item.footprint.useFrom === 'type' ? [scenario, shareOfType(`use-share:${standInOf(item)}`)] : [scenario]
}

/** The temporal score of the grid factors: that of the factor furthest from its year of use. */
export function gridScore({ years }: GridUse): Score {
  const away = years.flatMap(({ year, lastYear, factor }) =>
    [year, lastYear].flatMap((used) => [Math.abs(used - factor.year), Math.abs(used - factor.latestYear)]),
  )
  return temporalScore(Math.max(0, ...away))
}

/**
 * How far the series of grid factors are apart in the country, as a standard deviation of the logarithm in whole
 * thousandths: the most of the factors used. 0 for a series that the account chose, and for factors of its own.
 */
export const gridSpread = ({ years }: GridUse): number => Math.max(0, ...years.map(({ factor }) => spreadOf(factor)))

function spreadOf({ factor, others }: GridFactor): number {
  if (others === undefined) return 0
  const apart = others.map((other) => Math.abs(Math.log(toNumber(other) / toNumber(factor))))
  const logSd = apart.length === 0 ? ONE_SERIES_LOG_SD : Math.hypot(SERIES_LOG_SD, Math.max(...apart))
  return Math.round(logSd * SPREAD_STEPS) / SPREAD_STEPS
}

/** @param spread of the series of grid factors, as `gridSpread` returns it */
export function useByGridErrors(
  item: Charged & Pick<ResolvedProduct, 'country'>,
  temporal: Score,
  spread: number,
): readonly ErrorSource[] {
  const { energyFrom, known, model } = item.footprint
  const isOfType = energyFrom === 'type'
  return [
    {
      factor: `energy:${known && !isOfType ? known.id : standInOf(item)}`,
      kind: isOfType ? 'error_electricity_of_type' : 'error_electricity_of_sheet',
      logSd: isOfType ? SCENARIO_LOG_SD : OWN_ENERGY_LOG_SD,
    },
    ...(energyFrom === 'use' && model?.useRegion
      ? [{ factor: `region:${model.useRegion.region}`, kind: 'error_region' as const, logSd: REGION_LOG_SD }]
      : []),
    {
      factor: `grid:${item.country}`,
      kind: spread === 0 ? 'error_grid' : 'error_grid_series',
      logSd: Math.hypot(pedigreeLogSd({ reliability: 2, temporal }, BASIC_MATERIALS), spread),
    },
  ]
}

const toNumber = ({ numerator, denominator }: Rational): number => Number(numerator) / Number(denominator)
