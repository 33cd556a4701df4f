// Counts shared by all workers: the primary issues the numbers, and each worker takes them in blocks.
import type { CountOf } from '../concurrency/rate-limit.ts'

/** Takes a block of numbers for a subject within a window. @returns the first of them */
export type ClaimNumbers<Subject> = (window: number, subject: Subject, wanted: number) => number

/** The primary's side. A window is kept until the window after the next begins, because a worker may be late. */
export function createSequence<Subject>(): ClaimNumbers<Subject> {
  const windows = new Map<number, Map<Subject, number>>()
  const open = (window: number): Map<Subject, number> => {
    for (const old of windows.keys()) if (old < window - 1) windows.delete(old)
    const taken = new Map<Subject, number>()
    windows.set(window, taken)
    return taken
  }
  return (window, subject, wanted) => {
    const takenOf = windows.get(window) ?? open(window)
    const taken = takenOf.get(subject) ?? 0
    takenOf.set(subject, taken + wanted)
    return taken + 1
  }
}

export interface BlockOptions<Subject> {
  /** Limit of a subject in a window; beyond it, the worker requests no more numbers. */
  readonly most: number
  /** How many numbers are taken at a time. */
  readonly size: number
  readonly windowMs: number
  /** Further subjects are not counted. */
  readonly subjectsMax: number
  readonly take: (...asked: Parameters<ClaimNumbers<Subject>>) => Promise<number>
  readonly now: () => Date
}

/** A worker's numbers of one subject in the current window. */
interface Held {
  readonly blocks: { next: number; readonly last: number }[]
  waiting: number
  asked: Promise<void> | null
  isOver: boolean
}

/** The next block is requested when this fraction of the current one is left. */
const AHEAD = 1 / 4

/**
 * The worker's side. Each number is given once, so that all workers together issue no more than `most` numbers up to
 * `most`. Numbers that a worker took and does not use are lost to the others until the window ends.
 */
export function countInBlocks<Subject>(options: BlockOptions<Subject>): CountOf<Subject> {
  const { most, size, windowMs, subjectsMax, take, now } = options
  let window = 0
  let subjects = new Map<Subject, Held>()

  function find(subject: Subject): Held | null {
    const current = Math.floor(now().getTime() / windowMs)
    if (current !== window) {
      window = current
      subjects = new Map()
    }
    const known = subjects.get(subject)
    if (known || subjects.size >= subjectsMax) return known ?? null
    const held = { blocks: [], waiting: 0, asked: null, isOver: false }
    subjects.set(subject, held)
    return held
  }

  const ask = (held: Held, subject: Subject): Promise<void> => {
    const wanted = Math.max(size, held.waiting)
    held.asked ??= take(window, subject, wanted).then((first) => {
      held.asked = null
      held.blocks.push({ next: first, last: first + wanted - 1 })
      if (first + wanted - 1 > most) held.isOver = true
    })
    return held.asked
  }

  return function count(subject): number | Promise<number> {
    const held = find(subject)
    if (held === null) return 0
    const [block, following] = held.blocks
    if (block) {
      const left = block.last - block.next
      if (left === 0) held.blocks.shift()
      if (!following && !held.isOver && left < Math.floor(size * AHEAD)) void ask(held, subject)
      return block.next++
    }
    if (held.isOver) return most + 2
    held.waiting += 1
    return ask(held, subject).then(() => {
      held.waiting -= 1
      return count(subject)
    })
  }
}
