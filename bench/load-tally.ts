// What the connections of one load run report to: counts, latencies inside the window, and a check of some answers.
import { LatencyHistogram } from './latency-histogram.ts'
import type { LoadResult } from './load-plan.ts'

// Looking into every body would cost the generator CPU that it shares with what it measures.
const SAMPLE_EVERY = 512
const COME_AGAIN: readonly number[] = [429, 503]

/** Milliseconds until an answer was complete, since its request was due and since it was sent. */
export interface Took {
  readonly fromDue: number
  readonly fromSent: number
}

export class LoadTally {
  readonly #expect: string | null
  readonly #histogram = new LatencyHistogram()
  readonly #sentHistogram = new LatencyHistogram()
  readonly #shedHistogram = new LatencyHistogram()
  #counting = false
  #responses = 0
  #shed = 0
  #notSent = 0
  #issued = 0
  #non2xx = 0
  #otherThanShed = 0
  #socketErrors = 0
  #firstError: string | null = null
  #sinceSample = 0
  #sampled = 0
  #sampleMisses = 0
  #openedAt = 0
  #elapsedMs = 0
  #oldestMs = 0
  #cpuAtOpen = process.cpuUsage()
  #cpuMicros = 0

  constructor(expect: string | null) {
    this.#expect = expect
  }

  openWindow(): void {
    this.#counting = true
    this.#openedAt = performance.now()
    this.#cpuAtOpen = process.cpuUsage()
  }

  /** @param oldestMs how long the oldest request without an answer has been under way */
  closeWindow(oldestMs: number): void {
    this.#counting = false
    this.#oldestMs = oldestMs
    this.#elapsedMs = performance.now() - this.#openedAt
    const { user, system } = process.cpuUsage(this.#cpuAtOpen)
    this.#cpuMicros = user + system
  }

  /** Gives the request its place in the run, from 0. */
  issue(): number {
    this.#issued += 1
    return this.#issued - 1
  }

  /** `body` starts at `bodyAt` of the bytes; -1 where the answer came in pieces and is not looked into. */
  answer(took: Took, status: number, bytes: Buffer, bodyAt: number, length: number): void {
    if (status < 200 || status > 299) return this.#refuse(took, status, bytes, bodyAt, length)
    if (this.#counting) {
      this.#responses += 1
      this.#histogram.record(took.fromDue)
      this.#sentHistogram.record(took.fromSent)
    }
    this.#sinceSample += 1
    if (this.#expect !== null && this.#sinceSample >= SAMPLE_EVERY && bodyAt >= 0) {
      this.#sample(this.#expect, bytes.toString('utf8', bodyAt, length))
    }
  }

  /** @param dueAt when it should have been sent, by performance.now() */
  dropUnsent(dueAt: number): void {
    if (this.#counting && dueAt >= this.#openedAt) this.#notSent += 1
  }

  breakOff(why: string): void {
    this.#socketErrors += 1
    this.#firstError ??= why
  }

  result(): LoadResult {
    return {
      responses: this.#responses,
      elapsedMs: this.#elapsedMs,
      latency: this.#histogram.latency(),
      latencyFromSent: this.#sentHistogram.latency(),
      shed: this.#shed,
      shedLatency: this.#shedHistogram.latency(),
      notSent: this.#notSent,
      oldestMs: this.#oldestMs,
      issued: this.#issued,
      non2xx: this.#non2xx,
      otherThanShed: this.#otherThanShed,
      socketErrors: this.#socketErrors,
      firstError: this.#firstError,
      sampled: this.#sampled,
      sampleMisses: this.#sampleMisses,
      cpuMicros: this.#cpuMicros,
    }
  }

  #refuse(took: Took, status: number, bytes: Buffer, bodyAt: number, length: number): void {
    this.#non2xx += 1
    const isShed = COME_AGAIN.includes(status)
    if (isShed) {
      if (!this.#counting) return
      this.#shed += 1
      this.#shedHistogram.record(took.fromDue)
      return
    }
    this.#otherThanShed += 1
    this.#firstError ??= `${status} ${bodyAt < 0 ? '' : bytes.toString('utf8', bodyAt, Math.min(length, bodyAt + 500))}`
  }

  #sample(expect: string, body: string): void {
    this.#sinceSample = 0
    this.#sampled += 1
    if (body.includes(expect)) return
    this.#sampleMisses += 1
    this.#firstError ??= `an answer without ${expect}: ${body.slice(0, 500)}`
  }
}
