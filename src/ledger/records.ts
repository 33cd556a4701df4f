// Orders, devices, entries and events as stored in the database, and as passed to it to be stored.
import type { EmissionsByPart, EntryReason, InForce } from '../engine/ledger-history.ts'
import type { OrderKey } from '../engine/device-timeline.ts'
import type { MatchMethod } from '../engine/reference/product-match.ts'
import type { ReferenceDataOf } from '../engine/reference/reference-data.ts'
import type { OrderFootprint } from '../engine/estimate.ts'
import type { Milligrams } from '../engine/numbers/emission.ts'
import type { OrderStatus } from '../engine/order.ts'
import type { StoredBalance } from '../engine/post-entries.ts'
import type { RunningLedger } from '../engine/running-ledger.ts'

/** An order to store: its content in canonical JSON, and its answered emissions in milligrams. */
export interface NewOrder extends OrderKey {
  readonly orderDate: string
  readonly tenureStartDate: string
  readonly country: string | null
  readonly metadata: string | null
  /** The items as canonical JSON with short names, which a repetition of the order is compared with. */
  readonly items: string
  readonly releaseId: number
  /** The footprint that each product resolves to by the order's own words, in the order of the products. */
  readonly footprintIds: readonly string[]
  /** The match method of each product. */
  readonly matchMethods: readonly MatchMethod[]
  /** The published lines, in the order of the items. */
  readonly lineEmissions: readonly Milligrams[]
  /** For an imported order: the import and the order's first row in its file. */
  readonly origin?: ImportOrigin | undefined
  /** What the ledgers of its devices said against it when it was stored, as JSON; null or absent if nothing. */
  readonly warnings?: string | null
}

export interface ImportOrigin {
  readonly importId: number
  readonly row: number
}

export interface StoredOrder extends NewOrder {
  readonly createdAt: Date
  readonly status: OrderStatus
}

/** What a device was charged by from an entry on. */
export interface RecordedFootprint {
  readonly footprint: StoredFootprint
  /** The event of the entry, and the event that it withdraws, if it does; null for the first entry. */
  readonly eventId: string | null
  readonly withdraws: string | null
}

/** How the account's product id was matched, other than by being the id of a model. */
export interface PossibleMatch {
  readonly productId: string
  readonly matchMethod: MatchMethod
}

/** What a device is charged by: fixed by its first order, or by the event that identified it last. */
export interface StoredFootprint {
  readonly footprintId: string
  readonly releaseId: number
  /** An exact number in kg; stored only if the footprint depends on the weight. */
  readonly weightKg: string | null
  readonly isCapped: boolean
  /** For a proxy match or the account's mapping: the product id and the match method. */
  readonly possibleMatch: PossibleMatch | null
}

/** A device as its entries define it: its footprint and its balance. */
export interface StoredDevice extends StoredFootprint {
  readonly serialNumber: string
  readonly balance: StoredBalance
}

/** An entry to store. */
export interface NewEntry extends OrderKey, EmissionsByPart {
  readonly serialNumber: string
  readonly no: number
  readonly reason: EntryReason
  readonly terms: {
    readonly start: string
    readonly end: string
    /** An exact number: digits, or two groups of digits separated by a slash. */
    readonly months: string
  } | null
  readonly country: string | null
  readonly releaseId: number
  readonly eventId: string | null
  readonly cause: OrderKey | null
  /** For a withdrawal, which terms count again, if any. */
  readonly inForce?: InForce | null
}

/**
 * An entry as it is written, with the embodied emission that it adds to its device, and the device if this is its first
 * entry.
 */
export interface AppendedEntry {
  readonly entry: NewEntry
  readonly embodiedAdded: Milligrams
  readonly device: StoredDevice | null
}

export interface StoredEntry extends NewEntry {
  readonly postedAt: Date
  /** For an entry of the device alone: the content of its event. */
  readonly eventContent: string | null
  /** For an entry of the device alone: who recorded its event. Undefined unless it is read to be shown. */
  readonly recordedBy?: Recorder | null | undefined
  /** For the first entry of a device, and one that identifies it or withdraws that: what it is charged by then. */
  readonly footprint?: StoredFootprint | null
  /** The first day on which it counts in periods, YYYY-MM-DD; null if it counts in the months that it concerns. */
  readonly countsFrom: string | null
  /** False for an entry of an earlier version that set terms: it is spread over all months agreed. */
  readonly isSpreadUntilEnd: boolean
}

/** When entries were posted, and in which periods they count. */
export type PostingTime = Pick<StoredEntry, 'postedAt' | 'countsFrom' | 'isSpreadUntilEnd'>

/** The emission posted to an order on all its devices. */
export interface PostedOrder extends OrderKey {
  readonly tenureStartDate: string
  readonly emission: EmissionsByPart
}

