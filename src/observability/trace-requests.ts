// Tells a tracer of each request: when it begins, what is done on its behalf, and how it was answered. Loads no tracer.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { onFinished, requestOutcome, type RequestOutcome } from './request-metrics.ts'

export interface RequestToTrace {
  readonly requestId: string
  readonly method: string
  /** The pattern of the path, with names in place of what the client sent; undefined where there is no such path. */
  readonly route: string | undefined
  /** Where the client says which trace it is part of. */
  readonly headers: IncomingHttpHeaders
}

export interface TracedRequest {
  /** What every line of the log about this request bears. */
  readonly logged: Readonly<Record<string, string>>
  /** Serves it so that trips to the database on its behalf can be told to be its own. */
  readonly run: (serve: () => void) => void
  readonly end: (answered: RequestOutcome) => void
}

export type TraceRequest = (asked: RequestToTrace) => TracedRequest

const TRACED = 'traced'

/** Before all other hooks: what one of them refuses is traced, too. */
export function registerTracing(app: FastifyInstance, traceRequest: TraceRequest): void {
  app.decorateRequest(TRACED, null)
  app.addHook('onRequest', (request, reply, done) => {
    const { id, method, headers, routeOptions } = request
    const traced = traceRequest({ requestId: id, method, route: routeOptions.url, headers })
    request.setDecorator(TRACED, traced)
    request.log = reply.log = request.log.child(traced.logged)
    done()
  })
  // Not earlier: what follows a body that was read is run on behalf of the connection, which serves many requests.
  app.addHook('preHandler', (request, _, done) => tracedOf(request).run(done))
  onFinished(app, (request, reply) => tracedOf(request).end(requestOutcome(request, reply)))
}

const tracedOf = (request: FastifyRequest): TracedRequest => request.getDecorator<TracedRequest>(TRACED)
