// Reads JSON lines: one POST body per line, or one item or event per line with flat members named like the columns.
import type { Message } from '../engine/message.ts'
import type { Problem } from '../engine/order.ts'
import { closestMatches } from '../engine/reference/suggestions.ts'
import { PROBLEMS_MAX } from '../engine/validate-order.ts'
import type { ByteSource } from './byte-source.ts'
import {
  IGNORED_COLUMNS,
  REASON_COLUMN,
  SUGGESTION_COLUMN,
  columnNames,
  memberPath,
  normaliseHeader,
  type Layout,
} from './columns.ts'
import { orderErrorAt, type FileOrder, type FileRow } from './file-order.ts'
import { NAMES_MAX, RECORD_LENGTH_MAX, TABLE_CELLS_MAX } from './limits.ts'
import { CELL_MESSAGES, FILE_MESSAGES, shownValue } from './messages.ts'
import { createOrderTable, type CellPosition, type OrderTable } from './order-table.ts'
import { createReading } from './orders-of-rows.ts'
import { decodeStream, splitRecords, type RawRecord } from './read-csv.ts'
import { UnreadableFile, type Row, type RowError } from './row.ts'
import type { Encoding, Settings } from './settings.ts'

interface FlatJsonTable {
  readonly table: OrderTable
  readonly cellsOf: (members: Readonly<Record<string, unknown>>) => Pick<Row, 'cells' | 'errors'>
}

/** The table starts with all known columns, and grows with the labels that occur. */
function createFlatJsonTable(settings: Settings): FlatJsonTable {
  const layout = settings.layout === 'events' ? 'events' : 'items'
  const header = [...columnNames(layout)]
  const columns = Object.fromEntries(header.map((name) => [name, name]))
  const metadata: CellPosition[] = []
  const table = { ...createOrderTable(header, { ...settings, layout, columns }), header, width: NAMES_MAX, metadata }
  const placeInHeader = new Map(header.map((name, at) => [name, at]))
  const cellOfName = new Map<string, Found>()
  let cellsOfAll = 0

  const find = (name: string): Found => {
    const asked = Object.hasOwn(settings.columns, name) ? settings.columns[name]! : normaliseHeader(name)
    if ([IGNORED_COLUMNS, REASON_COLUMN, SUGGESTION_COLUMN].includes(asked)) return { at: -1, fault: null }
    const at = placeInHeader.get(asked)
    if (at !== undefined) return { at, fault: null }
    const place = memberPath(asked, layout)
    const isNew = header.length < NAMES_MAX
    const grown = isNew ? header.push(name) - 1 : -1
    if (isNew && !placeInHeader.has(name)) placeInHeader.set(name, grown)
    if (!place || !isNew) return { at: grown, fault: unknownMember(name, layout, isNew ? grown : null) }
    metadata.push({ ...place, at: grown })
    return { at: grown, fault: null }
  }
  const cellsOf = (members: Readonly<Record<string, unknown>>) => {
    const cells: string[] = []
    const errors: RowError[] = []
    const addError = (fault: RowError): void => void (errors.length < PROBLEMS_MAX && errors.push(fault))
    for (const [name, value] of Object.entries(members)) {
      const cellOfMember = cellOfName.get(name) ?? find(name)
      if (cellOfName.size < NAMES_MAX) cellOfName.set(name, cellOfMember)
      if (cellOfMember.fault) addError(cellOfMember.fault)
      if (cellOfMember.at === -1 || value === null) continue
      if (typeof value === 'object')
        addError({ at: cellOfMember.at, reason: CELL_MESSAGES.line_member_not_flat(), suggestions: [] })
      if (cells[cellOfMember.at]) addError({ at: cellOfMember.at, reason: repeatedMember(name), suggestions: [] })
      cells[cellOfMember.at] = typeof value === 'string' ? value : JSON.stringify(value)
    }
    // A line of a few bytes may contain only the last of a thousand members.
    cellsOfAll += cells.length
    if (cellsOfAll > TABLE_CELLS_MAX)
      throw new UnreadableFile(FILE_MESSAGES.json_lines_too_many_cells({ max: TABLE_CELLS_MAX }))
    return { cells: Array.from(cells, (cell) => cell ?? ''), errors }
  }
  return { table, cellsOf }
}

