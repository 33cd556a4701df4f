// Transactions that post to ledgers. Long ledgers come from the cache; a missing one is loaded first, without a lock.
import type { Pool, PoolClient } from 'pg'
import { raceDeadline, withDeadline } from '../concurrency/deadline.ts'
import { inTransaction, retryOnContention } from './transaction.ts'
import { deviceKey, type AccountDevice } from './entries.ts'
import { findLastErasure } from './erasure/record-erasure.ts'
import { readLedger } from './long-ledgers.ts'
import { ConcurrentModification } from './errors.ts'
import { NotCached, createLedgerCache, newCachedLedger, type CachedDevice, type LedgerCache } from './ledger-cache.ts'
import type { DeviceLedger } from '../ledger/records.ts'

/** Runs the ledger through its entries and stores the result in its `cached`. */
export type OpenLedger = (ledger: DeviceLedger) => Promise<void>

/**
 * Runs a transaction that takes ledgers from the cache. Retries it while another process, or a long ledger that is not
 * cached, prevents it from succeeding. Ledgers that the transaction gives back are cached once it is committed. Those
 * that it took and left as they were are put back; after any failure of the posting itself they are dropped, since they
 * may be ahead of what is stored.
 */
export type RunLedgerTransaction = <Result>(
  work: (connection: PoolClient, ledgers: LedgerCache) => Promise<Result>,
) => Promise<Result>

/**
 * However many requests wait for a device, its ledger is read once, without a deadline: a client that retries later
 * finds it in the cache.
 */
export function createLedgerTransactions(pool: Pool, entriesMax: number, open: OpenLedger): RunLedgerTransaction {
  const cache = createLedgerCache(entriesMax)
  const inFlight = new Map<string, Promise<void>>()
  const load = (device: AccountDevice): Promise<void> => {
    const identity = deviceKey(device)
    const loading =
      inFlight.get(identity) ??
      withDeadline(Infinity, () => loadLedger(pool, device, cache, open)).finally(() => inFlight.delete(identity))
    inFlight.set(identity, loading)
    return raceDeadline(loading)
  }
  return async (work) => {
    for (;;) {
      try {
        return await retryOnContention(() =>
          withTakenLedgers(cache, (ledgers) => inTransaction(pool, (connection) => work(connection, ledgers))),
        )
      } catch (error) {
        if (!(error instanceof NotCached)) throw error
        await load(error.device)
      }
    }
  }
}

/** Puts the ledgers that the transaction took back into the cache: as it took them, or as it gave them back. */
async function withTakenLedgers<Result>(
  cache: LedgerCache,
  transaction: (ledgers: LedgerCache) => Promise<Result>,
): Promise<Result> {
  const taken = new Map<string, CachedDevice>()
  const putBack = () => {
    for (const [identity, device] of taken) cache.give(identity, device)
  }
  const take = (identity: string): CachedDevice | null => {
    const device = cache.take(identity)
    if (device) taken.set(identity, device)
    return device
  }
  const give = (identity: string, device: CachedDevice): void => void taken.set(identity, device)
  try {
    const result = await transaction({ ...cache, take, give })
    putBack()
    return result
  } catch (error) {
    // Both occur while the ledgers are being locked, before anything is posted to them.
    if (error instanceof NotCached || error instanceof ConcurrentModification) putBack()
    throw error
  }
}

async function loadLedger(pool: Pool, device: AccountDevice, ledgers: LedgerCache, open: OpenLedger): Promise<void> {
  const cached = newCachedLedger(await findLastErasure(pool, device.accountId))
  const ledger = await readLedger(pool, device)
  // Its serial number was erased meanwhile.
  if (!ledger) return
  const { device: charged, entries } = ledger
  await open({ device: charged, entries, cached })
  ledgers.give(deviceKey(device), { cached, device: charged, last: entries.at(-1)! })
}
