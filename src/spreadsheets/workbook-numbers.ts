// Numbers in the cells of a workbook: what their number format shows, as text.
import { writeNumber, type Decimal } from './cells.ts'

export interface CellStyle {
  /** True if it shows a number as a day. */
  readonly showsDay: boolean
  /** How many digits a whole number is shown with at least, by leading zeros. */
  readonly digitsMin: number
}

/** The built-in number formats that show a day, which need no code in the file. */
const DAY_FORMATS: ReadonlySet<number> = new Set([
  14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58,
])

/** Quoted or bracketed parts of a code. An unclosed one extends to the end, so that the code is scanned only once. */
const QUOTED = /"[^"]*"?|\[[^\]]*\]?|\\.?/g

/** True if a code such as `dd.mm.yyyy` shows a day. */
function isDayCode(code: string): boolean {
  const bare = code.replace(QUOTED, '').toLowerCase()
  return /[yd]/.test(bare) || (bare.includes('m') && !/[hs]/.test(bare))
}

/** The number of digits that a code such as `00000000` shows at least. */
const digitsOfCode = (code: string): number => /^(?:\[[^\]]*\])?(0+)(?:;|$)/.exec(code)?.[1]?.length ?? 1

/** @param code a number format, such as `dd.mm.yyyy` */
export const styleOfCode = (code: string): CellStyle => ({ showsDay: isDayCode(code), digitsMin: digitsOfCode(code) })

/** @param id of a number format without a code in the file */
export const builtInStyle = (id: number): CellStyle => ({ showsDay: DAY_FORMATS.has(id), digitsMin: 1 })

/** Precision of spreadsheet calculations. Further digits are artefacts of binary fractions. */
const DIGITS = 15

/** @param decimal format of numbers; null omits the text */
export function numberText(
  book: { readonly styles: readonly CellStyle[]; readonly countsFrom1904: boolean },
  style: number,
  text: string,
  decimal: Decimal | null,
): string {
  const value = Number(text)
  if (decimal === null || !Number.isFinite(value)) return decimal === null ? '' : text
  const { showsDay, digitsMin } = book.styles[style] ?? PLAIN_STYLE
  if (showsDay) return dayText(value, book.countsFrom1904) ?? writeNumber(value, decimal)
  if (Math.abs(value) >= FIRST_LOSSY) return shortened(value, decimal)
  const written = writeNumber(Number(value.toPrecision(DIGITS)), decimal)
  return digitsMin > 1 && Number.isInteger(value) && value >= 0 ? written.padStart(digitsMin, '0') : written
}

const PLAIN_STYLE: CellStyle = { showsDay: false, digitsMin: 1 }
/** From here on, a spreadsheet has lost digits of a number, so that different ids would look the same. */
const FIRST_LOSSY = 1e15

/** As a spreadsheet shows a number that it shortened, which is no id. */
function shortened(value: number, decimal: Decimal): string {
  const [digits = '', exponent = ''] = value.toExponential(5).split('e+')
  const short = digits.replace(/\.?0+$/, '')
  return `${decimal === 'comma' ? short.replace('.', ',') : short}E+${exponent.padStart(2, '0')}`
}

const DAY_MS = 86_400_000
const LAST_SERIAL = 2_958_465

/** A spreadsheet's day number as YYYY-MM-DD, with the time if there is one; null if it is not a day. */
function dayText(serial: number, countsFrom1904: boolean): string | null {
  if (!(serial >= 0 && serial <= LAST_SERIAL)) return null
  // Spreadsheets count a nonexistent 29 February 1900, for historical reasons. Before it, the offset is one day less.
  const first = countsFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 60 ? 31 : 30)
  const written = new Date(first + Math.round(serial * 86_400) * 1000).toISOString()
  const isMidnight = (Math.round(serial * 86_400) * 1000) % DAY_MS === 0
  return isMidnight ? written.slice(0, 10) : written.slice(0, 19).replace('T', ' ')
}
