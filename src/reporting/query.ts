// The query of an emissions report: inventory boundary, period, filters, grouping, and the limit on groups.
import { ApiError } from '../contract/errors.ts'
import { REPORT_MESSAGES } from './messages.ts'
import type { InventoryBoundary } from '../engine/inventory-boundary.ts'
import type { DayNo } from './fact.ts'

/** Dimensions of time, of an order or device, and of a line. */
export const TIME_DIMENSIONS = ['month', 'quarter', 'year'] as const
const FACT_DIMENSIONS = ['customer', 'model', 'type', 'brand', 'country'] as const
const LINE_DIMENSIONS = ['part', 'scope', 'category', 'estimate_type'] as const
export const NAMED_DIMENSIONS = [...TIME_DIMENSIONS, ...FACT_DIMENSIONS, ...LINE_DIMENSIONS] as const
/** Prefix of dimensions that are members of the orders' metadata. */
export const METADATA = 'metadata.'

export type TimeDimension = (typeof TIME_DIMENSIONS)[number]
export type LineDimension = (typeof LINE_DIMENSIONS)[number]
export type FactDimension = (typeof FACT_DIMENSIONS)[number] | `${typeof METADATA}${string}`
export type Dimension = TimeDimension | FactDimension | LineDimension

export const isTimeDimension = (name: Dimension): name is TimeDimension =>
  (TIME_DIMENSIONS as readonly string[]).includes(name)
export const isLineDimension = (name: Dimension): name is LineDimension =>
  (LINE_DIMENSIONS as readonly string[]).includes(name)
export const isFactDimension = (name: Dimension): name is FactDimension =>
  !isTimeDimension(name) && !isLineDimension(name)

/**
 * All emission in the month of `order` or `dispatch` (tenure start), or by `tenure`: METHODOLOGY.md#reporting-periods
 */
export const DATE_BASES = ['order', 'tenure', 'dispatch'] as const
export type DateBasis = (typeof DATE_BASES)[number]

/** The order of groups: by label or by emission. */
export const SORTS = ['name', '-total_emission'] as const
export type Sort = (typeof SORTS)[number]

/** By label for reports over time; otherwise the largest emission first. */
export const defaultSort = (groupBy: readonly Dimension[]): Sort =>
  groupBy.some(isTimeDimension) ? 'name' : '-total_emission'

export interface EmissionsQuery {
  readonly accountId: number
  /** At most two dimensions, each once. */
  readonly groupBy: readonly Dimension[]
  readonly sort: Sort
  /** Number of groups to list, the largest ones; the others are added up. Null for all groups. */
  readonly limit: number | null
  /** The permitted labels of each dimension; '' denotes no label. */
  readonly filters: ReadonlyMap<Dimension, ReadonlySet<string>>
  readonly basis: DateBasis
  /**
   * Counts only what concerns a year whose books were closed when it was posted, and in the months that it concerns
   * instead of on the first open day. Only by tenure, for posted emission; days are those of whole years.
   */
  readonly onlyClosedYears?: boolean
  /** First and last day, both inclusive. */
  readonly from: DayNo
  readonly to: DayNo
  readonly view: InventoryBoundary
}

/** The first and the last day with a four-digit year. No order has these dates. */
export const FIRST_DAY: DayNo = -719_528
export const LAST_DAY: DayNo = 2_932_896

/** Some 200 bytes per group. A spreadsheet has room for twice as many. */
export const GROUPS_MAX = 500_000

/** @throws ApiError as soon as the limit is exceeded, not after all groups have been built */
export function refuseMoreGroups(groups: number): void {
  if (groups > GROUPS_MAX) throw new ApiError('too_large', REPORT_MESSAGES.groups_exceeded({ max: GROUPS_MAX }))
}
