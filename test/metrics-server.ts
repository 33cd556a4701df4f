// A service with its metrics, for tests: what it counted, metric by metric.
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../src/app.ts'
import { createMetrics, serveMetrics } from '../src/observability/metrics.ts'
import { exchange } from './raw-http.ts'
import type { LiveService } from './live-service.ts'
import { shippedReferenceData } from './shipped-book.ts'

export interface MeasuredService {
  readonly url: string
  readonly app: FastifyInstance
  /** Where the metrics are, with their path. */
  readonly address: string
  readonly text: () => Promise<string>
  /** The value of a series, written as in the text; undefined where there is none. */
  readonly valueOf: (series: string) => Promise<number | undefined>
  readonly stop: () => Promise<void>
}

export async function startMeasured({ pool }: LiveService, countsAccounts: boolean): Promise<MeasuredService> {
  const metrics = createMetrics(countsAccounts)
  const { referenceData, files } = shippedReferenceData()
  const app = await buildApp(pool, referenceData, files, false, {
    metrics,
    keyRequestsPerSecondMax: 0,
    wrongKeysPerMinuteMax: 0,
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const server = await serveMetrics(metrics, '127.0.0.1', 0)
  const text = async () => (await exchange(server.address, '/metrics')).text
  return {
    url,
    app,
    address: server.address,
    text,
    valueOf: async (series) => {
      const line = (await text()).split('\n').find((one) => one.startsWith(`${series} `))
      return line === undefined ? undefined : Number(line.slice(series.length + 1))
    },
    stop: async () => {
      await server.stop()
      await app.close()
    },
  }
}
