// Warnings about the orders of a file, grouped by kind and column: a file may have millions.
import type { Problem } from '../engine/order.ts'
import type { WarningGroup } from '../postgres/import-record.ts'
import type { FileOrder } from '../spreadsheets/file-order.ts'
import { locateErrors } from '../spreadsheets/locate-errors.ts'
import { ROW_MESSAGES } from './messages.ts'

/** Limits on what is stored of one import. */
const GROUPS_MAX = 50
const ROWS_SHOWN = 5
const COLUMN_LENGTH_MAX = 200

const anyItem = (path: string): string => path.replace(/^\/items\/\d+\//, '/items/*/')

/** The warnings about one order by kind and member, each with the row of the first. */
export function groupWarnings(order: FileOrder, warnings: readonly Problem[]): readonly WarningGroup[] {
  if (warnings.length === 0) return []
  const byKind = Map.groupBy(warnings, ({ path, code }) => `${code} ${anyItem(path)}`)
  return [...byKind.values()].flatMap((alike) => {
    const [located] = locateErrors(order, alike.slice(0, 1))
    if (!located) return []
    const { row, column, reason, code, params } = located
    const name = column && anyItem(column).slice(0, COLUMN_LENGTH_MAX)
    return [{ column: name, reason, code, ...(params && { params }), warnings: alike.length, rows: [row] }]
  })
}

/** Adds the groups of an order to those of the orders before it. Kinds beyond the limit are not counted. */
export function mergeWarnings(
  before: readonly WarningGroup[],
  groups: readonly WarningGroup[],
): readonly WarningGroup[] {
  if (groups.length === 0) return before
  const merged = [...before]
  for (const group of groups) {
    const at = merged.findIndex(({ column, code }) => column === group.column && code === group.code)
    if (at >= 0) merged[at] = sum(merged[at]!, group)
    else if (merged.length < GROUPS_MAX) merged.push(group)
  }
  return merged
}

/** The sentence about all devices that the rows of both stand for. */
function addedUp({ params = {} }: WarningGroup, other: WarningGroup): Pick<WarningGroup, 'reason' | 'params'> {
  const more = Number(params['more']) + Number(other.params?.['more'])
  const { message, params: together } = ROW_MESSAGES.quantity_not_counted({ column: params['column']!, more })
  return { reason: message, params: together }
}

const sum = (one: WarningGroup, other: WarningGroup): WarningGroup => ({
  ...one,
  ...(one.code === 'quantity_not_counted' && addedUp(one, other)),
  warnings: one.warnings + other.warnings,
  rows: one.rows.length >= ROWS_SHOWN ? one.rows : [...new Set([...one.rows, ...other.rows])].slice(0, ROWS_SHOWN),
})
