// What was answered, told to whoever measures and to the log: by operation, never by what the client sent.
import { Readable } from 'node:stream'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { FAILURES, failedBy, type FailureCode } from '../requests/failure.ts'
import { callerIfAny } from './authenticate.ts'

export interface Answered {
  /** Id of the operation, or `other`: what is no operation has too many names to count by them. */
  readonly operation: string
  readonly status: number
  /** What it failed by, as the client was told; null where it did not, or its client went away. */
  readonly code: FailureCode | null
  readonly milliseconds: number
  /** Null where no valid key was sent. */
  readonly accountId: number | null
}

interface RouteConfig {
  readonly operationId?: string
}

/** What a route says of itself: the operation that it is counted as. */
export const countAs = (operationId: string): FastifyContextConfig =>
  ({ operationId }) as FastifyContextConfig & RouteConfig

/** What servers write into their logs where the client went away before it was answered; no answer bears it. */
export const CLIENT_WENT_AWAY = 499

export function observeAnswers(app: FastifyInstance, onAnswered: (answered: Answered) => void): void {
  whenOver(app, (request, reply) => onAnswered(answeredOf(request, reply)))
}

/** A line for each request, under the id that its client was told. */
export function logAnswers(app: FastifyInstance): void {
  whenOver(app, (request, reply) => {
    const { operation, status, code, milliseconds, accountId } = answeredOf(request, reply)
    const told = { operation, status, ...(code && { code }), milliseconds: Math.round(milliseconds * 10) / 10 }
    request.log.info({ ...told, account: accountId })
  })
}

/** Tells of each request once, when it is answered, or when its answer broke off: of that Fastify has no hook. */
export function whenOver(app: FastifyInstance, tell: (request: FastifyRequest, reply: FastifyReply) => void): void {
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
export function answeredOf(request: FastifyRequest, reply: FastifyReply): Answered {
  const { operationId = 'other' } = request.routeOptions.config as RouteConfig
  const code = failedBy(reply)
  return {
    operation: operationId,
    // Of an answer that broke off, what it would have been if it had not begun with another status.
    status: reply.raw.writableEnded ? reply.statusCode : code === null ? CLIENT_WENT_AWAY : FAILURES[code][0],
    code,
    milliseconds: reply.elapsedTime,
    accountId: callerIfAny(request)?.accountId ?? null,
  }
}
