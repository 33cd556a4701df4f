// Limits the concurrency of long work, so that connections and memory are left for requests that write.
import { QueueFull } from './batcher.ts'

export interface SemaphoreLimits {
  readonly most: number
  /** Limit per account, so that no account can keep all others out. */
  readonly ofOneMost: number
  readonly waitMs: number
}

/**
 * Admits a limited number concurrently and queues the others round-robin between accounts, however many each account
 * has queued. The function that a caller gets releases its place and has to be called exactly once.
 * @throws QueueFull if there is no free place within `waitMs`
 */
export function createSemaphore(what: string, { most, ofOneMost, waitMs }: SemaphoreLimits) {
  /** Waiting callers by account; the next account comes first. */
  const lines = new Map<number, Set<() => void>>()
  const taken: number[] = []
  const isFree = (accountId: number): boolean =>
    taken.length < most && taken.filter((one) => one === accountId).length < ofOneMost
  const end = (accountId: number): void => {
    taken.splice(taken.indexOf(accountId), 1)
    const next = lines.entries().find(([one]) => isFree(one))
    if (!next) return
    const [one, line] = next
    const [begin] = line
    // Moves the account behind all others.
    lines.delete(one)
    lines.set(one, line)
    begin!()
  }
  return async (accountId: number): Promise<() => void> => {
    if (isFree(accountId)) taken.push(accountId)
    else await inLine(accountId)
    return () => end(accountId)
  }
  function inLine(accountId: number): Promise<void> {
    const line = lines.get(accountId) ?? new Set()
    lines.set(accountId, line)
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(giveUp)
        line.delete(begin)
        if (line.size === 0) lines.delete(accountId)
      }
      const giveUp = setTimeout(() => {
        leave()
        reject(new QueueFull(`Too many ${what} are under way`))
      }, waitMs)
      const begin = (): void => {
        leave()
        taken.push(accountId)
        resolve()
      }
      line.add(begin)
    })
  }
}
