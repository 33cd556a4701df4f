// Reads a cell as the number or day it shows, and writes cells so that no spreadsheet runs them as a formula.
import { isCalendarDay } from '../engine/numbers/calendar.ts'
import type { Message } from '../engine/message.ts'
import { compare, rationalOfNumber, parseDecimal } from '../engine/numbers/rational.ts'
import { CELL_MESSAGES, shownValue } from './messages.ts'

export type Decimal = 'point' | 'comma'
export const DECIMALS: readonly Decimal[] = ['point', 'comma']

export const DATE_FORMS = [
  'YYYY-MM-DD',
  'YYYY/MM/DD',
  'DD.MM.YYYY',
  'DD/MM/YYYY',
  'DD-MM-YYYY',
  'MM/DD/YYYY',
  'MM-DD-YYYY',
  'DD.MM.YY',
  'DD/MM/YY',
  'DD-MM-YY',
  'MM/DD/YY',
  'MM-DD-YY',
] as const
export type DateForm = (typeof DATE_FORMS)[number]

/** The type a cell is read as. */
export type CellReader = 'text' | 'number' | 'date'

/** Why a cell cannot be read, and the texts that may be correct. */
export class CellError {
  readonly reason: Message
  readonly suggestions: readonly string[]
  constructor(reason: Message, suggestions: readonly string[] = []) {
    this.reason = reason
    this.suggestions = suggestions
  }
}

/** A decimal of up to this number of digits always survives conversion to a double and back. */
const SAFE_DIGITS = 15
const DIGITS_MAX = 300
const NUMBER = {
  point: /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/,
  comma: /^-?\d+(?:,\d+)?(?:[eE][+-]?\d{1,3})?$/,
}
const MARK = { point: '.', comma: ',' }
/** A time behind a day, with its offset. The day counts as written, whatever the offset. */
const TIME =
  /[ T]+\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?: ?[AP]\.?M\.?)?(?: ?(?:Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?))?$/i
const DAY_LENGTH_MIN = 6
/** Longer texts are not a number with a unit. */
const NUMBER_LENGTH_MAX = 60

/** A cell as it is compared: without white space around it, and without regard to case. */
export const normaliseCell = (cell: string): string => cell.normalize('NFC').trim().toLowerCase()

export const isBlank = (cell: string): boolean => cell === '' || (cell.charCodeAt(0) <= 0xa0 && cell.trim() === '')

/** The exact number that a cell shows; an error if it is ambiguous or if a double would change it. */
export function readNumber(cell: string, decimal: Decimal): number | CellError {
  const text = cell.trim()
  if (!NUMBER[decimal].test(text)) return notANumber(text, decimal)
  const plain = decimal === 'comma' ? text.replace(',', '.') : text
  const value = Number(plain)
  if (plain.length <= SAFE_DIGITS && !/[eE]/.test(plain)) return value
  return isKept(plain, value)
    ? value
    : new CellError(CELL_MESSAGES.cell_too_many_digits({ text: shownValue(text), max: SAFE_DIGITS }))
}

/** The number that a cell shows, in the unit of orders. @param factor of the unit of its column, if it is another */
export function readAmount(cell: string, decimal: Decimal, factor: number | undefined): number | CellError {
  const value = readNumber(cell, decimal)
  // Rounding removes the last digit of the binary product, so that the decimal is exact.
  return factor === undefined || value instanceof CellError ? value : Number((value * factor).toPrecision(SAFE_DIGITS))
}

/** The form in which a spreadsheet shows a number with too many digits. The original digits are lost. */
const SHORTENED = /^[1-9](?:[.,]\d{1,5})?E\+\d{2}$/
const IDENTITIES: ReadonlySet<string> = new Set(['customer_id', 'order_id', 'product_id', 'serial_number'])

/**
 * The text of a cell. An id that a spreadsheet has shortened is an error, because different ids would look the same.
 */
