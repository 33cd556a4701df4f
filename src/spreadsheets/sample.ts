// Reads the first rows of a file, from which its other settings are detected.
import type { Problem } from '../engine/order.ts'
import { isBlank } from './cells.ts'
import { normaliseHeader } from './columns.ts'
import {
  detectDelimiter,
  detectEncoding,
  detected,
  rejected,
  decodeText,
  separatorLineOf,
  type Detection,
} from './detect-format.ts'
import { findHeader, type NumberedRow } from './detect-header.ts'
import { FILE_MESSAGES, SETTING_MESSAGES } from './messages.ts'
import { createColumnNames, isKnownColumn, tooLargeHeader } from './detect-columns.ts'
import { HEAD_BYTES, SAMPLE_LINES_BYTES_MAX, SAMPLE_LINES_MAX, SAMPLE_BYTES_MAX } from './limits.ts'
import { isJsonObject, splitLines, type ParseJson } from './read-json-lines.ts'
import { readCsvText } from './read-csv.ts'
import { NO_ERRORS } from './row.ts'
import type { Delimiter, Encoding, Settings } from './settings.ts'
import { yieldToEventLoop, type ByteSource } from './byte-source.ts'

export interface Sample {
  readonly encoding: Detection<Encoding> | null
  readonly delimiter: Detection<Delimiter> | null
  readonly sheet: Detection<string> | null
  readonly header: readonly string[]
  /** The row with the headers, if it is not the first one or was requested. */
  readonly headerRow: Detection<number> | null
  /** The rows below the header. For workbooks, without the text of cells that are typed as numbers or days. */
  readonly rows: readonly (readonly string[])[]
  /** True for JSON lines of whole orders, which have no columns. */
  readonly isOfBodies: boolean
}

export type SampledFile =
  | { readonly ok: true; readonly sample: Sample }
  | { readonly ok: false; readonly problem: Problem }

export const failed = (finding: Detection<unknown>): SampledFile => {
  if (finding.ok) throw new Error('A finding is no failure')
  return { ok: false, problem: finding.problem }
}

/** If a setting is rejected, reading continues with the suggested value, so that all problems are reported together. */
const valueOr = <Value extends string>(finding: Detection<Value>, otherwise: Value): Value =>
  finding.ok ? finding.value : ((finding.problem.suggestions?.[0] as Value | undefined) ?? otherwise)

export async function sampleCsv(head: Buffer, isWhole: boolean, asked: Partial<Settings>): Promise<SampledFile> {
  const encoding = detectEncoding(head, asked.encoding ?? undefined)
  const readAs = valueOr(encoding, 'windows-1252')
  const text = textOfHead(head, readAs, isWhole)
  // A quoted header may contain a CR.
  const firstEnd = /["\n]|\r+\n?/.exec(text)?.[0]
  if (firstEnd?.startsWith('\r') && !firstEnd.endsWith('\n')) {
    return failed(rejected('format', FILE_MESSAGES.file_line_end_is_cr()))
  }
  const columnNamed = createColumnNames(asked.columns ?? {})
  const delimiter = await detectDelimiter(text, readAs, asked.delimiter ?? undefined, {
    headerOf: (rows) => rows[findHeader(rows, asked).at]?.cells ?? [],
    isKnown: (header) => isKnownColumn(columnNamed(header)),
  })
  const rows: NumberedRow[] = []
  const isSeparatorLine = separatorLineOf(text) !== null
  for await (const batch of readCsvText(decodeText(text), readAs, valueOr(delimiter, ','))) {
    for (const row of batch) {
      const isOfUse = row.errors === NO_ERRORS && !row.cells.every(isBlank) && !(row.number === 1 && isSeparatorLine)
      if (isOfUse || (row.number === 1 && row.errors !== NO_ERRORS)) rows.push(row)
    }
    await yieldToEventLoop()
  }
  const { at, because } = findHeader(rows, asked)
  const found = rows[at]
  if (!found) return failed(noHeader(asked))
  const headerRow = found.number === 1 && asked.header_row === undefined ? null : detected(found.number, because)
  const below = rows.slice(at + 1).map(({ cells }) => cells)
  const { cells: header } = found
  return { ok: true, sample: { encoding, delimiter, sheet: null, header, headerRow, rows: below, isOfBodies: false } }
}

export const noHeader = ({ header_row: row }: Partial<Settings>): Detection<never> =>
  row === undefined
    ? rejected('columns', SETTING_MESSAGES.header_empty())
    : rejected('header_row', SETTING_MESSAGES.header_row_empty({ row }))

/** The text without a last line that may be truncated. */
function textOfHead(head: Buffer, encoding: Encoding, isWhole: boolean): string {
  const text = new TextDecoder(encoding).decode(head, { stream: !isWhole })
  const end = text.lastIndexOf('\n')
  return isWhole || end === -1 ? text : text.slice(0, end + 1)
}

export async function sampleJsonLines(
  source: ByteSource,
  head: Buffer,
  asked: Partial<Settings>,
  parseJson: ParseJson,
): Promise<SampledFile> {
  const encoding = detectEncoding(head, asked.encoding ?? undefined)
  if (!encoding.ok) return failed(encoding)
  const objects = await firstObjects(source, encoding.value, parseJson)
  const [first] = objects
  if (!first) return failed(rejected('format', FILE_MESSAGES.json_lines_unreadable({ lines: SAMPLE_LINES_MAX })))
  const isOfBodies = asked.layout === undefined ? isBody(first) : asked.layout === 'orders'
  const known = { encoding, delimiter: null, sheet: null, headerRow: null, isOfBodies }
  if (isOfBodies) return { ok: true, sample: { ...known, header: [], rows: [] } }
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))]
  const tooLarge = tooLargeHeader(names)
  if (tooLarge) return { ok: false, problem: tooLarge }
  // A line without a member has an empty cell in its place, which counts, too.
  const looked = objects.slice(0, Math.ceil(SAMPLE_BYTES_MAX / names.length))
  const rows = looked.map((object) => names.map((name) => cellOf(object[name])))
  return { ok: true, sample: { ...known, header: names, rows } }
}

/** True for a POST body, which contains its items. A line that is an item states its type. */
const isBody = (object: object): boolean => !Object.keys(object).some((name) => normaliseHeader(name) === 'type')

/** JSON numbers are independent of the settings, so they are no evidence and are omitted. */
const cellOf = (value: unknown): string => (typeof value === 'string' ? value : '')

async function firstObjects(
  source: ByteSource,
  encoding: Encoding,
  parseJson: ParseJson,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const objects: Readonly<Record<string, unknown>>[] = []
  let [length, count] = [0, 0]
  // Limits the bytes read, because empty lines are skipped without being counted.
  const start = { ...source, bytes: Math.min(source.bytes, SAMPLE_LINES_BYTES_MAX) }
  for await (const lines of splitLines(start, { encoding }, parseJson)) {
    for (const [{ text }, line] of lines) {
      length += text.length
      count += 1
      if ('value' in line && isJsonObject(line.value)) objects.push(line.value)
    }
    if (length > HEAD_BYTES || count > SAMPLE_LINES_MAX) break
    await yieldToEventLoop()
  }
  return objects
}
