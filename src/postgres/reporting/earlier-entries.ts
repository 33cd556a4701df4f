// What was posted before an entry, for reports. Each ledger is read once and traversed once, however long it is.
import type { EntryReason } from '../../engine/ledger-history.ts'
import type { OrderKey } from '../../engine/device-timeline.ts'
import { sentIdOf } from '../../engine/order-revision.ts'
import { deviceKey, findOrderEntries } from '../entries.ts'
import { findLedgers } from '../long-ledgers.ts'
import type { StoredEntry, StoredFootprint } from '../../ledger/records.ts'
import type { Connection } from '../transaction.ts'

/** How a rental counts: in full, as one that was cancelled, or not at all. */
export type RentalCount = 'full' | 'cancelled' | 'none'

/** What a rental was charged by before an entry that charges it by another footprint, and how it counts. */
export interface IdentifiedRental {
  readonly before: StoredFootprint
  readonly count: RentalCount
}

export interface CountChange {
  readonly before: RentalCount
  readonly after: RentalCount
}

/** How a rental counts after an entry. Without anything in force, a withdrawal removed the device from the order. */
function rentalCountAfter({ inForce, reason }: StoredEntry): RentalCount {
  const standing = inForce?.reason ?? reason
  if (standing === 'cancelled') return 'cancelled'
  return GONE.has(standing) ? 'none' : 'full'
}

/** True for an entry that corrects a rental, or an order without devices, because of something else. */
const isCorrection = ({ terms, inForce, reason }: StoredEntry): boolean =>
  terms === null && !inForce && !OWN_REASONS.has(reason)

/** Reasons after which a rental, or an order without devices, counts in no period. */
const GONE: ReadonlySet<EntryReason> = new Set<EntryReason>(['reversal', 'withdrawal', 'correction'])
const OWN_REASONS: ReadonlySet<EntryReason> = new Set<EntryReason>(['order', 'cancelled', 'reversal', 'correction'])

/** What was posted to a device, or to an order without devices. */
export interface PostedLedger {
  /** In order; some may have been posted after the entry in question. */
  readonly entries: readonly StoredEntry[]
  /** By entryKey of their order: the entries of each order, in order. */
  readonly byOrder: ReadonlyMap<string, readonly StoredEntry[]>
  /**
   * By the number of an entry that sets the terms of a rental, or that charges it by another footprint: the other
   * rental that was posted first and counts in full, if any. It decides how the device is counted.
   */
  readonly others: ReadonlyMap<number, StoredEntry>
  /** The entries from which on the device was charged by another footprint; the first entry is one. */
  readonly footprints: readonly StoredEntry[]
  /** By the number of an entry that charges its rental by another footprint. */
  readonly identified: ReadonlyMap<number, IdentifiedRental>
  /** By the number of an entry after which its rental, or its order without devices, counts differently. */
  readonly countChanges: ReadonlyMap<number, CountChange>
  /** The number of the entry with which an order, in any of its revisions, first rented the device. */
  readonly beganAt: (order: OrderKey) => number
}

/** The same for all revisions of an order. */
const sentKey = ({ customerId, orderId }: OrderKey): string => `${customerId}\0${sentIdOf(orderId)}`

export const entryKey = ({ customerId, orderId }: OrderKey): string => `${customerId}\0${orderId}`

