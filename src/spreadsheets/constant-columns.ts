// The values of columns that a file does not have, the same in every row.
import { isCalendarDay } from '../engine/numbers/calendar.ts'
import { escapePointer, type Problem } from '../engine/order.ts'
import { closestMatches, withSuggestions } from '../engine/reference/suggestions.ts'
import type { Message } from '../engine/message.ts'
import { CellError, readNumber } from './cells.ts'
import {
  ITEM_MEMBERS,
  columnNames,
  inOwnUnit,
  memberPath,
  type Layout,
  type MemberPath,
  type ValueKind,
} from './columns.ts'
import { SETTING_MESSAGES, shownValue } from './messages.ts'
import type { Settings } from './settings.ts'

/** A member that every row has with this value, unless a cell states it. */
export interface Constant extends MemberPath {
  readonly value: string | number
}

type Stated = NonNullable<Settings['constants']>

/** @param stated without problems */
export const constantsOf = (stated: Stated, layout: Layout): readonly Constant[] =>
  Object.entries(stated).flatMap(([column, text]) => {
    const path = memberPath(column, layout)
    return path ? [{ ...path, value: path.reads === 'number' ? Number(text) : text }] : []
  })

/** @param columns the columns that the file has */
export function constantProblems(stated: Stated, columns: readonly string[], layout: Layout): readonly Problem[] {
  const there = new Set(columns.map(inOwnUnit))
  return Object.entries(stated).flatMap(([column, text]) => {
    const message = problemOf(column, text, there, layout)
    const problem = message && { path: `/constants/${escapePointer(column)}`, ...message }
    if (!problem) return []
    const isUnknown = problem.code === 'constant_unknown'
    return [isUnknown ? withSuggestions(problem, closestMatches(column, columnNames(layout))) : problem]
  })
}

function problemOf(column: string, text: string, there: ReadonlySet<string>, layout: Layout): Message | null {
  const path = memberPath(column, layout)
  const shown = { column: shownValue(column), text: shownValue(text) }
  if (!path || path.factor !== undefined || IDENTITIES.has(path.name)) {
    return SETTING_MESSAGES.constant_unknown({ column: shown.column, layout })
  }
  if (there.has(column)) return SETTING_MESSAGES.constant_of_column({ column: shown.column })
  if (path.reads === 'number' && readNumber(text, 'point') instanceof CellError)
    return SETTING_MESSAGES.constant_not_a_number({ text: shown.text })
  return path.reads === 'date' && !isCalendarDay(text)
    ? SETTING_MESSAGES.constant_not_a_day({ text: shown.text })
    : null
}

/** What differs between devices, orders and events. */
const IDENTITIES: ReadonlySet<string> = new Set(['serial_number', 'new_serial_number', 'order_id', 'event_id'])

type Members = Record<string, unknown>

/** Adds the constants of a part to its members. */
export function fillIn(members: Members, constants: readonly Constant[], part: MemberPath['part']): Members {
  for (const one of constants) if (one.part === part && !(one.name in members)) members[one.name] = one.value
  return members
}

/** Adds the constants of an item; without a number, that of a column is for every item of its kind. */
export function fillInItem(members: Members, constants: readonly Constant[], kind: string, number: number): Members {
  for (const { part, name, value, number: only } of constants) {
    const isOfKind = part === 'item' ? hasMember(kind, name) : part === kind && (only === 1 || only === number)
    if (isOfKind && !(name in members)) members[name] = value
  }
  return members
}

const hasMember = (kind: string, name: string): boolean =>
  Object.hasOwn(ITEM_MEMBERS, kind) && ITEM_MEMBERS[kind as ValueKind].some((member) => member.name === name)
