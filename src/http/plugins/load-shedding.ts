// More than can be served: refused before anything of it is done, so that what was admitted is answered in time.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
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
    response.end(request.method === 'HEAD' ? undefined : body)
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
    if (own.isLong() || (!isOpen && isBacklogged())) refuse(request, response)
    else own.join(request, response)
  })
}

const SIGN_IN = '/console/session'
const isOfHealth = (url: string): boolean => url.startsWith('/livez') || url.startsWith('/readyz')

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