export function readText(cell: string, member: string): string | CellError {
  if (!IDENTITIES.has(member) || !SHORTENED.test(cell.trim())) return cell
  return new CellError(CELL_MESSAGES.cell_shortened_number({ text: shownValue(cell.trim()) }))
}

const isKept = (plain: string, value: number): boolean =>
  plain.length <= DIGITS_MAX && Number.isFinite(value) && compare(parseDecimal(plain), rationalOfNumber(value)) === 0

function notANumber(text: string, decimal: Decimal): CellError {
  const other = decimal === 'comma' ? 'point' : 'comma'
  if (hasThousandsSeparators(text, other)) {
    const integer = text.replace(MARK[other], '')
    const fraction = text.replace(MARK[other], MARK[decimal])
    return new CellError(CELL_MESSAGES.cell_ambiguous_number({ text: shownValue(text), decimal, integer, fraction }), [
      integer,
      fraction,
    ])
  }
  const reason = CELL_MESSAGES.cell_not_a_number({ text: shownValue(text), decimal })
  return new CellError(reason, orNone(suggestedNumber(text, decimal)))
}

const orNone = (suggestion: string | null): readonly string[] => (suggestion === null ? [] : [suggestion])

/** "1.234" and "1,234": three digits after the mark may be thousands. */
export const hasThousandsSeparators = (text: string, mark: Decimal): boolean =>
  mark === 'point' ? /^-?[1-9]\d{0,2}\.\d{3}$/.test(text) : /^-?[1-9]\d{0,2},\d{3}$/.test(text)

/** The units of orders. A number with another one has no suggestion, because it would mean something else. */
const OWN_UNIT =
  /\s*(?:kgs?|kilos?|kilogramm?(?:es|s|e|i)?|km|kilomet(?:er|re|ro)s?|months?|monate?n?|mois|mes(?:es|i)?)\.?$/i
