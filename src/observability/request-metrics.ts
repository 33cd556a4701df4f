// What was answered, told to whoever measures and to the log: by operation, never by what the client sent.
import { Readable } from 'node:stream'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { API_ERRORS, type ApiErrorCode } from '../contract/errors.ts'
import { errorCodeOf } from '../http/errors.ts'
import { optionalCaller } from '../http/plugins/authentication.ts'

export interface RequestOutcome {
  /** Id of the operation, or `other`: what is no operation has too many names to count by them. */
  readonly operation: string
  readonly status: number
  /** What it failed by, as the client was told; null where it did not, or its client went away. */
  readonly code: ApiErrorCode | null
  readonly milliseconds: number
  /** Null where no valid key was sent. */
  readonly accountId: number | null
}

interface RouteConfig {
  readonly operationId?: string
}

/** What a route says of itself: the operation that it is counted as. */
export const operationLabel = (operationId: string): FastifyContextConfig =>
  ({ operationId }) as FastifyContextConfig & RouteConfig

/** What servers write into their logs where the client went away before it was answered; no answer bears it. */
export const CLIENT_CLOSED_REQUEST = 499

export function observeRequests(app: FastifyInstance, onAnswered: (answered: RequestOutcome) => void): void {
  onFinished(app, (request, reply) => onAnswered(requestOutcome(request, reply)))
}

/** A line for each request, under the id that its client was told. */
export function logRequests(app: FastifyInstance): void {
  onFinished(app, (request, reply) => {
    const { operation, status, code, milliseconds, accountId } = requestOutcome(request, reply)
    const told = { operation, status, ...(code && { code }), milliseconds: Math.round(milliseconds * 10) / 10 }
    request.log.info({ ...told, account: accountId })
  })
}

/** Tells of each request once, when it is answered, or when its answer broke off: of that Fastify has no hook. */
export function onFinished(app: FastifyInstance, tell: (request: FastifyRequest, reply: FastifyReply) => void): void {
  const told = new WeakSet<FastifyReply>()
  app.addHook('onResponse', (request, reply, done) => {
    if (!told.has(reply)) tell(request, reply)
    done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!(payload instanceof Readable)) return done(null, payload)
    reply.raw.once('close', () => {
      if (reply.raw.writableFinished) return
      told.add(reply)
      tell(request, reply)
    })
    done(null, payload)
  })
}

/** Of a request that is over. */
export function requestOutcome(request: FastifyRequest, reply: FastifyReply): RequestOutcome {
  const { operationId = 'other' } = request.routeOptions.config as RouteConfig
  const code = errorCodeOf(reply)
  return {
    operation: operationId,
    // Of an answer that broke off, what it would have been if it had not begun with another status.
    status: reply.raw.writableEnded ? reply.statusCode : code === null ? CLIENT_CLOSED_REQUEST : API_ERRORS[code][0],
    code,
    milliseconds: reply.elapsedTime,
    accountId: optionalCaller(request)?.accountId ?? null,
  }
}
