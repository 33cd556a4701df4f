// Determines the columns of a file from its headers and the request, or describes how to specify them.
import type { Message } from '../engine/message.ts'
import { SUGGESTIONS_MAX, closestMatches, withSuggestions } from '../engine/reference/suggestions.ts'
import { escapePointer, type Problem } from '../engine/order.ts'
import { PROBLEMS_MAX } from '../engine/validate-order.ts'
import { isBlank } from './cells.ts'
import {
  EVENT_MEMBERS,
  EXPORT_COLUMN,
  ITEM_MEMBERS,
  VALUE_KINDS,
  LAYOUTS,
  ORDER_MEMBERS,
  IGNORED_COLUMNS,
  REASON_COLUMN,
  SUGGESTION_COLUMN,
  columnOfPath,
  columnNames,
  inOwnUnit,
  normaliseHeader,
  memberPath,
  type ValueKind,
  type Layout,
} from './columns.ts'
import { constantProblems } from './constant-columns.ts'
import { COLUMNS_MAX, HEADER_LENGTH_MAX } from './limits.ts'
import { evidenceOf, type DetectionEvidence } from './settings.ts'
import { headerMeaning, type Lacking } from './header-synonyms.ts'
import {
  STATES_ALL,
  isLikeRegister,
  missingInRegister,
  registerColumns,
  registerOffered,
  type Named,
} from './detect-register.ts'
import type { Register } from './register-members.ts'
import { EVIDENCE_MESSAGES, SETTING_MESSAGES, shownValue } from './messages.ts'

export interface DetectedColumn {
  /** As written in the file. */
  readonly header: string
  /** The name of its column; null if it is ignored. */
  readonly member: string | null
}

export type DetectedColumns =
  | { readonly ok: true; readonly columns: readonly DetectedColumn[] }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** What is stated for a register; undefined if the file is not read as one. */
type Stated = Register | undefined

interface Header {
  readonly header: readonly string[]
  /** True for JSON lines of whole orders. */
  readonly isOfBodies: boolean
}

type Asked = Readonly<Record<string, string>>

export type ColumnNames = (header: string) => string

/** The column name of a header: as requested, otherwise derived from the header. The column may not exist. */
export function createColumnNames(asked: Asked): ColumnNames {
  const meantBy = new Map<string, string>()
  for (const [name, column] of Object.entries(asked)) {
    const normal = normaliseHeader(name)
    if (!meantBy.has(normal))
      meantBy.set(normal, column === IGNORED_COLUMNS ? IGNORED_COLUMNS : normaliseHeader(column))
  }
  return (header) => {
    const normal = normaliseHeader(header)
    const meant = meantBy.get(normal)
    if (meant !== undefined) return meant
    const isPassedOver = normal === REASON_COLUMN || normal === SUGGESTION_COLUMN || normal.startsWith(EXPORT_COLUMN)
    return isPassedOver ? IGNORED_COLUMNS : normal
  }
}

/** True if orders have this column, or if it is ignored. */
export const isKnownColumn = (column: string): boolean =>
  column === IGNORED_COLUMNS || LAYOUTS.some((layout) => memberPath(column, layout))

/** The problem that makes a header too large to be examined cell by cell; null if there is none. */
export function tooLargeHeader(header: readonly string[]): Problem | null {
  if (header.length > COLUMNS_MAX) {
    return { path: '/columns', ...SETTING_MESSAGES.header_too_wide({ max: COLUMNS_MAX }) }
  }
  const long = header.findIndex((name) => name.length > HEADER_LENGTH_MAX)
  if (long === -1) return null
  const name = header[long]!
  const place = { column: long + 1, header: shownValue(name), length: name.length, max: HEADER_LENGTH_MAX }
  return { path: '/columns', ...SETTING_MESSAGES.header_too_long(place) }
}

/**
 * The columns of a header, or all problems with it.
 * @param header within the size limits
 */
export function detectColumns(
  { header, isOfBodies }: Header,
  layout: Layout,
  asked: Asked,
  constants: Asked = {},
  register?: Stated,
): DetectedColumns {
  if (isOfBodies) {
    const sent = Object.keys(asked).length > 0 ? '/columns' : Object.keys(constants).length > 0 ? '/constants' : null
    return sent !== null
      ? { ok: false, problems: [{ path: sent, ...SETTING_MESSAGES.columns_of_json_orders() }] }
      : { ok: true, columns: [] }
  }
  const columnNamed = createColumnNames(asked)
  const named = withoutBlankEnd(header).map((name) => ({ header: name, column: columnNamed(name) }))
  if (register !== undefined) return columnsOfRegister(header, named, asked, register)
  const strangers = named
    .filter(({ column }) => column !== IGNORED_COLUMNS && !memberPath(column, layout))
    .slice(0, PROBLEMS_MAX)
  const problems = [
    ...askedProblems(header, layout, asked),
    ...strangers.map((one) => unknownColumn(one.header, one.column, layout)),
    ...secondColumns(named),
    ...constantProblems(
      constants,
      named.map(({ column }) => column),
      layout,
    ),
    ...missingColumns(
      named.map(({ column }) => column),
      Object.keys(constants),
      layout,
      strangers.map((one) => one.header),
    ),
  ]
  if (problems.length > 0 && isLikeRegister(named, layout)) return offerRegister(header, named, asked)
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, PROBLEMS_MAX) }
  const columns = named.map((one) => ({
    header: one.header,
    member: one.column === IGNORED_COLUMNS ? null : one.column,
  }))
  return { ok: true, columns }
}

