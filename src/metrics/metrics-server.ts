// The address that Prometheus asks: a port of its own, so that no proxy in front of the service passes it on.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Metrics } from './metrics.ts'

export type ServedMetrics = Pick<Metrics, 'text' | 'contentType'>

export interface MetricsServer {
  readonly address: string
  readonly stop: () => Promise<void>
}

/** Until the service is watched, it answers 503. @throws Error of the system where the port cannot be had */
export async function serveMetrics(metrics: ServedMetrics, host: string, port: number): Promise<MetricsServer> {
  const server = createServer((request, response) => void answer(metrics, request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const name = host.includes(':') ? `[${host}]` : host
  return {
    address: `http://${name}:${(server.address() as AddressInfo).port}/metrics`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(
  metrics: ServedMetrics,
  { method, url }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (url !== '/metrics') return void response.writeHead(404).end()
  if (method !== 'GET' && method !== 'HEAD') return void response.writeHead(405, { allow: 'GET, HEAD' }).end()
  try {
    const text = await metrics.text()
    response.writeHead(200, { 'content-type': metrics.contentType, 'content-length': Buffer.byteLength(text) })
    response.end(method === 'HEAD' ? undefined : text)
  } catch {
    response.writeHead(503).end()
  }
}
