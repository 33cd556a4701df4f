// Request outcomes for metrics and the log: by operation, never by what the client sent.
import { Readable } from 'node:stream'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { API_ERRORS, type ApiErrorCode } from '../contract/errors.ts'
import { errorCodeOf } from '../http/errors.ts'
import { optionalCaller } from '../http/plugins/authentication.ts'

export interface RequestOutcome {
  /** Id of the operation, or `other`: paths that are no operation are too many to count separately. */
  readonly operation: string
  readonly status: number
  /** The error code sent to the client; null if the request did not fail, or if its client disconnected. */
  readonly code: ApiErrorCode | null
  readonly milliseconds: number
  /** Null if no valid key was sent. */
  readonly accountId: number | null
}

interface RouteConfig {
  readonly operationId?: string
}

/** Route configuration: the operation that the route is counted as. */
export const operationLabel = (operationId: string): FastifyContextConfig =>
  ({ operationId }) as FastifyContextConfig & RouteConfig

/** The usual log status for clients that disconnect before the response; no response has it. */
export const CLIENT_CLOSED_REQUEST = 499

export function observeRequests(app: FastifyInstance, onAnswered: (answered: RequestOutcome) => void): void {
  onFinished(app, (request, reply) => onAnswered(requestOutcome(request, reply)))
}

/** Logs a line for each request, under the id that its client received. */
export function logRequests(app: FastifyInstance): void {
  onFinished(app, (request, reply) => {
    const { operation, status, code, milliseconds, accountId } = requestOutcome(request, reply)
    const fields = { operation, status, ...(code && { code }), milliseconds: Math.round(milliseconds * 10) / 10 }
    request.log.info({ ...fields, account: accountId })
  })
}

/** Calls `tell` once per request, when the response is complete or breaks off; Fastify has no hook for the latter. */
export function onFinished(app: FastifyInstance, tell: (request: FastifyRequest, reply: FastifyReply) => void): void {
  const observed = new WeakSet<FastifyReply>()
  app.addHook('onResponse', (request, reply, done) => {
    if (!observed.has(reply)) tell(request, reply)
    done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!(payload instanceof Readable)) return done(null, payload)
    reply.raw.once('close', () => {
      if (reply.raw.writableFinished) return
      observed.add(reply)
      tell(request, reply)
    })
    done(null, payload)
  })
}

/** The outcome of a completed request. */
export function requestOutcome(request: FastifyRequest, reply: FastifyReply): RequestOutcome {
  const { operationId = 'other' } = request.routeOptions.config as RouteConfig
  const code = errorCodeOf(reply)
  return {
    operation: operationId,
    // For a response that broke off: the status that it would have had if it had not already begun with another.
    status: reply.raw.writableEnded ? reply.statusCode : code === null ? CLIENT_CLOSED_REQUEST : API_ERRORS[code][0],
    code,
    milliseconds: reply.elapsedTime,
    accountId: optionalCaller(request)?.accountId ?? null,
  }
}
