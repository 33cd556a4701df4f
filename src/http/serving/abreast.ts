// Requests side by side: what all of them need next is done for one after the other, while its code is at hand.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

/** So many at once: enough for that, and few enough that the database has its next trip early. */
const ABREAST = 16
/** Of a long line more: beside long work, a slice of which goes with every turn, it has to get shorter, too. */
const OF_LINE = 1 / 2
/** So many may wait, however long each takes: they are no flood. */
const LINE_MAX = 300
/** More of them only where the last would wait for no longer than this. */
const LINE_MS_MAX = 25

/**
 * Awaited between two steps that every request of an operation takes: those that came with this one take the first
 * step before any takes the second. One request after the other through all of them takes half as long again.
 */
export const abreast: Promise<void> = Promise.resolve()

interface Waiting {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Requests that were read, and wait for a turn of the event loop in which several are answered. */
export function createLine(answer: RequestListener) {
  const waiting: Waiting[] = []
  let last = { at: 0, answered: 0 }
  let msEach = LINE_MS_MAX / LINE_MAX
  const answerSome = () => {
    const now = performance.now()
    if (last.answered > 0) msEach = (now - last.at) / last.answered
    const some = waiting.splice(0, Math.max(ABREAST, Math.ceil(waiting.length * OF_LINE)))
    const isOver = waiting.length === 0
    if (!isOver) setImmediate(answerSome)
    last = { at: now, answered: isOver ? 0 : some.length }
    for (const { request, response } of some) {
      // Who went away meanwhile would never be done: of its body no end is told.
      if (!request.destroyed) answer(request, response)
    }
  }
  return {
    join: (request: IncomingMessage, response: ServerResponse): void => {
      if (waiting.push({ request, response }) === 1) setImmediate(answerSome)
    },
    /** Whether a newcomer would wait for too long. */
    isLong: (): boolean => waiting.length >= LINE_MAX && waiting.length * msEach > LINE_MS_MAX,
  }
}
