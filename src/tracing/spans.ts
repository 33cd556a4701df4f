// A span for each request and for each trip to the database. None holds what a client sent: no path, id, key or body.
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  defaultTextMapGetter,
  trace,
  type Span,
  type Tracer,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import type { RequestToTrace, TraceRequest } from '../http/serving/trace-requests.ts'
import type { CompletedBatch } from '../concurrency/batcher.ts'

export interface TracingHooks {
  readonly traceRequest: TraceRequest
  /** The span of the request that is being served where this is asked; undefined outside of any. */
  readonly senderOf: () => Span | undefined
  readonly onTrip: (trip: CompletedBatch) => void
}

const propagator = new W3CTraceContextPropagator()

export function createTracingHooks(tracer: Tracer): TracingHooks {
  const current = new AsyncLocalStorage<Span>()
  return {
    traceRequest: (asked) => {
      const span = startRequest(tracer, asked)
      const { traceId, spanId } = span.spanContext()
      return {
        logged: { trace_id: traceId, span_id: spanId },
        run: (serve) => current.run(span, serve),
        end: ({ operation, status }) => {
          span.setAttributes({ 'cradle.operation': operation, 'http.response.status_code': status })
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', String(status))
          span.end()
        },
      }
    },
    senderOf: () => current.getStore(),
    onTrip: (trip) => recordTrip(tracer, trip),
  }
}

/** Part of the trace that the client names in `traceparent`, or the beginning of one. */
function startRequest(tracer: Tracer, { requestId, method, route, headers }: RequestToTrace): Span {
  return tracer.startSpan(
    route === undefined ? method : `${method} ${route}`,
    {
      kind: SpanKind.SERVER,
      attributes: {
        'http.request.method': method,
        ...(route !== undefined && { 'http.route': route }),
        'cradle.request_id': requestId,
      },
    },
    propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter),
  )
}

/**
 * A trip serves many requests and a span has one parent: it is a child of the first that is kept, and linked to the
 * others, which link back. As nobody's child it would be kept or not by a throw of its own.
 */
function recordTrip(tracer: Tracer, { queue, jobs, milliseconds, isDone, senders }: CompletedBatch): void {
  const [first, ...others] = new Set(senders.filter(isKept))
  if (first === undefined) return
  const endedAt = Date.now()
  const span = tracer.startSpan(
    `trip ${queue}`,
    {
      kind: SpanKind.CLIENT,
      startTime: endedAt - milliseconds,
      attributes: { 'db.system.name': 'postgresql', 'cradle.trip.queue': queue, 'cradle.trip.jobs': jobs },
      links: others.map((other) => ({ context: other.spanContext() })),
    },
    trace.setSpan(ROOT_CONTEXT, first),
  )
  for (const other of others) other.addLink({ context: span.spanContext() })
  if (!isDone) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end(endedAt)
}

/** Senders are what `senderOf` gave: nothing, or a span. */
const isKept = (sender: unknown): sender is Span => sender !== undefined && (sender as Span).isRecording()
