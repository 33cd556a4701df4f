// An order as the database keeps it, and as it is handed over to be kept.
import type { DeviceShare } from '../engine/estimate.ts'
import type { Milligrams } from '../engine/line.ts'

/** An order as it is kept: what was asked, in canonical JSON, and what was answered, in milligrams. */
export interface StoredOrder {
  readonly customerId: string
  readonly orderId: string
  readonly orderDate: string
  readonly tenureStartDate: string
  readonly createdAt: Date
  readonly country: string | null
  readonly metadata: string | null
  /** The items as canonical JSON: what a repetition of the order is compared with. */
  readonly items: string
  readonly releaseId: number
  /** What each product was charged by, in the sequence of the products. */
  readonly bases: readonly string[]
  /** The published lines, in the sequence of the items. */
  readonly lines: readonly Milligrams[]
}

/** The part of an order that one device carries; the empty serial number stands for the order alone. */
export interface PostedOrder {
  readonly accountId: number
  readonly order: StoredOrder
  readonly shares: readonly DeviceShare[]
}
