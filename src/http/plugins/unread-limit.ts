// Limits the memory held by responses that their clients have not read yet.
import { finished, type Writable } from 'node:stream'
import { ApiError } from '../../contract/errors.ts'
import type { Message } from '../../engine/message.ts'

/**
 * Returns a function that counts a response until its recipient has read the end of it or is disconnected.
 * @param why the message if the limit would be exceeded
 * @param most limit of all accounts; one account may use half of it, so that none keeps all others out
 * @throws ApiError if the limit would be exceeded; a single response never exceeds it
 */
export function createUnreadLimit(why: Message, most: number) {
  const byAccount = new Map<number, number>()
  let all = 0
  return (accountId: number, weight: number, taker: Writable): void => {
    const own = byAccount.get(accountId) ?? 0
    if ((own > 0 && own + weight > most / 2) || (all > 0 && all + weight > most)) throw new ApiError('unavailable', why)
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
