// What data a customer's emissions of a year were computed from: specific or not, verified or not, year, licence.
import { sumMilligrams, type Milligrams, type Part } from '../engine/numbers/emission.ts'
import { divide, roundHalfAway, whole } from '../engine/numbers/rational.ts'
import type { MatchLevel } from '../engine/uncertainty/data-quality.ts'
import { milligramsOf } from './periods.ts'
import type { CalculationBasis, StatementContent, StatementSource } from './statement.ts'

/** Emission computed from the same sources in the same way. */
export interface SourcedEmission {
  readonly part: Part
  readonly matchLevel: MatchLevel
  readonly isSpecific: boolean
  readonly isVerified: boolean
  /** Of the emission factors, the oldest of several; null if a publisher states none. */
  readonly year: number | null
  /** Of the emission factors, each once. */
  readonly licences: readonly string[]
  /** Of all figures. */
  readonly sources: readonly StatementSource[]
  readonly emission: Milligrams
}

/** Each emission has one value of each of these. METHODOLOGY.md#data-sources */
export const SOURCE_SPLITS = ['specificity', 'verification', 'year', 'licence'] as const
export type SourceSplit = (typeof SOURCE_SPLITS)[number]

/** The value of an emission in a split; null for a year or a licence that is not stated. */
export const splitValue: Readonly<Record<SourceSplit, (one: SourcedEmission) => string | number | null>> = {
  specificity: ({ isSpecific }) => (isSpecific ? 'specific' : 'non_specific'),
  verification: ({ isVerified }) => (isVerified ? 'verified' : 'not_stated'),
  year: ({ year }) => year,
  licence: ({ licences }) => licences.filter((licence) => licence !== '').join(' + ') || null,
}

/** The emission of a year by what it was computed from, the largest first. It adds up to the statement's total. */
export function sourcedEmissionsOf(content: StatementContent): readonly SourcedEmission[] {
  const sources = new Map(content.sources.map((source) => [source.no, source]))
  const factors = new Map(content.factors.map((factor) => [factor.no, factor]))
  const known = content.calculation_bases.map((basis) => {
    const used = basis.factors.map((no) => factors.get(no)!)
    const sourcesOf = (those: typeof used) => [...new Set(those.map(({ source }) => sources.get(source)!))]
    return sourcedEmission(basis, sourcesOf(used), sourcesOf(used.filter(({ unit }) => unit.startsWith('kgCO2e'))))
  })
  const keyOf = (one: SourcedEmission): string =>
    JSON.stringify([
      ...[one.part, one.matchLevel, one.sources.map(({ no }) => no)],
      ...SOURCE_SPLITS.map((split) => splitValue[split](one)),
    ])
  return [...Map.groupBy(known, keyOf).values()]
    .map((alike) => ({ ...alike[0]!, emission: sumMilligrams(alike.map(({ emission }) => emission)) }))
    .filter(({ emission }) => emission !== 0n)
    .toSorted((a, b) => (a.emission === b.emission ? 0 : a.emission > b.emission ? -1 : 1))
}

/** @param principal the sources of its emission factors */
function sourcedEmission(
  { part, method, match_level: matchLevel, data_quality: quality, emission }: CalculationBasis,
  sources: readonly StatementSource[],
  principal: readonly StatementSource[],
): SourcedEmission {
  const years = principal.map(({ year }) => year)
  const isFactor = method === 'tonne-kilometres' || method === 'mass'
  return {
    part,
    matchLevel,
    isSpecific: isFactor ? principal.some(({ origin }) => origin === 'account') : quality.technological === 1,
    isVerified: principal.length > 0 && principal.every(({ verified_by: verifiedBy }) => verifiedBy !== undefined),
    year: years.includes(null) || years.length === 0 ? null : Math.min(...(years as readonly number[])),
    licences: [...new Set(principal.map(({ licence }) => licence))],
    sources,
    emission: milligramsOf(emission),
  }
}

/** An emission, and its share of the total. */
export interface ShareOfTotal {
  readonly emission: Milligrams
  /** In ten-thousandths of a percent; null if the total is 0. */
  readonly share: bigint | null
}

const WHOLE_SHARE = 1_000_000n

/**
 * The share of each emission in their sum. Rounded are the sums so far, not the shares, so that these add up to 100 %
 * exactly, also where an emission is below 0. METHODOLOGY.md#data-sources
 */
export function sharesOfTotal(emissions: readonly Milligrams[]): readonly ShareOfTotal[] {
  const total = sumMilligrams(emissions)
  if (total === 0n) return emissions.map((emission) => ({ emission, share: null }))
  const sign = total < 0n ? -1n : 1n
  const upTo = (sum: Milligrams): bigint => roundHalfAway(divide(whole(sign * sum * WHOLE_SHARE), whole(sign * total)))
  let sum = 0n
  return emissions.map((emission) => {
    const before = sum
    sum += emission
    return { emission, share: upTo(sum) - upTo(before) }
  })
}