/** All records of a device. */
export interface DeviceLedger {
  readonly device: StoredDevice
  /** All entries in order. With a cached ledger: only the entries since then, and those of the current order. */
  readonly entries: readonly StoredEntry[]
  /** For a large ledger that is to be posted to. */
  readonly cached?: CachedLedger
}

/** The cached state of a large ledger. */
export interface CachedLedger {
  /** Null until it is first computed. */
  ledger: RunningLedger | null
  /** Number of the last erasure in the account before the ledger was read: the ledger has the names from before it. */
  readonly lastErasure: number
  /** The dataset releases that it was computed with. */
  readonly releases: Set<number>
  /** The event that identified the device; null if its first order fixed what it is charged by. */
  identifiedBy: string | null
  /** The reference data of these releases. */
  referenceDataOf: ReferenceDataOf | null
}

/** By serial number; an unknown device has no ledger. */
export type DeviceLedgers = ReadonlyMap<string, DeviceLedger>

/** Who recorded a fact: a key, as it was named then, or an import. */
export type Recorder = { readonly keyHint: string; readonly keyLabel: string } | { readonly importId: number }

export interface StoredEvent {
  readonly eventId: string
  readonly postedAt: Date
  /** Null for what was recorded before this was stored, and for the facts that a demo fleet is loaded with. */
  readonly recordedBy: Recorder | null
  /** Null for an event of a device. */
  readonly order: OrderKey | null
  readonly serialNumber: string | null
  /** Canonical JSON, which a repetition of the event is compared with. */
  readonly content: string
}

/** An order with all its records. */
export interface OrderRecords {
  readonly order: StoredOrder
  readonly events: readonly StoredEvent[]
  readonly ledgers: DeviceLedgers
  /** Entries posted to the order itself, if it has no devices. */
  readonly entries: readonly StoredEntry[]
  /** The corrections of its content, in order; absent without any. */
  readonly corrections?: readonly StoredCorrection[]
}

/** A revision whose content was corrected, with the event that says so. */
export interface StoredCorrection {
  readonly event: StoredEvent
  readonly replaced: StoredOrder
  /** All events of that revision, also those that count in the next one. */
  readonly events: readonly StoredEvent[]
}

/** A device with the orders that its ledger refers to. */
export interface DeviceRecords {
  readonly ledger: DeviceLedger
  readonly orders: readonly StoredOrder[]
}

/** A device with the events of the orders that its ledger names. */
export interface DeviceHistory {
  readonly ledger: DeviceLedger
  /** By orderKey of the revision, in the order in which they became known; none for an order without events. */
  readonly orderEvents: ReadonlyMap<string, readonly StoredEvent[]>
}

/** All records of a customer at a point in time. */
export interface CustomerRecords {
  /** By the clock of the database: everything posted until then is included. */
  readonly readAt: Date
  /** The books of the account are closed for the days before this one; null if they are open. */
  readonly booksClosedUntil: string | null
  /** Sorted by order id, by code point. */
  readonly orders: readonly StoredOrder[]
  /** By serial number; complete, including the entries of other customers. */
  readonly ledgers: DeviceLedgers
  /** Entries posted to orders without devices, in order. */
  readonly entries: readonly StoredEntry[]
  /** Who recorded the events of the customer's orders, and of the devices alone, by eventKey. */
  readonly recorders: ReadonlyMap<string, Recorder | null>
}

export type NewEvent = Omit<StoredEvent, 'postedAt'>

/** What an event posts: devices with their new balances, entries, and the new status of its order. */
export interface EventPosting {
  readonly devices: readonly StoredDevice[]
  readonly entries: readonly NewEntry[]
  readonly status: OrderStatus | null
  /** The device that the event concerns; for a swap, the replaced device. */
  readonly serialNumber: string | null
  /** The devices of which the event changes what they are charged by, by serial number. */
  readonly identified?: ReadonlySet<string>
  /** The events of a device that a swap identifies. */
  readonly identifications?: readonly NewEvent[]
}

/** What the correction of an order posts: it takes back the current revision, and posts the next one. */
export interface RevisionPosting {
  /** The event that ends the current revision. */
  readonly event: NewEvent
  /** The next revision, with its status after its events. */
  readonly order: NewOrder
  readonly status: OrderStatus
  /** The events of the order that count, which are events of the next revision, too. */
  readonly events: readonly StoredEvent[]
  readonly devices: readonly StoredDevice[]
  readonly entries: readonly NewEntry[]
  /** The events of devices that the next revision identifies. */
  readonly identifications: readonly NewEvent[]
}

/** What an order posts, with the estimate that it is based on. */
export interface OrderPosting {
  readonly order: NewOrder
  readonly devices: readonly StoredDevice[]
  readonly entries: readonly NewEntry[]
  /** The events of devices that the order identifies; nearly no order does. */
  readonly identifications: readonly NewEvent[]
  readonly footprint: OrderFootprint
}

/** What an order of an account posts. */
export interface AccountPosting {
  readonly accountId: number
  readonly posting: OrderPosting
}
