// Manages the worker processes for the primary: starts them, makes them listen, replaces ended ones, and stops them
// all.
import cluster, { type Worker } from 'node:cluster'
import { join } from 'node:path'
import type { ToPrimary, ToWorker, WorkerStart } from './messages.ts'

export interface WorkersOptions {
  readonly count: number
  readonly program: string
  readonly startOf: (worker: number) => WorkerStart
  readonly onMessage: (worker: number, message: ToPrimary) => void
  readonly onEnd: (worker: number) => void
  /** Writes a sentence to the operator's log. */
  readonly report: (sentence: string) => void
  /** Called if a worker ends repeatedly, so that the program cannot serve as configured. */
  readonly onFailure: (error: Error) => void
}

/** If one worker ends more often than this within the window, restarting it will not help. */
const RESTARTS_MAX = 5
const RESTARTS_WINDOW_MS = 60_000
const RESTART_MS = 100
const COMPILED = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'cradle')

interface Slot {
  /** From 1; a replacement has the number of its predecessor. */
  readonly number: number
  process: Worker | null
  phase: 'starting' | 'prepared' | 'serving' | 'closed' | 'ended'
  /** The reason that the worker gave for its end. */
  sentence: string | null
  endedAt: readonly number[]
}

export class Workers {
  readonly #options: WorkersOptions
  readonly #slots: readonly Slot[]
  readonly #prepared = Promise.withResolvers<void>()
  readonly #served = Promise.withResolvers<string>()
  readonly #stopped = Promise.withResolvers<void>()
  #port: number | null = null
  #hasServed = false
  #isStopping = false
  #restarts = 0

  constructor(options: WorkersOptions) {
    this.#options = options
    this.#slots = Array.from({ length: options.count }, (_, at): Slot => {
      return { number: at + 1, process: null, phase: 'starting', sentence: null, endedAt: [] }
    })
    // Failures are reported to the caller that awaits the promise.
    for (const { promise } of [this.#prepared, this.#served]) promise.catch(() => undefined)
  }

  get numbers(): readonly number[] {
    return this.#slots.map(({ number }) => number)
  }

  get serving(): number {
    return this.#slots.filter(({ phase }) => phase === 'serving').length
  }

  get restarts(): number {
    return this.#restarts
  }

  /** Fulfilled once every worker is ready to listen on a port. @throws Error with a sentence if one cannot start */
  prepare(): Promise<void> {
    // Workers accept connections from the shared socket themselves. If the primary distributed connections, those on
    // their way to a worker that is killed would stay open without an answer.
    cluster.schedulingPolicy = cluster.SCHED_NONE
    cluster.setupPrimary({ exec: this.#options.program, args: [], serialization: 'advanced' })
    for (const slot of this.#slots) this.#fork(slot)
    return this.#prepared.promise
  }

  /** @returns the address, once all workers serve. @throws Error with a sentence */
  listen(port: number): Promise<string> {
    this.#port = port
    this.sendAll({ kind: 'listen', port })
    return this.#served.promise
  }

  send(worker: number, message: ToWorker): void {
    const { process } = this.#slots[worker - 1]!
    // A message that can no longer be sent is covered by the exit of the process.
    if (process?.isConnected()) process.send(message, undefined, undefined, () => undefined)
  }

  sendAll(message: ToWorker): void {
    for (const number of this.numbers) this.send(number, message)
  }

  /** Fulfilled once all workers have answered their requests and ended. */
  stop(): Promise<void> {
    this.#isStopping = true
    this.sendAll({ kind: 'stop' })
    if (this.#slots.every(({ process }) => process === null)) this.#stopped.resolve()
    return this.#stopped.promise
  }

  /** Ends all workers immediately. */
  kill(): void {
    this.#isStopping = true
    for (const { process } of this.#slots) process?.process.kill('SIGKILL')
  }

  #fork(slot: Slot): void {
    if (this.#isStopping) return
    // As for all other processes: compiled code is cached across starts.
    const worker = cluster.fork({ NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? COMPILED })
    Object.assign(slot, { process: worker, phase: 'starting', sentence: null })
    worker.on('message', (message: ToPrimary) => this.#receive(slot, message))
    worker.once('exit', (code: number | null, signal: string | null) => this.#end(slot, signal ?? `exit code ${code}`))
    // The process did not start; its exit is reported as well.
    worker.on('error', () => undefined)
  }

  #receive(slot: Slot, message: ToPrimary): void {
    if (message.kind === 'loaded') this.send(slot.number, { kind: 'start', start: this.#options.startOf(slot.number) })
    else if (message.kind === 'failed') slot.sentence = message.sentence
    else if (message.kind === 'prepared') {
      slot.phase = 'prepared'
      if (this.#port !== null) this.send(slot.number, { kind: 'listen', port: this.#port })
      else if (this.#areAll('prepared')) this.#prepared.resolve()
    } else if (message.kind === 'serving') {
      slot.phase = 'serving'
      if (!this.#areAll('serving')) return
      this.#hasServed = true
      this.sendAll({ kind: 'ready', isSo: true })
      this.#served.resolve(message.address)
    } else if (message.kind === 'closed') {
      slot.phase = 'closed'
      this.#tellClosed()
    } else this.#options.onMessage(slot.number, message)
  }

  #end(slot: Slot, how: string): void {
    Object.assign(slot, { process: null, phase: 'ended' })
    this.#options.onEnd(slot.number)
    const sentence = `Worker ${slot.number} ended by ${how}${slot.sentence === null ? '' : `: ${slot.sentence}`}`
    if (this.#isStopping) {
      this.#tellClosed()
      if (this.#areAll('ended')) this.#stopped.resolve()
    } else if (this.#hasServed) {
      this.sendAll({ kind: 'ready', isSo: false })
      this.#replace(slot, sentence)
    } else {
      const error = new Error(slot.sentence ?? sentence)
      this.#prepared.reject(error)
      this.#served.reject(error)
    }
  }

  #replace(slot: Slot, sentence: string): void {
    const now = performance.now()
    slot.endedAt = [...slot.endedAt.filter((at) => now - at < RESTARTS_WINDOW_MS), now]
    const times = slot.endedAt.length
    if (times > RESTARTS_MAX)
      return this.#options.onFailure(new Error(`${sentence}, for the ${times}th time within a minute; see the log`))
    this.#options.report(`${sentence}. What was acknowledged is stored; another one starts.`)
    this.#restarts += 1
    setTimeout(() => this.#fork(slot), RESTART_MS)
  }

  #areAll(phase: Slot['phase']): boolean {
    return this.#slots.every((slot) => slot.phase === phase)
  }

  #tellClosed(): void {
    const areClosed = this.#slots.every(({ phase }) => phase === 'closed' || phase === 'ended')
    if (areClosed) this.sendAll({ kind: 'all-closed' })
  }
}
