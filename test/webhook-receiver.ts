// A receiver of webhooks on this machine: it verifies what arrives with the public library, and answers as it is told.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import type { Json } from './document-check.ts'

export interface Received {
  readonly id: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly event: Json
  /** The status that it was answered with. */
  readonly status: number
}

export interface Receiver {
  readonly url: string
  /** All requests, in the order of arrival. */
  readonly received: Received[]
  /** Requests under way at the same time, at most. */
  readonly busiest: () => number
  /** Whoever verifies takes any of these secrets. */
  readonly secrets: string[]
  readonly stop: () => Promise<void>
}

interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
}

export async function startReceiver(answer: (event: Json, nth: number) => Answer = () => ({ status: 204 })) {
  const received: Received[] = []
  const secrets: string[] = []
  let [busy, busiest] = [0, 0]
  const server = createServer((request, response) => {
    busiest = Math.max(busiest, ++busy)
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (piece: string) => (body += piece))
    request.on('end', () => {
      busy -= 1
      const { headers } = request
      const event = JSON.parse(body) as Json
      const { status, headers: sent = {} } = verified(body, headers, secrets)
        ? answer(event, received.length)
        : { status: 401 }
      received.push({ id: String(headers['webhook-id']), headers, body, event, status })
      response.writeHead(status, sent).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    server.closeAllConnections()
    if (server.listening) await once(server.close(), 'close')
  }
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return { url, received, secrets, busiest: () => busiest, stop } satisfies Receiver
}

function verified(body: string, headers: IncomingHttpHeaders, secrets: readonly string[]): boolean {
  return secrets.some((secret) => {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>)
      return true
    } catch {
      return false
    }
  })
}

/** The ids that were accepted at least once. */
export const acceptedIds = ({ received }: Receiver): ReadonlySet<string> =>
  new Set(received.filter(({ status }) => status < 300).map(({ id }) => id))

/** Of the events about one order, each is to be accepted before the next one is sent. @returns those that were not */
export function outOfOrder({ received }: Receiver): readonly string[] {
  const failures: string[] = []
  for (const own of Map.groupBy(received, ({ event }) => String(event['subject'])).values()) {
    for (const [at, { id, event }] of own.entries()) {
      const earlier = own.slice(0, at)
      // One that is sent again may have been accepted, by a program that was killed before it had recorded that.
      if (earlier.some((one) => one.id === id)) continue
      for (const other of earlier) {
        if (!earlier.some((one) => one.id === other.id && one.status < 300))
          failures.push(`${id} was sent before ${other.id} was accepted`)
        if (String(other.event['time']) > String(event['time']))
          failures.push(`${id} was sent after ${other.id}, which is later`)
      }
    }
  }
  return failures
}
