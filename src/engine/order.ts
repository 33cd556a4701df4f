// An order as the engine takes it, in exact units with names not yet looked up, and the status that follows from it.
import { isActive, isCancellation, type LedgerEntry } from './ledger-history.ts'
import type { Rational } from './numbers/rational.ts'
import type { DeviceType, DistanceBasis } from './reference/reference-data.ts'

export interface Order {
  readonly customerId: string
  readonly orderId: string
  /** Calendar days, YYYY-MM-DD, without time zone. */
  readonly orderDate: string
  readonly tenureStartDate: string
  /** ISO 3166-1 alpha-2 code of where the devices are used, or null where the client did not say. */
  readonly country: string | null
  readonly items: readonly Item[]
}

export type Item = Product | Transportation | Packaging

export interface Product {
  readonly type: 'product'
  readonly productId: string
  readonly serialNumber: string
  readonly tenureMonths: number
  readonly weightKg: Rational
  readonly deviceType: DeviceType | null
  readonly modelId: string | null
  /** As people call it, and by whom it is made; null where the client did not say. */
  readonly productName: string | null
  readonly brand: string | null
  readonly country: string | null
}

export interface Transportation {
  readonly type: 'transportation'
  readonly transportationId: string
  readonly transportationMode: string
  readonly distanceKm: Rational
  readonly weightKg: Rational
  readonly distanceBasis: DistanceBasis | null
}

export interface Packaging {
  readonly type: 'packaging'
  readonly packagingId: string
  readonly weightKg: Rational
}

/** Something wrong with what the client sent: where (a JSON pointer), what, and what would be right. */
export interface Problem {
  readonly path: string
  readonly message: string
  readonly suggestions?: readonly string[]
}

/** A member's name as a token of a JSON pointer (RFC 6901). */
export const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

export const STATUSES = ['created', 'amended', 'returned', 'cancelled', 'reversed'] as const
export type OrderStatus = (typeof STATUSES)[number]

/** What of an entry decides a status: why it was posted, and whether it sets the terms of a rental. */
interface TellingEntry extends Pick<LedgerEntry, 'reason'> {
  readonly terms: object | null
}

/**
 * The status of an order.
 * @param posted the order's own entries in sequence: a list for each of its devices, or one of what it posted alone
 * @param eventCount how many events were told of the order
 */
export function statusOf(posted: readonly (readonly TellingEntry[])[], eventCount: number): OrderStatus {
  const standing = posted.flatMap((entries) => latestOf(entries) ?? []).filter(({ reason }) => reason !== 'swapped_out')
  if (standing.length > 0 && standing.every(({ reason }) => isCancellation(reason)))
    return standing.some(({ reason }) => reason === 'reversal') ? 'reversed' : 'cancelled'
  if (standing.length > 0 && !standing.some(isActive)) return 'returned'
  const isAmended = posted.some((entries) => entries.some(({ reason }) => reason !== 'order'))
  return isAmended || eventCount > 0 ? 'amended' : 'created'
}

/** The last entry that says what became of a device, or of an order without any; null where nothing did. */
export const latestOf = <One extends TellingEntry>(entries: readonly One[]): One | null =>
  entries.findLast(({ terms, reason }) => terms !== null || isCancellation(reason)) ?? null
