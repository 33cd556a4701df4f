// What was answered, told to whoever measures and to the log: by operation, never by what the client sent.
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
const CLIENT_WENT_AWAY = 499

export function observeAnswers(app: FastifyInstance, onAnswered: (answered: Answered) => void): void {
  app.addHook('onResponse', (request, reply, done) => {
    onAnswered(answeredOf(request, reply))
    done()
  })
}

/** A line for each request, under the id that its client was told. */
export function logAnswers(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { operation, status, milliseconds, accountId } = answeredOf(request, reply)
    request.log.info({ operation, status, milliseconds: Math.round(milliseconds * 10) / 10, account: accountId })
    done()
  })
}

/** Of a request that is over. */
export function answeredOf(request: FastifyRequest, reply: FastifyReply): Answered {
  const { operationId = 'other' } = request.routeOptions.config as RouteConfig
  return {
    operation: operationId,
    status: reply.raw.writableEnded ? reply.statusCode : CLIENT_WENT_AWAY,
    milliseconds: reply.elapsedTime,
    accountId: callerIfAny(request)?.accountId ?? null,
  }
}
