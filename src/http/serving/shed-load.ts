// More than can be served: refused before anything of it is done, so that what was admitted is answered in time.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { JSON_TYPE } from '../requests/exact-json.ts'
import { Failure, bodyOf } from '../requests/failure.ts'
import type { Answered } from './observe.ts'

export interface ShedLoadOptions {
  /** True while a newcomer would wait for too long. Asked for every request: it has to be cheap. */
  readonly isBacklogged: () => boolean
  readonly retryAfterSeconds: number
  readonly onAnswered: ((answered: Answered) => void) | null
}

/**
 * Of one turn of the event loop, with what it does for those that it serves. A refusal costs a third of an answer, and
 * in a flood of thousands the refusals of a turn last for several times as long.
 */
const TURN_MS_MAX = 25
/** Fewer than these are served even by a turn that one long answer or another program holds up: they are no flood. */
const TURN_REQUESTS_MAX = 300
/** For so long at least a connection on which a request was refused is not read from. */
const REST_MS = 100
/** And no more of them a millisecond are read from again: refusals take a fifth of the thread, however many rest. */
const WOKEN_PER_MS = 6
const WAKE_MS = 5
/**
 * What is read from a connection that rested for longer has waited there for as long, where clients send again as soon
 * as they are refused: it is refused again, and whoever is served goes on being served in time.
 */
const RESTED_MS_MAX = 250
/** One of these in so many milliseconds is served, so that nobody is shut out. */
const RESTED_EVERY_MS = 50
const OVERLOADED = new Failure('unavailable', 'Too much is waiting; nothing of this request was done. Try again')
const COUNTED = { operation: 'other', status: 503, milliseconds: 0, accountId: null }

/**
 * Before the framework sees it: a service that spends its time on what it then refuses serves nobody, and a refusal
 * has to cost a fraction of an answer. Health and the document are answered always.
 */
export function shedLoad(app: FastifyInstance, { isBacklogged, retryAfterSeconds, onAnswered }: ShedLoadOptions): void {
  const isLate = createTurnClock()
  const { rest, waitedTooLong } = createRests()
  const refuse = onceATurn((request, response) => {
    const id = randomUUID()
    const body = bodyOf(OVERLOADED, id)
    response.writeHead(503, {
      'x-request-id': id,
      'retry-after': String(retryAfterSeconds),
      'content-type': JSON_TYPE,
      'content-length': Buffer.byteLength(body),
    })
    // Node reads on by itself once the answer is written; the connection rests after that.
    response.end(request.method === 'HEAD' ? undefined : body, () => process.nextTick(rest, request.socket))
    onAnswered?.(COUNTED)
  })
  const [answer] = app.server.listeners('request') as [RequestListener]
  app.server.removeAllListeners('request')
  app.server.on('request', (request, response) => {
    const isWork = request.url!.startsWith('/api/')
    if (isWork && (isLate() || isBacklogged() || waitedTooLong(request.socket))) refuse(request, response)
    else answer(request, response)
  })
}

/**
 * Whether this turn of the event loop has lasted for long already: then what it reads now has waited at least as long,
 * in a connection, where nobody sees it.
 */
function createTurnClock(): () => boolean {
  let since = 0
  let requests = 0
  return () => {
    requests += 1
    if (requests > 1) return requests > TURN_REQUESTS_MAX && performance.now() - since > TURN_MS_MAX
    since = performance.now()
    setImmediate(() => {
      requests = 0
    })
    return false
  }
}

/**
 * Lets connections rest. Whoever sends again as soon as refused, whatever Retry-After says, is not heard at once:
 * with thousands of those the thread would do nothing but refuse.
 */
function createRests() {
  const resting: { readonly socket: Socket; readonly since: number }[] = []
  /** Those that rested for long, in the turn of the event loop that reads what waited in them. */
  const longRested = new Set<Socket>()
  let wokenAt = 0
  let servedAt = -Infinity
  const wakeLater = (now: number): void => {
    wokenAt = now
    setTimeout(wake, WAKE_MS).unref()
  }
  const wake = (): void => {
    const now = performance.now()
    const most = Math.ceil((now - wokenAt) * WOKEN_PER_MS)
    const stillRests = resting.slice(0, most).findIndex(({ since }) => now - since < REST_MS)
    for (const { socket, since } of resting.splice(0, stillRests === -1 ? most : stillRests)) {
      if (now - since > RESTED_MS_MAX) longRested.add(socket)
      socket.resume()
    }
    setImmediate(() => longRested.clear())
    if (resting.length > 0) wakeLater(now)
  }
  return {
    rest: (socket: Socket): void => {
      const now = performance.now()
      socket.pause()
      if (resting.push({ socket, since: now }) === 1) wakeLater(now)
    },
    /** Whether what came from there now is to be refused for it. */
    waitedTooLong: (socket: Socket): boolean => {
      if (!longRested.has(socket)) return false
      const now = performance.now()
      if (now - servedAt < RESTED_EVERY_MS) return true
      servedAt = now
      return false
    },
  }
}

/**
 * Puts off what is to be done until this turn of the event loop has read all connections: Node reads on for as long as
 * a thousand are ready, and what was admitted would not go on meanwhile.
 */
function onceATurn(send: (request: IncomingMessage, response: ServerResponse) => void): typeof send {
  let refused: (readonly [IncomingMessage, ServerResponse])[] = []
  const sendAll = () => {
    const all = refused
    refused = []
    for (const [request, response] of all) send(request, response)
  }
  return (request, response) => {
    if (refused.push([request, response]) === 1) setImmediate(sendAll)
  }
}