function toPostedLedger(entries: readonly StoredEntry[]): PostedLedger {
  const byOrder = new Map<string, StoredEntry[]>()
  const others = new Map<number, StoredEntry>()
  const countChanges = new Map<number, CountChange>()
  const countOfRental = new Map<string, RentalCount>()
  const starts = new Map<string, string>()
  const footprints: StoredEntry[] = []
  const identified = new Map<number, IdentifiedRental>()
  /** The first entries of the rentals that count in full, by the number with which their order began. */
  const counted: StoredEntry[] = []
  const began = new Map<string, number>()
  const beganAt = (order: OrderKey): number => began.get(sentKey(order))!
  for (const entry of entries) {
    const key = entryKey(entry)
    if (!began.has(sentKey(entry))) began.set(sentKey(entry), entry.no)
    const own = byOrder.get(key) ?? []
    byOrder.set(key, own)
    own.push(entry)
    if (entry.terms) starts.set(key, entry.terms.start)
    const [first] = own as [StoredEntry]
    const latest = footprints.at(-1)
    if (entry.footprint) footprints.push(entry)
    if (entry.orderId === '') continue
    const other = counted.find((one) => one !== first)
    const isIdentified = own.length > 1 && latest !== undefined && latest.no > own.at(-2)!.no
    if (isIdentified) {
      identified.set(entry.no, { before: footprints.at(-2)!.footprint!, count: countOfRental.get(key)! })
    }
    if (other && (isIdentified || !isCorrection(entry)))
      others.set(entry.no, startingOn(other, starts.get(entryKey(other))!))
    if (isCorrection(entry)) continue
    const [before, after] = [countOfRental.get(key) ?? 'none', rentalCountAfter(entry)]
    countOfRental.set(key, after)
    if (before !== after) countChanges.set(entry.no, { before, after })
    if ((before === 'full') === (after === 'full')) continue
    const place = placeAmong(counted, beganAt(first), beganAt)
    if (after === 'full') counted.splice(place, 0, first)
    else counted.splice(place, 1)
  }
  return { entries, byOrder, others, footprints, identified, countChanges, beganAt }
}

/** The first entry of a rental with its present start: a swap can have brought the device in again on another day. */
const startingOn = (first: StoredEntry, start: string): StoredEntry =>
  start === first.terms!.start ? first : { ...first, terms: { ...first.terms!, start } }

/** The place of an entry by its number among others of a ledger. */
export const placeOfEntry = (entries: readonly StoredEntry[], no: number): number =>
  placeAmong(entries, no, (entry) => entry.no)

/** Binary search, as there may be very many. @param entries sorted by `numberOf` */
function placeAmong(entries: readonly StoredEntry[], no: number, numberOf: (entry: StoredEntry) => number): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (numberOf(entries[middle]!) < no) low = middle + 1
    else high = middle
  }
  return low
}

/** The part of an entry by which its ledger is found. */
interface Place extends OrderKey {
  readonly serialNumber: string
}

export type FindPosted = (places: readonly Place[]) => Promise<(place: Place) => PostedLedger>

/** Entries of the ledgers in the cache, which are those read last: some 100 MB at most, or a single longer ledger. */
const KEPT_ENTRIES_MAX = 150_000

/** Finds ledgers for one pass over the entries. A ledger that many pages need is read once while it is cached. */
export function createFindPosted(connection: Connection, accountId: number): FindPosted {
  const postedByKey = new Map<string, PostedLedger>()
  let weight = 0
  const keep = (key: string, ledger: PostedLedger): void => {
    postedByKey.set(key, ledger)
    weight += ledger.entries.length
    for (const [oldest, { entries }] of postedByKey) {
      if (weight <= KEPT_ENTRIES_MAX || oldest === key) break
      postedByKey.delete(oldest)
      weight -= entries.length
    }
  }
  const placeKey = (place: Place): string => (place.serialNumber === '' ? `\0${entryKey(place)}` : place.serialNumber)
  return async (places) => {
    const posted = new Map<string, PostedLedger>()
    const serials = new Set<string>()
    for (const place of places) {
      const key = placeKey(place)
      const known = postedByKey.get(key)
      if (known) posted.set(key, known)
      else if (place.serialNumber !== '') serials.add(place.serialNumber)
      else {
        const { customerId, orderId } = place
        posted.set(key, toPostedLedger(await findOrderEntries(connection, { accountId, key: { customerId, orderId } })))
      }
    }
    const devices = [...serials].map((serialNumber) => ({ accountId, serialNumber }))
    const ledgers = await findLedgers(connection, devices)
    for (const device of devices) {
      const ledger = toPostedLedger(ledgers.get(deviceKey(device))?.entries ?? [])
      posted.set(device.serialNumber, ledger)
      keep(device.serialNumber, ledger)
    }
    return (place) => posted.get(placeKey(place))!
  }
}
