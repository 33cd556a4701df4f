// Rows of entries and devices as the database returns them, and the records that they are.
import type { EntryReason } from '../engine/ledger-history.ts'
import type { Milligrams } from '../engine/numbers/emission.ts'
import type { StoredDevice, StoredEntry, StoredFootprint } from '../ledger/records.ts'
import { recorderOfRow, type RecorderRow } from './recorder.ts'
import { possibleMatchOfRow } from './row-encoding.ts'

/** Who recorded the event of an entry is read only where it is shown. */
export interface EntryRow extends FootprintColumns, Partial<RecorderRow> {
  readonly serial_number: string
  readonly customer_id: string
  readonly order_id: string
  readonly entry_no: number
  readonly posted_at: Date
  readonly embodied_mg: bigint
  readonly use_mg: bigint
  readonly packaging_mg: bigint
  readonly transportation_mg: bigint
  readonly release_id: number
  readonly reason: EntryReason
  readonly start_date: string | null
  readonly end_date: string | null
  readonly months: string | null
  readonly country: string | null
  readonly event_id: string | null
  readonly cause_customer_id: string | null
  readonly cause_order_id: string | null
  readonly in_force_reason: EntryReason | null
  readonly in_force_event_id: string | null
  readonly event_content: string | null
  readonly counts_from: string | null
  readonly spread_until_end: boolean
}

export const entryOfRow = (row: EntryRow): StoredEntry => ({
  serialNumber: row.serial_number,
  customerId: row.customer_id,
  orderId: row.order_id,
  no: row.entry_no,
  postedAt: row.posted_at,
  product_embodied_emission: row.embodied_mg,
  product_use: row.use_mg,
  packaging: row.packaging_mg,
  transportation: row.transportation_mg,
  releaseId: row.release_id,
  reason: row.reason,
  terms: row.months === null ? null : { start: row.start_date!, end: row.end_date!, months: row.months },
  country: row.country,
  eventId: row.event_id,
  cause: row.cause_order_id === null ? null : { customerId: row.cause_customer_id!, orderId: row.cause_order_id },
  inForce: row.in_force_reason ? { reason: row.in_force_reason, eventId: row.in_force_event_id } : null,
  eventContent: row.event_content,
  recordedBy: recorderOfRow(row),
  footprint: row.footprint_id ? footprintOfRow(row, row.footprint_id, row.device_release_id!) : null,
  countsFrom: row.counts_from,
  isSpreadUntilEnd: row.spread_until_end,
})

/** The columns of an entry that say what its device is charged by. */
interface FootprintColumns {
  readonly device_release_id: number | null
  readonly footprint_id: string | null
  readonly is_capped: boolean | null
  readonly weight_kg: string | null
  readonly product_id: string | null
  readonly match_method: string | null
}

const footprintOfRow = (row: FootprintColumns, footprintId: string, releaseId: number): StoredFootprint => ({
  footprintId,
  releaseId,
  weightKg: row.weight_kg,
  isCapped: row.is_capped!,
  possibleMatch: possibleMatchOfRow(row.product_id, row.match_method),
})

export interface DeviceRow {
  readonly serial_number: string
  readonly footprint_id: string
  readonly release_id: number
  readonly weight_kg: string | null
  readonly is_capped: boolean
  readonly product_id: string | null
  readonly match_method: string | null
  readonly embodied_total_mg: Milligrams
  readonly allocated_mg: Milligrams
}

export const deviceOfRow = (row: DeviceRow): StoredDevice => ({
  serialNumber: row.serial_number,
  footprintId: row.footprint_id,
  releaseId: row.release_id,
  weightKg: row.weight_kg,
  isCapped: row.is_capped,
  possibleMatch: possibleMatchOfRow(row.product_id, row.match_method),
  balance: { embodiedTotal: row.embodied_total_mg, allocated: row.allocated_mg },
})
