// The deadline of whoever asks the database: one for all that a request waits for, carried along with its calls.
import { AsyncLocalStorage } from 'node:async_hooks'

/** There was no answer before the deadline. What was sent may be stored or not: a repetition finds out. */
export class DeadlineExceeded extends Error {
  override name = 'DeadlineExceeded'
  constructor() {
    super('The database did not answer before the deadline')
  }
}

const deadlines = new AsyncLocalStorage<number>()

/**
 * Does work that has to be over by then, with all that it sets off: every connection that is lent to it is ended at
 * the deadline, whatever it is doing.
 * @param deadline as `performance.now()` tells the time, in milliseconds; Infinity for none
 */
export const withDeadline = <Result>(deadline: number, work: () => Result): Result => deadlines.run(deadline, work)

/** The deadline of what is being done; Infinity where there is none. */
export const currentDeadline = (): number => deadlines.getStore() ?? Infinity

/** What another request may have begun, with a deadline of its own: waited for no longer than whoever asks now may. */
export function raceDeadline<Result>(begun: Promise<Result>): Promise<Result> {
  const deadline = currentDeadline()
  if (deadline === Infinity) return begun
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new DeadlineExceeded()), deadline - performance.now())
    begun.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/**
 * A function that takes deadlines. `ring` is called at the earliest of them, and has to tell those that still hold
 * again. So one timer, set anew now and then, serves any number of jobs; it keeps no process from ending.
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
