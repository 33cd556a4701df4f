// Data quality: scores per line, their mean weighted by emission, and the share of primary data.
import type { CalculationInputs } from '../estimate.ts'
import { ZERO, add, divide, multiply, whole, type Rational } from '../numbers/rational.ts'
import type { Footprint } from '../reference/footprint.ts'
import { temporalScore, type Score } from './pedigree.ts'
import { FREIGHT_PEDIGREE, MATERIAL_PEDIGREE, gridScore } from './uncertainty.ts'

/** 1 is best, 5 is worst. */
export interface QualityScores {
  readonly technological: Score
  readonly temporal: Score
  readonly geographical: Score
}

/** The level at which a line was matched, best first: the model's own sheet, a published factor, then fallbacks. */
export const MATCH_LEVELS = [
  'model',
  'factor',
  'family',
  'brand-fit',
  'brand',
  'type-fit',
  'type',
  'weight-fit',
  'weight',
  'similar-factor',
] as const
export type MatchLevel = (typeof MATCH_LEVELS)[number]

export function matchLevelOf(working: CalculationInputs): MatchLevel {
  switch (working.method) {
    case 'embodied-linear':
    case 'use-by-share':
    case 'use-by-grid':
      return working.item.footprint.level
    case 'tonne-kilometres':
      return 'factor'
    case 'mass':
      return working.item.factor.standsIn ? 'similar-factor' : 'factor'
  }
}

/** Scores: the exact product 1, its family 2, its brand and type 3, its type 4, anything else 5. */
const TECHNOLOGICAL: Readonly<Record<Footprint['level'], Score>> = {
  model: 1,
  family: 2,
  'brand-fit': 3,
  brand: 3,
  'type-fit': 4,
  type: 4,
  'weight-fit': 5,
  weight: 5,
}

/**
 * Scores of a line's calculation basis as seen from a given year. Device figures are scored in time by the age of their
 * source. In geography, embodied emissions score 2, because devices are made for the world market, and use by share
 * scores 4, because the place of use is not stated. METHODOLOGY.md#uncertainty
 */
export function qualityOf(working: CalculationInputs, year: number): QualityScores {
  switch (working.method) {
    case 'embodied-linear':
      return { ...scoresOf(working.item.footprint, year), geographical: 2 }
    case 'use-by-share':
      return { ...scoresOf(working.item.footprint, year), geographical: 4 }
    case 'use-by-grid': {
      const { footprint } = working.item
      const technological = technologicalOfEnergy(footprint)
      return { technological, temporal: gridScore(working.use), geographical: 1 }
    }
    case 'tonne-kilometres':
      return pick(FREIGHT_PEDIGREE.technological!, FREIGHT_PEDIGREE.temporal!, FREIGHT_PEDIGREE.geographical!)
    case 'mass':
      return pick(
        working.item.factor.standsIn ? 4 : MATERIAL_PEDIGREE.technological!,
        MATERIAL_PEDIGREE.temporal!,
        MATERIAL_PEDIGREE.geographical!,
      )
  }
}

const pick = (technological: Score, temporal: Score, geographical: Score): QualityScores => ({
  technological,
  temporal,
  geographical,
})

/** The electricity of a known device is that of the product itself, whatever stands in for its embodied emission. */
function technologicalOfEnergy({ energyFrom, level }: Footprint): Score {
  if (energyFrom === 'known') return TECHNOLOGICAL.model
  return energyFrom === 'type' ? TECHNOLOGICAL.type : TECHNOLOGICAL[level]
}

/** A source that states no year gets the worst temporal score. */
const scoresOf = ({ level, source }: Footprint, year: number) =>
  ({
    technological: TECHNOLOGICAL[level],
    temporal: source.year === null ? 5 : temporalScore(Math.abs(year - source.year)),
  }) as const

/** An emission in kg CO2e, and the score of its calculation basis, from 1 (best) to 5. */
export interface WeightedScore {
  readonly emission: Rational
  readonly score: Rational
}

const total = (emissions: readonly Rational[]): Rational => emissions.reduce(add, ZERO)

/**
 * The mean score, weighted by emission. METHODOLOGY.md#uncertainty
 * @throws RangeError when the total emission is 0
 */
export const dataQualityRating = (lines: readonly WeightedScore[]): Rational =>
  divide(
    lines.map(({ emission, score }) => multiply(emission, score)).reduce(add, ZERO),
    total(lines.map(({ emission }) => emission)),
  )

/**
 * Percentage of the emissions that were calculated from primary data. METHODOLOGY.md#uncertainty
 * @throws RangeError when the total emission is 0
 */
export const primaryDataShare = (
  lines: readonly { readonly emission: Rational; readonly isPrimary: boolean }[],
): Rational =>
  multiply(
    whole(100),
    divide(
      total(lines.flatMap(({ emission, isPrimary }) => (isPrimary ? [emission] : []))),
      total(lines.map(({ emission }) => emission)),
    ),
  )
