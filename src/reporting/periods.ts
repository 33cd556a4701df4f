// The periods of a report and the share of a rental in each; the shares add up to the milligram.
import { daysInMonth, monthText } from '../engine/numbers/calendar.ts'
import { roundHalfAway } from '../engine/numbers/rational.ts'
import { laterDay } from '../engine/reporting-periods.ts'
import { dayNoOf, dayOf, type DayNo, type FactTerms } from './fact.ts'
import { LAST_DAY, isTimeDimension, type Dimension, type EmissionsQuery, type TimeDimension } from './query.ts'

const MONTHS: Readonly<Record<TimeDimension, number>> = { month: 1, quarter: 3, year: 12 }

export interface Periods {
  /** The period of a day, 0 or more; -1 if the report has none for it. */
  readonly ofDay: (day: DayNo) => number
  /** The shares of a rental in the periods of the report. */
  readonly ofRental: (terms: FactTerms) => readonly PeriodShare[]
  /** The period in which a rental begins, or became known if that was later. */
  readonly ofStart: (terms: FactTerms) => number
  readonly label: (period: number, name: TimeDimension) => string
}

/** The share of a rental's milligrams between two positions in it, from 0 to 1. */
export interface PeriodShare {
  readonly period: number
  readonly from: Period
  readonly to: Period
}

/** A position within a rental as a fraction from 0 to 1. */
export interface Period {
  readonly numerator: number
  readonly denominator: number
}

export function createPeriods({ groupBy, filters, from, to, onlyClosedYears = false }: EmissionsQuery): Periods {
  const lengthOf = (names: readonly Dimension[]) =>
    Math.min(...names.filter(isTimeDimension).map((name) => MONTHS[name]))
  const [shown, length] = [lengthOf(groupBy), lengthOf([...groupBy, ...filters.keys()])]
  const isWanted = (month: number): boolean =>
    [...filters].every(([name, values]) => !isTimeDimension(name) || values.has(labelOf(month, name)))
  const periodOf = (month: number): number => {
    if (!isWanted(month)) return -1
    // If the report is not grouped by time, there is a single period.
    return shown === Infinity ? 0 : Math.floor(month / shown)
  }
  const ofDay = (day: DayNo): number => (day < from || day > to ? -1 : periodOf(monthOf(dayOf(day))))
  return {
    ofDay,
    ofStart: ({ start, countsFrom }) => ofDay(dayNoOf(laterDay(countsFrom, start))),
    ofRental: (terms) => {
      const cuts = { from, to, length, ofDay, periodOf }
      return onlyClosedYears ? closedPiecesOf(terms, cuts) : piecesOf(terms, cuts)
    },
    label: (period, name) => labelOf(period * shown, name),
  }
}

/** Months are counted from the year 0. */
const monthOf = (day: string): number => 12 * Number(day.slice(0, 4)) + Number(day.slice(5, 7)) - 1

const firstDayOf = (month: number): string => `${monthText(month)}-01`

function labelOf(month: number, name: TimeDimension): string {
  const text = monthText(month)
  if (name === 'month') return text
  return name === 'year' ? text.slice(0, 4) : `${text.slice(0, 4)}-Q${Math.floor((month % 12) / 3) + 1}`
}

interface Cuts {
  readonly from: DayNo
  readonly to: DayNo
  /** Number of months after which the period has to be determined again; Infinity if there is only one period. */
  readonly length: number
  readonly ofDay: (day: DayNo) => number
  readonly periodOf: (month: number) => number
}

/**
 * Divides the rental at the limits of periods and of the report. For emission that became known on a later day than the
 * start, everything up to the end of that day counts on that day.
 */
