// Requests at a program in a closed loop, over connections that stay open: how long each kind of them takes.
import { Agent, request } from 'node:http'
import type { LatencyHistogram } from '../bench/latency-histogram.ts'

export interface UsualRequest {
  readonly path: string
  /** Sent by POST; without it, GET. */
  readonly body?: string
  /** What the answer must hold. */
  readonly expect: string
}

export interface Target {
  readonly port: number
  readonly key: string
}

export interface Load {
  readonly connections: number
  readonly requests: number
  /** The n-th request of the run, from 0. */
  readonly requestOf: (n: number) => UsualRequest
}

/**
 * Each connection has one request in flight.
 * @param histogram gets how long each took
 * @throws Error where an answer is not what it must be
 */
export async function runLoad({ port, key }: Target, load: Load, histogram: LatencyHistogram): Promise<void> {
  const { connections, requests, requestOf } = load
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let next = 0
  const ask = ({ path, body, expect }: UsualRequest): Promise<void> =>
    new Promise((resolve, reject) => {
      const headers = { 'X-API-Key': key, ...(body !== undefined && { 'Content-Type': 'application/json' }) }
      const startedAt = performance.now()
      const sent = request({ agent, port, path, method: body === undefined ? 'GET' : 'POST', headers }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => {
          histogram.record(performance.now() - startedAt)
          const text = Buffer.concat(chunks).toString()
          if (answer.statusCode === 200 && text.includes(expect)) resolve()
          else reject(new Error(`${path} was answered ${answer.statusCode}, without ${expect}: ${text.slice(0, 500)}`))
        })
        answer.on('error', reject)
      })
      sent.on('error', reject)
      sent.end(body)
    })
  const work = async () => {
    while (next < requests) await ask(requestOf(next++))
  }
  try {
    await Promise.all(Array.from({ length: connections }, work))
  } finally {
    agent.destroy()
  }
}
