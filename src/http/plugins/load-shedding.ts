// Load shedding: rejects excess requests before any work is done, so that admitted requests are answered in time.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { JSON_TYPE } from '../../strict-json/json-number.ts'
import { ApiError, errorBody } from '../../contract/errors.ts'
import type { CrossOriginHeaders } from './cross-origin.ts'
import { requestIdOf } from './request-id.ts'
import { SECURITY_HEADERS } from './security-headers.ts'
import { createRequestQueue } from './request-queue.ts'
import { CLIENT_CLOSED_REQUEST, type RequestOutcome } from '../../observability/request-metrics.ts'
import { SERVICE_MESSAGES } from '../messages.ts'

export interface LoadSheddingOptions {
  /** True while a new request would wait too long. Called for every request, so it has to be cheap. */
  readonly isBacklogged: () => boolean
  readonly retryAfterSeconds: number
  readonly crossOriginHeaders: CrossOriginHeaders
  readonly onAnswered: ((answered: RequestOutcome) => void) | null
}

const OVERLOADED = new ApiError('unavailable', SERVICE_MESSAGES.service_overloaded())
const GONE = { operation: 'other', status: CLIENT_CLOSED_REQUEST, code: null, milliseconds: 0, accountId: null }
const COUNTED = { ...GONE, status: 503, code: OVERLOADED.code }

/**
 * Runs before the framework: a rejection has to cost a fraction of a response, or else the service would spend its time
 * on requests that it rejects. Health checks are always answered.
 */
export function registerLoadShedding(
  app: FastifyInstance,
  { isBacklogged, retryAfterSeconds, crossOriginHeaders, onAnswered }: LoadSheddingOptions,
): void {
  const refuse = onceATurn((request, response) => {
    const id = requestIdOf(request)
    const body = errorBody(OVERLOADED, id)
    response.writeHead(503, {
      'x-request-id': id,
      ...SECURITY_HEADERS,
      ...crossOriginHeaders(request),
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
  // A separate queue, so that a flood of requests that need no key takes no places from requests with a key.
  const openLine = createRequestQueue({ answer, refuse, passOver })
  app.server.on('request', (request, response) => {
    const url = request.url!
    const isOpen = !NEED_A_KEY.some((path) => url.startsWith(path))
    if (isOpen && isOfHealth(url)) return answer(request, response)
    const own = isOpen ? openLine : line
    if (own.isLong() || (!isOpen && isBacklogged())) refuse(request, response)
    else own.join(request, response)
  })
}

/** The paths that need a key, or that a key is sent to. */
const NEED_A_KEY = ['/api/', '/console/session', '/mcp']
const isOfHealth = (url: string): boolean => url.startsWith('/livez') || url.startsWith('/readyz')

/**
 * Defers rejections until this turn of the event loop has read all connections: Node continues to read as long as a
 * thousand are ready, and admitted requests would not proceed meanwhile.
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
