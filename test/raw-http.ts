// One HTTP request over a real socket, sent as it is told, and the whole of its answer.
import { Agent, request, type IncomingHttpHeaders } from 'node:http'

export interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: Buffer | string
  /** The address that it comes from, where that is not the usual one. */
  readonly from?: string
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** An end to the wait, not a promise. */
const ANSWER_MS_MAX = 60_000
const agent = new Agent({ keepAlive: true, maxSockets: 128 })

/** No header is added but Host, Connection and the length of the body. */
export function exchange(address: string, path: string, sent: Sent = {}): Promise<Answer> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body, from: localAddress } = sent
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const fields = { ...headers, ...length } as never
    const asked = request({ hostname, port, path, method, agent, headers: fields, localAddress })
    asked.setTimeout(ANSWER_MS_MAX, () =>
      asked.destroy(new Error(`No answer to ${method} ${path.slice(0, 80)} in time`)),
    )
    asked.on('response', (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8')
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
      })
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

/** Sockets that stay open for the next request would keep the process of a test from ending. */
export const closeConnections = (): void => agent.destroy()
