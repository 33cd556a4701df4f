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
 * Endpoint, headers, timeout, compression and certificates it reads from the environment itself.
 * @param onFailure told once when spans cannot be sent any more, and not again until they could be
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

/** What waits to be sent, and for how long; spans beyond that are dropped. */
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

/** All, unless the caller's `traceparent` says that its trace is not kept. */
const USUAL = `${PARENT_BASED}always_on`

/** @throws Error with a sentence when there is no such sampler, or its argument is no share */
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
  /** The span of the request that is being served where this is asked; undefined outside of any. */
  readonly senderOf: () => Span | undefined
  readonly onTrip: (trip: CompletedBatch) => void
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
  if (!isDone) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end(endedAt)
}

/** Senders are what `senderOf` gave: nothing, or a span. */
const isKept = (sender: unknown): sender is Span => sender !== undefined && (sender as Span).isRecording()

export interface Tracing extends TracingHooks {
  /** Sends what was not sent yet, in `flushMsMax` at most; what a slow receiver has not taken then is lost. */
  readonly stop: () => Promise<void>
}

export interface TracingOptions {
  readonly version: string
  readonly protocol: TraceProtocol
  readonly flushMsMax: number
  /** Told once when traces cannot be sent any more, and not again until they could be. */
  readonly onFailure: (sentence: string) => void
}

/** @throws Error with a sentence when a variable makes no sense */
export async function startTracing({ version, protocol, flushMsMax, onFailure }: TracingOptions): Promise<Tracing> {
  const exporter = await createExporter(protocol, onFailure)
  const provider = new TracerProvider({
    // What the environment says wins over what we say of ourselves.
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

/** Waits for the end of something, but not for longer than this. */
async function within(milliseconds: number, ending: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, milliseconds)
  // What could not be sent was told already.
  await Promise.race([ending.catch(() => undefined), late.promise])
  clearTimeout(timer)
}
