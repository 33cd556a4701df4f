// Detects how to read a file, including number and date formats. Ambiguous settings must be specified by the sender.
import { isCalendarDay } from '../engine/numbers/calendar.ts'
import { inSentence, type Message } from '../engine/message.ts'
import type { Problem } from '../engine/order.ts'
import { closestMatches, withSuggestions } from '../engine/reference/suggestions.ts'
import { problemsOfRegister, problemsOfValues } from './settings-problems.ts'
import type { ByteSource } from './byte-source.ts'
import {
  DATE_FORMS,
  dayOfFormat,
  hasShortYear,
  hasThousandsSeparators,
  withoutTime,
  type CellReader,
  type DateForm,
  type Decimal,
} from './cells.ts'
import { IGNORED_COLUMNS, type Layout } from './columns.ts'
import {
  createColumnNames,
  detectColumns,
  inferredFromOthers,
  tooLargeHeader,
  type ColumnNames,
  type DetectedColumn,
} from './detect-columns.ts'
import { AS_REQUESTED, detectFormat, detected, rejected, type Detection } from './detect-format.ts'
import { HEAD_BYTES } from './limits.ts'
import { EVIDENCE_MESSAGES, SETTING_MESSAGES, shownValue } from './messages.ts'
import { createOrderTable, type OrderTable } from './order-table.ts'
import type { ParseJson } from './read-json-lines.ts'
import { UnreadableFile } from './row.ts'
import { sampleXlsx } from './sample-workbook.ts'
import { sampleCsv, sampleJsonLines, type Sample, type SampledFile } from './sample.ts'
import { SETTING_VALUES, evidenceOf, type DetectionEvidence, type Format, type Settings } from './settings.ts'
import { evidenceOfRows, evidenceOfStated, problemsOfTables, statedOf } from './stated-settings.ts'

/**
 * If the evidence for one reading outweighs the other by this factor, the rest is treated as errors in single cells.
 */
const MUCH = 10

/** Counts the cells that support the same reading of a file. */
class Tally {
  count = 0
  example = ''
  add(cell: string, times = 1): void {
    if (this.count === 0) this.example = cell
    this.count += times
  }
  get because(): Message {
    return EVIDENCE_MESSAGES.cells_written_so({ cells: this.count, example: this.shown })
  }
  get shown(): string {
    return shownValue(this.example)
  }
  outweighs(other: Tally): boolean {
    return this.count > 0 && this.count >= other.count * MUCH
  }
}

/** @param cells of number columns */
function detectDecimalSeparator(cells: Iterable<string>, asked: Decimal | undefined): Detection<Decimal> {
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
    const message = SETTING_MESSAGES.decimal_contradicted({ found: other, asked, because: sure[other].because })
    return rejected('decimal', message, [other])
  }
  if (sure.point.outweighs(sure.comma)) return detected('point', sure.point.because)
  if (sure.comma.outweighs(sure.point)) return detected('comma', sure.comma.because)
  return undecidedDecimal(sure.point, sure.comma, ambiguous)
}

function undecidedDecimal(point: Tally, comma: Tally, ambiguous: Tally): Detection<Decimal> {
  if (point.count > 0) {
    const message = SETTING_MESSAGES.decimal_mixed({ point: point.shown, comma: comma.shown })
    return rejected('decimal', message, ['point', 'comma'])
  }
  if (ambiguous.count === 0) return detected('point', EVIDENCE_MESSAGES.no_decimal_separator())
  return rejected('decimal', SETTING_MESSAGES.decimal_ambiguous({ text: ambiguous.shown }), ['point', 'comma'])
}

/** The mark before a number's decimals, or its only mark, which may separate decimals; null if it has none. */
function markOf(text: string): Decimal | null {
  if (!/^-?\d[\d.,]*$/.test(text)) return null
  const [point, comma] = [text.lastIndexOf('.'), text.lastIndexOf(',')]
  if (point === comma) return null
  const last: Decimal = point > comma ? 'point' : 'comma'
  const isRepeated = text.indexOf(last === 'point' ? '.' : ',') !== Math.max(point, comma)
  // "1.234.567": a repeated mark separates thousands, so the other mark precedes decimals.
  return isRepeated ? (last === 'point' ? 'comma' : 'point') : last
}

const ISO: DateForm = 'YYYY-MM-DD'

/** A distinct cell text, with the formats in which it is an existing day. */
interface Reading {
  readonly text: string
  readonly forms: readonly DateForm[]
  /** The number of cells with this text. */
  readonly count: number
}

/** A day with a time and an offset is shorter. */
const DAY_LENGTH_MAX = 60

