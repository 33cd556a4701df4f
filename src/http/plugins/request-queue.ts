// Queues requests and answers several per turn of the event loop, so that each step runs for all while its code is hot.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

/** Requests per turn: enough for hot code, and few enough that the database gets its next batch early. */
const ABREAST = 16
/**
 * Share of a long queue that is answered per turn: each turn also runs a slice of long work, and the queue has to
 * shrink nevertheless.
 */
const OF_LINE = 1 / 2
/** This many requests may wait, however long each takes: they are no flood. */
const LINE_MAX = 300
/** More may wait only if the last would wait no longer than this; a turn should also take no longer. */
const LINE_MS_MAX = 25

/**
 * Awaited between two steps that every request of an operation takes: all requests of the same turn take the first step
 * before any takes the second. Taking each request through all steps in order takes half as long again.
 */
export const yieldToBatch: Promise<void> = Promise.resolve()

interface Waiting {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

const NOTHING_YET = { at: 0, answered: 0 }

export interface RequestQueueOptions {
  readonly answer: RequestListener
  /** Rejects a request that would wait too long. */
  readonly refuse: RequestListener
  /** Called for a request whose client left while it waited: nothing of it was processed. */
  readonly passOver: () => void
}

/** Requests that were read and wait for a turn of the event loop in which several are answered. */
export function createRequestQueue({ answer, refuse, passOver }: RequestQueueOptions) {
  const waiting: Waiting[] = []
  let last = NOTHING_YET
  let msEach: number | null = null
  /**
   * Unlimited until the first requests of a queue are answered, however long earlier ones took: no request is rejected
   * on a guess.
   */
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
      // Processing a request whose client has left would never complete: the end of its body is never signalled.
      if (request.destroyed || !request.socket.writable) passOver()
      else answer(request, response)
    }
  }
  return {
    join: (request: IncomingMessage, response: ServerResponse): void => {
      if (waiting.push({ request, response }) === 1) setImmediate(answerSome)
    },
    /** Whether a new request would wait too long. */
    isLong: (): boolean => waiting.length >= lengthMax(),
  }
}
