// What a period contains of what was posted for a rental: one rule for ledgers, statements and reports.
import { monthText, dayPosition } from './numbers/calendar.ts'
import { NO_EMISSIONS, addEmissions, type EmissionsByPart, type EntryReason } from './ledger-history.ts'
import type { RentalTerms } from './device-timeline.ts'
import { PARTS, type Milligrams } from './numbers/emission.ts'
import { ZERO, compare, divide, multiply, roundHalfAway, subtract, whole, type Rational } from './numbers/rational.ts'

/** What emission is spread over: all months that were agreed when it was posted, also those that the cap left out. */
export type ContractMonths = Pick<RentalTerms, 'start' | 'months'>

/**
 * Of milligrams that were posted for a rental, those that lie before a position: E × min(1, (G − G(start)) ÷ months),
 * rounded half away from zero. What lies between two positions is the difference, so that periods add up however time
 * is cut. A rental of no months has all of it on its first day. METHODOLOGY.md#reporting-periods
 * @param position G of METHODOLOGY.md#months: of the first day that does not count
 * @throws RangeError when the start is not a real calendar day
 */
export function cumulativeEmission(
  position: Rational,
  emission: Milligrams,
  { start, months }: ContractMonths,
): Milligrams {
  const past = subtract(position, dayPosition(start))
  if (compare(past, ZERO) <= 0) return 0n
  if (compare(past, months) >= 0) return emission
  return roundHalfAway(divide(multiply(whole(emission), past), months))
}

export interface EmissionOfMonth {
  /** YYYY-MM */
  readonly month: string
  readonly emission: Milligrams
}

/**
 * All of it by calendar month, until nothing is left.
 * @param knownOn the day on which it became known, YYYY-MM-DD: what lies before stands in its month. Null for what
 * counts in the months of the rental even where these were over when it became known
 */
export function splitByMonth(
  emission: Milligrams,
  rental: ContractMonths,
  knownOn: string | null = null,
): readonly EmissionOfMonth[] {
  const all: EmissionOfMonth[] = []
  const first = knownOn !== null && knownOn > rental.start ? knownOn : rental.start
  const { numerator, denominator } = dayPosition(first)
  let [month, before] = [Number(numerator / denominator), 0n]
  do {
    const upTo = cumulativeEmission(whole(month + 1), emission, rental)
    all.push({ month: monthText(month), emission: upTo - before })
    ;[month, before] = [month + 1, upTo]
  } while (before !== emission)
  return all
}

/** An entry of a rental, or of an order without devices, as far as periods see it. */
export interface RentalEntry extends EmissionsByPart {
  readonly reason: EntryReason
  /** The day of its posting, YYYY-MM-DD by UTC. */
  readonly postedOn: string
  /** Months of the rental that counted once it was posted; null for an order without devices. */
  readonly months: Rational | null
}

/** Milligrams that count in a period by one rule: `embodied` and use spread over months, the rest on one day. */
export interface DatedEmission extends EmissionsByPart {
  readonly months: Rational | null
  /** Null: as if it had always been known; otherwise it stands on no day before this one. */
  readonly knownOn: string | null
  /** Which of the entries says over how many months it is spread, and so what it rests on. */
  readonly entry: number
}

/**
 * What the entries of one rental, in sequence, add to periods: one list for each, whose sum is the entry.
 *
 * The first stands in the months of the rental. Each later one takes back what was posted by then and puts in what the
 * rental comes to now, spread over the months that count now, both from the day of its posting on: periods that were
 * over stay as they were, those to come have what is known now. One that undoes an import takes back everything where
 * it stands. METHODOLOGY.md#reporting-periods
 */
export function datedEmissions(entries: readonly RentalEntry[]): readonly (readonly DatedEmission[])[] {
  const all: (readonly DatedEmission[])[] = []
  let [posted, months]: [EmissionsByPart, Rational | null] = [NO_EMISSIONS, null]
  for (const [at, entry] of entries.entries()) {
    if (entry.reason === 'reversal') all.push(all.flat().map(negative))
    else if (at === 0) all.push([{ ...partsOf(entry), months: entry.months, knownOn: null, entry: at }])
    else all.push(correcting(posted, months, entry, at))
    ;[posted, months] = [addEmissions(posted, entry), entry.months]
  }
  return all
}

function correcting(
  posted: EmissionsByPart,
  months: Rational | null,
  entry: RentalEntry,
  at: number,
): readonly DatedEmission[] {
  const { postedOn: knownOn, packaging, transportation } = entry
  const after = addEmissions(posted, entry)
  if (hasSameRental(posted, months, entry)) return [{ ...partsOf(entry), months, knownOn, entry: at - 1 }]
  return [
    { ...negative(posted), ...ON_NO_DAY, months, knownOn, entry: at - 1 },
    { ...after, packaging, transportation, months: entry.months, knownOn, entry: at },
  ]
}

/** What touches packaging and transportation alone, or nothing at all, spreads nothing anew. */
const hasSameRental = (posted: EmissionsByPart, months: Rational | null, entry: RentalEntry): boolean =>
  entry.product_embodied_emission === 0n &&
  entry.product_use === 0n &&
  (isNothing(posted) || months === null || entry.months === null || compare(months, entry.months) === 0)

const isNothing = (parts: EmissionsByPart): boolean =>
  parts.product_embodied_emission === 0n && parts.product_use === 0n

const ON_NO_DAY = { packaging: 0n, transportation: 0n }

const partsOf = (parts: EmissionsByPart): EmissionsByPart => addEmissions(NO_EMISSIONS, parts)

const negative = <Any extends EmissionsByPart>(parts: Any): Any => ({
  ...parts,
  ...Object.fromEntries(PARTS.map((part) => [part, -parts[part]])),
})

/** The day on which packaging and transportation of a standing count. @param dispatchedOn YYYY-MM-DD */
export const recognitionDay = ({ knownOn }: Pick<DatedEmission, 'knownOn'>, dispatchedOn: string): string =>
  knownOn !== null && knownOn > dispatchedOn ? knownOn : dispatchedOn
