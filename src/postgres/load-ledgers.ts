// Loads long ledgers into the cache, without a lock, and once for all requests that post to the device meanwhile.
import type { Pool } from 'pg'
import { raceDeadline, withDeadline } from '../concurrency/deadline.ts'
import { retryOnContention } from './transaction.ts'
import { deviceKey, type AccountDevice } from './entries.ts'
import { readLedger } from './long-ledgers.ts'
import { ConcurrentModification } from './errors.ts'
import { NotCached, createLedgerCache, newCachedLedger, type CachedDevice, type LedgerCache } from './ledger-cache.ts'
import type { DeviceLedger } from '../ledger/records.ts'

/** Runs the ledger through its entries and stores the result in its `kept`. */
export type OpenLedger = (journal: DeviceLedger) => Promise<void>

/** What a transaction returns, and the cached ledgers that it appended to. */
export interface Posted<Result> {
  readonly result: Result
  readonly appended: readonly (readonly [identity: string, device: CachedDevice])[]
}

export interface Ledgers {
  /**
   * Runs a transaction that takes ledgers from the cache. Retries it while another process, or a long ledger that is
   * not cached, prevents it from succeeding. Ledgers that it appended to are cached as it returns them. Those that it
   * took and left as they were are put back; after any other failure they are dropped, since they may be ahead of
   * what is stored.
   */
  readonly runTransaction: <Result>(transaction: (ledgers: LedgerCache) => Promise<Posted<Result>>) => Promise<Result>
}

/**
 * However many requests wait for a device, its ledger is read once, without a deadline: a client that retries later
 * finds it in the cache.
 */
export function createLedgers(pool: Pool, entriesMax: number, open: OpenLedger): Ledgers {
  const cache = createLedgerCache(entriesMax)
  const underWay = new Map<string, Promise<void>>()
  const load = (device: AccountDevice): Promise<void> => {
    const identity = deviceKey(device)
    const loading =
      underWay.get(identity) ??
      withDeadline(Infinity, () => loadLedger(pool, device, cache, open)).finally(() => underWay.delete(identity))
    underWay.set(identity, loading)
    return raceDeadline(loading)
  }
  return {
    runTransaction: async (transaction) => {
      for (;;) {
        try {
          return await retryOnContention(() => runWithCache(cache, transaction))
        } catch (error) {
          if (!(error instanceof NotCached)) throw error
          await load(error.device)
        }
      }
    },
  }
}

async function runWithCache<Result>(
  cache: LedgerCache,
  transaction: (ledgers: LedgerCache) => Promise<Posted<Result>>,
): Promise<Result> {
  const taken = new Map<string, CachedDevice>()
  const take = (identity: string): CachedDevice | null => {
    const device = cache.take(identity)
    if (device) taken.set(identity, device)
    return device
  }
  try {
    const { result, appended } = await transaction({ ...cache, take })
    for (const [identity, device] of new Map([...taken, ...appended])) cache.give(identity, device)
    return result
  } catch (error) {
    if (isBeforePosting(error)) for (const [identity, device] of taken) cache.give(identity, device)
    throw error
  }
}

/** True for an error that occurs before anything is posted to the ledgers: a late lock, or a rejected event. */
const isBeforePosting = (error: unknown): boolean =>
  error instanceof NotCached ||
  error instanceof ConcurrentModification ||
  (error instanceof Error && error.name === 'ApiError')

async function loadLedger(pool: Pool, device: AccountDevice, ledgers: LedgerCache, open: OpenLedger): Promise<void> {
  const kept = newCachedLedger()
  const { device: charged, entries } = await readLedger(pool, device)
  await open({ device: charged, entries, cached: kept })
  ledgers.give(deviceKey(device), { kept, device: charged, last: entries.at(-1)! })
}
