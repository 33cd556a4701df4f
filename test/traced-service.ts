// A service whose spans go to a receiver, with the variables of OpenTelemetry that a test gives it.
import type { TestContext } from 'node:test'
import { EXAMPLE_ORDER } from '../src/http/schemas/examples.ts'
import { DEFAULT_SETTINGS, buildApp } from '../src/app.ts'
import { startTracing } from '../src/observability/tracing.ts'
import { closeConnections, exchange, type Answer } from './raw-http.ts'
import type { LiveService } from './live-service.ts'
import { keepLog } from './captured-log.ts'
import { shippedReferenceData } from './shipped-book.ts'
import type { TraceReceiver } from './trace-receiver.ts'

export interface TracedService {
  /** Posts an order that nobody posted before. */
  readonly post: (headers?: Readonly<Record<string, string>>) => Promise<Answer>
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>
  readonly complaints: readonly string[]
  /** What the log says, line by line. */
  readonly log: readonly Readonly<Record<string, unknown>>[]
  /** Closes the service and has the rest of the spans sent. */
  readonly finish: () => Promise<void>
}

/** A further service on the same database, closed when the test is over. */
export async function startTraced(
  context: TestContext,
  { pool, key }: LiveService,
  receiver: TraceReceiver,
  environment: Readonly<Record<string, string>> = {},
): Promise<TracedService> {
  Object.assign(process.env, {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_BSP_SCHEDULE_DELAY: '20',
    OTEL_TRACES_SAMPLER: 'parentbased_always_on',
    ...environment,
  })
  const complaints: string[] = []
  const onFailure = (sentence: string) => void complaints.push(sentence)
  const tracing = await startTracing({ version: '0.0.0', protocol: 'http/json', flushMsMax: 500, onFailure })
  const { logger, lines: log } = keepLog('warn')
  const { referenceData, files } = shippedReferenceData()
  const settings = { ...DEFAULT_SETTINGS, tracing }
  const app = await buildApp(pool, referenceData, files, logger, settings)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const finish = async () => {
    closeConnections()
    await app.close()
    await tracing.stop()
  }
  context.after(finish)
  const get = (path: string, headers = {}) => exchange(url, path, { headers: { 'x-api-key': key, ...headers } })
  return { post: (headers = {}) => postNew(url, { 'x-api-key': key, ...headers }), get, complaints, log, finish }
}

let orders = 0

function postNew(url: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const order_id = `traced-${(orders += 1)}`
  const [laptop, ...rest] = EXAMPLE_ORDER.items!
  const product = { ...laptop, config: { ...laptop!.config, serial_number: `serial-${order_id}` } }
  return exchange(url, '/api/customer-orders', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ ...EXAMPLE_ORDER, order_id, items: [product, ...rest] }),
  })
}
