// What was posted before an entry, for reports. Each ledger is read once and traversed once, however long it is.
import type { EntryReason } from '../../engine/ledger-history.ts'
import type { OrderKey } from '../../engine/device-timeline.ts'
import { deviceKey, findOrderEntries } from '../entries.ts'
import { findLedgers } from '../long-ledgers.ts'
import type { StoredEntry } from '../../ledger/records.ts'
import type { Connection } from '../transaction.ts'

const BEGINNING: ReadonlySet<EntryReason> = new Set<EntryReason>(['order', 'swapped_in'])
const TAKING_BACK: ReadonlySet<EntryReason> = new Set<EntryReason>(['cancelled', 'reversal'])

export const takesBack = (reason: EntryReason): boolean => TAKING_BACK.has(reason)

/** When an entry begins or takes back a rental, other rentals of the device decide how the device is counted. */
export const concernsOthers = (reason: EntryReason): boolean => BEGINNING.has(reason) || TAKING_BACK.has(reason)

/** What was posted to a device, or to an order without devices. */
export interface PostedLedger {
  /** In order; some may have been posted after the entry in question. */
  readonly entries: readonly StoredEntry[]
  /** By entryKey of their order: the entries of each order, in order. */
  readonly byOrder: ReadonlyMap<string, readonly StoredEntry[]>
  /**
   * By the number of an entry that concerns others: the other rental that was posted first and was still in force, if
   * any.
   */
  readonly others: ReadonlyMap<number, StoredEntry>
}

export const entryKey = ({ customerId, orderId }: OrderKey): string => `${customerId}\0${orderId}`

/** One pass is enough: an order that was taken back stays so, and the first rental in force only moves forward. */
function toPostedLedger(entries: readonly StoredEntry[]): PostedLedger {
  const byOrder = new Map<string, StoredEntry[]>()
  const others = new Map<number, StoredEntry>()
  const begun: StoredEntry[] = []
  const gone = new Set<string>()
  let [first, second] = [0, 1]
  const nextStanding = (from: number): number => {
    let at = from
    while (at < begun.length && gone.has(entryKey(begun[at]!))) at += 1
    return at
  }
  for (const entry of entries) {
    const key = entryKey(entry)
    const own = byOrder.get(key)
    if (own) own.push(entry)
    else byOrder.set(key, [entry])
    if (!concernsOthers(entry.reason)) continue
    first = nextStanding(first)
    second = nextStanding(Math.max(second, first + 1))
    const standing = begun[first]
    const other = standing && entryKey(standing) === key ? begun[second] : standing
    if (other) others.set(entry.no, other)
    if (BEGINNING.has(entry.reason)) begun.push(entry)
    else gone.add(key)
  }
  return { entries, byOrder, others }
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