/** Digits in groups of three, with one separator throughout, and decimals behind another mark. */
const GROUPED = /^(-?\d{1,3})(?:([.,'’\s])\d{3})(?:\2\d{3})*(?:([.,])(\d+))?$/

/** The probable number: with the other decimal mark, without thousands separators, or without a unit. */
function suggestedNumber(text: string, decimal: Decimal): string | null {
  const bare = text.slice(0, NUMBER_LENGTH_MAX).replace(OWN_UNIT, '')
  if (NUMBER[decimal].test(bare)) return bare
  const [other] = DECIMALS.filter((one) => one !== decimal)
  if (NUMBER[other!].test(bare)) return bare.replace(MARK[other!], MARK[decimal])
  const [, , separator, mark, decimals] = GROUPED.exec(bare) ?? []
  if (separator === undefined || separator === mark) return null
  const whole = (mark === undefined ? bare : bare.slice(0, bare.lastIndexOf(mark))).replaceAll(separator, '')
  return decimals === undefined ? whole : whole + MARK[decimal] + decimals
}

/** The day a cell shows, as YYYY-MM-DD. Accepts the format of the file, and YYYY-MM-DD, which is never ambiguous. */
export function readDay(cell: string, form: DateForm): string | CellError {
  const text = cell.trim()
  if (isCalendarDay(text)) return text
  const bare = withoutTime(text)
  const day = dayOfFormat(bare, form) ?? dayOfFormat(bare, longForm(form)) ?? dayOfFormat(bare, 'YYYY-MM-DD')
  const shown = { text: shownValue(text), format: form }
  if (day === null) return new CellError(CELL_MESSAGES.cell_not_a_day(shown), orNone(suggestedDay(bare, form)))
  return isCalendarDay(day) ? day : new CellError(CELL_MESSAGES.cell_no_such_day(shown))
}

export const withoutTime = (text: string): string => (text.length > DAY_LENGTH_MIN ? text.replace(TIME, '') : text)

/** True for a form with years of two digits, which is never assumed. */
export const hasShortYear = (form: DateForm): boolean => !form.includes('YYYY')

const longForm = (form: DateForm): DateForm => (hasShortYear(form) ? (form.replace('YY', 'YYYY') as DateForm) : form)

const SHAPE = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})$/

/** The text as YYYY-MM-DD if it has this format, whether or not the day exists; otherwise null. */
export function dayOfFormat(text: string, form: DateForm): string | null {
  const [, first, mark, second, third] = SHAPE.exec(text) ?? []
  if (!first || !form.includes(mark!)) return null
  const [year, month, day] = form.startsWith('Y')
    ? [first, second!, third!]
    : form.startsWith('D')
      ? [third!, second!, first]
      : [third!, first, second!]
  if (year.length !== (hasShortYear(form) ? 2 : 4) || month.length > 2 || day.length > 2) return null
  return `${wholeYear(year)}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

const SHORT_YEAR = /^(\d{1,2}([./-])\d{1,2}\2)(\d{2})$/
/** Orders start in the year 1990. */
const FIRST_SHORT_YEAR = '90'
const wholeYear = (year: string): string =>
  year.length !== 2 ? year : `${year < FIRST_SHORT_YEAR ? '20' : '19'}${year}`

/** A day in another format if it can only be one day; a day with a two-digit year is suggested in the file's format. */
function suggestedDay(text: string, form: DateForm): string | null {
  const [, start, , year] = SHORT_YEAR.exec(text) ?? []
  if (start && year) {
    const whole = dayOfFormat(start + wholeYear(year), form)
    return whole !== null && isCalendarDay(whole) ? writeDay(whole, form) : null
  }
  const days = DATE_FORMS.map((one) => dayOfFormat(text, one)).filter((day) => day !== null && isCalendarDay(day))
  const [day, other] = new Set(days)
  return day && !other ? writeDay(day, form) : null
}

/** A day, given as YYYY-MM-DD, in the format of a file. */
export function writeDay(day: string, form: DateForm): string {
  const [year = '', month = '', date = ''] = day.split('-')
  return form.replace('YYYY', year).replace('YY', year.slice(2)).replace('MM', month).replace('DD', date)
}

/** A number in the format of a file. */
export const writeNumber = (value: number, decimal: Decimal): string =>
  decimal === 'comma' ? String(value).replace('.', ',') : String(value)

const PLAIN_NUMBER = /^ *[+-]?\d+(?:[.,]\d+)?(?:[eE][+-]?\d{1,3})? *$/
/**
 * Text that a spreadsheet may read as a formula, at the start of a cell. Apostrophes or invisible characters may
 * precede it, because a program that reads the file may remove them.
 */
const RISKY = /^'*(?:[\t\r\n]|[\s\p{Cc}\p{Cf}\u2800\u3164]*[=+\-@＝＋－＠])/u
/** The same after a possible separator: a comma-separated file is split there if a reader expects semicolons. */
const RISKY_INSIDE = /[,;|\t\r\n]["']*[=+\-@＝＋－＠]/
const EACH_INSIDE = /([,;|\t\r\n])(["']*[=+\-@＝＋－＠])/g
const GUARDED_INSIDE = /[,;|\t\r\n]'["']*[=+\-@＝＋－＠]/
const EACH_GUARDED = /([,;|\t\r\n])'(["']*[=+\-@＝＋－＠])/g

/** Escapes a cell for files that are opened in a spreadsheet: text that could run there gets a leading apostrophe. */
export function escapeFormula(cell: string): string {
  if (RISKY_INSIDE.test(cell)) return `'${cell.replace(EACH_INSIDE, "$1'$2")}`
  return RISKY.test(cell) && !PLAIN_NUMBER.test(cell) ? `'${cell}` : cell
}

/** Removes exactly the apostrophes added by escapeFormula(). A cell that does not start with one has none. */
export function unescapeFormula(cell: string): string {
  if (cell.charCodeAt(0) !== 0x27) return cell
  const bare = cell.slice(1)
  if (GUARDED_INSIDE.test(bare)) return bare.replace(EACH_GUARDED, '$1$2')
  return RISKY.test(bare) ? bare : cell
}