function piecesOf(terms: FactTerms, cuts: Cuts): readonly PeriodShare[] {
  const placeOf = placesIn(terms)
  const start = dayNoOf(terms.start)
  const known = terms.countsFrom === null ? -Infinity : dayNoOf(terms.countsFrom)
  const first = Math.max(start, cuts.from, known + 1)
  const end = cuts.to >= LAST_DAY ? END : placeOf(dayOf(cuts.to + 1))
  const begin = first === start ? START : placeOf(dayOf(first))
  const rest = isBefore(begin, end) ? cut(begin, end, monthOf(dayOf(first)), placeOf, cuts) : []
  if (known < start || cuts.ofDay(known) === -1) return rest
  return [{ period: cuts.ofDay(known), from: START, to: placeOf(dayOf(known + 1)) }, ...rest]
}

/** What lies in the years before that of the first open day. */
function closedPiecesOf(terms: FactTerms, cuts: Cuts): readonly PeriodShare[] {
  if (terms.countsFrom === null) return []
  const last = dayNoOf(`${terms.countsFrom.slice(0, 4)}-01-01`) - 1
  return piecesOf({ ...terms, countsFrom: null }, { ...cuts, to: Math.min(cuts.to, last) })
}

function cut(
  begin: Period,
  end: Period,
  first: number,
  placeOf: (day: string) => Period,
  cuts: Cuts,
): readonly PeriodShare[] {
  const pieces: PeriodShare[] = []
  for (let [from, month] = [begin, first]; isBefore(from, end);) {
    const next = (Math.floor(month / cuts.length) + 1) * cuts.length
    const to = next < MONTHS_MAX ? earlier(placeOf(firstDayOf(next)), end) : end
    const period = cuts.periodOf(month)
    if (period !== -1) pieces.push({ period, from, to })
    from = to
    month = next
  }
  return pieces
}

/** The limit of four-digit years. */
const MONTHS_MAX = 120_000
const START: Period = { numerator: 0, denominator: 1 }
const END: Period = { numerator: 1, denominator: 1 }

/** The elapsed fraction of a rental before a day, as in engine/reporting-periods.ts but in doubles. */
function placesIn({ start, months }: FactTerms): (day: string) => Period {
  const [tenure, tenureParts = 1] = months.split('/').map(Number) as [number, number?]
  const own = partsOf(start)
  return (day) => {
    const { month, dayParts, parts } = partsOf(day)
    const away = (month - own.month) * parts * own.parts + dayParts * own.parts - own.dayParts * parts
    const [numerator, denominator] = [away * tenureParts, parts * own.parts * tenure]
    if (numerator <= 0) return START
    return numerator >= denominator ? END : { numerator, denominator }
  }
}

/** A day as its month and a number of parts of that month (no parts on the first day). */
function partsOf(day: string) {
  const month = monthOf(day)
  const dayParts = Number(day.slice(8, 10)) - 1
  const parts = dayParts === 0 ? 1 : daysInMonth(Math.floor(month / 12), (month % 12) + 1)
  return { month, dayParts, parts }
}

const isBefore = (a: Period, b: Period): boolean => a.numerator * b.denominator < b.numerator * a.denominator
const earlier = (a: Period, b: Period): Period => (isBefore(a, b) ? a : b)

/** Products up to this limit are exact in a double, even with half a unit added. */
const EXACT_MAX = 2 ** 51

/** The milligrams before a position. Rounded once at the position, so that adjacent pieces add up. */
export function amountBefore(milligrams: number, { numerator, denominator }: Period): number {
  const product = milligrams * numerator
  if (product > EXACT_MAX || product < -EXACT_MAX || denominator > EXACT_MAX / 2)
    return Number(
      roundHalfAway({ numerator: BigInt(milligrams) * BigInt(numerator), denominator: BigInt(denominator) }),
    )
  return product < 0
    ? -Math.floor((2 * -product + denominator) / (2 * denominator))
    : Math.floor((2 * product + denominator) / (2 * denominator))
}

export const isWithin = (milligrams: number, { from, to }: PeriodShare): number =>
  amountBefore(milligrams, to) - amountBefore(milligrams, from)