function columnsOfRegister(
  header: readonly string[],
  named: readonly Named[],
  asked: Asked,
  register: Register,
): DetectedColumns {
  const kept = registerColumns(named, asked)
  const problems = [
    ...askedProblems(header, 'items', asked),
    ...kept.unclear.map((one) => unknownColumn(one.header, one.column, 'items')),
    ...secondColumns(kept.columns),
    ...missingInRegister(kept, register),
  ]
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, PROBLEMS_MAX) }
  return {
    ok: true,
    columns: kept.columns.map(({ header: name, column }) => ({ header: name, member: memberOf(column) })),
  }
}

const memberOf = (column: string): string | null => (column === IGNORED_COLUMNS ? null : column)

/** A file of devices without orders: what it lacks is named, with everything that has to be stated. */
function offerRegister(header: readonly string[], named: readonly Named[], asked: Asked): DetectedColumns {
  const kept = registerColumns(named, asked)
  const problems = [
    registerOffered(kept),
    ...askedProblems(header, 'items', asked),
    ...kept.unclear.map((one) => unknownColumn(one.header, one.column, 'items')),
    ...missingInRegister(kept, STATES_ALL),
  ]
  return { ok: false, problems: problems.slice(0, PROBLEMS_MAX) }
}

/** Reports omitted columns whose values are implied by another column, like other detected settings. */
export function inferredFromOthers(columns: readonly DetectedColumn[], layout: Layout): readonly DetectionEvidence[] {
  if (layout === 'events') return []
  const there = new Set(columns.map(({ member }) => columnKey(member ?? IGNORED_COLUMNS)))
  const groups = layout === 'items' ? kindsOfItems([...there]) : groupsOf([...there])
  return groups.flatMap(([kind, number]) =>
    ITEM_MEMBERS[kind].flatMap(({ name, impliedBy }) => {
      const column = columnOfPath(kind, name, layout, number)
      if (impliedBy === undefined || there.has(column)) return []
      const other = columnOfPath(kind, impliedBy, layout, number)
      return [evidenceOf(column, `by ${other}`, EVIDENCE_MESSAGES.column_implied({ column: other }))]
    }),
  )
}

/** Removes the empty columns that spreadsheets write after the last one. */
const withoutBlankEnd = (header: readonly string[]): readonly string[] =>
  header.slice(0, header.findLastIndex((name) => !isBlank(name)) + 1)

const pathOf = (header: string): string => `/columns/${escapePointer(header)}`
/** The setting `columns` that gives a header this column. */
const setting = (header: string, column: string): string => `{${JSON.stringify(header)}: ${JSON.stringify(column)}}`

/** A header this much like a column is a misspelling of it; one less like it may mean another thing. */
const MISSPELLED_MIN = 0.7

/** Maximum number of headers compared with an unknown name, because each comparison takes time. */
const COMPARED_MAX = 100

function askedProblems(header: readonly string[], layout: Layout, asked: Asked): readonly Problem[] {
  const normals = new Set(header.map(normaliseHeader))
  const compared = header.slice(0, COMPARED_MAX)
  // If the column exists, unknownColumn() describes the problem with it.
  const absent = Object.entries(asked).filter(([name]) => !normals.has(normaliseHeader(name)))
  return absent.slice(0, PROBLEMS_MAX).flatMap(([name, column]) => {
    const isColumn = column === IGNORED_COLUMNS || memberPath(normaliseHeader(column), layout) !== null
    const missing = { path: pathOf(name), ...SETTING_MESSAGES.column_not_in_file({ column: shownValue(name) }) }
    const notInLayout = SETTING_MESSAGES.column_not_in_layout({ column: shownValue(column), layout })
    const wrong = { path: pathOf(name), ...notInLayout }
    return [
      withSuggestions(missing, closestMatches(name, compared)),
      ...(isColumn ? [] : [withSuggestions(wrong, closestMatches(column, columnNames(layout)))]),
    ]
  })
}

