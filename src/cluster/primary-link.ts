// A worker's link to the primary: shared counters, jobs for the primary, and notifications.
import { countInBlocks } from './counters.ts'
import { askJobs, type ErrorFacts, type Jobs } from './jobs.ts'
import type { Counted, JobKind, ToPrimary, ToWorker } from './messages.ts'

export interface LinkOptions {
  readonly workers: number
  readonly send: (message: ToPrimary) => void
  /** Creates the error that is thrown here from the error that occurred in the primary. */
  readonly errorOf: (error: Error, facts: ErrorFacts) => Error
  readonly now: () => Date
}

/** All workers together have taken ahead at most this share of a subject's limit in a window. */
const TAKEN_SHARE = 1 / 16
/** Interval at which the primary is notified while this worker is in use. */
const IN_USE_MS = 50
/** A stuck worker must not delay the shutdown of the others. */
const CLOSED_MS_MAX = 1_000

type AskedJobs = ReturnType<typeof askJobs<unknown, unknown>>

export class PrimaryLink {
  readonly #options: LinkOptions
  readonly #taking = new Map<number, (first: number) => void>()
  readonly #jobs = {} as Record<JobKind, AskedJobs>
  readonly #allClosed = Promise.withResolvers<void>()
  #last = 0
  #isReady = false

  constructor(options: LinkOptions) {
    this.#options = options
  }

  /** Whether all workers are serving. */
  get isReady(): boolean {
    return this.#isReady
  }

  /** Jobs that the primary runs in separate processes. */
  jobsOf<Job, Piece>(of: JobKind): Jobs<Job, Piece> {
    const { send, errorOf } = this.#options
    const jobs = askJobs<Job, Piece>((asked) => send({ kind: 'job', of, asked }), errorOf)
    this.#jobs[of] = jobs as AskedJobs
    return jobs
  }

  /** @param most requests of a key in a window */
  countRequests(most: number, windowMs: number) {
    const { workers, now } = this.#options
    return countInBlocks<number>({
      most,
      size: Math.max(1, Math.floor((most * TAKEN_SHARE) / workers)),
      windowMs,
      subjectsMax: Infinity,
      take: (window, subject, wanted) => this.#take({ of: 'requests', subject }, window, wanted),
      now,
    })
  }

  /** @param most wrong keys of an address in a window */
  countWrongKeys(most: number, windowMs: number, subjectsMax: number) {
    return countInBlocks<string>({
      most,
      size: 1,
      windowMs,
      subjectsMax,
      take: (window, subject, wanted) => this.#take({ of: 'wrong-keys', subject }, window, wanted),
      now: this.#options.now,
    })
  }

  #take(counted: Counted, window: number, wanted: number): Promise<number> {
    return new Promise((resolve) => {
      const id = (this.#last += 1)
      this.#taking.set(id, resolve)
      this.#options.send({ kind: 'take', id, counted, window, wanted })
    })
  }

  /** Notifies the primary while this worker is in use, so that imports and roll-ups yield to requests. */
  watchUse(servedMsAgo: () => number): void {
    setInterval(() => {
      if (servedMsAgo() < IN_USE_MS) this.#options.send({ kind: 'in-use' })
    }, IN_USE_MS).unref()
  }

  /** Reports that this worker accepts no connections any more, and waits for the others. */
  othersClosed(): Promise<void> {
    this.#options.send({ kind: 'closed' })
    setTimeout(this.#allClosed.resolve, CLOSED_MS_MAX).unref()
    return this.#allClosed.promise
  }

  wakeImporter(): void {
    this.#options.send({ kind: 'wake-importer' })
  }

  receive(message: ToWorker): void {
    if (message.kind === 'ready') this.#isReady = message.isSo
    if (message.kind === 'all-closed') this.#allClosed.resolve()
    if (message.kind === 'job') this.#jobs[message.of].receive(message.answer)
    if (message.kind === 'numbers') {
      this.#taking.get(message.id)?.(message.first)
      this.#taking.delete(message.id)
    }
  }
}
