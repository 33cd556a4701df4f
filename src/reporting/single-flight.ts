// Roll-ups before reports: run once for all reports that wait for an account, and round-robin between accounts.
import { raceDeadline, withDeadline } from '../concurrency/deadline.ts'
import { QueueFull } from '../concurrency/batcher.ts'
import { createSemaphore, type SemaphoreLimits } from '../concurrency/semaphore.ts'
import type { Rollups } from '../postgres/reporting/store.ts'

/** Each batch holds a connection. A waiting report gives up before its own deadline. */
const PIECES_AT_ONCE: SemaphoreLimits = { most: 1, ofOneMost: 1, waitMs: 10_000 }

/**
 * However many reports wait for unrolled entries, one connection rolls up for them, and checks run separately: a report
 * of an account with nothing to roll up finds a free connection. A roll-up that one report began serves the next one,
 * which has another deadline, so the roll-up itself has none.
 */
export function singleFlightByAccount(folds: Rollups): Rollups {
  const takeTurn = createSemaphore('pieces', PIECES_AT_ONCE)
  const look = oncePerAccount()
  const foldPiece = oncePerAccount()
  return {
    ...folds,
    isFarBehind: (accountId, safe) => look(accountId, () => folds.isFarBehind(accountId, safe)),
    foldOnce: (accountId, safe, fold) =>
      foldPiece(accountId, async () => {
        const endTurn = await takeTurn(accountId).catch(nullIfTooManyWait)
        if (endTurn === null) return false
        try {
          return await folds.foldOnce(accountId, safe, fold)
        } finally {
          endTurn()
        }
      }),
  }
}

function oncePerAccount() {
  const inFlight = new Map<number, Promise<boolean>>()
  return (accountId: number, begin: () => Promise<boolean>): Promise<boolean> => {
    const begun = inFlight.get(accountId) ?? withDeadline(Infinity, begin).finally(() => inFlight.delete(accountId))
    inFlight.set(accountId, begun)
    return raceDeadline(begun)
  }
}

function nullIfTooManyWait(error: unknown): null {
  if (error instanceof QueueFull) return null
  throw error
}
