// Orders and devices as verification reads them: what is stored, to be compared with what its facts come to.
import type { OrderStatus } from '../../engine/order.ts'
import type { StoredDevice, StoredEntry, StoredEvent } from '../records.ts'

/** A device's whole journal, in the sequence of its entries; `device` is null where only entries are there. */
export interface DeviceRows {
  readonly accountId: number
  readonly serialNumber: string
  readonly device: StoredDevice | null
  readonly entries: readonly StoredEntry[]
}

/** What one order posted to one device, in sequence; nothing where nothing is found. */
export interface OrderEntries {
  readonly serialNumber: string
  readonly device: StoredDevice | null
  readonly entries: readonly StoredEntry[]
  /** True where this is the device's whole journal, since nothing but this order ever rented it. */
  readonly isWhole: boolean
}

/** An order as it is kept; the lists stay joined, since nothing but a comparison is made with them. */
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
  readonly found: string
  readonly lines: string
  readonly status: OrderStatus
  readonly events: readonly StoredEvent[]
}
