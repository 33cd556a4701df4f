// Traces in the form of OpenTelemetry, sent off as its standard variables say. Loaded only where they are set.
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { TraceProtocol } from '../config.ts'
import { createExporter, readBatching } from './exporter.ts'
import { readSampler } from './sampler.ts'
import { createTracingHooks, type TracingHooks } from './spans.ts'

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
