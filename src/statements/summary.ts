// Computes the yearly summary of a statement: totals, balances, shares by category and quality, and uncertainty.
import { ALL_GHG_LABELS, classify } from '../engine/inventory-boundary.ts'
import { MATCH_LEVELS, dataQualityRating, primaryDataShare } from '../engine/uncertainty/data-quality.ts'
import { PARTS, sumMilligrams, type Milligrams } from '../engine/numbers/emission.ts'
import { propagateSum } from '../engine/uncertainty/error-propagation.ts'
import { decimalOf, multiply, rational, roundHalfAway, whole, type Rational } from '../engine/numbers/rational.ts'
import { UNCERTAINTY_LEVEL, intervalAround } from '../engine/uncertainty/uncertainty.ts'
import {
  boundaryOf,
  type CalculationBasisData,
  type CorrectionCause,
  type EarlierYears,
  type Percent,
  type ShareLine,
  type StatementContent,
  type StatementDevice,
  type StatementData,
  type Summary,
} from './statement.ts'
import { ENTRY_REASONS, totalEmissionOf } from '../engine/ledger-history.ts'
import { compareNames } from '../strict-json/exact-tree.ts'
import type { CauseSum } from './earlier-years.ts'
import { closingBalance, kilogramsOf, type PeriodAmounts } from './periods.ts'

const TYPES: readonly string[] = ['estimated', 'indicative']
const RATINGS: readonly string[] = ['1', '2', '3', '4', '5']

/** A calculation basis with the year's emission on it. */
interface Rested {
  readonly basis: CalculationBasisData
  readonly emission: Milligrams
}

const restedOf = ({ calculation_bases: bases }: StatementData, { byBasis }: PeriodAmounts): readonly Rested[] =>
  bases.map((basis) => ({ basis, emission: byBasis.get(basis.no) ?? 0n }))

export function summarise(facts: StatementData, devices: readonly StatementDevice[], tally: PeriodAmounts): Summary {
  const { whole: periods, corrections } = tally
  const rested = restedOf(facts, tally)
  const certain = rested.filter(({ basis }) => basis.type !== 'indicative')
  return {
    total_emission: kilogramsOf(totalEmissionOf(periods.year)),
    total_emission_excluding_indicative: kilogramsOf(totalEmission(certain)),
    uncertainty: uncertaintyOf(rested),
    opening_emission: kilogramsOf(totalEmissionOf(periods.opening)),
    closing_emission: kilogramsOf(totalEmissionOf(closingBalance(periods))),
    posted_later_emission: kilogramsOf(totalEmissionOf(periods.later)),
    corrections_emission: kilogramsOf(corrections),
    // Of a corrected order, each revision that counts in a closed month is listed.
    number_of_orders: new Set(facts.orders.map(({ order_id: orderId }) => orderId)).size,
    number_of_devices: devices.length,
    devices_held_at_opening: devices.filter((device) => device.is_held_at_opening).length,
    devices_held_at_closing: devices.filter((device) => device.is_held_at_closing).length,
    primary_data_share: primaryShare(rested),
    data_quality_rating: ratingOf(rested),
  }
}

/** Years, and causes of a year, that come to nothing are left out. */
export function correctionsOfEarlierYears({ whole: { year }, earlierYears }: PeriodAmounts): EarlierYears {
  const years = [...earlierYears]
    .toSorted(([a], [b]) => a - b)
    .map(([earlier, causes]) => {
      const those = [...causes.values()].filter(({ emission }) => emission !== 0n)
      return { year: earlier, emission: sumMilligrams(those.map(({ emission }) => emission)), causes: those }
    })
  const emission = sumMilligrams(years.map((one) => one.emission))
  return {
    emission: kilogramsOf(emission),
    emission_of_the_year: kilogramsOf(totalEmissionOf(year) - emission),
    years: years
      .filter(({ causes }) => causes.length > 0)
      .map((one) => ({
        ...one,
        emission: kilogramsOf(one.emission),
        causes: one.causes.toSorted(inTurn).map(toCause),
      })),
  }
}

const inTurn = (a: CauseSum, b: CauseSum): number =>
  compareNames(a.recordedAt, b.recordedAt) ||
  compareNames(a.eventId ?? '', b.eventId ?? '') ||
  compareNames(a.orderId ?? '', b.orderId ?? '')

const toCause = ({ eventId, orderId, recordedAt, reasons, orderIds, emission }: CauseSum): CorrectionCause => ({
  event_id: eventId,
  order_id: orderId,
  recorded_at: recordedAt,
  reasons: ENTRY_REASONS.filter((reason) => reasons.has(reason)),
  order_ids: [...orderIds].toSorted(compareNames),
  emission: kilogramsOf(emission),
})

const totalEmission = (rested: readonly Rested[]): Milligrams => sumMilligrams(rested.map(({ emission }) => emission))

