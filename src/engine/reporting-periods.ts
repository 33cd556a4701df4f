// Assigns a rental's posted emissions to reporting periods: one rule for ledgers, statements and reports.
import { monthText, dayPosition } from './numbers/calendar.ts'
import { NO_EMISSIONS, addEmissions, type EmissionsByPart } from './ledger-history.ts'
import type { RentalTerms } from './device-timeline.ts'
import { PARTS, sumMilligrams, type Milligrams, type Part } from './numbers/emission.ts'
import {
  ZERO,
  compare,
  divide,
  multiply,
  roundHalfAway,
  subtract,
  toFractionText,
  whole,
  type Rational,
} from './numbers/rational.ts'

/** The months over which an emission is spread: those until the end of the rental, including those beyond the cap. */
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
 * @param countsFrom the first open day, YYYY-MM-DD: parts of earlier months count in the month of that day. Null if
 * each part counts in its own month
 */
export function splitByMonth(
  emission: Milligrams,
  rental: ContractMonths,
  countsFrom: string | null = null,
): readonly EmissionOfMonth[] {
  const all: EmissionOfMonth[] = []
  const { numerator, denominator } = dayPosition(laterDay(countsFrom, rental.start))
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
  /** The first day on which it counts, YYYY-MM-DD, because the books were closed until then; null without one. */
  readonly countsFrom: string | null
  /** Months of the rental that apply after this posting; null for an order without devices. */
  readonly months: Rational | null
  /** First day of the rental after this posting, YYYY-MM-DD; a swap can bring the device in again on another day. */
  readonly start: string | null
}

/** Milligrams that count in periods by one rule: embodied and use over months, the rest on one day. */
export interface DatedEmission extends EmissionsByPart {
  readonly months: Rational | null
  /** First day of these months, YYYY-MM-DD; null for an order without devices. */
  readonly start: string | null
  /** Null: each part counts in its own month. Otherwise nothing counts before this day, YYYY-MM-DD. */
  readonly countsFrom: string | null
  /** Index of the entry that determines the months it is spread over, and so its calculation basis. */
  readonly entry: number
}

/**
 * The first day of a rental after each of its entries, in order of posting: that of the last terms. Null for an order
 * without devices.
 */
export function startsOf(entries: readonly { readonly terms: Pick<RentalTerms, 'start'> | null }[]) {
  let start: string | null = null
  return entries.map(({ terms }) => (start = terms?.start ?? start))
}

/**
 * What a rental's entries, in order of posting, add to periods: one list per entry, whose sum is the entry.
 *
 * An entry takes back what was posted until then and adds the rental's new amount, spread over the months that now
 * apply. Both count in the months that they concern, except that nothing counts before the first day that was open when
 * the entry was posted. METHODOLOGY.md#reporting-periods
 */
export function datedEmissions(entries: readonly RentalEntry[]): readonly (readonly DatedEmission[])[] {
  const all: (readonly DatedEmission[])[] = []
  let [posted, before]: [EmissionsByPart, RentalEntry | null] = [NO_EMISSIONS, null]
  for (const [at, entry] of entries.entries()) {
    const { months, start, countsFrom } = entry
    if (before === null) all.push([{ ...partsOf(entry), months, start, countsFrom, entry: at }])
    else if (countsFrom !== laterDay(countsFrom, before.countsFrom))
      all.push(postedAgain(all.flat(), posted, entry, at))
    else all.push(correcting(posted, before, entry, at))
    ;[posted, before] = [addEmissions(posted, entry), entry]
  }
  return all
}

/** What decides in which months an emission counts. */
type DatedBy = Pick<DatedEmission, 'months' | 'start' | 'countsFrom'>

/**
 * The months in which a part of an order's emission on one device, or of an order without devices, counts.
 * @param emission of the part: all that is dated, or a share of it
 * @param dispatchDay of the order, YYYY-MM-DD
 */
export const monthsOfPart = (
  part: Part,
  emission: Milligrams,
  { months, start, countsFrom }: DatedBy,
  dispatchDay: string,
): readonly EmissionOfMonth[] =>
  start !== null && months && (part === 'product_embodied_emission' || part === 'product_use')
    ? splitByMonth(emission, { start, months }, countsFrom)
    : [{ month: laterDay(countsFrom, dispatchDay).slice(0, 7), emission }]

export interface EmissionOfYear {
  readonly year: number
  readonly emission: Milligrams
}

