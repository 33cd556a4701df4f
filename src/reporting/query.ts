// The query of an emissions report: inventory boundary, period, filters, grouping, and the limit on groups.
import type { InventoryBoundary } from '../engine/inventory-boundary.ts'
import type { DayNo } from './fact.ts'

/** What belongs to time, to an order or a device, and to a line. */
export const TIME_DIMENSIONS = ['month', 'quarter', 'year'] as const
const FACT_DIMENSIONS = ['customer', 'model', 'type', 'brand', 'country'] as const
const LINE_DIMENSIONS = ['part', 'scope', 'category', 'estimate_type'] as const
export const NAMED_DIMENSIONS = [...TIME_DIMENSIONS, ...FACT_DIMENSIONS, ...LINE_DIMENSIONS] as const
/** And a member of the orders' metadata, by this and its name. */
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

/** All in the month of `order` or of `dispatch`, the tenure start; or by `tenure`: METHODOLOGY.md#reporting-periods */
export const DATE_BASES = ['order', 'tenure', 'dispatch'] as const
export type DateBasis = (typeof DATE_BASES)[number]

/** In which sequence groups stand: by their labels, or by what they emit. */
export const SORTS = ['name', '-total_emission'] as const
export type Sort = (typeof SORTS)[number]

/** Time goes on in a report; of anything else people look for what weighs most. */
export const defaultSort = (groupBy: readonly Dimension[]): Sort =>
  groupBy.some(isTimeDimension) ? 'name' : '-total_emission'

export interface EmissionsQuery {
  readonly accountId: number
  /** None to two, each once. */
  readonly groupBy: readonly Dimension[]
  readonly sort: Sort
  /** So many groups, the heaviest; the others are added up. Null for all. */
  readonly limit: number | null
  /** By dimension, what it may be; '' stands for none. */
  readonly filters: ReadonlyMap<Dimension, ReadonlySet<string>>
  readonly basis: DateBasis
  /** First and last day, both inclusive. */
  readonly from: DayNo
  readonly to: DayNo
  readonly view: InventoryBoundary
}

/** Days on which nothing was ever ordered, nor will be: the first and the last of four-digit years. */
export const FIRST_DAY: DayNo = -719_528
export const LAST_DAY: DayNo = 2_932_896

/** Some 200 bytes each. A spreadsheet has room for twice as many. */
export const GROUPS_MAX = 500_000

export class TooManyGroups extends Error {
  override name = 'TooManyGroups'
}

/** @throws TooManyGroups as soon as there are more than a report may have, not when all are there */
export function refuseMoreGroups(groups: number): void {
  if (groups > GROUPS_MAX) throw new TooManyGroups(`A report has at most ${GROUPS_MAX} groups; this one has more`)
}
