// Reads the first rows of a workbook, from which its other settings are detected.
import { PROBLEMS_MAX } from '../engine/validate-order.ts'
import type { Decimal } from './cells.ts'
import { AS_REQUESTED, detected, rejected, type Detection } from './detect-format.ts'
import { SAMPLE_ROWS_MAX, SAMPLE_BYTES_MAX, SAMPLE_XML_BYTES_MAX, TITLE_ROWS_MAX } from './limits.ts'
import { EVIDENCE_MESSAGES, FILE_MESSAGES, SETTING_MESSAGES, shownValue } from './messages.ts'
import { openWorkbook, readSheet, type Workbook } from './read-workbook.ts'
import { UnreadableFile } from './row.ts'
import { failed, noHeader, type SampledFile } from './sample.ts'
import { findHeader, type NumberedRow } from './detect-header.ts'
import type { Settings } from './settings.ts'
import type { ByteSource } from './byte-source.ts'

type Cells = readonly string[]

/** The first rows of the requested sheet, or of the only sheet with content. */
export async function sampleXlsx(source: ByteSource, asked: Partial<Settings>): Promise<SampledFile> {
  const book = await openWorkbook(source)
  const headerOf = createHeaders(book)
  const sheet = await detectSheet(book, headerOf, asked.sheet ?? undefined)
  if (!sheet.ok) return failed(sheet)
  const reach = asked.header_row ?? TITLE_ROWS_MAX
  const above = await firstRows(book, sheet.value, 'point', reach, createBudget(), Infinity)
  const { at, because } = findHeader(above, asked)
  const found = above[at]
  if (!found) return failed(noHeader(asked))
  const headerRow = at === 0 && asked.header_row === undefined ? null : detected(found.number, because)
  const read = await firstRows(book, sheet.value, null, SAMPLE_ROWS_MAX, createBudget(), found.number)
  const rows = read.filter(({ number }) => number > found.number).map(({ cells }) => cells)
  const { cells: header } = found
  return { ok: true, sample: { encoding: null, delimiter: null, sheet, header, headerRow, rows, isOfBodies: false } }
}

type HeaderOf = (sheet: string) => Promise<Cells | undefined>

/** The first row with content of a sheet. If several sheet names refer to one part, the part is read once. */
function createHeaders(book: Workbook): HeaderOf {
  const headers = new Map<string, Cells | undefined>()
  const budget = createBudget()
  return async (sheet) => {
    const part = book.sheets.get(sheet)
    if (part === undefined) return undefined
    if (!headers.has(part)) headers.set(part, (await firstRows(book, sheet, 'point', 1, budget))[0]?.cells)
    if (budget.left < 0 && headers.get(part) === undefined) {
      throw new UnreadableFile(FILE_MESSAGES.workbook_starts_too_late({ max: SAMPLE_XML_BYTES_MAX }))
    }
    return headers.get(part)
  }
}

async function detectSheet(book: Workbook, headerOf: HeaderOf, asked: string | undefined): Promise<Detection<string>> {
  if (asked !== undefined && (await headerOf(asked))) return detected(asked, AS_REQUESTED)
  const filled: string[] = []
  for (const name of book.sheets.keys()) if (await headerOf(name)) filled.push(name)
  const [only, another] = filled
  if (only === undefined) return rejected('sheet', FILE_MESSAGES.workbook_empty())
  const suggested = filled.slice(0, PROBLEMS_MAX)
  if (asked !== undefined) {
    return rejected('sheet', SETTING_MESSAGES.sheet_not_found({ sheet: shownValue(asked) }), suggested)
  }
  if (another === undefined) return detected(only, EVIDENCE_MESSAGES.no_other_sheet())
  return rejected('sheet', SETTING_MESSAGES.sheet_ambiguous({ sheets: filled.length }), suggested)
}

/** The amount of XML that may still be read. */
interface Budget {
  left: number
}

const createBudget = (): Budget => ({ left: SAMPLE_XML_BYTES_MAX })

class LookedEnough extends Error {}

async function* within(budget: Budget, pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    budget.left -= piece.length
    if (budget.left < 0) throw new LookedEnough()
    yield piece
  }
}

/** The first rows, up to a number of rows, a total length, and the remaining XML budget. */
async function firstRows(
  book: Workbook,
  sheet: string,
  decimal: Decimal | null,
  rowsMax: number,
  budget: Budget,
  headerRow = 1,
): Promise<readonly NumberedRow[]> {
  const rows: NumberedRow[] = []
  const zip = { ...book.zip, read: (name: string) => within(budget, book.zip.read(name)) }
  let weight = 0
  try {
    for await (const batch of readSheet({ ...book, zip }, sheet, decimal, headerRow)) {
      for (const row of batch) {
        rows.push(row)
        weight += weightOf(row.cells)
        if (rows.length >= rowsMax || weight >= SAMPLE_BYTES_MAX) return rows
      }
    }
  } catch (error) {
    if (!(error instanceof LookedEnough)) throw error
  }
  return rows
}

/** The length of the row in CSV: an empty cell counts one delimiter. */
const weightOf = (cells: Cells): number => cells.reduce((weight, cell) => weight + cell.length + 1, 0)
