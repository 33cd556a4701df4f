// OpenTelemetry traces of requests and database batches; loaded only if its standard variables are set.
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
import { ExportResultCode, W3CTraceContextPropagator, getNumberFromEnv, getStringFromEnv } from '@opentelemetry/core'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace'
import type { CompletedBatch } from '../concurrency/batcher.ts'
import type { TraceProtocol } from '../config.ts'
import type { RequestToTrace, TraceRequest } from './trace-requests.ts'

/**
 * The exporter reads endpoint, headers, timeout, compression and certificates from the environment itself.
 * @param onFailure called once when spans cannot be sent, and again only after they could be sent in between
 */
async function createExporter(protocol: TraceProtocol, onFailure: (sentence: string) => void): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto')
  const exporter: SpanExporter = new OTLPTraceExporter()
  let isFailing = false
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== ExportResultCode.SUCCESS
        if (hasFailed && !isFailing) onFailure(`Traces cannot be sent: ${result.error?.message ?? 'no reason given'}`)
        isFailing = hasFailed
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
  }
}

/** How many spans wait to be sent, and for how long; further spans are dropped. */
function readBatching() {
  const read = (variable: string, usual: number) => getNumberFromEnv(variable) ?? usual
  const maxQueueSize = read('OTEL_BSP_MAX_QUEUE_SIZE', 2048)
  return {
    maxQueueSize,
    maxExportBatchSize: Math.min(read('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512), maxQueueSize),
    scheduledDelayMillis: read('OTEL_BSP_SCHEDULE_DELAY', 5_000),
    exportTimeoutMillis: read('OTEL_BSP_EXPORT_TIMEOUT', 30_000),
  }
}

const PARENT_BASED = 'parentbased_'

/** Samples everything, unless the caller's `traceparent` is not sampled. */
const USUAL = `${PARENT_BASED}always_on`

/** @throws Error with a sentence if there is no such sampler, or if its argument is not a ratio */
function readSampler(): Sampler {
  const name = getStringFromEnv('OTEL_TRACES_SAMPLER') ?? USUAL
  const isParentBased = name.startsWith(PARENT_BASED)
  const root = rootSampler(isParentBased ? name.slice(PARENT_BASED.length) : name)
  if (root === null) {
    throw new Error(
      'OTEL_TRACES_SAMPLER must be always_on, always_off or traceidratio, or one of them after parentbased_, ' +
        `not "${name}"`,
    )
  }
  return isParentBased ? new ParentBasedSampler({ root }) : root
}

function rootSampler(name: string): Sampler | null {
  if (name === 'always_on') return new AlwaysOnSampler()
  if (name === 'always_off') return new AlwaysOffSampler()
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(readShare()) : null
}

function readShare(): number {
  const text = getStringFromEnv('OTEL_TRACES_SAMPLER_ARG') ?? '1'
  const share = Number(text)
  if (!(share >= 0 && share <= 1)) throw new Error(`OTEL_TRACES_SAMPLER_ARG must be from 0 to 1, not "${text}"`)
  return share
}

interface TracingHooks {
  readonly traceRequest: TraceRequest
  /** The span of the current request; undefined outside of a request. */
  readonly spanOf: () => Span | undefined
  readonly onBatch: (batch: CompletedBatch) => void
}

const propagator = new W3CTraceContextPropagator()

function createTracingHooks(tracer: Tracer): TracingHooks {
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
    spanOf: () => current.getStore(),
    onBatch: (batch) => recordBatch(tracer, batch),
  }
}

/** Continues the trace of the client's `traceparent`, or begins a new one. */
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
 * A batch serves many requests, but a span has one parent: it is a child of the first sampled request, and is linked
 * with the others in both directions. Without a parent, it would be sampled independently.
 */
function recordBatch(tracer: Tracer, { queue, jobs, milliseconds, succeeded, spans }: CompletedBatch): void {
  const [first, ...others] = new Set(spans.filter(isRecorded))
  if (first === undefined) return
  const endedAt = Date.now()
  const span = tracer.startSpan(
    `batch ${queue}`,
    {
      kind: SpanKind.CLIENT,
      startTime: endedAt - milliseconds,
      attributes: { 'db.system.name': 'postgresql', 'cradle.queue': queue, 'db.operation.batch.size': jobs },
      links: others.map((other) => ({ context: other.spanContext() })),
    },
    trace.setSpan(ROOT_CONTEXT, first),
  )
  for (const other of others) other.addLink({ context: span.spanContext() })
  if (!succeeded) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end(endedAt)
}

/** A sender is the result of `spanOf`: undefined or a span. */
const isRecorded = (sender: unknown): sender is Span => sender !== undefined && (sender as Span).isRecording()

export interface Tracing extends TracingHooks {
  /**
   * Sends the remaining spans, for at most `flushMsMax`; spans that a slow receiver has not accepted by then are lost.
   */
  readonly stop: () => Promise<void>
}

export interface TracingOptions {
  readonly version: string
  readonly protocol: TraceProtocol
  readonly flushMsMax: number
  /** Called once when traces cannot be sent, and again only after they could be sent in between. */
  readonly onFailure: (sentence: string) => void
}

/** @throws Error with a sentence if a variable is invalid */
export async function startTracing({ version, protocol, flushMsMax, onFailure }: TracingOptions): Promise<Tracing> {
  const exporter = await createExporter(protocol, onFailure)
  const provider = new TracerProvider({
    // The environment takes precedence over our own attributes.
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'cradle', 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: readSampler(),
    spanProcessors: [new BatchSpanProcessor({ exporter, ...readBatching() })],
  })
  return {
    ...createTracingHooks(provider.getTracer('cradle', version)),
    stop: () => within(flushMsMax, provider.shutdown()),
  }
}

/** Waits for the promise, but no longer than this. */
async function within(milliseconds: number, ending: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, milliseconds)
  // The failure was already reported.
  await Promise.race([ending.catch(() => undefined), late.promise])
  clearTimeout(timer)
}
