// Assigns posted emissions to periods (before the year, one of its months, or later) and to calculation bases.
import { addEmissions, NO_EMISSIONS, totalEmissionOf, type EmissionsByPart } from '../engine/ledger-history.ts'
import { allocate } from '../engine/allocation.ts'
import { PARTS, toKilograms, toMilligrams, type Milligrams, type Part } from '../engine/numbers/emission.ts'
import { fromExactText, rationalOfNumber } from '../engine/numbers/rational.ts'
import {
  datedEmissions,
  earlierYearsOfPart,
  monthsOfPart,
  type EmissionOfMonth,
  type DatedEmission,
} from '../engine/reporting-periods.ts'
import { addEarlierYears, type EarlierYearSums } from './earlier-years.ts'
import type {
  Amounts,
  CalculationBasisData,
  Kilograms,
  StatementEntry,
  StatementRental,
  StatementShare,
} from './statement.ts'

export const milligramsOf = (kilograms: Kilograms): Milligrams => toMilligrams(rationalOfNumber(kilograms))

/** From this limit on, a JSON number could not represent every milligram. */
const EMISSION_MAX = 10n ** 15n

/** An emission too large for a statement. */
export class EmissionOutOfRange extends RangeError {
  override name = 'EmissionOutOfRange'

  constructor() {
    super('More than a million tonnes')
  }
}

/** @throws EmissionOutOfRange for a million tonnes and more */
export function kilogramsOf(emission: Milligrams): Kilograms {
  if (emission >= EMISSION_MAX || emission <= -EMISSION_MAX) throw new EmissionOutOfRange()
  return Number(toKilograms(emission))
}

export const amountsOf = (parts: EmissionsByPart): Amounts => ({
  product_embodied_emission: kilogramsOf(parts.product_embodied_emission),
  product_use: kilogramsOf(parts.product_use),
  packaging: kilogramsOf(parts.packaging),
  transportation: kilogramsOf(parts.transportation),
  total_emission: kilogramsOf(totalEmissionOf(parts)),
})

export const partsOf = (entry: Amounts): EmissionsByPart => ({
  product_embodied_emission: milligramsOf(entry.product_embodied_emission),
  product_use: milligramsOf(entry.product_use),
  packaging: milligramsOf(entry.packaging),
  transportation: milligramsOf(entry.transportation),
})

/** Emission of all earlier years, of the year, and of later years. */
export interface Periods {
  opening: EmissionsByPart
  year: EmissionsByPart
  later: EmissionsByPart
}

export const emptyPeriods = (): Periods => ({ opening: NO_EMISSIONS, year: NO_EMISSIONS, later: NO_EMISSIONS })

export const addPeriods = (a: Periods, b: Periods): Periods => ({
  opening: addEmissions(a.opening, b.opening),
  year: addEmissions(a.year, b.year),
  later: addEmissions(a.later, b.later),
})

export interface PeriodAmounts {
  readonly whole: Periods
  /** The months of the year. */
  readonly byMonth: Map<string, EmissionsByPart>
  readonly byBasis: Map<number, Milligrams>
  /** The part of the year that concerns earlier years. */
  readonly earlierYears: EarlierYearSums
  corrections: Milligrams
}

export function createPeriodAmounts(year: number): PeriodAmounts {
  const months = Array.from({ length: 12 }, (_, at) => `${year}-${String(at + 1).padStart(2, '0')}`)
  return {
    whole: emptyPeriods(),
    byMonth: new Map(months.map((month) => [month, NO_EMISSIONS])),
    byBasis: new Map(),
    earlierYears: new Map(),
    corrections: 0n,
  }
}

/** Everything that one order posted to one of its devices, or to the order itself if it has no devices. */
export interface PostedAmount {
  readonly orderId: string
  readonly dispatchDate: string
  readonly rental: Pick<StatementRental, 'from' | 'embodied_basis'> | null
  readonly shares: readonly StatementShare[]
  readonly entries: readonly StatementEntry[]
}

/**
 * Adds posted emissions to the periods and calculation bases they belong to. METHODOLOGY.md#reporting-periods
 * @param bases by number
 * @returns the emission of these entries alone, by period
 */
