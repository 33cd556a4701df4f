// More than can be served: refused before anything of it is done, so that what was admitted is answered in time.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
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
const OVERLOADED = new Failure('unavailable', 'Too much is waiting; nothing of this request was done. Try again')
const COUNTED = { operation: 'other', status: 503, milliseconds: 0, accountId: null }

/**
 * Before the framework sees it: a service that spends its time on what it then refuses serves nobody, and a refusal
 * has to cost a fraction of an answer. Health and the document are answered always.
 */
export function shedLoad(app: FastifyInstance, { isBacklogged, retryAfterSeconds, onAnswered }: ShedLoadOptions): void {
  const isLate = createTurnClock()
  const refuse = onceATurn((request, response) => {
    const id = randomUUID()
    const body = bodyOf(OVERLOADED, id)
    response.writeHead(503, {
      'x-request-id': id,
      'retry-after': String(retryAfterSeconds),
      'content-type': JSON_TYPE,
      'content-length': Buffer.byteLength(body),
    })
    response.end(request.method === 'HEAD' ? undefined : body)
    onAnswered?.(COUNTED)
  })
  const [answer] = app.server.listeners('request') as [RequestListener]
  app.server.removeAllListeners('request')
  app.server.on('request', (request, response) => {
    const isWork = request.url!.startsWith('/api/')
    if (isWork && (isLate() || isBacklogged())) refuse(request, response)
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
 * Puts off what is to be done until this turn of the event loop has read all connections. A client that is refused at
 * once sends again at once; with a thousand of them the turn never ended, and what was admitted would not go on.
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
