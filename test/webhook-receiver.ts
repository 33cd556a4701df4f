// A receiver of webhooks on this machine: it verifies what arrives with the public library, and answers as it is told.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
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
  after(stop)
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

/** Asserts that of the events about one order, each was accepted before the next one was sent. */
export function assertInOrder({ received }: Receiver): void {
  for (const own of Map.groupBy(received, ({ event }) => String(event['subject'])).values()) {
    const firstTold = [...new Set(own.map(({ id }) => id))]
    for (const [at, id] of firstTold.entries()) {
      const begins = own.findIndex((one) => one.id === id)
      for (const before of firstTold.slice(0, at)) {
        const accepted = own.findIndex((one) => one.id === before && one.status < 300)
        assert.ok(accepted >= 0 && accepted < begins, `${id} was sent before ${before} was accepted`)
      }
    }
    const times = firstTold.map((id) => String(own.find((one) => one.id === id)!.event['time']))
    assert.deepEqual(times, times.toSorted())
  }
}
