// A receiver of traces, as a collector would be: takes OTLP over HTTP on a free port and reads its JSON form.
import type { TestContext } from 'node:test'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface ReceivedSpan {
  readonly name: string
  /** As OTLP numbers them: 2 is a server's, 3 a client's. */
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  /** 2 for an error. */
  readonly status: { readonly code: number }
}

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface TraceReceiver {
  readonly url: string
  readonly received: readonly Received[]
  /** All spans that came as JSON. */
  readonly spans: () => readonly ReceivedSpan[]
  /** What the next ones are answered with; null for never. */
  answer: number | null
  readonly stop: () => Promise<void>
}

/** Ends with the test. */
export async function startReceiver(context: TestContext, answer: number | null = 200): Promise<TraceReceiver> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      received.push({ path: request.url!, headers: request.headers, body })
      if (receiver.answer !== null)
        response.writeHead(receiver.answer, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: TraceReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    spans: () => received.flatMap(({ body }) => spansIn(JSON.parse(body.toString()) as Export)),
    answer,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  context.after(receiver.stop)
  return receiver
}

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}
interface WireSpan extends Omit<ReceivedSpan, 'attributes' | 'links'> {
  readonly attributes: readonly Attribute[]
  readonly links?: ReceivedSpan['links']
}
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[]
  }[]
}

/** The attributes of whoever sent them, under `resource`. */
const spansIn = ({ resourceSpans }: Export): readonly ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        ...span,
        attributes: { ...valuesOf(span.attributes), resource: valuesOf(resource.attributes) },
        links: span.links ?? [],
      })),
  )

const valuesOf = (attributes: readonly Attribute[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
