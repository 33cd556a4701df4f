// Passes each request to a tracer: its begin, its context, and its outcome. Does not load a tracer.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { onFinished, requestOutcome, type RequestOutcome } from './request-metrics.ts'

export interface RequestToTrace {
  readonly requestId: string
  readonly method: string
  /** The pattern of the path, with parameter names instead of values; undefined if there is no such route. */
  readonly route: string | undefined
  /** May contain the trace context of the client. */
  readonly headers: IncomingHttpHeaders
}

export interface TracedRequest {
  /** Fields of every log line of this request. */
  readonly logged: Readonly<Record<string, string>>
  /** Runs the handler in the context of the request, so that its database batches can be attributed to it. */
  readonly run: (serve: () => void) => void
  readonly end: (answered: RequestOutcome) => void
}

export type TraceRequest = (asked: RequestToTrace) => TracedRequest

const TRACED = 'traced'

/** Before all other hooks, so that requests rejected by a hook are traced too. */
export function registerTracing(app: FastifyInstance, traceRequest: TraceRequest): void {
  app.decorateRequest(TRACED, null)
  app.addHook('onRequest', (request, reply, done) => {
    const { id, method, headers, routeOptions } = request
    const traced = traceRequest({ requestId: id, method, route: routeOptions.url, headers })
    request.setDecorator(TRACED, traced)
    request.log = reply.log = request.log.child(traced.logged)
    done()
  })
  // Not earlier: code after a body was read runs in the context of the connection, which serves many requests.
  app.addHook('preHandler', (request, _, done) => tracedOf(request).run(done))
  onFinished(app, (request, reply) => tracedOf(request).end(requestOutcome(request, reply)))
}

const tracedOf = (request: FastifyRequest): TracedRequest => request.getDecorator<TracedRequest>(TRACED)
