// All that an order's numbers follow from: the order, what happened to it, and the facts of its devices' ledgers.
import type { LedgerEntry } from './ledger-history.ts'
import type { DeviceEvent, OrderKey, Rental } from './device-timeline.ts'
import type { MatchMethod } from './reference/product-match.ts'
import type { FootprintId } from './reference/footprint.ts'
import type { Order } from './order.ts'
import type { Rational } from './numbers/rational.ts'

/** An entry with the time at which it was posted, RFC 3339. */
export interface PostedEmission extends LedgerEntry {
  readonly postedAt: string
}

/** A device of the order, with what of its ledger the order's numbers rest on. */
export interface DeviceInputs {
  readonly serialNumber: string
  /** What it is charged by, and the dataset release in which that stands: fixed by its first order. */
  readonly basis: FootprintId
  readonly releaseId: number
  /** kg, of a device that is charged by its weight. */
  readonly weightKg: Rational | null
  readonly isCapped: boolean
  /** What this order posted to it, in sequence. */
  readonly posted: readonly PostedEmission[]
  /** Rentals of the device under other orders, by stand-in ids. */
  readonly others: readonly Rental[]
  readonly events: readonly DeviceEvent[]
}

/** One device in the place of another. */
export interface Swap {
  readonly out: string
  readonly in: string
  /** Of the new device, kg. */
  readonly weightKg: Rational
}

export interface OrderInputs {
  readonly order: Order
  readonly releaseId: number
  /** What each product resolves to by the order's own words, in the sequence of the products. */
  readonly bases: readonly FootprintId[]
  /** How that was found. */
  readonly found: readonly MatchMethod[]
  /** How many events were told of the order. */
  readonly eventCount: number
  readonly swaps: readonly Swap[]
  /** Ids of the events that cancelled the order, or devices of it, before anything was dispatched. */
  readonly undispatched: ReadonlySet<string>
  /** Those that it was sent with, then those that took their places. */
  readonly devices: readonly DeviceInputs[]
  /** What was posted to the order alone: of an order without devices. */
  readonly posted: readonly PostedEmission[]
}

/** More characters than any id has, each of them the last that there is. */
const AFTER_ALL_IDS = '\u{10ffff}'.repeat(201)
const DIGITS = 9

/**
 * The id that another order goes by: of rentals that start on one day, it sorts as the order's real id does.
 * @param place of the rental in the device's life, from 1
 * @param ownPlace that of the order itself
 */
export const pseudonymousId = (place: number, ownPlace: number): OrderKey => ({
  customerId: String(place).padStart(DIGITS, '0'),
  orderId: place < ownPlace ? '' : AFTER_ALL_IDS,
})

/** The place of the rental that a stand-in id denotes. */
export const pseudonymousPosition = ({ customerId }: OrderKey): number => Number(customerId)

const STAND_IN = new RegExp(`the order "(?:\u{10ffff}{201})?" of "(\\d{${DIGITS}})"`, 'gu')

/** A sentence that names another order by its stand-in id, as it is printed. */
export const replacePseudonyms = (sentence: string): string =>
  sentence.replaceAll(STAND_IN, (_, digits: string) => `another order (rental ${Number(digits)})`)
