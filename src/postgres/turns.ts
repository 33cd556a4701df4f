// What is long is done by a few at once, so that connections and memory are left for those who write.
import { TooManyWaiting } from './shared-trips.ts'

/**
 * So many at once, the others in turn. Whoever has one ends it once.
 * @throws TooManyWaiting where none comes within `waitMs`
 */
export function createTurns(what: string, most: number, waitMs: number): () => Promise<() => void> {
  const waiting = new Set<() => void>()
  let taken = 0
  const end = (): void => {
    const [next] = waiting
    if (next) next()
    else taken -= 1
  }
  return async () => {
    if (taken >= most) await inLine()
    else taken += 1
    return end
  }
  function inLine(): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        waiting.delete(next)
        reject(new TooManyWaiting(`${most} ${what} are under way`))
      }, waitMs)
      const next = (): void => {
        clearTimeout(giveUp)
        waiting.delete(next)
        resolve()
      }
      waiting.add(next)
    })
  }
}