interface Found {
  /** The index of the cell; -1 if the member is ignored. */
  readonly at: number
  readonly fault: RowError | null
}

const repeatedMember = (name: string): Message => CELL_MESSAGES.line_member_repeated({ member: shownValue(name) })

/** Suggests the closest column name. Names beyond the limit get no suggestion, because the search takes time. */
function unknownMember(name: string, layout: Layout, at: number | null): RowError {
  const [suggestion] = at === null ? [] : closestMatches(name, columnNames(layout))
  const reason = CELL_MESSAGES.line_member_unknown({ member: shownValue(name) })
  return { at, reason, suggestions: suggestion === undefined ? [] : [suggestion] }
}

/** Parses a JSON text as strictly as POST parses its body. */
export type ParseJson = (
  text: string,
) => { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problems: readonly Problem[] }

type Line = { readonly value: unknown } | { readonly problems: readonly Problem[] }

/** The orders, in batches that take about a millisecond. */
export async function* readJsonLines(
  source: ByteSource,
  settings: Settings,
  parseJson: ParseJson,
): AsyncGenerator<readonly FileOrder[]> {
  const orderOf = settings.layout === 'orders' ? createOrderReading(settings) : null
  const flat = createFlatJsonTable(settings)
  const grouping = createReading(flat.table)
  for await (const lines of splitLines(source, settings, parseJson)) {
    yield lines.flatMap(([record, line]) =>
      orderOf ? orderOf(record, line) : (grouping.add(flatRow(record, line, flat)) ?? []),
    )
  }
  yield grouping.end()
}

/** The non-empty lines, each parsed as JSON. */
export async function* splitLines(
  source: ByteSource,
  { encoding }: Pick<Settings, 'encoding'>,
  parseJson: ParseJson,
): AsyncGenerator<readonly (readonly [RawRecord, Line])[]> {
  for await (const records of splitRecords(decodeStream(source, encoding!), null)) {
    yield records
      .filter(({ text }) => text.trim() !== '')
      .map((record) => [record, readLine(record, encoding!, parseJson)] as const)
      .filter(([, line]) => !('value' in line && isRemark(line.value)))
  }
}

function createOrderReading(settings: Settings): (record: RawRecord, line: Line) => FileOrder {
  const table = createOrderTable([], settings)
  return ({ line: number, text }, line) => {
    const isSound = 'value' in line
    const row: FileRow = { number, line: number, cells: [], json: text, isSound }
    const errors = isSound
      ? []
      : line.problems.map((problem) => {
          const place = { row: number, column: problem.path === '' ? null : problem.path, value: null }
          return orderErrorAt(place, problem, problem.suggestions)
        })
    return { body: isSound ? line.value : null, rows: [row], errors, table }
  }
}

/** A line as a row whose cells are its members. */
function flatRow({ line: number, text }: RawRecord, line: Line, flat: FlatJsonTable): Row {
  const row = { number, line: number, json: text }
  if ('problems' in line) {
    const errors = line.problems.map((reason) => ({ at: null, reason, suggestions: reason.suggestions ?? [] }))
    return { ...row, cells: [], errors }
  }
  if (isJsonObject(line.value)) return { ...row, ...flat.cellsOf(line.value) }
  return { ...row, cells: [], errors: [{ at: null, reason: CELL_MESSAGES.line_not_an_object(), suggestions: [] }] }
}

function readLine(record: RawRecord, encoding: Encoding, parseJson: ParseJson): Line {
  if (record.fault) return rejectedLine(CELL_MESSAGES.row_too_long({ max: RECORD_LENGTH_MAX }))
  if (record.text.includes('\ufffd')) return rejectedLine(CELL_MESSAGES.line_undecodable({ encoding }))
  return parseJson(record.text)
}

const rejectedLine = (message: Message): Line => ({ problems: [{ path: '', ...message }] })

/** True for the remark that the error file contains above a line. */
const isRemark = (value: unknown): boolean =>
  isJsonObject(value) && Object.keys(value).every((name) => name === REASON_COLUMN || name === SUGGESTION_COLUMN)

export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
