// Requests side by side: what all of them need next is done for one after the other, while its code is at hand.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

/** So many at once: enough for that, and few enough that the database has its next trip early. */
const ABREAST = 16
/** Of a long line more: beside long work, a slice of which goes with every turn, it has to get shorter, too. */
const OF_LINE = 1 / 2
/** So many may wait, however long each takes: they are no flood. */
const LINE_MAX = 300
/** More of them only where the last would wait for no longer than this; and a turn is to take no longer. */
const LINE_MS_MAX = 25

/**
 * Awaited between two steps that every request of an operation takes: those that came with this one take the first
 * step before any takes the second. One request after the other through all of them takes half as long again.
 */
export const yieldToBatch: Promise<void> = Promise.resolve()

interface Waiting {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

const NOTHING_YET = { at: 0, answered: 0 }

export interface RequestQueueOptions {
  readonly answer: RequestListener
  /** Of one that would wait for too long. */
  readonly refuse: RequestListener
  /** Whose client went away while it waited: nothing of it was done. */
  readonly passOver: () => void
}

/** Requests that were read, and wait for a turn of the event loop in which several are answered. */
export function createRequestQueue({ answer, refuse, passOver }: RequestQueueOptions) {
  const waiting: Waiting[] = []
  let last = NOTHING_YET
  let msEach: number | null = null
  /** Not known before the first of a line are answered, however long others took: nobody is refused by a guess. */
  const lengthMax = () => (msEach === null ? Infinity : Math.max(LINE_MAX, LINE_MS_MAX / msEach))
  const most = () => (msEach === null ? 0 : Math.min(waiting.length * OF_LINE, LINE_MS_MAX / msEach))
  const answerSome = () => {
    const now = performance.now()
    if (last.answered > 0) msEach = (now - last.at) / last.answered
    for (const { request, response } of waiting.splice(lengthMax())) refuse(request, response)
    const some = waiting.splice(0, Math.max(ABREAST, most()))
    last = { at: now, answered: some.length }
    if (waiting.length > 0) setImmediate(answerSome)
    else [last, msEach] = [NOTHING_YET, null]
    for (const { request, response } of some) {
      // Who went away meanwhile would never be done: of its body no end is told.
      if (request.destroyed || !request.socket.writable) passOver()
      else answer(request, response)
    }
  }
  return {
    join: (request: IncomingMessage, response: ServerResponse): void => {
      if (waiting.push({ request, response }) === 1) setImmediate(answerSome)
    },
    /** Whether a newcomer would wait for too long. */
    isLong: (): boolean => waiting.length >= lengthMax(),
  }
}
