// What was answered, told to whoever measures and to the log: by operation, never by what the client sent.
import { Readable } from 'node:stream'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerIfAny } from './authenticate.ts'

export interface Answered {
  /** Id of the operation, or `other`: what is no operation has too many names to count by them. */
  readonly operation: string
  readonly status: number
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
    const { operation, status, milliseconds, accountId } = answeredOf(request, reply)
    request.log.info({ operation, status, milliseconds: Math.round(milliseconds * 10) / 10, account: accountId })
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

const brokenOff = new WeakMap<FastifyReply, number>()

/** @param status that the answer would have had if it had not begun with another */
export function noteBrokenOff(reply: FastifyReply, status: number): void {
  brokenOff.set(reply, status)
}

/** Of a request that is over. */
export function answeredOf(request: FastifyRequest, reply: FastifyReply): Answered {
  const { operationId = 'other' } = request.routeOptions.config as RouteConfig
  return {
    operation: operationId,
    status: reply.raw.writableEnded ? reply.statusCode : (brokenOff.get(reply) ?? CLIENT_WENT_AWAY),
    milliseconds: reply.elapsedTime,
    accountId: callerIfAny(request)?.accountId ?? null,
  }
}