/**
 * What of a part's emission concerns years before that of the first open day, and therefore counts in the year of that
 * day: by the years that it concerns, the earliest first. Nothing if the books were open. The parameters are those of
 * monthsOfPart.
 */
export function earlierYearsOfPart(
  part: Part,
  emission: Milligrams,
  { months, start, countsFrom }: DatedBy,
  dispatchDay: string,
): readonly EmissionOfYear[] {
  if (countsFrom === null) return []
  const concerned = monthsOfPart(part, emission, { months, start, countsFrom: null }, dispatchDay)
  const byYear = Map.groupBy(concerned, ({ month }) => month.slice(0, 4))
  return [...byYear].flatMap(([year, ofMonths]) =>
    year < countsFrom.slice(0, 4)
      ? [{ year: Number(year), emission: sumMilligrams(ofMonths.map((one) => one.emission)) }]
      : [],
  )
}

/** The later of two days, YYYY-MM-DD; null is earlier than every day. */
export function laterDay(one: string | null, other: string): string
export function laterDay(one: string | null, other: string | null): string | null
export function laterDay(one: string | null, other: string | null): string | null {
  return (one ?? '') > (other ?? '') ? one : other
}

/**
 * What an entry adds if each earlier emission is taken back where it counts, and all is posted again: for books that
 * were reopened since the entry before, because what counts later than this entry cannot be taken back as one sum; and
 * for a device that was identified as another model, to which all of it then belongs.
 * @param earlier of the entries before
 * @returns those taken back, with the index of an earlier entry, and then what is posted again
 */
export function postedAgain(
  earlier: readonly DatedEmission[],
  posted: EmissionsByPart,
  { countsFrom, months, start, ...own }: RentalEntry,
  at: number,
): readonly DatedEmission[] {
  const takenBack = earlier.map((one) => ({ ...negative(one), countsFrom: laterDay(one.countsFrom, countsFrom) }))
  const after = { ...addEmissions(posted, own), months, start, countsFrom, entry: at }
  // The first one stays, even if it is 0: with it, reports take back the counts of a reversed order.
  return [...added(takenBack), after].filter((one, place) => place === 0 || PARTS.some((part) => one[part] !== 0n))
}

/** Adds up emissions that count by the same rule: however often books are reopened, there are few rules. */
function added(emissions: readonly DatedEmission[]): readonly DatedEmission[] {
  const byRule = new Map<string, DatedEmission>()
  for (const one of emissions) {
    const rule = `${one.entry} ${one.countsFrom} ${one.start} ${one.months && toFractionText(one.months)}`
    const before = byRule.get(rule)
    byRule.set(rule, before ? { ...one, ...addEmissions(before, one) } : one)
  }
  return [...byRule.values()]
}

function correcting(
  posted: EmissionsByPart,
  before: RentalEntry,
  entry: RentalEntry,
  at: number,
): readonly DatedEmission[] {
  const { countsFrom, packaging, transportation } = entry
  const { months, start } = before
  const after = addEmissions(posted, entry)
  if (hasSameRental(posted, before, entry)) return [{ ...partsOf(entry), months, start, countsFrom, entry: at - 1 }]
  const takenBack = { ...negative(posted), months, start, countsFrom, entry: at - 1 }
  if (isNothing(after)) return [{ ...takenBack, packaging, transportation }]
  return [
    { ...takenBack, ...ON_NO_DAY },
    { ...after, packaging, transportation, months: entry.months, start: entry.start, countsFrom, entry: at },
  ]
}

/** An entry that changes only packaging and transportation, or nothing, does not spread the rental again. */
const hasSameRental = (posted: EmissionsByPart, { months, start }: RentalEntry, entry: RentalEntry): boolean =>
  isNothing(entry) && (isNothing(posted) || (start === entry.start && hasSameMonths(months, entry.months)))

const hasSameMonths = (one: Rational | null, other: Rational | null): boolean =>
  one === null || other === null || compare(one, other) === 0

const isNothing = (parts: EmissionsByPart): boolean =>
  parts.product_embodied_emission === 0n && parts.product_use === 0n

const ON_NO_DAY = { packaging: 0n, transportation: 0n }

const partsOf = (parts: EmissionsByPart): EmissionsByPart => addEmissions(NO_EMISSIONS, parts)

const negative = <Any extends EmissionsByPart>(parts: Any): Any => ({
  ...parts,
  ...Object.fromEntries(PARTS.map((part) => [part, -parts[part]])),
})
