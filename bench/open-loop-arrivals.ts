// An open loop: requests fall due at even distances, and one that is late counts from when it was due.
import type { Feed, LoadConnection } from './load-connection.ts'
import type { Arrivals } from './load-plan.ts'
import type { LoadTally } from './load-tally.ts'

const LOOK_MS = 1

/**
 * The n-th request is due n distances after the start, so what is due and not sent yet is a number, not a queue:
 * however long the server holds up the generator, nothing that was due is forgotten.
 */
export class EvenArrivals implements Feed {
  readonly #msBetween: number
  readonly #patienceMs: number
  readonly #tally: LoadTally
  readonly #free: LoadConnection[] = []
  #nextDueAt = Infinity
  #timer: NodeJS.Timeout | undefined

  constructor({ perSecond, patienceMs }: Arrivals, tally: LoadTally) {
    this.#msBetween = 1000 / perSecond
    this.#patienceMs = patienceMs
    this.#tally = tally
  }

  start(): void {
    this.#nextDueAt = performance.now()
    this.#timer = setInterval(() => this.#sendDue(), LOOK_MS)
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#nextDueAt = Infinity
  }

  next(free: LoadConnection): number | null {
    const now = performance.now()
    this.#dropLate(now)
    if (this.#nextDueAt <= now) return this.#takeNext()
    this.#free.push(free)
    return null
  }

  #sendDue(): void {
    const now = performance.now()
    this.#dropLate(now)
    // By turns: clients that are many do not all speak through one connection.
    while (this.#free.length > 0 && this.#nextDueAt <= now) this.#free.shift()!.send(this.#takeNext())
  }

  #dropLate(now: number): void {
    while (this.#nextDueAt < now - this.#patienceMs) this.#tally.dropUnsent(this.#takeNext())
  }

  #takeNext(): number {
    const dueAt = this.#nextDueAt
    this.#nextDueAt += this.#msBetween
    return dueAt
  }
}
