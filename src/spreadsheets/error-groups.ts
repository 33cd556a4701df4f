// Thousands of errors of a file as the few kinds that they are: one column, one reason, whatever the value.
import type { FileOrderError } from './file-order.ts'

export interface ErrorGroup {
  /** As of a fault; of JSON lines with `*` in place of an item's number. */
  readonly column: string | null
  /** Of the first of them. */
  readonly reason: string
  readonly errors: number
  /** The first few, ascending, each once. */
  readonly rows: readonly number[]
  /** The values that stand there most often, with what would be right, the most frequent first. */
  readonly values: readonly ErrorValueGroup[]
}

export interface ErrorValueGroup {
  readonly value: string | null
  readonly suggestion: string | null
  readonly errors: number
}

const ROWS_SHOWN = 5
const VALUES_SHOWN = 5
/** More kinds, or values of a kind, are not told apart: a bound on memory, whatever stands in a file. */
const GROUPS_MAX = 200
const VALUES_MAX = 1_000

interface Gathered {
  readonly column: string | null
  readonly reason: string
  errors: number
  readonly rows: number[]
  readonly values: Map<string, { value: string | null; suggestion: string | null; errors: number }>
}

export type ErrorGroups = ReturnType<typeof createErrorGroups>

/** Takes errors by row, ascending, and groups them. */
export function createErrorGroups() {
  const groups = new Map<string, Gathered>()
  let hasMore = false
  return {
    add: (fault: FileOrderError): void => {
      const group = groupOf(groups, fault)
      if (group) count(group, fault)
      else hasMore = true
    },
    /** Those with the most errors first. */
    groups: (): readonly ErrorGroup[] => [...groups.values()].map(toGroup).sort((a, b) => b.errors - a.errors),
    /** Whether there were more kinds than are kept. */
    hasMore: (): boolean => hasMore,
  }
}

function groupOf(groups: Map<string, Gathered>, { column, reason }: FileOrderError): Gathered | null {
  const anyItem = column?.replace(/^\/items\/\d+\//, '/items/*/') ?? null
  const key = JSON.stringify([anyItem, kindOf(reason)])
  const there = groups.get(key)
  if (there || groups.size >= GROUPS_MAX) return there ?? null
  const group = { column: anyItem, reason, errors: 0, rows: [], values: new Map() }
  groups.set(key, group)
  return group
}

/** A reason without what differs from row to row: quoted values, what "it is", the rows that it names. */
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

const toGroup = ({ column, reason, errors, rows, values }: Gathered): ErrorGroup => ({
  column,
  reason,
  errors,
  rows,
  values: [...values.values()].sort((a, b) => b.errors - a.errors).slice(0, VALUES_SHOWN),
})