/** @param cells of day columns */
function detectDateFormat(cells: Iterable<string>, asked: DateForm | undefined): Detection<DateForm> {
  const readings = readingsOf(cells).filter(({ forms }) => forms.length > 0)
  const told = decideDates(readings)
  if (!asked) return told
  // YYYY-MM-DD is accepted in every file.
  if (!told.ok || told.value === asked || told.value === ISO) return detected(asked, AS_REQUESTED)
  const [forDetected, forAsked] = [tallyOf(readings, told.value, asked), tallyOf(readings, asked, told.value)]
  if (!forDetected.outweighs(forAsked)) return detected(asked, AS_REQUESTED)
  const params = { asked, found: told.value, because: forDetected.because }
  return rejected('dates', SETTING_MESSAGES.dates_contradicted(params), [told.value])
}

function readingsOf(cells: Iterable<string>): readonly Reading[] {
  const counts = new Map<string, number>()
  for (const cell of cells) {
    const text = withoutTime(cell.trim().slice(0, DAY_LENGTH_MAX))
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return [...counts].map(([text, count]) => ({ text, forms: formsOf(text), count }))
}

const formsOf = (text: string): readonly DateForm[] =>
  isCalendarDay(text) ? [ISO] : DATE_FORMS.filter((form) => isCalendarDay(dayOfFormat(text, form) ?? ''))

/** Counts the cells that are days in one format but not in the other. */
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
  if (!best) return detected(ISO, iso.count > 0 ? iso.because : EVIDENCE_MESSAGES.no_other_days())
  if (iso.outweighs(best.tally)) return detected(ISO, iso.because)
  for (const { form } of rivals) {
    const [forBest, forRival] = [tallyOf(readings, best.form, form), tallyOf(readings, form, best.form)]
    if (forBest.outweighs(forRival)) continue
    const [one, other] = [forBest.count > 0 ? forBest : best.tally, forRival.count > 0 ? forRival : best.tally]
    const message =
      forBest.count === forRival.count && forBest.count === 0
        ? SETTING_MESSAGES.dates_ambiguous({ text: best.tally.shown, one: best.form, other: form })
        : SETTING_MESSAGES.dates_mixed({ one: best.form, other: form, first: one.shown, second: other.shown })
    return rejected('dates', message, [best.form, form])
  }
  const [rival] = rivals
  if (hasShortYear(best.form)) {
    const forms = others.map(({ form }) => form).filter(hasShortYear)
    return rejected('dates', SETTING_MESSAGES.dates_short_years({ text: best.tally.shown }), forms)
  }
  return detected(best.form, (rival ? tallyOf(readings, best.form, rival.form) : best.tally).because)
}

export type Detected =
  | {
      readonly ok: true
      readonly settings: Settings
      /** The value detected for each setting, and the evidence for it. */
      readonly evidence: readonly DetectionEvidence[]
      /** The columns of the file, in order. */
      readonly columns: readonly DetectedColumn[]
      readonly header: readonly string[]
    }
  | {
      readonly ok: false
      readonly problems: readonly Problem[]
      /** Absent if the file could not be read as far as that. */
      readonly header?: readonly string[]
    }

const SETTINGS = [
  'format',
  'layout',
  'encoding',
  'delimiter',
  'decimal',
  'dates',
  'sheet',
  'columns',
  'header_row',
  'constants',
  'values',
  'register',
]

/**
 * The settings of a file, or all problems that prevent their detection, each with suggestions.
 * @param sent the settings given by the sender; they take precedence unless the file contradicts them
 */
export async function detectSettings(
  source: ByteSource,
  fileName: string | null,
  sent: Partial<Settings>,
  parseJson: ParseJson,
): Promise<Detected> {
  const wrong = askedProblems(sent)
  // Each row of a register is a device.
  const asked: Partial<Settings> = sent.register ? { ...sent, layout: 'items' } : sent
  if (wrong.length > 0) return { ok: false, problems: wrong }
  const head = await source.read(0, Math.min(source.bytes, HEAD_BYTES))
  const format = detectFormat(head, asked.format)
  if (!format.ok) return { ok: false, problems: [format.problem] }
  const sampled = await sampleOf(format.value, source, head, asked, parseJson).catch(unreadable)
  if (!sampled.ok) return { ok: false, problems: [sampled.problem] }
  const because = withNameNote(format.because, fileName, format.value)
  return settingsOf({ ok: true, value: format.value, because }, sampled.sample, asked)
}

function askedProblems(asked: Partial<Settings>): readonly Problem[] {
  return Object.entries(asked).flatMap(([name, value]): readonly Problem[] => {
    if (!SETTINGS.includes(name)) {
      return [
        withSuggestions(
          { path: `/${name}`, ...SETTING_MESSAGES.setting_unknown({ setting: shownValue(name) }) },
          closestMatches(name, SETTINGS),
        ),
      ]
    }
    if (name === 'values') return problemsOfValues(value)
    if (name === 'register') return problemsOfRegister(value)
    const choices = SETTING_VALUES[name as keyof Settings]
    if (!choices || value === null || choices.includes(value as string)) return []
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const message = SETTING_MESSAGES.setting_not_one_of({ choices: choices.map(shownValue), value: shownValue(text) })
    return [withSuggestions({ path: `/${name}`, ...message }, closestMatches(text, choices))]
  })
}

