// How a file is to be read, found in its first million bytes; what they do not tell is asked for, never guessed.
import { closestMatches, withSuggestions } from '../engine/reference/suggestions.ts'
import type { Problem } from '../engine/order.ts'
import { displayText, type DateForm, type Decimal, type CellReader } from './cells.ts'
import { IGNORED_COLUMNS, type Layout } from './columns.ts'
import { AS_REQUESTED, detectFormat, detected, rejected, type Detection } from './detect-bytes.ts'
import {
  createColumnNames,
  detectColumns,
  inferredFromOthers,
  tooLargeHeader,
  type ColumnNames,
  type DetectedColumn,
} from './detect-columns.ts'
import { detectDateFormat, detectDecimalSeparator } from './detect-forms.ts'
import { createOrderTable, type OrderTable } from './order-table.ts'
import type { ParseJson } from './read-json-lines.ts'
import { HEAD_BYTES } from './limits.ts'
import { sampleCsv, sampleJsonLines, type Sample, type SampledFile } from './sample.ts'
import { sampleXlsx } from './sample-workbook.ts'
import { UnreadableFile } from './row.ts'
import { SETTING_VALUES, type DetectionEvidence, type Format, type Settings } from './settings.ts'
import type { ByteSource } from './source.ts'

export type Detected =
  | {
      readonly ok: true
      readonly settings: Settings
      /** What was found of each setting, and what tells it. */
      readonly evidence: readonly DetectionEvidence[]
      /** What each column of the file is, in its sequence. */
      readonly columns: readonly DetectedColumn[]
    }
  | { readonly ok: false; readonly problems: readonly Problem[] }

const SETTINGS = ['format', 'layout', 'encoding', 'delimiter', 'decimal', 'dates', 'sheet', 'columns']

/**
 * The settings of a file, or all that keeps them from being told, each with what would be right.
 * @param asked what the sender says of the file; it wins, unless the file contradicts it
 */
export async function detectSettings(
  source: ByteSource,
  fileName: string | null,
  asked: Partial<Settings>,
  parseJson: ParseJson,
): Promise<Detected> {
  const wrong = askedProblems(asked)
  if (wrong.length > 0) return { ok: false, problems: wrong }
  const head = await source.read(0, Math.min(source.bytes, HEAD_BYTES))
  const format = detectFormat(head, asked.format)
  if (!format.ok) return { ok: false, problems: [format.problem] }
  const sampled = await sampleOf(format.value, source, head, asked, parseJson).catch(unreadable)
  if (!sampled.ok) return { ok: false, problems: [sampled.problem] }
  const because = `${format.because}${nameNote(fileName, format.value)}`
  return settingsOf({ ok: true, value: format.value, because }, sampled.sample, asked)
}

function askedProblems(asked: Partial<Settings>): readonly Problem[] {
  return Object.entries(asked).flatMap(([name, value]) => {
    if (!SETTINGS.includes(name)) {
      return [
        withSuggestions(
          { path: `/${name}`, message: `There is no setting ${displayText(name)}` },
          closestMatches(name, SETTINGS),
        ),
      ]
    }
    const choices = SETTING_VALUES[name as keyof Settings]
    if (!choices || value === null || choices.includes(value as string)) return []
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const message = `Must be one of ${choices.map(displayText).join(', ')}; it is ${displayText(text)}`
    return [withSuggestions({ path: `/${name}`, message }, closestMatches(text, choices))]
  })
}

const nameNote = (fileName: string | null, format: Format): string => {
  const ending = /\.(csv|xlsx|jsonl)$/i.exec(fileName ?? '')?.[1]?.toLowerCase()
  return ending === undefined || ending === format ? '' : `, although its name ends with .${ending}`
}

/** A damaged file is its sender's to mend. */
function unreadable(error: unknown): SampledFile {
  if (!(error instanceof UnreadableFile)) throw error
  return { ok: false, problem: { path: '', message: error.message } }
}

function sampleOf(
  format: Format,
  source: ByteSource,
  head: Buffer,
  asked: Partial<Settings>,
  parseJson: ParseJson,
): Promise<SampledFile> {
  if (format === 'xlsx') return sampleXlsx(source, asked)
  if (format === 'csv') return sampleCsv(head, head.length === source.bytes, asked)
  return sampleJsonLines(source, head, asked, parseJson)
}

type Found<Value> = Extract<Detection<Value>, { readonly ok: true }>

