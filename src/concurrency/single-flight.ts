// What reports have folded before they are made: once for all that wait for an account, and accounts by turns.
import { raceDeadline, withDeadline } from './deadline.ts'
import { QueueFull } from './batcher.ts'
import { createSemaphore, type SemaphoreLimits } from './semaphore.ts'
import type { Rollups } from '../postgres/reporting/store.ts'

/** Each piece holds a connection. Whoever waits for one gives up earlier than it does itself. */
const PIECES_AT_ONCE: SemaphoreLimits = { most: 1, ofOneMost: 1, waitMs: 10_000 }

/**
 * However many reports wait for what is unfolded, one connection folds for them, and looks go beside it: a report of an
 * account that has nothing to fold finds one free. What one report began serves the next, whose deadline is another, so
 * that it has none of its own.
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
  const underWay = new Map<number, Promise<boolean>>()
  return (accountId: number, begin: () => Promise<boolean>): Promise<boolean> => {
    const begun = underWay.get(accountId) ?? withDeadline(Infinity, begin).finally(() => underWay.delete(accountId))
    underWay.set(accountId, begun)
    return raceDeadline(begun)
  }
}

function nullIfTooManyWait(error: unknown): null {
  if (error instanceof QueueFull) return null
  throw error
}
