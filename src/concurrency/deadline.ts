// The deadline for database work: one per request, propagated with its calls.
import { AsyncLocalStorage } from 'node:async_hooks'

/** There was no answer before the deadline. What was sent may or may not be stored; a retry shows which. */
export class DeadlineExceeded extends Error {
  override name = 'DeadlineExceeded'
  constructor() {
    super('The database did not answer before the deadline')
  }
}

const deadlines = new AsyncLocalStorage<number>()

/**
 * Runs work that has to end by the deadline, together with everything that it starts: every connection lent to it is
 * ended at the deadline, whatever it is doing.
 * @param deadline in milliseconds, by `performance.now()`; Infinity for none
 */
export const withDeadline = <Result>(deadline: number, work: () => Result): Result => deadlines.run(deadline, work)

/** The deadline of the current work; Infinity if there is none. */
export const currentDeadline = (): number => deadlines.getStore() ?? Infinity

/**
 * Waits for work that another request may have started with its own deadline, but no longer than the current deadline.
 */
export function raceDeadline<Result>(begun: Promise<Result>): Promise<Result> {
  const deadline = currentDeadline()
  if (deadline === Infinity) return begun
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new DeadlineExceeded()), deadline - performance.now())
    begun.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/**
 * Returns a function that accepts deadlines. `ring` is called at the earliest one and has to pass those that are still
 * pending again. One timer thus serves any number of jobs; it does not keep the process alive.
 */
export function createDeadlineTimer(ring: () => void): (deadline: number) => void {
  let setFor = Infinity
  let timer: NodeJS.Timeout | undefined
  return (deadline) => {
    if (deadline >= setFor) return
    clearTimeout(timer)
    setFor = deadline
    timer = setTimeout(() => {
      setFor = Infinity
      ring()
    }, deadline - performance.now()).unref()
  }
}
