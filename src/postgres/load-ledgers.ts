// Loads long ledgers into the cache, without a lock, and once for all requests that post to the device meanwhile.
import type { Pool } from 'pg'
import { raceDeadline, withDeadline } from '../concurrency/deadline.ts'
import { retryOnContention } from './transaction.ts'
import { deviceKey, type AccountDevice } from './entries.ts'
import { readLedger } from './long-ledgers.ts'
import { NotCached, createLedgerCache, newCachedLedger, type LedgerCache } from './ledger-cache.ts'
import type { DeviceLedger } from '../ledger/records.ts'

/** Runs the ledger through its entries and stores the result in its `kept`. */
export type OpenLedger = (journal: DeviceLedger) => Promise<void>

export interface Ledgers extends LedgerCache {
  /** Retries while another process, or a long ledger that is not cached, prevents the attempt from succeeding. */
  readonly untilLoaded: <Result>(attempt: () => Promise<Result>) => Promise<Result>
}

/**
 * However many requests wait for a device, its ledger is read once, without a deadline: a client that retries later
 * finds it in the cache.
 */
export function createLedgers(pool: Pool, entriesMax: number, open: OpenLedger): Ledgers {
  const ledgers = createLedgerCache(entriesMax)
  const underWay = new Map<string, Promise<void>>()
  const load = (device: AccountDevice): Promise<void> => {
    const identity = deviceKey(device)
    const loading =
      underWay.get(identity) ??
      withDeadline(Infinity, () => loadLedger(pool, device, ledgers, open)).finally(() => underWay.delete(identity))
    underWay.set(identity, loading)
    return raceDeadline(loading)
  }
  const untilLoaded = async <Result>(attempt: () => Promise<Result>): Promise<Result> => {
    for (;;) {
      try {
        return await retryOnContention(attempt)
      } catch (error) {
        if (!(error instanceof NotCached)) throw error
        await load(error.device)
      }
    }
  }
  return { ...ledgers, untilLoaded }
}

async function loadLedger(pool: Pool, device: AccountDevice, ledgers: LedgerCache, open: OpenLedger): Promise<void> {
  const kept = newCachedLedger()
  const { device: charged, entries } = await readLedger(pool, device)
  await open({ device: charged, entries, cached: kept })
  ledgers.give(deviceKey(device), { kept, device: charged, last: entries.at(-1)! })
}
