// Where spans go: the receiver that the environment names, in batches, and never in the way of a request.
import { ExportResultCode, getNumberFromEnv } from '@opentelemetry/core'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import type { TraceProtocol } from '../config.ts'

/**
 * Endpoint, headers, timeout, compression and certificates it reads from the environment itself.
 * @param onFailure told once when spans cannot be sent any more, and not again until they could be
 */
export async function createExporter(
  protocol: TraceProtocol,
  onFailure: (sentence: string) => void,
): Promise<SpanExporter> {
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
export function readBatching() {
  const read = (variable: string, usual: number) => getNumberFromEnv(variable) ?? usual
  const maxQueueSize = read('OTEL_BSP_MAX_QUEUE_SIZE', 2048)
  return {
    maxQueueSize,
    maxExportBatchSize: Math.min(read('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512), maxQueueSize),
    scheduledDelayMillis: read('OTEL_BSP_SCHEDULE_DELAY', 5_000),
    exportTimeoutMillis: read('OTEL_BSP_EXPORT_TIMEOUT', 30_000),
  }
}
