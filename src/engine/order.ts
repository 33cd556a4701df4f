// An order as the engine receives it, in exact units with unresolved names, and its status.
import type { Message } from './message.ts'
import { isActive, isCancellation, isInOrder, type LedgerEntry } from './ledger-history.ts'
import type { Rational } from './numbers/rational.ts'
import type { DeviceType, DistanceBasis } from './reference/reference-data.ts'

export interface Order {
  readonly customerId: string
  readonly orderId: string
  /** Calendar days, YYYY-MM-DD, without time zone. */
  readonly orderDate: string
  readonly tenureStartDate: string
  /** ISO 3166-1 alpha-2 code of the country where the devices are used; null if the client did not state it. */
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
  /** The name in common use, and the manufacturer; null if the client did not state them. */
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

/** An error in a request: its place (a JSON pointer), a message, and suggested values. */
export interface Problem extends Message {
  readonly path: string
  readonly suggestions?: readonly string[]
}

/** The message of a problem, without its place. */
export const messageOf = ({ message, code, params }: Problem): Message => ({ message, code, params })

/** A member's name as a token of a JSON pointer (RFC 6901). */
export const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

export const STATUSES = ['created', 'amended', 'returned', 'cancelled', 'reversed'] as const
/** `corrected` is the status of a revision whose content was corrected: it is stored, and not shown. */
export type OrderStatus = (typeof STATUSES)[number] | 'corrected'

/** What determines a status in an entry: the reason for posting, and whether it sets rental terms. */
interface TellingEntry extends Pick<LedgerEntry, 'reason' | 'inForce'> {
  readonly terms: object | null
}

/**
 * The status of an order.
 * @param posted the order's own entries in order of posting: one list per device, or one for the order itself
 * @param eventCount number of events recorded for the order
 */
export function statusOf(posted: readonly (readonly TellingEntry[])[], eventCount: number): OrderStatus {
  const latest = posted
    .flatMap((entries) => latestOf(entries) ?? [])
    .map(({ inForce, reason }) => inForce ?? { reason })
  if (latest.some(({ reason }) => reason === 'correction')) return 'corrected'
  const standing = latest.filter((one) => isInOrder(one) && one.reason !== 'swapped_out')
  if (standing.length > 0 && standing.every(({ reason }) => isCancellation(reason)))
    return standing.some(({ reason }) => reason === 'reversal') ? 'reversed' : 'cancelled'
  if (standing.length > 0 && !standing.some(isActive)) return 'returned'
  const isAmended = posted.some((entries) => entries.some(({ reason }) => reason !== 'order'))
  return isAmended || eventCount > 0 ? 'amended' : 'created'
}

/** The last entry that sets the state of a device, or of an order without devices; null if there is none. */
export const latestOf = <One extends TellingEntry>(entries: readonly One[]): One | null =>
  entries.findLast(
    ({ terms, reason, inForce }) => terms !== null || isCancellation(reason) || reason === 'correction' || inForce,
  ) ?? null
