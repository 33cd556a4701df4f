// Assigns a rental's posted emissions to reporting periods: one rule for ledgers, statements and reports.
import { monthText, dayPosition } from './numbers/calendar.ts'
import { NO_EMISSIONS, addEmissions, type EmissionsByPart, type EntryReason } from './ledger-history.ts'
import type { RentalTerms } from './device-timeline.ts'
import { PARTS, type Milligrams } from './numbers/emission.ts'
import { ZERO, compare, divide, multiply, roundHalfAway, subtract, whole, type Rational } from './numbers/rational.ts'

/** The months over which an emission is spread: all that were agreed at posting, including those beyond the cap. */
export type ContractMonths = Pick<RentalTerms, 'start' | 'months'>

/**
 * The part of a rental's posted milligrams that lies before a position: E × min(1, (G − G(start)) ÷ months), rounded
 * half away from zero. The part between two positions is the difference, so that periods add up wherever the boundaries
 * are. A rental of no months counts completely on its first day. METHODOLOGY.md#reporting-periods
 * @param position G of METHODOLOGY.md#months, of the first day that is not included
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
 * Splits an emission by calendar month, until nothing remains.
 * @param knownOn the day on which it became known, YYYY-MM-DD: earlier parts count in the month of that day. Null if
 * each part counts in its own month, even if that month was over when the emission became known
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

/** The parts of an entry of a rental, or of an order without devices, that periods depend on. */
export interface RentalEntry extends EmissionsByPart {
  readonly reason: EntryReason
  /** Posting day, YYYY-MM-DD in UTC. */
  readonly postedOn: string
  /** Months of the rental that apply after this posting; null for an order without devices. */
  readonly months: Rational | null
}

/** Milligrams that count in periods by one rule: embodied and use over months, the rest on one day. */
export interface DatedEmission extends EmissionsByPart {
  readonly months: Rational | null
  /** Null: counts as if it had always been known. Otherwise nothing counts before this day. */
  readonly knownOn: string | null
  /** Index of the entry that determines the months it is spread over, and so its calculation basis. */
  readonly entry: number
}

/**
 * What a rental's entries, in order of posting, add to periods: one list per entry, whose sum is the entry.
 *
 * The first entry counts in the months of the rental. Each later entry reverses what was posted until then and adds the
 * rental's new amount, spread over the months that now apply. Both count from the day of posting on, so past periods
 * stay unchanged and later periods use the current information. A reversal of an import reverses everything where it
 * was counted. METHODOLOGY.md#reporting-periods
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

/** An entry that changes only packaging and transportation, or nothing, does not spread the rental again. */
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

/** The day on which packaging and transportation count. @param dispatchedOn YYYY-MM-DD */
export const recognitionDay = ({ knownOn }: Pick<DatedEmission, 'knownOn'>, dispatchedOn: string): string =>
  knownOn !== null && knownOn > dispatchedOn ? knownOn : dispatchedOn