interface Findings {
  readonly format: Detection<Format>
  readonly layout: Detection<Layout>
  readonly encoding: Sample['encoding']
  readonly delimiter: Sample['delimiter']
  readonly sheet: Sample['sheet']
  readonly decimal: Detection<Decimal>
  readonly dates: Detection<DateForm>
}

function settingsOf(format: Found<Format>, sample: Sample, asked: Partial<Settings>): Detected {
  const tooLarge = tooLargeHeader(sample.header)
  if (tooLarge) return { ok: false, problems: [tooLarge] }
  const columnNamed = createColumnNames(asked.columns ?? {})
  const layout = detectLayout(sample, asked, columnNamed)
  const columns = detectColumns(sample, layout.value, asked.columns ?? {})
  const named = Object.fromEntries(sample.header.map((name) => [name, columnNamed(name)]))
  const table = tableOf(sample, { format: format.value, layout: layout.value, columns: named })
  const findings: Findings = {
    format,
    layout,
    encoding: sample.encoding,
    delimiter: sample.delimiter,
    sheet: sample.sheet,
    decimal:
      format.value === 'jsonl'
        ? pointOfJson(asked)
        : detectDecimalSeparator(cellsOf(sample, table, 'number'), asked.decimal),
    dates: sample.isOfBodies ? daysOfBodies(asked) : detectDateFormat(cellsOf(sample, table, 'date'), asked.dates),
  }
  const all = Object.entries(findings) as (readonly [keyof Settings, Detection<string> | null])[]
  const problems = all.flatMap(([, finding]) => (finding && !finding.ok ? [finding.problem] : []))
  if (!columns.ok) return { ok: false, problems: [...columns.problems, ...problems] }
  if (problems.length > 0) return { ok: false, problems }
  const values = Object.fromEntries(all.map(([name, finding]) => [name, finding?.ok ? finding.value : null]))
  const evidence = all.flatMap(([setting, finding]) =>
    finding?.ok ? [{ setting, value: finding.value, because: finding.because }] : [],
  )
  const meant = Object.fromEntries(columns.columns.map(({ header, member }) => [header, member ?? IGNORED_COLUMNS]))
  return {
    ok: true,
    settings: { ...values, columns: meant } as unknown as Settings,
    evidence: [...evidence, ...inferredFromOthers(columns.columns, layout.value)],
    columns: columns.columns,
  }
}

function detectLayout(
  { header, isOfBodies }: Sample,
  asked: Partial<Settings>,
  columnNamed: ColumnNames,
): Found<Layout> {
  if (asked.layout) return { ok: true, value: asked.layout, because: AS_REQUESTED }
  if (isOfBodies) return { ok: true, value: 'orders', because: 'the first line has no member "type"' }
  const type = header.find((name) => columnNamed(name) === 'type')
  return type === undefined
    ? { ok: true, value: 'orders', because: 'no column says of which type an item is' }
    : { ok: true, value: 'items', because: `the column ${displayText(type)} says of which type the item of a row is` }
}

/** The numbers and days of a sample are told apart by its columns alone. */
const tableOf = (sample: Sample, told: Pick<Settings, 'format' | 'layout' | 'columns'>): OrderTable =>
  createOrderTable(sample.header, {
    encoding: null,
    delimiter: null,
    sheet: null,
    decimal: 'point',
    dates: 'YYYY-MM-DD',
    ...told,
  })

function* cellsOf({ rows }: Sample, { order, item, groups }: OrderTable, reads: CellReader): Generator<string> {
  const spots = [...order, ...item, ...groups.flatMap((group) => group.spots)]
  const wanted = new Set(spots.filter((spot) => spot.reads === reads).map(({ at }) => at))
  // By what a row has: there may be thousands of columns, and rows of one cell.
  for (const cells of rows) for (const [at, cell] of cells.entries()) if (cell && wanted.has(at)) yield cell
}

const pointOfJson = ({ decimal }: Partial<Settings>): Detection<Decimal> =>
  decimal === 'comma'
    ? rejected('decimal', 'Numbers of JSON have a decimal point', ['point'])
    : detected('point', 'numbers of JSON have one')

const daysOfBodies = ({ dates = 'YYYY-MM-DD' }: Partial<Settings>): Detection<DateForm> =>
  dates === 'YYYY-MM-DD'
    ? detected(dates, 'orders are written as POST takes them')
    : rejected('dates', 'Orders in JSON are written as POST takes them, with days as YYYY-MM-DD', ['YYYY-MM-DD'])
