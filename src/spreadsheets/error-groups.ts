// Groups the errors of a file, possibly thousands, by column and reason, regardless of the value.
import type { MessageParams } from '../engine/message.ts'
import { kindOf, type StoredError } from './stored-messages.ts'

export interface ErrorGroup {
  /** As in the errors; for JSON lines, `*` replaces the number of an item. */
  readonly column: string | null
  /** The reason of the first error, with its code and values; earlier versions stored the sentence alone. */
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
  /** As in the errors. */
  readonly suggestion: string | null
  readonly suggestions?: readonly string[]
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
  readonly values: Map<string, ErrorValueGroup & { errors: number }>
}

export type ErrorGroups = ReturnType<typeof createErrorGroups>

/** Groups errors that are added in ascending order of their rows. */
export function createErrorGroups() {
  const groups = new Map<string, Gathered>()
  let hasMore = false
  return {
    add: (fault: StoredError): void => {
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

function groupOf(groups: Map<string, Gathered>, fault: StoredError): Gathered | null {
  const { column, reason, code, params } = fault
  const anyItem = column?.replace(/^\/items\/\d+\//, '/items/*/') ?? null
  const key = JSON.stringify([anyItem, kindOf(fault)])
  const there = groups.get(key)
  if (there || groups.size >= GROUPS_MAX) return there ?? null
  const message = { reason, ...(code !== undefined && { code }), ...(params && { params }) }
  const group: Gathered = { column: anyItem, ...message, errors: 0, rows: [], values: new Map() }
  groups.set(key, group)
  return group
}

function count(group: Gathered, { row, value, suggestion, suggestions }: StoredError): void {
  group.errors += 1
  if (group.rows.length < ROWS_SHOWN && group.rows.at(-1) !== row) group.rows.push(row)
  const key = JSON.stringify([value, suggestion])
  const there = group.values.get(key)
  if (there) there.errors += 1
  else if (group.values.size < VALUES_MAX)
    group.values.set(key, { value, suggestion, ...(suggestions && { suggestions }), errors: 1 })
}

const toGroup = ({ values, ...group }: Gathered): ErrorGroup => ({
  ...group,
  values: [...values.values()].sort((a, b) => b.errors - a.errors).slice(0, VALUES_SHOWN),
})