export function addPosted(
  posted: PostedAmount,
  bases: ReadonlyMap<number, CalculationBasisData>,
  tally: PeriodAmounts,
): Periods {
  const own = emptyPeriods()
  for (const [at, standings] of datedEmissions(postedEntries(posted)).entries()) {
    for (const standing of standings) {
      countStanding(standing, at > 0, posted, bases, tally, own)
      collectEarlierYears(standing, posted.entries[at]!, posted, tally)
    }
  }
  return own
}

const postedEntries = ({ rental, entries }: PostedAmount) =>
  entries.map((entry, at) => ({
    ...partsOf(entry),
    countsFrom: entry.counts_from === undefined ? countedFrom(entry, at) : entry.counts_from,
    months: entry.months === null ? null : fromExactText(entry.months),
    start: entry.from ?? rental?.from ?? null,
  }))

/** Statements without `counts_from` counted all but an order and its reversal from the day of posting on. */
const countedFrom = ({ reason, posted_at: postedAt }: StatementEntry, at: number): string | null =>
  at === 0 || reason === 'reversal' ? null : postedAt.slice(0, 10)

function countStanding(
  standing: DatedEmission,
  isCorrection: boolean,
  posted: PostedAmount,
  bases: ReadonlyMap<number, CalculationBasisData>,
  tally: PeriodAmounts,
  own: Periods,
): void {
  for (const part of PARTS) {
    if (standing[part] === 0n) continue
    for (const { basis, emission } of onBases(part, standing, posted, bases)) {
      const inMonths = monthsOfPart(part, emission, standing, posted.dispatchDate)
      for (const one of inMonths) place(part, basis, one, isCorrection, tally, own)
    }
  }
}

/** All that counts on a first open day counts in the year of that day. */
function collectEarlierYears(
  standing: DatedEmission,
  entry: StatementEntry,
  { orderId, dispatchDate }: PostedAmount,
  { byMonth, earlierYears }: PeriodAmounts,
): void {
  if (standing.countsFrom === null || !byMonth.has(standing.countsFrom.slice(0, 7))) return
  for (const part of PARTS) {
    if (standing[part] === 0n) continue
    const concerned = earlierYearsOfPart(part, standing[part], standing, dispatchDate)
    addEarlierYears(earlierYears, orderId, entry, concerned)
  }
}

interface OnBasis {
  readonly basis: number
  readonly emission: Milligrams
}

/** A reduction of packaging or transportation applies to every line in proportion to its emission. */
function onBases(
  part: Part,
  standing: DatedEmission,
  { rental, shares, entries }: PostedAmount,
  bases: ReadonlyMap<number, CalculationBasisData>,
): readonly OnBasis[] {
  const emission = standing[part]
  const own = part === 'product_use' ? entries[standing.entry]!.use_basis : rental?.embodied_basis
  if (part === 'product_embodied_emission' || part === 'product_use') {
    if (own === undefined || own === null) throw new RangeError(`Nothing says what ${part} rests on`)
    return [{ basis: own, emission }]
  }
  const bearing = shares.filter(({ calculation_basis: basis }) => bases.get(basis)?.part === part)
  const weights = bearing.map((share) => milligramsOf(share.emission))
  if (weights.every((weight) => weight === 0n)) throw new RangeError(`Nothing says what ${part} rests on`)
  return allocate(emission, weights).map((share, at) => ({ basis: bearing[at]!.calculation_basis, emission: share }))
}

function place(
  part: Part,
  basis: number,
  { month, emission }: EmissionOfMonth,
  isCorrection: boolean,
  tally: PeriodAmounts,
  own: Periods,
): void {
  const ofMonth = tally.byMonth.get(month)
  const period = ofMonth ? 'year' : month < tally.byMonth.keys().next().value! ? 'opening' : 'later'
  own[period] = plus(own[period], part, emission)
  tally.whole[period] = plus(tally.whole[period], part, emission)
  if (!ofMonth) return
  tally.byMonth.set(month, plus(ofMonth, part, emission))
  tally.byBasis.set(basis, (tally.byBasis.get(basis) ?? 0n) + emission)
  if (isCorrection) tally.corrections += emission
}

const plus = (parts: EmissionsByPart, part: Part, emission: Milligrams): EmissionsByPart => ({
  ...parts,
  [part]: parts[part] + emission,
})

export const closingBalance = ({ opening, year }: Periods): EmissionsByPart => addEmissions(opening, year)