/** The evidence for the format, and that the name of the file contradicts it. */
function withNameNote(because: Message, fileName: string | null, format: Format): Message {
  const ending = /\.(csv|xlsx|jsonl)$/i.exec(fileName ?? '')?.[1]?.toLowerCase()
  if (ending === undefined || ending === format) return because
  return EVIDENCE_MESSAGES.format_unlike_file_name({ because, ending })
}

/** A damaged file is reported as a problem for the sender to correct. */
function unreadable(error: unknown): SampledFile {
  if (!(error instanceof UnreadableFile)) throw error
  return { ok: false, problem: { path: '', ...error.reason } }
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
  const columns = detectColumns(sample, layout.value, asked.columns ?? {}, asked.constants ?? {}, asked.register)
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
  const problems: Problem[] = all.flatMap(([, finding]) => (finding && !finding.ok ? [finding.problem] : []))
  const { header } = sample
  if (!columns.ok) return { ok: false, problems: [...columns.problems, ...problems], header }
  problems.push(...problemsOfTables(asked.values ?? {}, columns.columns))
  if (problems.length > 0) return { ok: false, problems, header }
  const values = Object.fromEntries(all.map(([name, finding]) => [name, finding?.ok ? finding.value : null]))
  const evidence = all.flatMap(([setting, finding]) =>
    finding?.ok ? [evidenceOf(setting, finding.value, finding.because)] : [],
  )
  const meant = Object.fromEntries(columns.columns.map(({ header, member }) => [header, member ?? IGNORED_COLUMNS]))
  return {
    ok: true,
    settings: {
      ...values,
      columns: meant,
      ...(sample.headerRow?.ok && { header_row: sample.headerRow.value }),
      ...(asked.constants && { constants: asked.constants }),
      ...statedOf(asked),
    } as unknown as Settings,
    evidence: [
      ...evidence,
      ...evidenceOfRows(sample, asked),
      ...evidenceOfStated(asked),
      ...(asked.register ? [] : inferredFromOthers(columns.columns, layout.value)),
    ],
    columns: columns.columns,
    header,
  }
}

function detectLayout(
  { header, isOfBodies }: Sample,
  asked: Partial<Settings>,
  columnNamed: ColumnNames,
): Found<Layout> {
  if (asked.layout) return { ok: true, value: asked.layout, because: AS_REQUESTED }
  if (isOfBodies) return { ok: true, value: 'orders', because: EVIDENCE_MESSAGES.no_type_member() }
  const type = header.find((name) => columnNamed(name) === 'type')
  return type === undefined
    ? { ok: true, value: 'orders', because: EVIDENCE_MESSAGES.no_type_column() }
    : { ok: true, value: 'items', because: EVIDENCE_MESSAGES.type_column({ column: shownValue(type) }) }
}

/** Identifies the number and day columns of a sample; only its columns matter. */
const tableOf = (sample: Sample, detected: Pick<Settings, 'format' | 'layout' | 'columns'>): OrderTable =>
  createOrderTable(sample.header, {
    encoding: null,
    delimiter: null,
    sheet: null,
    decimal: 'point',
    dates: 'YYYY-MM-DD',
    ...detected,
  })

function* cellsOf({ rows }: Sample, { order, item, groups }: OrderTable, reads: CellReader): Generator<string> {
  const spots = [...order, ...item, ...groups.flatMap((group) => group.spots)]
  const wanted = new Set(spots.filter((spot) => spot.reads === reads).map(({ at }) => at))
  // Iterates over the cells of each row, because there may be thousands of columns and rows of a single cell.
  for (const cells of rows) for (const [at, cell] of cells.entries()) if (cell && wanted.has(at)) yield cell
}

const pointOfJson = ({ decimal }: Partial<Settings>): Detection<Decimal> =>
  decimal === 'comma'
    ? rejected('decimal', SETTING_MESSAGES.json_decimal_point(), ['point'])
    : detected('point', inSentence(SETTING_MESSAGES.json_decimal_point()))

const daysOfBodies = ({ dates = 'YYYY-MM-DD' }: Partial<Settings>): Detection<DateForm> =>
  dates === 'YYYY-MM-DD'
    ? detected(dates, inSentence(SETTING_MESSAGES.json_days()))
    : rejected('dates', SETTING_MESSAGES.json_days(), ['YYYY-MM-DD'])
