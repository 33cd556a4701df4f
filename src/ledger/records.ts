// Orders, devices, entries and events as the database keeps them, and as they are handed over to be kept.
import type { EmissionsByPart, EntryReason } from '../engine/ledger-history.ts'
import type { OrderKey } from '../engine/device-timeline.ts'
import type { ReferenceDataOf } from '../engine/reference/reference-data.ts'
import type { OrderFootprint } from '../engine/estimate.ts'
import type { Milligrams } from '../engine/numbers/emission.ts'
import type { OrderStatus } from '../engine/order.ts'
import type { StoredBalance } from '../engine/post-entries.ts'
import type { RunningLedger } from '../engine/running-ledger.ts'

/** An order as it is handed over: what was asked, in canonical JSON, and what is answered, in milligrams. */
export interface NewOrder extends OrderKey {
  readonly orderDate: string
  readonly tenureStartDate: string
  readonly country: string | null
  readonly metadata: string | null
  /** The items as canonical JSON with short names: what a repetition of the order is compared with. */
  readonly items: string
  readonly releaseId: number
  /** What each product resolves to by the order's own words, in the sequence of the products. */
  readonly bases: readonly string[]
  /** How each was found. */
  readonly found: readonly string[]
  /** The published lines, in the sequence of the items. */
  readonly lines: readonly Milligrams[]
  /** Of an order that came by file: which, and its first row there. */
  readonly origin?: ImportOrigin | undefined
}

export interface ImportOrigin {
  readonly importId: number
  readonly row: number
}

export interface StoredOrder extends NewOrder {
  readonly createdAt: Date
  readonly status: OrderStatus
}

/** What the account's product id was taken for, other than by the id itself. */
export interface PossibleMatch {
  readonly productId: string
  readonly found: string
}

/** As it is kept: of a blank product id nothing is, but how it was found. */
export const possibleMatchOfRow = (productId: string | null, found: string | null): PossibleMatch | null =>
  found === null ? null : { productId: productId ?? '', found }

/** A device as its entries have it: what it is charged by, fixed by its first order, and its balance. */
export interface StoredDevice {
  readonly serialNumber: string
  readonly basis: string
  readonly releaseId: number
  /** An exact number, kg: of a device that is charged by its weight. */
  readonly weightKg: string | null
  readonly isCapped: boolean
  /** Of a device that is charged by a guess or by the account's mapping: the product id, and how it was found. */
  readonly guess: PossibleMatch | null
  readonly balance: StoredBalance
}

/** An entry as it is handed over. */
export interface NewEntry extends OrderKey, EmissionsByPart {
  readonly serialNumber: string
  readonly no: number
  readonly reason: EntryReason
  readonly terms: {
    readonly start: string
    readonly end: string
    /** An exact number: digits, or digits with a slash between. */
    readonly months: string
  } | null
  readonly country: string | null
  readonly releaseId: number
  readonly eventId: string | null
  readonly cause: OrderKey | null
}

/** An entry as it is written: with what it puts into its device, and the device where it is the first of that. */
export interface AppendedEntry {
  readonly entry: NewEntry
  readonly putIn: Milligrams
  readonly device: StoredDevice | null
}

export interface StoredEntry extends NewEntry {
  readonly postedAt: Date
  /** Of an entry about the device alone: the content of its event. */
  readonly eventContent: string | null
}

/** All that is kept of a device. */
export interface DeviceLedger {
  readonly device: StoredDevice
  /** All, in sequence; where a ledger is kept that was run before, those since, and those of the order at hand. */
  readonly entries: readonly StoredEntry[]
  /** Of a long journal that is to be posted to. */
  readonly kept?: CachedLedger
}

/** What whoever runs a long journal keeps with it. */
export interface CachedLedger {
  /** Null until it is run for the first time. */
  ledger: RunningLedger | null
  /** The dataset releases that it was run with. */
  readonly releases: Set<number>
  /** The books of these. */
  bookOf: ReferenceDataOf | null
}

/** By serial number. A device that was never heard of has none. */
export type DeviceLedgers = ReadonlyMap<string, DeviceLedger>

