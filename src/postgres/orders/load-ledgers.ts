// The ledgers of long journals into memory: without a lock, and for all who post to the device meanwhile.
import type { Pool } from 'pg'
import { untilDeadline, withDeadline } from '../connection/deadline.ts'
import { untilUncontended } from '../connection/transaction.ts'
import { deviceIdentity, type AccountDevice } from './journal-reads.ts'
import { readJournal } from './long-journals.ts'
import { NotKept, createKeptLedgers, newKeptLedger, type KeptLedgers } from './kept-ledgers.ts'
import type { Journal } from './order-record.ts'

/** Runs the ledger of a journal, and keeps it with that. */
export type OpenLedger = (journal: Journal) => Promise<void>

export interface Ledgers extends KeptLedgers {
  /** Runs what another process, or a long journal that is not in memory, may get in the way of, until it does not. */
  readonly untilLoaded: <Result>(attempt: () => Promise<Result>) => Promise<Result>
}

/**
 * However many wait for one device, it is read once, and for as long as that takes: whoever sends again later finds
 * it in memory.
 */
export function createLedgers(pool: Pool, entriesMax: number, open: OpenLedger): Ledgers {
  const ledgers = createKeptLedgers(entriesMax)
  const underWay = new Map<string, Promise<void>>()
  const load = (device: AccountDevice): Promise<void> => {
    const identity = deviceIdentity(device)
    const loading =
      underWay.get(identity) ??
      withDeadline(Infinity, () => loadLedger(pool, device, ledgers, open)).finally(() => underWay.delete(identity))
    underWay.set(identity, loading)
    return untilDeadline(loading)
  }
  const untilLoaded = async <Result>(attempt: () => Promise<Result>): Promise<Result> => {
    for (;;) {
      try {
        return await untilUncontended(attempt)
      } catch (error) {
        if (!(error instanceof NotKept)) throw error
        await load(error.device)
      }
    }
  }
  return { ...ledgers, untilLoaded }
}

async function loadLedger(pool: Pool, device: AccountDevice, ledgers: KeptLedgers, open: OpenLedger): Promise<void> {
  const kept = newKeptLedger()
  const { device: charged, entries } = await readJournal(pool, device)
  await open({ device: charged, entries, kept })
  ledgers.give(deviceIdentity(device), { kept, device: charged, last: entries.at(-1)! })
}
