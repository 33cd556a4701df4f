// Groups the errors of a file, possibly thousands, by column and reason, regardless of the value.
import type { MessageParams } from '../engine/message.ts'
import type { FileOrderError } from './file-order.ts'

export interface ErrorGroup {
  /** As in the errors; for JSON lines, `*` replaces the number of an item. */
  readonly column: string | null
  /** The reason of the first error, with its code and values if it has them. */
  readonly reason: string
  readonly code?: string
  readonly params?: MessageParams
  readonly errors: number
  /** The first few rows, ascending and distinct. */
  readonly rows: readonly number[]
  /** The most frequent values with their corrections, most frequent first. */
  readonly values: readonly ErrorValueGroup[]
}

export interface ErrorValueGroup {
  readonly value: string | null
  readonly suggestion: string | null
  readonly errors: number
}

const ROWS_SHOWN = 5
const VALUES_SHOWN = 5
/** Limits on distinct groups, and on values per group, to bound memory whatever the file contains. */
const GROUPS_MAX = 200
const VALUES_MAX = 1_000

interface Gathered extends Pick<ErrorGroup, 'column' | 'reason' | 'code' | 'params'> {
  errors: number
  readonly rows: number[]
  readonly values: Map<string, { value: string | null; suggestion: string | null; errors: number }>
}

export type ErrorGroups = ReturnType<typeof createErrorGroups>

/** Groups errors that are added in ascending order of their rows. */
export function createErrorGroups() {
  const groups = new Map<string, Gathered>()
  let hasMore = false
  return {
    add: (fault: FileOrderError): void => {
      const group = groupOf(groups, fault)
      if (group) count(group, fault)
      else hasMore = true
    },
    /** The groups with the most errors first. */
    groups: (): readonly ErrorGroup[] => [...groups.values()].map(toGroup).sort((a, b) => b.errors - a.errors),
    /** True if there were more groups than the limit. */
    hasMore: (): boolean => hasMore,
  }
}

function groupOf(groups: Map<string, Gathered>, { column, reason, code, params }: FileOrderError): Gathered | null {
  const anyItem = column?.replace(/^\/items\/\d+\//, '/items/*/') ?? null
  const key = JSON.stringify([anyItem, code ?? kindOf(reason)])
  const there = groups.get(key)
  if (there || groups.size >= GROUPS_MAX) return there ?? null
  const message = { reason, ...(code !== undefined && { code }), ...(params && { params }) }
  const group: Gathered = { column: anyItem, ...message, errors: 0, rows: [], values: new Map() }
  groups.set(key, group)
  return group
}

/**
 * A reason that earlier versions stored without a code, without the parts that differ between rows: quoted values, the
 * text after "it is", and row numbers.
 */
const kindOf = (reason: string): string =>
  reason
    .replace(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replace(/; it is .*$/, '; it is …')
    .replace(/\b(rows?) \d+/gi, '$1 …')

function count(group: Gathered, { row, value, suggestion }: FileOrderError): void {
  group.errors += 1
  if (group.rows.length < ROWS_SHOWN && group.rows.at(-1) !== row) group.rows.push(row)
  const key = JSON.stringify([value, suggestion])
  const there = group.values.get(key)
  if (there) there.errors += 1
  else if (group.values.size < VALUES_MAX) group.values.set(key, { value, suggestion, errors: 1 })
}

const toGroup = ({ values, ...group }: Gathered): ErrorGroup => ({
  ...group,
  values: [...values.values()].sort((a, b) => b.errors - a.errors).slice(0, VALUES_SHOWN),
})
