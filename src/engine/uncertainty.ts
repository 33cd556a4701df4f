// How sure a line or a total is: the interval that holds its true value in 95 of 100 cases. METHODOLOGY.md#uncertainty
import type { Line, Working } from './estimated-line.ts'
import type { Footprint } from './footprint.ts'
import { sum, type Milligrams } from './line.ts'
import { SHEET_LOG_SD, combine, intervalOf, sumSpread, type FactorSpread } from './lognormal.ts'
import { BASIC_MATERIALS, BASIC_TRANSPORT, pedigreeLogSd, temporalScore, type Pedigree } from './pedigree.ts'
import type { Ratio } from './ratio.ts'
import type { ResolvedProduct } from './resolve.ts'
import type { GridUse } from './use-phase.ts'

export interface Uncertainty {
  /** Rounded outward: low ≤ emission ≤ high, always. */
  readonly low: Milligrams
  readonly high: Milligrams
  /** Geometric standard deviation, 1 or more. */
  readonly gsd: number
}

export const UNCERTAINTY_LEVEL = 0.95

/** A stand-in that was fitted from nothing: what it is off by is not known, so a lot is assumed. */
const UNFITTED_LOG_SD = Math.log(3)
/** Somebody else's hours of use and chargers: an assumption. */
const SCENARIO_LOG_SD = Math.log(1.5)
/** A device's yearly electricity by its own sheet, over hours that its maker assumes: an assumption. */
const OWN_ENERGY_LOG_SD = Math.log(1.3)

/** Published by makers, of sheets up to ten years from the device. */
const STAND_IN: Pedigree = { reliability: 2, temporal: 3, geographical: 2 }
/** A use share of the type in place of the sheet's own. */
const SHARE_OF_TYPE: Pedigree = { technological: 3 }
/** An average vehicle and load for the one that came. */
const FREIGHT: Pedigree = { reliability: 4, completeness: 4, temporal: 3, geographical: 3, technological: 4 }
const MATERIAL: Pedigree = { reliability: 2, completeness: 2, temporal: 3, geographical: 2, technological: 3 }

/** Of one line as it is published. */
export const uncertaintyOf = (line: Line): Uncertainty => around(line.emission, spreadOf(line).logSd)

/** Of the sum of lines; those of one part that use one factor err together. */
export const uncertaintyOfSum = (lines: readonly Line[]): Uncertainty =>
  around(sum(lines.map(({ emission }) => emission)), sumSpread(lines.map(spreadOf)).logSd)

export function around(emission: Milligrams, logSd: number): Uncertainty {
  const { low, high } = intervalOf(logSd)
  const ends = [low, high].map((share) => Number(emission) * share)
  const [least, most] = [BigInt(Math.floor(Math.min(...ends))), BigInt(Math.ceil(Math.max(...ends)))]
  return { low: least < emission ? least : emission, high: most > emission ? most : emission, gsd: Math.exp(logSd) }
}

const spreadOf = ({ part, emission, working }: Line): FactorSpread => ({
  factor: `${part}:${factorOf(working)}`,
  mean: Number(emission),
  logSd: logSdOf(working),
})

/** What lines share that err together. */
function factorOf({ method, item }: Working): string {
  switch (method) {
    case 'tonne-kilometres':
    case 'mass':
      return item.factor.id
    default:
      return item.footprint.fallback?.key ?? item.basis
  }
}

function logSdOf(working: Working): number {
  switch (working.method) {
    case 'embodied-linear':
      return embodiedLogSd(working.item.footprint)
    case 'use-by-share':
      return useByShareLogSd(working.item.footprint)
    case 'use-by-grid':
      return useByGridLogSd(working.item, working.use)
    case 'tonne-kilometres':
      return pedigreeLogSd(FREIGHT, BASIC_TRANSPORT)
    case 'mass': {
      const pedigree: Pedigree = working.item.factor.standsIn ? { ...MATERIAL, technological: 4 } : MATERIAL
      return pedigreeLogSd(pedigree, BASIC_MATERIALS)
    }
  }
}

/** The sheet's own error, or the spread of what stands in, widened by the error of the sheets behind it. */
function embodiedLogSd({ model, fallback, useFrom, useOverLifetime }: Footprint): number {
  if (model) {
    const own = model.uncertaintyRatio === null ? SHEET_LOG_SD : Math.log1p(toNumber(model.uncertaintyRatio))
    return combine(own, useFrom === 'type' && useOverLifetime ? pedigreeLogSd(SHARE_OF_TYPE) : 0)
  }
  const fitted = fallback ? toNumber(fallback.fallback.intervalLogSd) : UNFITTED_LOG_SD
  return combine(fitted, SHEET_LOG_SD, pedigreeLogSd(STAND_IN))
}

/** A share of a known total varies with its scenario; what follows from a stand-in has the stand-in's spread too. */
function useByShareLogSd(footprint: Footprint): number {
  if (!footprint.model) return combine(SCENARIO_LOG_SD, embodiedLogSd(footprint))
  return combine(SCENARIO_LOG_SD, footprint.useFrom === 'type' ? pedigreeLogSd(SHARE_OF_TYPE) : 0)
}

function useByGridLogSd({ footprint }: ResolvedProduct, { years }: GridUse): number {
  const away = years.flatMap(({ year, lastYear, factor }) =>
    [year, lastYear].flatMap((used) => [Math.abs(used - factor.year), Math.abs(used - factor.latestYear)]),
  )
  const grid = pedigreeLogSd({ reliability: 2, temporal: temporalScore(Math.max(0, ...away)) }, BASIC_MATERIALS)
  return combine(footprint.energyFrom === 'sheet' ? OWN_ENERGY_LOG_SD : SCENARIO_LOG_SD, grid)
}

const toNumber = ({ numerator, denominator }: Ratio): number => Number(numerator) / Number(denominator)
