// What is asked of a trial of reliability, and what came of it.
import type { OwnProgram, RemoteProgram } from './programs.ts'

export interface Plan {
  /** What is sent, and when what is killed, follow from it; how requests interleave does not. */
  readonly seed: number
  readonly cycles: number
  readonly writers: number
  /** Limits on time are multiplied by it: beside other work a number of milliseconds says little. */
  readonly timeFactor: number
  /** The longest load before a kill, in milliseconds. */
  readonly loadMsMax: number
  /** Called after each cycle. */
  readonly report: (done: number) => void
  /** Programs that several trials use one after the other. A trial starts one of its own without them. */
  readonly shared?: SharedPrograms
}

export interface SharedPrograms {
  readonly own: (workers: number) => Promise<OwnProgram>
  readonly remote: () => Promise<RemoteProgram>
}

/** What the client was answered, retries counted once. */
export interface Counts {
  readonly acknowledged: number
  readonly refused: number
  /** Of those above: those that had no answer, or 503, at first, and were sent again until they had one. */
  readonly retried: number
  /** Files of orders that were accepted. */
  readonly files: number
}

export interface Trial {
  readonly cycles: number
  readonly counts: Counts
  /** Each a sentence; empty where every promise held. */
  readonly failures: readonly string[]
  /** Figures of this kind of trial by their names, with units. */
  readonly measures: Readonly<Record<string, string | number>>
}

export interface Kind {
  readonly id: string
  readonly title: string
  readonly promise: string
  /** In `npm test`, and with TEST_LONG=1; 0 where another test has the same. */
  readonly shortCycles: number
  readonly longCycles: number
  /** A cycle is not a sample of what may happen: all that there is, is tried. */
  readonly isExhaustive?: boolean
  /** Why it cannot run on this machine, or null. */
  readonly obstacle?: () => string | null
  readonly run: (plan: Plan) => Promise<Trial>
}

/** Of figures, the largest as whole milliseconds. */
export const longest = (milliseconds: readonly number[]): number => Math.round(Math.max(0, ...milliseconds))
