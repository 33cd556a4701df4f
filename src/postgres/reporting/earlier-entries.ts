// What was posted before an entry, for reports: each journal read once, and gone through once, however long it is.
import type { EntryReason } from '../../engine/ledger-history.ts'
import type { OrderKey } from '../../engine/device-timeline.ts'
import { deviceKey, findOrderEntries } from '../entries.ts'
import { findLedgers } from '../long-ledgers.ts'
import type { StoredEntry } from '../../ledger/records.ts'
import type { Connection } from '../transaction.ts'

const BEGINNING: ReadonlySet<EntryReason> = new Set<EntryReason>(['order', 'swapped_in'])
const TAKING_BACK: ReadonlySet<EntryReason> = new Set<EntryReason>(['cancelled', 'reversal'])

export const takesBack = (reason: EntryReason): boolean => TAKING_BACK.has(reason)

/** Of what begins a rental, or takes it back, other rentals of its device decide how the device is counted. */
export const concernsOthers = (reason: EntryReason): boolean => BEGINNING.has(reason) || TAKING_BACK.has(reason)

/** What was posted to a device, or to an order without devices. */
export interface PostedLedger {
  /** In sequence; some may have been posted after what is looked at. */
  readonly entries: readonly StoredEntry[]
  /** By entryKey their order: those of each, in sequence. */
  readonly byOrder: ReadonlyMap<string, readonly StoredEntry[]>
  /** Of an entry that concerns others, by its number: the other rental that was told first and stood then, if any. */
  readonly others: ReadonlyMap<number, StoredEntry>
}

export const entryKey = ({ customerId, orderId }: OrderKey): string => `${customerId}\0${orderId}`

/** One pass: an order that was taken back stays so, so that what stands first only moves on. */
function toPostedJournal(entries: readonly StoredEntry[]): PostedLedger {
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

/** An entry, as far as its journal is found by it. */
interface Place extends OrderKey {
  readonly serialNumber: string
}

export type FindPosted = (places: readonly Place[]) => Promise<(place: Place) => PostedLedger>

/** Entries that stay in memory, of the journals that were read last: some 100 MB at most, or a single longer one. */
const KEPT_ENTRIES_MAX = 150_000

/** Finds journals for one reading of postings: one that many pages name is read once. */
export function createFindPosted(connection: Connection, accountId: number): FindPosted {
  const kept = new Map<string, PostedLedger>()
  let weight = 0
  const keep = (key: string, journal: PostedLedger): void => {
    kept.set(key, journal)
    weight += journal.entries.length
    for (const [oldest, { entries }] of kept) {
      if (weight <= KEPT_ENTRIES_MAX || oldest === key) break
      kept.delete(oldest)
      weight -= entries.length
    }
  }
  const placeKey = (place: Place): string => (place.serialNumber === '' ? `\0${entryKey(place)}` : place.serialNumber)
  return async (places) => {
    const found = new Map<string, PostedLedger>()
    const serials = new Set<string>()
    for (const place of places) {
      const key = placeKey(place)
      const known = kept.get(key)
      if (known) found.set(key, known)
      else if (place.serialNumber !== '') serials.add(place.serialNumber)
      else {
        const { customerId, orderId } = place
        found.set(key, toPostedJournal(await findOrderEntries(connection, { accountId, key: { customerId, orderId } })))
      }
    }
    const devices = [...serials].map((serialNumber) => ({ accountId, serialNumber }))
    const journals = await findLedgers(connection, devices)
    for (const device of devices) {
      const journal = toPostedJournal(journals.get(deviceKey(device))?.entries ?? [])
      found.set(device.serialNumber, journal)
      keep(device.serialNumber, journal)
    }
    return (place) => found.get(placeKey(place))!
  }
}
