// What the use cases need from the database: statements that insert new orders, and transactions on ledgers.
import type { OrderKey } from '../engine/device-timeline.ts'
import type {
  AccountPosting,
  DeviceLedgers,
  EventPosting,
  NewEvent,
  OrderRecords,
  PostedOrder,
  RecordedFootprint,
  RevisionPosting,
  PostingTime,
  StoredEntry,
  StoredEvent,
  StoredOrder,
} from './records.ts'

/** The result of inserting an order without locks. Only a created one was stored. */
export type InsertResult =
  | { readonly outcome: 'created'; readonly createdAt: Date }
  | {
      /** An order with the same key is stored; its content may differ. */
      readonly outcome: 'already-exists'
      readonly stored: StoredOrder
      /** The ledgers of the known devices of the order that was sent, each with its first entry only. */
      readonly firstEntries: DeviceLedgers
    }
  | { readonly outcome: 'known-devices' }

/** A transaction that posts orders of any accounts. Devices that it locks stay locked until it ends. */
export interface OrderTransaction {
  /** The stored order with the key of each order; null if there is none. Takes no lock. */
  readonly findOrders: (orders: readonly AccountPosting[]) => Promise<readonly (StoredOrder | null)[]>
  /** Locks the known devices of all orders and reads their ledgers. @returns those of each order's devices */
  readonly lockLedgers: (orders: readonly AccountPosting[]) => Promise<readonly DeviceLedgers[]>
  /**
   * The same without waiting: null for an order with a device that another transaction has locked, or whose ledger has
   * to be loaded first.
   */
  readonly lockFreeLedgers: (orders: readonly AccountPosting[]) => Promise<readonly (DeviceLedgers | null)[]>
  /** Stores orders with their postings to locked ledgers and new devices. @returns the posting time */
  readonly append: (orders: readonly AccountPosting[]) => Promise<Date>
}

export interface OrderStore {
  /**
   * Stores the orders of which nothing is known, neither the order nor any of its devices, in one statement. No two of
   * the given orders have the same key or a common device.
   * @returns the result of each order
   */
  readonly insertNew: (orders: readonly AccountPosting[]) => Promise<readonly InsertResult[]>
  /** Commits when the work returns, and rolls back when it throws. The work may run more than once. */
  readonly inTransaction: <Result>(work: (transaction: OrderTransaction) => Promise<Result>) => Promise<Result>
  /** All revisions of an order, in order. @param key with the id that the client sent */
  readonly findRevisions: (accountId: number, key: OrderKey) => Promise<readonly StoredOrder[]>
  /** True for an error that a single one of several inserted orders may have caused. */
  readonly isRowError: (error: unknown) => boolean
  /** True for an error of the connection or the server, which does not depend on the orders. */
  readonly isUnavailable: (error: unknown) => boolean
}

/** A transaction on the records of one account. Ledgers and orders that it locks stay locked until it ends. */
export interface LedgerTransaction {
  /**
   * The current revision of an order, with its events; null if there is no such order. Takes no lock.
   * @param key with the id that the client sent
   */
  readonly findOrder: (key: OrderKey) => Promise<Pick<OrderRecords, 'order' | 'events'> | null>
  readonly findOrders: (keys: readonly OrderKey[]) => Promise<readonly StoredOrder[]>
  /** The current revisions of many orders. Takes no lock. @param keys with the ids that clients sent, each once */
  readonly findCurrentOrders: (keys: readonly OrderKey[]) => Promise<readonly StoredOrder[]>
  /** The events of many orders, by the orderKey of the revisions. */
  readonly findEventsOfOrders: (keys: readonly OrderKey[]) => Promise<ReadonlyMap<string, readonly StoredEvent[]>>
  /**
   * For the undo of a restatement: the revisions that it replaced, by orderKey with the ids that clients sent.
   * @param orders their current revisions, each once
   */
  readonly findReplacedRevisions: (
    orders: readonly OrderKey[],
    restatementId: number,
  ) => Promise<ReadonlyMap<string, StoredOrder>>
  /** The events of an order, and the event with the given id, whatever it concerns. */
  readonly findEvents: (
    order: OrderKey | null,
    eventId: string,
  ) => Promise<{ readonly events: readonly StoredEvent[]; readonly sameId: StoredEvent | null }>
  readonly findOrderEntries: (key: OrderKey) => Promise<readonly StoredEntry[]>
  /**
   * Locks devices and reads their ledgers; an unknown device has none.
   * @param own the order whose entries are also read from a large ledger
   */
  readonly lockLedgers: (serialNumbers: readonly string[], own: OrderKey | null) => Promise<DeviceLedgers>
  /** What a device has been charged by, in order: by its first order, and by events that identified it. */
  readonly findFootprints: (serialNumber: string) => Promise<readonly RecordedFootprint[]>
  /** Those of some devices that have a long ledger. Takes no lock. */
  readonly findLongLedgers: (serialNumbers: readonly string[]) => Promise<ReadonlySet<string>>
  /** False if the order is not stored any more. */
  readonly lockOrder: (key: OrderKey) => Promise<boolean>
  /** Locks orders. @returns those that are stored, by orderKey */
  readonly lockOrders: (keys: readonly OrderKey[]) => Promise<ReadonlySet<string>>
  /**
   * What was posted to each revision of orders so far. Takes no lock.
   * @param keys with the ids that clients sent, each once
   */
  readonly findPostedEmissions: (keys: readonly OrderKey[]) => Promise<readonly PostedOrder[]>
  /** For some of the serial numbers, a device whose own differs from it in case or white space alone. */
  readonly findSimilarSerials: (serialNumbers: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** When an entry would be posted now, and in which periods it would count; the books stay as they are until then. */
  readonly findPostingTime: () => Promise<PostingTime>
  /** Restarts the transaction, because records read before the locks have changed. */
  readonly restart: () => never
  /** Stores an event with its posting to locked ledgers. */
  readonly append: (posting: EventPosting, event: NewEvent) => Promise<PostingTime>
  /** Stores the next revisions of different orders, with their postings to locked ledgers and new devices. */
  readonly appendRevisions: (revisions: readonly DecidedRevision[]) => Promise<void>
}

/** The next revision of an order, with the ledgers of its devices before it. */
export interface DecidedRevision {
  readonly revision: RevisionPosting
  readonly ledgers: DeviceLedgers
}

/**
 * Runs work in a transaction, which is committed when the work returns and rolled back when it throws. Work on the same
 * order or the same device runs in order. Work may run more than once.
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

/** Reads the records of one account by one snapshot: it locks no record, and appends nothing. */
export type OnSnapshot = <Result>(
  accountId: number,
  work: (transaction: LedgerTransaction) => Promise<Result>,
) => Promise<Result>
