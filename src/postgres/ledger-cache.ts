// Cache of long ledgers between postings, so that only new entries are read.
import { deviceKey, type AccountDevice } from './entries.ts'
import type { DeviceLedger, CachedLedger, NewEntry, PostingTime, StoredDevice, StoredEntry } from '../ledger/records.ts'

/** @param lastErasure number of the last erasure in the account before the ledger was read */
export const newCachedLedger = (lastErasure: number): CachedLedger => ({
  ledger: null,
  lastErasure,
  releases: new Set(),
  identifiedBy: null,
  referenceDataOf: null,
})

/** A cached ledger with its device and the last entry that it includes. */
export interface CachedDevice {
  readonly cached: CachedLedger
  readonly device: StoredDevice
  readonly last: StoredEntry
}

/** A long ledger is not cached. It has to be read, without a lock, before anything is posted to it. */
export class NotCached extends Error {
  override name = 'NotCached'
  readonly device: AccountDevice
  constructor(device: AccountDevice) {
    super('A long ledger is not cached')
    this.device = device
  }
}

export interface LedgerCache {
  readonly has: (identity: string) => boolean
  /** The transaction that locked a device takes its ledger, and gives it back once what it posted is committed. */
  readonly take: (identity: string) => CachedDevice | null
  readonly give: (identity: string, device: CachedDevice) => void
}

/**
 * @param entriesMax entries of the ledgers in the cache, which are those posted to last; a longer ledger is cached
 *   alone
 */
export function createLedgerCache(entriesMax: number): LedgerCache {
  const devices = new Map<string, CachedDevice>()
  let entries = 0
  const drop = (identity: string): CachedDevice | null => {
    const device = devices.get(identity)
    if (!device) return null
    devices.delete(identity)
    entries -= device.last.no
    return device
  }
  return {
    has: (identity) => devices.has(identity),
    take: drop,
    give: (identity, device) => {
      drop(identity)
      if (device.cached.ledger === null) return
      devices.set(identity, device)
      entries += device.last.no
      for (const oldest of devices.keys()) {
        if (entries <= entriesMax || oldest === identity) return
        drop(oldest)
      }
    },
  }
}

/** Entries with the same number are equal, unless a server took over that lacks the last commits. */
export const isSameEntry = (a: StoredEntry, b: StoredEntry): boolean =>
  a.no === b.no &&
  a.postedAt.getTime() === b.postedAt.getTime() &&
  a.customerId === b.customerId &&
  a.orderId === b.orderId &&
  a.eventId === b.eventId &&
  a.product_embodied_emission === b.product_embodied_emission &&
  a.product_use === b.product_use

/** The long ledgers to be given back once the posting is committed, with the posted entries included. */
export function cachedOf(
  accountId: number,
  { devices, entries }: { readonly devices: readonly StoredDevice[]; readonly entries: readonly NewEntry[] },
  ledgers: ReadonlyMap<string, DeviceLedger>,
  time: PostingTime,
): readonly (readonly [identity: string, CachedDevice])[] {
  return devices.flatMap((device) => {
    const { serialNumber } = device
    const identity = deviceKey({ accountId, serialNumber })
    const cached = ledgers.get(identity)?.cached
    const own = cached ? entries.filter((entry) => entry.serialNumber === serialNumber) : []
    const last = own.at(-1)
    if (!cached || !last) return []
    for (const { releaseId } of own) cached.releases.add(releaseId)
    return [[identity, { cached, device, last: { ...last, ...time, eventContent: null } }] as const]
  })
}
