// What the connections of one load run report to: counts, latencies inside the window, and a check of some answers.
import { LatencyHistogram } from './latency-histogram.ts'
import type { LoadResult } from './load-plan.ts'

// Looking into every body would cost the generator CPU that it shares with what it measures.
const SAMPLE_EVERY = 512

export class LoadTally {
  readonly #expect: string | null
  readonly #histogram = new LatencyHistogram()
  #counting = false
  #responses = 0
  #issued = 0
  #non2xx = 0
  #socketErrors = 0
  #firstError: string | null = null
  #sinceSample = 0
  #sampled = 0
  #sampleMisses = 0
  #openedAt = 0
  #elapsedMs = 0
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

  closeWindow(): void {
    this.#counting = false
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
  answer(latencyMs: number, status: number, bytes: Buffer, bodyAt: number, length: number): void {
    if (status < 200 || status > 299) return this.#refuse(status, bytes, bodyAt, length)
    if (this.#counting) {
      this.#responses += 1
      this.#histogram.record(latencyMs)
    }
    this.#sinceSample += 1
    if (this.#expect !== null && this.#sinceSample >= SAMPLE_EVERY && bodyAt >= 0) {
      this.#sample(this.#expect, bytes.toString('utf8', bodyAt, length))
    }
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
      issued: this.#issued,
      non2xx: this.#non2xx,
      socketErrors: this.#socketErrors,
      firstError: this.#firstError,
      sampled: this.#sampled,
      sampleMisses: this.#sampleMisses,
      cpuMicros: this.#cpuMicros,
    }
  }

  #refuse(status: number, bytes: Buffer, bodyAt: number, length: number): void {
    this.#non2xx += 1
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