/** Shares by category, part, type, match level and data quality rating. */
export function sharesOf(
  facts: StatementData,
  tally: PeriodAmounts,
): Pick<StatementContent, 'by_category' | 'by_part' | 'by_type' | 'by_match_level' | 'by_data_quality'> {
  const { year } = tally.whole
  const total = totalEmissionOf(year)
  const rested = restedOf(facts, tally)
  const byPart = PARTS.map((part) => ({
    part,
    booking: classify(part, boundaryOf(facts.inventory_boundary)),
    emission: year[part],
  }))
  return {
    by_category: ALL_GHG_LABELS.flatMap((label) => {
      const those = byPart.filter((one) => one.booking.category === label.category)
      if (those.length === 0) return []
      const emission = sumMilligrams(those.map((one) => one.emission))
      const parts = those.map(({ part }) => part)
      return [{ ghg_scope: label.scope, ghg_category: label.category, parts, ...shareOf(emission, total) }]
    }),
    by_part: byPart.map(({ part, booking: { scope, category }, emission }) => ({
      part,
      ghg_scope: scope,
      ghg_category: category,
      reason: facts.reasons[part],
      ...shareOf(emission, total),
    })),
    by_type: groupBy(rested, TYPES, ({ type }) => type),
    by_match_level: groupBy(rested, MATCH_LEVELS, ({ match_level: level }) => level),
    by_data_quality: groupBy(rested, RATINGS, (basis) => decimalOf(scoreSum(basis) / 3n, 0)),
  }
}

/** In the order of `names`; names without a basis are omitted. */
function groupBy(
  rested: readonly Rested[],
  names: readonly string[],
  nameOf: (basis: CalculationBasisData) => string,
): readonly ShareLine[] {
  const groups = Map.groupBy(rested, ({ basis }) => nameOf(basis))
  const total = totalEmission(rested)
  return names.flatMap((name) => {
    const group = groups.get(name)
    return group ? [{ name, ...shareOf(totalEmission(group), total) }] : []
  })
}

const shareOf = (emission: Milligrams, total: Milligrams) => ({
  emission: kilogramsOf(emission),
  share_percent: total === 0n ? null : rounded(percentOf(emission, total), PERCENT_DIGITS),
})

/** A total may be below 0 if corrections outweigh everything else in the year. */
const percentOf = (emission: Milligrams, total: Milligrams): Rational =>
  total < 0n ? rational(-100n * emission, -total) : rational(100n * emission, total)

const PERCENT_DIGITS = 4

/** Rounds half away from 0. */
function rounded(value: Rational, digits: number): number {
  return Number(decimalOf(roundHalfAway(multiply(value, whole(10n ** BigInt(digits)))), digits))
}

const scoreSum = ({ data_quality: { technological, temporal, geographical } }: CalculationBasisData): bigint =>
  BigInt(technological + temporal + geographical)

/** Weights by magnitude: a reduction is known as well as the emission that was posted. */
const weighed = (rested: readonly Rested[]) =>
  rested
    .filter(({ emission }) => emission !== 0n)
    .map(({ basis, emission }) => ({ basis, emission: whole(emission < 0n ? -emission : emission) }))

function ratingOf(rested: readonly Rested[]): number | null {
  const scored = weighed(rested).map(({ basis, emission }) => ({ emission, score: rational(scoreSum(basis), 3n) }))
  return scored.length === 0 ? null : rounded(dataQualityRating(scored), 2)
}

function primaryShare(rested: readonly Rested[]): Percent {
  const lines = weighed(rested).map(({ basis, emission }) => ({ emission, isPrimary: basis.is_primary }))
  return lines.length === 0 ? null : rounded(primaryDataShare(lines), PERCENT_DIGITS)
}

const GSD_DIGITS = 4
const END_DIGITS = 4

/** Rounded because the last digits of a logarithm differ between machines. */
function uncertaintyOf(rested: readonly Rested[]): Summary['uncertainty'] {
  const lines = rested.map(({ basis, emission }) => ({
    mean: Number(emission),
    errors: basis.errors.map(({ factor, log_sd: logSd }) => ({ factor, logSd })),
  }))
  const { low, high, gsd } = intervalAround(
    totalEmission(rested),
    propagateSum(lines.filter(({ mean }) => mean !== 0)).logSd,
  )
  return {
    low: outward(low, Math.floor),
    high: outward(high, Math.ceil),
    level: UNCERTAINTY_LEVEL,
    gsd: Number(gsd.toFixed(GSD_DIGITS)),
  }
}

/** In kg, rounded to END_DIGITS significant digits so that the interval never becomes narrower. */
function outward(emission: Milligrams, round: (value: number) => number): number {
  const milligrams = Number(emission)
  if (milligrams === 0) return 0
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.abs(milligrams))) + 1 - END_DIGITS)
  return kilogramsOf(BigInt(round(milligrams / unit) * unit))
}
