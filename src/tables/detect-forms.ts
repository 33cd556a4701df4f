// How a file writes numbers and days: told by cells that can be read in one way only, else asked for.
import { isCalendarDay } from '../engine/numbers/calendar.ts'
import { DATE_FORMS, dayOfFormat, hasThousandsSeparators, displayText, type DateForm, type Decimal } from './cells.ts'
import { AS_REQUESTED, detected, rejected, type Detection } from './detect-bytes.ts'

/** What stands against one reading is taken for faults of single cells, where so many times as much stands for it. */
const MUCH = 10

/** Some cells that say the same of a file. */
class Tally {
  count = 0
  example = ''
  add(cell: string, times = 1): void {
    if (this.count === 0) this.example = cell
    this.count += times
  }
  get because(): string {
    const cells = this.count === 1 ? '1 cell of the first rows is' : `${this.count} cells of the first rows are`
    return `${cells} written so, like ${displayText(this.example)}`
  }
  outweighs(other: Tally): boolean {
    return this.count > 0 && this.count >= other.count * MUCH
  }
}

/** @param cells of the columns that hold numbers */
export function detectDecimalSeparator(cells: Iterable<string>, asked: Decimal | undefined): Detection<Decimal> {
  const sure = { point: new Tally(), comma: new Tally() }
  const ambiguous = new Tally()
  for (const cell of cells) {
    const text = cell.trim()
    const mark = markOf(text)
    if (mark === null) continue
    if (hasThousandsSeparators(text, mark)) ambiguous.add(text)
    else sure[mark].add(text)
  }
  if (asked) {
    const other = asked === 'point' ? 'comma' : 'point'
    if (!sure[other].outweighs(sure[asked])) return detected(asked, AS_REQUESTED)
    return rejected('decimal', `The file has a decimal ${other}, not a ${asked}: ${sure[other].because}`, [other])
  }
  if (sure.point.outweighs(sure.comma)) return detected('point', sure.point.because)
  if (sure.comma.outweighs(sure.point)) return detected('comma', sure.comma.because)
  return undecidedDecimal(sure.point, sure.comma, ambiguous)
}

function undecidedDecimal(point: Tally, comma: Tally, ambiguous: Tally): Detection<Decimal> {
  if (point.count > 0) {
    const message =
      `Numbers stand with point and comma, like ${displayText(point.example)} and ` + `${displayText(comma.example)}`
    return rejected('decimal', `${message}; say which is the decimal mark`, ['point', 'comma'])
  }
  if (ambiguous.count === 0) return detected('point', 'no number of the first rows has a decimal mark')
  const message = `${displayText(ambiguous.example)} may be a fraction or thousands, and no cell tells which`
  return rejected('decimal', `${message}; say whether the decimal mark is the point or the comma`, ['point', 'comma'])
}

/** The mark that a number has before its decimals, or, where it has one alone, may have; null where it has none. */
function markOf(text: string): Decimal | null {
  if (!/^-?\d[\d.,]*$/.test(text)) return null
  const [point, comma] = [text.lastIndexOf('.'), text.lastIndexOf(',')]
  if (point === comma) return null
  const last: Decimal = point > comma ? 'point' : 'comma'
  const isRepeated = text.indexOf(last === 'point' ? '.' : ',') !== Math.max(point, comma)
  // "1.234.567": a mark that stands twice parts thousands, so that the other one is before decimals.
  return isRepeated ? (last === 'point' ? 'comma' : 'point') : last
}

const ISO: DateForm = 'YYYY-MM-DD'

/** What cells say, with the forms in which that is a day that exists. */
interface Reading {
  readonly text: string
  readonly forms: readonly DateForm[]
  /** How many cells say it. */
  readonly count: number
}

/** @param cells of the columns that hold days */
export function detectDateFormat(cells: Iterable<string>, asked: DateForm | undefined): Detection<DateForm> {
  const readings = readingsOf(cells).filter(({ forms }) => forms.length > 0)
  const told = decideDates(readings)
  if (!asked) return told
  // YYYY-MM-DD is read in every file.
  if (!told.ok || told.value === asked || told.value === ISO) return detected(asked, AS_REQUESTED)
  const [forTold, forAsked] = [tallyOf(readings, told.value, asked), tallyOf(readings, asked, told.value)]
  if (!forTold.outweighs(forAsked)) return detected(asked, AS_REQUESTED)
  return rejected('dates', `Days are not written as ${asked}, but as ${told.value}: ${forTold.because}`, [told.value])
}

function readingsOf(cells: Iterable<string>): readonly Reading[] {
  const counts = new Map<string, number>()
  for (const cell of cells) {
    const text = cell.trim().slice(0, 10).trim()
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return [...counts].map(([text, count]) => ({ text, forms: formsOf(text), count }))
}

const formsOf = (text: string): readonly DateForm[] =>
  isCalendarDay(text) ? [ISO] : DATE_FORMS.filter((form) => isCalendarDay(dayOfFormat(text, form) ?? ''))

/** The cells that are days in one form and not in the other. */
function tallyOf(readings: readonly Reading[], form: DateForm, other: DateForm | null): Tally {
  const tally = new Tally()
  for (const { text, forms, count } of readings) {
    if (forms.includes(form) && !(other && forms.includes(other))) tally.add(text, count)
  }
  return tally
}

function decideDates(readings: readonly Reading[]): Detection<DateForm> {
  const iso = tallyOf(readings, ISO, null)
  const others = DATE_FORMS.filter((form) => form !== ISO)
    .map((form) => ({ form, tally: tallyOf(readings, form, ISO) }))
    .filter(({ tally }) => tally.count > 0)
    .sort((a, b) => b.tally.count - a.tally.count)
  const [best, ...rivals] = others
  if (!best) return detected(ISO, iso.count > 0 ? iso.because : 'no cell of the first rows is a day otherwise')
  if (iso.outweighs(best.tally)) return detected(ISO, iso.because)
  for (const { form } of rivals) {
    const [forBest, forRival] = [tallyOf(readings, best.form, form), tallyOf(readings, form, best.form)]
    if (forBest.outweighs(forRival)) continue
    const [one, other] = [forBest.count > 0 ? forBest : best.tally, forRival.count > 0 ? forRival : best.tally]
    const message =
      forBest.count === forRival.count && forBest.count === 0
        ? `${displayText(best.tally.example)} may be ${best.form} or ${form}, and no day is later than the ` +
          `12th of its month`
        : `Days are written as ${best.form} and as ${form}, like ${displayText(one.example)} and ` +
          `${displayText(other.example)}`
    return rejected('dates', `${message}; say which it is`, [best.form, form])
  }
  const [rival] = rivals
  return detected(best.form, (rival ? tallyOf(readings, best.form, rival.form) : best.tally).because)
}
