// Orders and devices as verification reads them, to be compared with their recomputation.
import type { OrderStatus } from '../../engine/order.ts'
import type { StoredDevice, StoredEntry, StoredEvent } from '../records.ts'

/** A device's complete ledger, in the order of its entries; `device` is null if only entries exist. */
export interface DeviceRows {
  readonly accountId: number
  readonly serialNumber: string
  readonly device: StoredDevice | null
  readonly entries: readonly StoredEntry[]
}

/** What one order posted to one device, in order; empty if nothing is found. */
export interface OrderEntries {
  readonly serialNumber: string
  /** As it was charged when the order was posted to it. */
  readonly device: StoredDevice | null
  /** Each with what the device was charged by then. */
  readonly entries: readonly StoredEntry[]
  /** True if this is the device's complete ledger, because only this order ever rented it. */
  readonly isWhole: boolean
}

/** A stored order; its lists stay joined, since they are only compared. */
export interface OrderRow {
  readonly accountId: number
  readonly customerId: string
  readonly orderId: string
  readonly releaseId: number
  readonly orderDate: string
  readonly tenureStartDate: string
  readonly country: string | null
  readonly items: string
  readonly bases: string
  readonly matchMethods: string
  readonly lines: string
  readonly status: OrderStatus
  readonly events: readonly StoredEvent[]
}
