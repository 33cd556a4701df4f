// What is long is done by a few at once, so that connections and memory are left for those who write.
import { QueueFull } from './batcher.ts'

export interface SemaphoreLimits {
  readonly most: number
  /** Of one account, so that none keeps all others out for as long as it likes. */
  readonly ofOneMost: number
  readonly waitMs: number
}

/**
 * So many at once, the others in line: accounts by turns, whoever has asked for how many. Whoever has one ends it once.
 * @throws QueueFull where none comes within `waitMs`
 */
export function createSemaphore(what: string, { most, ofOneMost, waitMs }: SemaphoreLimits) {
  /** Those who wait, by account; the account that is next comes first. */
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
    // Behind all other accounts.
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