export interface StoredEvent {
  readonly eventId: string
  readonly postedAt: Date
  /** Null for an event on a device. */
  readonly order: OrderKey | null
  readonly serialNumber: string | null
  /** Canonical JSON: what a repetition of the event is compared with. */
  readonly content: string
}

/** An order with all that is known of it. */
export interface OrderRecords {
  readonly order: StoredOrder
  readonly events: readonly StoredEvent[]
  readonly journals: DeviceLedgers
  /** What was posted to the order alone: of an order without devices. */
  readonly entries: readonly StoredEntry[]
}

/** A device with the orders that its ledger names. */
export interface DeviceRecords {
  readonly journal: DeviceLedger
  readonly orders: readonly StoredOrder[]
}

/** All that is known of a customer at some time. */
export interface CustomerRecords {
  /** By the clock of the database: all that was posted by then is in it. */
  readonly readAt: Date
  /** By order id, by code point. */
  readonly orders: readonly StoredOrder[]
  /** By serial number; whole, with what other customers posted. */
  readonly journals: DeviceLedgers
  /** What was posted to orders alone, in sequence: to those without devices. */
  readonly entries: readonly StoredEntry[]
}

export type NewEvent = Omit<StoredEvent, 'postedAt'>

/** What an event posts: devices with their new balances, entries, and what becomes of its order. */
export interface EventPosting {
  readonly devices: readonly StoredDevice[]
  readonly entries: readonly NewEntry[]
  readonly status: OrderStatus | null
  /** The device that it turned out to concern: of a swap, the one that was replaced. */
  readonly serialNumber: string | null
}

/** A transaction on the records of one account. Ledgers and orders that it locks are its own until it ends. */
export interface LedgerTransaction {
  /** With what happened to it; null where there is no such order. Not locked. */
  readonly findOrder: (key: OrderKey) => Promise<Pick<OrderRecords, 'order' | 'events'> | null>
  readonly findOrders: (keys: readonly OrderKey[]) => Promise<readonly StoredOrder[]>
  /** What happened to an order, and the event with an id, whatever that is about. */
  readonly findEvents: (
    order: OrderKey | null,
    eventId: string,
  ) => Promise<{ readonly events: readonly StoredEvent[]; readonly sameId: StoredEvent | null }>
  readonly findOrderEntries: (key: OrderKey) => Promise<readonly StoredEntry[]>
  /**
   * Locks devices, and reads their ledgers; an unknown device has none.
   * @param own the order whose entries are wanted of a long ledger, too
   */
  readonly lockLedgers: (serialNumbers: readonly string[], own: OrderKey | null) => Promise<DeviceLedgers>
  readonly lockOrder: (key: OrderKey) => Promise<void>
  /** Gives up, and begins again: what was read before the locks is not so any more. */
  readonly restart: () => never
  /** Stores an event with what it posts to locked ledgers. @returns when it was posted */
  readonly append: (posting: EventPosting, event: NewEvent) => Promise<Date>
}

/**
 * Runs work in a transaction, which is committed when the work returns and rolled back when it throws. Work on one
 * order, or on one device, runs one after the other. It may run more than once.
 */
export interface EventStore {
  readonly onOrder: <Result>(
    accountId: number,
    order: OrderKey,
    work: (transaction: LedgerTransaction) => Promise<Result>,
  ) => Promise<Result>
  readonly onDevice: <Result>(
    accountId: number,
    serialNumber: string,
    work: (transaction: LedgerTransaction) => Promise<Result>,
  ) => Promise<Result>
}

/** What an order posts, with the estimate that it comes from. */
export interface OrderPosting {
  readonly order: NewOrder
  readonly devices: readonly StoredDevice[]
  readonly entries: readonly NewEntry[]
  readonly footprint: OrderFootprint
}

export interface PostedOrder {
  readonly accountId: number
  /** What is posted if all its devices are new. */
  readonly posting: OrderPosting
  /** What is posted if some of them are known: with their journals, while nobody else writes to them. */
  readonly settle: (journals: DeviceLedgers) => Promise<OrderPosting>
}
