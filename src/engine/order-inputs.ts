// The inputs of an order's calculation: the order, its events, and the facts of its devices' ledgers.
import type { LedgerEntry } from './ledger-history.ts'
import type { DeviceEvent, OrderKey, Rental } from './device-timeline.ts'
import type { MatchMethod, ProductMatch } from './reference/product-match.ts'
import type { FootprintId } from './reference/footprint.ts'
import type { Order, Product } from './order.ts'
import type { Rational } from './numbers/rational.ts'

/** An entry with its posting time, RFC 3339. */
export interface PostedEmission extends LedgerEntry {
  readonly postedAt: string
}

/** A device of the order, with those facts of its ledger that affect the order's numbers. */
export interface DeviceInputs {
  readonly serialNumber: string
  /** Its footprint, and the dataset release that contains it; fixed by the device's first order, or identified. */
  readonly footprintId: FootprintId
  readonly releaseId: number
  /** kg, for a device whose footprint depends on its weight. */
  readonly weightKg: Rational | null
  readonly isCapped: boolean
  /** The event that identified the device; null if its first order fixed its footprint. */
  readonly identifiedBy: string | null
  /** This order's entries for the device, in order of posting. */
  readonly posted: readonly PostedEmission[]
  /** Rentals of the device under other orders, with pseudonymous ids. */
  readonly others: readonly Rental[]
  readonly events: readonly DeviceEvent[]
}

/** A device replaced by another. */
export interface Swap {
  readonly eventId: string
  readonly out: string
  readonly in: string
  /** Weight of the new device, kg. */
  readonly weightKg: Rational
  /** Null if the swap names no product, or the account knew the device before. */
  readonly named: NamedProduct | null
}

/** The members of a swap that name the product that comes in. */
export const NAMING_MEMBERS = ['product_id', 'product_name', 'brand', 'device_type', 'model_id'] as const

/** The product that a swap names, and what it was matched to: by this, the new device is charged. */
export interface NamedProduct extends ProductMatch {
  readonly product: Product
  readonly releaseId: number
}

export interface OrderInputs {
  readonly order: Order
  readonly releaseId: number
  /** The footprint of each product by the order's own data, in the order of the products. */
  readonly footprintIds: readonly FootprintId[]
  /** How each footprint was found. */
  readonly matchMethods: readonly MatchMethod[]
  /** Number of events recorded for the order. */
  readonly eventCount: number
  readonly swaps: readonly Swap[]
  /** Ids of the events that cancelled the order, or some of its devices, before anything was dispatched. */
  readonly undispatched: ReadonlySet<string>
  /** The devices that the order was sent with, followed by their replacements. */
  readonly devices: readonly DeviceInputs[]
  /** Entries posted to the order itself; only for an order without devices. */
  readonly posted: readonly PostedEmission[]
}

/** Longer than any id and made of the highest code point, so that it sorts after every id. */
const AFTER_ALL_IDS = '\u{10ffff}'.repeat(201)
const DIGITS = 9

/**
 * The pseudonymous id of another order. Among rentals that start on the same day it sorts as the order's real id does.
 * @param place the rental's position in the device's timeline, from 1
 * @param ownPlace the position of the order's own rental
 */
export const pseudonymousId = (place: number, ownPlace: number): OrderKey => ({
  customerId: String(place).padStart(DIGITS, '0'),
  orderId: place < ownPlace ? '' : AFTER_ALL_IDS,
})

/** The position of the rental that a pseudonymous id denotes. */
export const pseudonymousPosition = ({ customerId }: OrderKey): number => Number(customerId)

const STAND_IN = new RegExp(`the order "(?:\u{10ffff}{201})?" of "(\\d{${DIGITS}})"`, 'gu')

/** Replaces the pseudonymous id of another order in a sentence by printable text. */
export const replacePseudonyms = (sentence: string): string =>
  sentence.replaceAll(STAND_IN, (_, digits: string) => `another order (rental ${Number(digits)})`)
