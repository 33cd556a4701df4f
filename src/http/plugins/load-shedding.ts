// More than can be served: refused before anything of it is done, so that what was admitted is answered in time.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { JSON_TYPE } from '../../strict-json/json-number.ts'
import { ApiError, errorBody } from '../../contract/errors.ts'
import { SECURITY_HEADERS } from './security-headers.ts'
import { createRequestQueue } from './request-queue.ts'
import { CLIENT_CLOSED_REQUEST, type RequestOutcome } from '../../observability/request-metrics.ts'

export interface LoadSheddingOptions {
  /** True while a newcomer would wait for too long. Asked for every request: it has to be cheap. */
  readonly isBacklogged: () => boolean
  readonly retryAfterSeconds: number
  readonly onAnswered: ((answered: RequestOutcome) => void) | null
}

/** For so long at least a connection on which a request was refused is not read from. */
const REST_MS = 100
/** And no more of them a millisecond are read from again: refusals take a fifth of the thread, however many rest. */
const WOKEN_PER_MS = 6
const WAKE_MS = 5
/**
 * While so many rest, what they send waits for 250 ms and more in a connection: it is refused again, so that whoever is
 * served is served in time. While a rest takes longer than Retry-After asks for, nobody is told apart by it.
 */
const RESTING_MANY = 250 * WOKEN_PER_MS
/** One in so many of those does not rest again. What it sends next is read at once: nobody is shut out. */
const AWAKE_ONE_IN = 50
const OVERLOADED = new ApiError('unavailable', 'Too much is waiting; nothing of this request was done. Try again')
const GONE = { operation: 'other', status: CLIENT_CLOSED_REQUEST, code: null, milliseconds: 0, accountId: null }
const COUNTED = { ...GONE, status: 503, code: OVERLOADED.code }

/**
 * Before the framework sees it: a service that spends its time on what it then refuses serves nobody, and a refusal
 * has to cost a fraction of an answer. Health is answered always.
 */
export function registerLoadShedding(
  app: FastifyInstance,
  { isBacklogged, retryAfterSeconds, onAnswered }: LoadSheddingOptions,
): void {
  const { rest, refusesAgain } = createRests(1000 * retryAfterSeconds * WOKEN_PER_MS)
  const refuse = onceATurn((request, response) => {
    const id = randomUUID()
    const body = errorBody(OVERLOADED, id)
    response.writeHead(503, {
      'x-request-id': id,
      ...SECURITY_HEADERS,
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
  const passOver = () => onAnswered?.(GONE)
  const line = createRequestQueue({ answer, refuse, passOver })
  // Of its own: whoever floods what is open to all takes no place from those who have a key.
  const openLine = createRequestQueue({ answer, refuse, passOver })
  app.server.on('request', (request, response) => {
    const url = request.url!
    const isOpen = !url.startsWith('/api/') && !url.startsWith(SIGN_IN)
    if (isOpen && isOfHealth(url)) return answer(request, response)
    const own = isOpen ? openLine : line
    if (own.isLong() || (!isOpen && isBacklogged()) || refusesAgain(request.socket)) refuse(request, response)
    else own.join(request, response)
  })
}

const SIGN_IN = '/console/session'
const isOfHealth = (url: string): boolean => url.startsWith('/livez') || url.startsWith('/readyz')

/**
 * Lets connections rest. Whoever sends again as soon as refused, whatever Retry-After says, is not heard at once:
 * with thousands of those the thread would do nothing but refuse.
 * @param tooMany of so many that rest, the last does for as long as Retry-After asks for
 */
function createRests(tooMany: number) {
  const resting: { readonly socket: Socket; readonly until: number }[] = []
  /** Those that rested among many: for the turn of the event loop that reads what waited in them. */
  const longRested = new Set<Socket>()
  const staysAwake = new WeakSet<Socket>()
  let wokenAt = 0
  const wakeLater = (now: number): void => {
    wokenAt = now
    setTimeout(wake, WAKE_MS).unref()
  }
  const wake = (): void => {
    const now = performance.now()
    const most = Math.ceil((now - wokenAt) * WOKEN_PER_MS)
    const areMany = resting.length > RESTING_MANY && resting.length < tooMany
    const stillRests = resting.slice(0, most).findIndex(({ until }) => until > now)
    for (const { socket } of resting.splice(0, stillRests === -1 ? most : stillRests)) {
      if (areMany) longRested.add(socket)
      socket.resume()
    }
    if (areMany) setImmediate(() => longRested.clear())
    if (resting.length > 0) wakeLater(now)
  }
  return {
    rest: (socket: Socket): void => {
      if (staysAwake.delete(socket)) return
      const now = performance.now()
      socket.pause()
      if (resting.push({ socket, until: now + REST_MS }) === 1) wakeLater(now)
    },
    /** Of a request that is read now; lots are drawn for whether its connection rests after that. */
    refusesAgain: (socket: Socket): boolean => {
      if (!longRested.has(socket)) return false
      if (Math.random() * AWAKE_ONE_IN < 1) staysAwake.add(socket)
      return true
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
