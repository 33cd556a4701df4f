// Orders from JSON lines: POST's body line by line, or an item a line with flat members named like the columns.
import type { Problem } from '../engine/order.ts'
import { REASON_COLUMN, SUGGESTION_COLUMN } from './columns.ts'
import type { FileOrderError, FileOrder, FileRow } from './file-order.ts'
import { createFlatJsonTable, type FlatJsonTable } from './flat-table.ts'
import { createRowGrouping } from './group-rows.ts'
import { RECORD_LENGTH_MAX } from './limits.ts'
import { createOrderTable } from './order-table.ts'
import { splitRecords, decodeStream, type RawRecord } from './read-text.ts'
import type { Row } from './row.ts'
import type { Settings } from './settings.ts'
import type { ByteSource } from './source.ts'

/** Reads one JSON text as strictly as POST reads its body. */
export type ParseJson = (
  text: string,
) => { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problems: readonly Problem[] }

type Line = { readonly value: unknown } | { readonly faults: readonly FileOrderError[] }

/** The orders, in batches that take a millisecond or so. */
export async function* readJsonLines(
  source: ByteSource,
  settings: Settings,
  parseJson: ParseJson,
): AsyncGenerator<readonly FileOrder[]> {
  const orderOf = settings.layout === 'items' ? null : createOrderReading(settings)
  const flat = createFlatJsonTable(settings)
  const grouping = createRowGrouping(flat.table)
  for await (const lines of splitLines(source, settings, parseJson)) {
    yield lines.flatMap(([record, line]) =>
      orderOf ? orderOf(record, line) : (grouping.add(flatRow(record, line, flat)) ?? []),
    )
  }
  const last = grouping.end()
  if (last) yield [last]
}

/** The lines that hold something, each read as JSON. */
export async function* splitLines(
  source: ByteSource,
  { encoding }: Pick<Settings, 'encoding'>,
  parseJson: ParseJson,
): AsyncGenerator<readonly (readonly [RawRecord, Line])[]> {
  for await (const records of splitRecords(decodeStream(source, encoding!), null)) {
    yield records
      .filter(({ text }) => text.trim() !== '')
      .map((record) => [record, readLine(record, parseJson)] as const)
      .filter(([, line]) => !('value' in line && isRemark(line.value)))
  }
}

function createOrderReading(settings: Settings): (record: RawRecord, line: Line) => FileOrder {
  const table = createOrderTable([], settings)
  return ({ line: number, text }, line) => {
    const isSound = 'value' in line
    const row: FileRow = { number, line: number, cells: [], json: text, isSound }
    return { body: isSound ? line.value : null, rows: [row], faults: isSound ? [] : line.faults, table }
  }
}

/** A line as a row whose cells are its members. */
function flatRow({ line: number, text }: RawRecord, line: Line, flat: FlatJsonTable): Row {
  const row = { number, line: number, json: text }
  if ('faults' in line) {
    const faults = line.faults.map(({ reason, suggestion }) => ({ at: null, reason, suggestion }))
    return { ...row, cells: [], faults }
  }
  if (isJsonObject(line.value)) return { ...row, ...flat.cellsOf(line.value) }
  return { ...row, cells: [], faults: [{ at: null, reason: 'The line is no JSON object', suggestion: null }] }
}

function readLine(record: RawRecord, parseJson: ParseJson): Line {
  const fault = (column: string | null, reason: string, suggestion: string | null): FileOrderError => ({
    row: record.line,
    column,
    value: null,
    reason,
    suggestion,
  })
  if (record.fault) return { faults: [fault(null, `The line is longer than ${RECORD_LENGTH_MAX} characters`, null)] }
  if (record.text.includes('\ufffd')) return { faults: [fault(null, 'Some bytes of the line are not UTF-8', null)] }
  const read = parseJson(record.text)
  if (read.ok) return read
  return {
    faults: read.problems.map(({ path, message, suggestions }) =>
      fault(path === '' ? null : path, message, suggestions?.join(' or ') ?? null),
    ),
  }
}

/** What the file of faults says of the line below it. */
const isRemark = (value: unknown): boolean =>
  isJsonObject(value) && Object.keys(value).every((name) => name === REASON_COLUMN || name === SUGGESTION_COLUMN)

export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