function unknownColumn(header: string, column: string, layout: Layout): Problem {
  const ignore = setting(header, IGNORED_COLUMNS)
  if (isBlank(header)) {
    return { path: pathOf(header), ...SETTING_MESSAGES.column_without_header({ ignore }) }
  }
  // The header as written in the file, unless the request mapped it to a column that does not exist.
  const asWritten = column === normaliseHeader(header) ? header : column
  const meaning = headerMeaning(header, layout)
  const known = meaning?.columns ?? closestMatches(column, columnNames(layout), undefined, MISSPELLED_MIN)
  const params = { column: shownValue(asWritten), layout, metadata: setting(header, `metadata.${header}`), ignore }
  if (layout === 'events') {
    const params = { column: shownValue(asWritten), ignore }
    const [likely] = known
    const unknown =
      likely === undefined
        ? SETTING_MESSAGES.column_unknown_of_events(params)
        : SETTING_MESSAGES.column_unknown_of_events_likely({ ...params, setting: setting(header, likely) })
    return withSuggestions({ path: pathOf(header), ...unknown }, known)
  }
  const lacks = meaning?.lacks ?? null
  const likely = lacks === 'end date' ? 'returned_on' : known[0]
  const message = unknownColumnMessage(params, lacks, likely && setting(header, likely))
  return withSuggestions({ path: pathOf(header), ...message }, known)
}

type UnknownColumnParams = Parameters<typeof SETTING_MESSAGES.column_unknown>[0]

function unknownColumnMessage(params: UnknownColumnParams, lacks: Lacking | null, likely: string | undefined): Message {
  if (lacks === 'quantity') return SETTING_MESSAGES.column_of_quantities(params)
  if (likely === undefined) return SETTING_MESSAGES.column_unknown(params)
  if (lacks === 'end date') return SETTING_MESSAGES.column_of_end_dates({ ...params, setting: likely })
  return SETTING_MESSAGES.column_unknown_likely({ ...params, setting: likely })
}

function secondColumns(named: readonly Named[]): readonly Problem[] {
  const first = new Map<string, string>()
  return named.flatMap(({ header, column }) => {
    const before = first.get(columnKey(column))
    if (before === undefined || column === IGNORED_COLUMNS) {
      first.set(columnKey(column), header)
      return []
    }
    const both = { first: shownValue(before), second: shownValue(header), column }
    return [{ path: pathOf(header), ...SETTING_MESSAGES.columns_with_same_meaning(both) }]
  })
}

/** `product_id_1` and `product_id` are the same column. */
const columnKey = (column: string): string =>
  column.startsWith('metadata.') ? column : inOwnUnit(column).replace(/_1$/, '')

function missingColumns(
  columns: readonly string[],
  constants: readonly string[],
  layout: Layout,
  strangers: readonly string[],
): readonly Problem[] {
  const there = new Set([...columns, ...constants].map(columnKey))
  const isUnknown = (header: string): boolean => headerMeaning(header, layout) === null
  const isStated = (name: string): boolean => there.has(name) || constants.includes(name.replace(/_\d+$/, ''))
  return neededColumns(columns.map(inOwnUnit), layout)
    .filter((name) => !isStated(name))
    .slice(0, PROBLEMS_MAX)
    .map((name) => {
      const meaning = strangers.filter((header) => headerMeaning(header, layout)?.columns.includes(name))
      const likely =
        meaning.length > 0
          ? meaning.slice(0, SUGGESTIONS_MAX)
          : closestMatches(name, strangers.filter(isUnknown), undefined, MISSPELLED_MIN)
      const [first] = likely
      const message =
        first === undefined
          ? SETTING_MESSAGES.column_not_in_file({ column: name })
          : SETTING_MESSAGES.column_not_in_file_likely({
              column: name,
              likely: shownValue(first),
              setting: setting(first, name),
            })
      return withSuggestions({ path: '/columns', ...message }, likely)
    })
}

/** The columns that orders need, and those needed by each kind of item of which the file has any column. */
function neededColumns(columns: readonly string[], layout: Layout): readonly string[] {
  if (layout === 'events') return EVENT_MEMBERS.filter(({ isNeeded }) => isNeeded).map(({ name }) => name)
  const order = ORDER_MEMBERS.filter(({ isNeeded }) => isNeeded).map(({ name }) => name)
  const groups = layout === 'items' ? kindsOfItems(columns) : groupsOf(columns)
  const ofGroups = groups.flatMap(([kind, number]) =>
    ITEM_MEMBERS[kind]
      .filter(({ isNeeded, impliedBy }) => isNeeded && impliedBy === undefined)
      .map(({ name }) => columnOfPath(kind, name, layout, number)),
  )
  return [...new Set([...order, ...(layout === 'items' ? ['type'] : []), ...ofGroups])]
}

type KindNumber = readonly [ValueKind, number]

/** The weight column may belong to any kind; every other item column belongs to exactly one kind. */
const kindsOfItems = (columns: readonly string[]): readonly KindNumber[] =>
  VALUE_KINDS.filter((kind) =>
    ITEM_MEMBERS[kind].some(({ name }) => name !== 'weight_kg' && columns.includes(columnOfPath(kind, name, 'items'))),
  ).map((kind) => [kind, 1])

function groupsOf(columns: readonly string[]): readonly KindNumber[] {
  const places = columns.map((column) => memberPath(column, 'orders')).filter((place) => place !== null)
  const groups = places.flatMap(({ part, number }): KindNumber[] =>
    VALUE_KINDS.some((kind) => kind === part) ? [[part as ValueKind, number]] : [],
  )
  return [...new Map(groups.map((group) => [group.join(), group])).values()]
}
