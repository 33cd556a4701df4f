// Answers that are made, and that their clients have not taken yet: how much of them may be in memory.
import { finished, type Writable } from 'node:stream'
import { ApiError } from '../../contract/errors.ts'

/**
 * A function that takes note of an answer until its taker has the last of it, or is gone.
 * @param most of all accounts; one alone may have half of it, so that none keeps all others out
 * @throws Failure where that would be too much; a single answer never is
 */
export function createUnreadLimit(what: string, most: number) {
  const byAccount = new Map<number, number>()
  let all = 0
  return (accountId: number, weight: number, taker: Writable): void => {
    const own = byAccount.get(accountId) ?? 0
    if ((own > 0 && own + weight > most / 2) || (all > 0 && all + weight > most))
      throw new ApiError('unavailable', `Large ${what} wait to be taken by those who asked for them; try again`)
    const add = (more: number) => {
      const now = (byAccount.get(accountId) ?? 0) + more
      if (now === 0) byAccount.delete(accountId)
      else byAccount.set(accountId, now)
      all += more
    }
    add(weight)
    finished(taker, () => add(-weight))
  }
}
