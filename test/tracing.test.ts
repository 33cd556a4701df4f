// Traces: a request and its trips to the database, told to a receiver that may be away, slow or wrong without harm.
import { after, before, test, type TestContext } from 'node:test'
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../src/config.ts'
import { startTracing } from '../src/observability/tracing.ts'
import { keepLog } from './captured-log.ts'
import { EXAMPLE_ORDER } from '../src/http/schemas/examples.ts'
import { serve, until } from './command.ts'
import { urlOf } from './database-url.ts'
import { closeConnections, exchange, type Answer } from './raw-http.ts'
import { durableMigratedDatabase } from './fresh-database.ts'
import { startService, type Service } from './service.ts'
import { startReceiver, type TraceReceiver } from './trace-receiver.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'
const KEPT = `00-${TRACE}-${PARENT}-01`
const SERVER = 2
/** How long orders come in while the first of them wait. */
const TOGETHER_MS = 300

let service: Service
before(async () => void (service = await startService()))
after(() => service.stop())

test('an order is a span in the trace of its client, with its trip to the database as a child', async (context) => {
  const receiver = await startReceiver(context)
  const traced = await startTraced(context, service, receiver, {
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=a%20test',
  })
  const answer = await traced.post({ traceparent: KEPT })
  await traced.finish()
  const [request, ...others] = receiver.spans().filter(({ kind }) => kind === SERVER)
  assert.deepEqual(others, [])
  assert.deepEqual([request!.traceId, request!.parentSpanId], [TRACE, PARENT])
  assert.equal(request!.name, 'POST /api/customer-orders')
  const { resource, ...attributes } = request!.attributes
  assert.deepEqual(attributes, {
    'http.request.method': 'POST',
    'http.route': '/api/customer-orders',
    'http.response.status_code': 200,
    'cradle.operation': 'createOrder',
    'cradle.request_id': answer.headers['x-request-id'],
  })
  const { 'service.name': name, 'deployment.environment.name': place } = resource as Record<string, unknown>
  assert.deepEqual([name, place], ['cradle', 'a test'])
  const [trip, ...further] = receiver.spans().filter(({ kind }) => kind !== SERVER)
  assert.deepEqual(further, [])
  assert.deepEqual([trip!.name, trip!.traceId, trip!.parentSpanId], ['batch insert-orders', TRACE, request!.spanId])
  assert.equal(trip!.attributes['db.operation.batch.size'], 1)
  assert.equal(receiver.received[0]!.path, '/v1/traces')
})

test('a shared trip is a child of one of its orders, and linked with all the others both ways', async (context) => {
  const receiver = await startReceiver(context)
  const traced = await startTraced(context, service, receiver)
  // While the first of them wait for the table, the others come together.
  const holder = await service.pool.connect()
  await holder.query('begin')
  await holder.query('lock table orders in share mode')
  const answering = Promise.all(Array.from({ length: 40 }, () => traced.post()))
  await until(
    async () => (await holder.query('select from pg_locks where not granted')).rowCount! > 0,
    () => 'no order waits for the table',
  )
  await sleep(TOGETHER_MS)
  await holder.query('rollback')
  holder.release()
  const answers = await answering
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  await traced.finish()
  const spans = receiver.spans()
  const requests = new Map(spans.filter(({ kind }) => kind === SERVER).map((span) => [span.spanId, span]))
  const trips = spans.filter(({ name }) => name === 'batch insert-orders')
  assert.equal(requests.size, 40)
  assert.ok(trips.length < 40, 'no trip was shared')
  const served = trips.flatMap((trip) => {
    for (const { spanId } of trip.links) {
      const back = requests.get(spanId)!.links.map((link) => [link.traceId, link.spanId])
      assert.deepEqual(back, [[trip.traceId, trip.spanId]])
    }
    assert.equal(trip.attributes['db.operation.batch.size'], trip.links.length + 1)
    return [trip.parentSpanId!, ...trip.links.map(({ spanId }) => spanId)]
  })
  assert.deepEqual(served.sort(), [...requests.keys()].sort())
})

test('nothing that a client sent is in a span, whatever it asked', async (context) => {
  const receiver = await startReceiver(context)
  const traced = await startTraced(context, service, receiver)
  const headers = { authorization: 'marked-bearer' }
  await traced.get('/api/device-emissions/marked-serial?include=marked-query', headers)
  await traced.get('/api/customer-orders/marked-customer/marked-order/receipt', headers)
  await traced.get('/marked-path', headers)
  await traced.get('/api/packagings', { 'x-api-key': 'marked-key' })
  await traced.post({ tracestate: 'marked=state' })
  await traced.finish()
  const names = receiver.spans().filter(({ kind }) => kind === SERVER)
  assert.deepEqual(names.map(({ name }) => name).sort(), [
    'GET',
    'GET /api/customer-orders/:customer_id/:order_id/receipt',
    'GET /api/device-emissions/:id',
    'GET /api/packagings',
    'POST /api/customer-orders',
  ])
  const text = receiver.received.map(({ body }) => body.toString()).join('')
  for (const mark of ['marked', 'traced-', service.key.slice(12, 30), EXAMPLE_ORDER.customer_id, 'MacBook']) {
    assert.equal(text.includes(mark), false, mark)
  }
})

test('a trace that its client does not keep is not sent, and a share of 0 keeps none', async (context) => {
  const receiver = await startReceiver(context)
  const traced = await startTraced(context, service, receiver)
  await traced.post({ traceparent: KEPT.replace(/01$/, '00') })
  await traced.post({ traceparent: 'no trace' })
  await traced.finish()
  assert.equal(receiver.spans().filter(({ kind }) => kind === SERVER).length, 1)
  const none = await startTraced(context, service, receiver, {
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0',
  })
  await none.post({ traceparent: KEPT })
  await none.finish()
  assert.equal(receiver.spans().filter(({ kind }) => kind === SERVER).length, 1)
})

test('what fails is an error in its span, and the log names the trace and the request', async (context) => {
  const receiver = await startReceiver(context)
  const traced = await startTraced(context, service, receiver)
  await service.pool.query('alter table orders rename to orders_away')
  const answer = await traced.post({ traceparent: KEPT })
  await service.pool.query('alter table orders_away rename to orders')
  await traced.finish()
  assert.equal(answer.status, 500)
  const request = receiver.spans().find(({ kind }) => kind === SERVER)!
  assert.deepEqual([request.status.code, request.attributes['error.type']], [2, '500'])
  const trips = receiver.spans().filter(({ parentSpanId }) => parentSpanId === request.spanId)
  assert.deepEqual([...new Set(trips.map(({ status }) => status.code))], [2])
  const [line] = traced.log
  assert.deepEqual([line!['trace_id'], line!['span_id']], [TRACE, request.spanId])
  assert.equal(line!['request_id'], answer.headers['x-request-id'])
  assert.equal(JSON.stringify(traced.log).includes(service.key), false)
})

test('a receiver that never answers, or is not there, holds up no order and no stop', async (context) => {
  const receiver = await startReceiver(context, null)
  const silent = await startTraced(context, service, receiver)
  assert.equal((await silent.post()).status, 200)
  await until(
    () => receiver.received.length > 0,
    () => 'nothing was sent',
  )
  const answers = await Promise.all(Array.from({ length: 40 }, () => silent.post()))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  assert.equal(receiver.received.length, 1, 'a second batch was sent while the first was not answered')
  await silent.finish()
  await receiver.stop()
  const away = await startTraced(context, service, receiver)
  assert.equal((await away.post()).status, 200)
  await away.finish()
})

test('that traces cannot be sent is said once, and again after they could be', async (context) => {
  const receiver = await startReceiver(context, 400)
  const traced = await startTraced(context, service, receiver)
  const sendOne = async () => {
    const before = receiver.received.length
    assert.equal((await traced.post()).status, 200)
    await until(
      () => receiver.received.length > before,
      () => 'nothing was sent',
    )
  }
  const saidSo = (times: number) =>
    until(
      () => traced.complaints.length === times,
      () => traced.complaints.join('\n'),
    )
  for (let at = 0; at < 3; at += 1) await sendOne()
  await saidSo(1)
  receiver.answer = 200
  for (let at = 0; at < 2; at += 1) await sendOne()
  receiver.answer = 400
  await sendOne()
  await saidSo(2)
  for (const complaint of traced.complaints) assert.match(complaint, /^Traces cannot be sent: \S/)
  await traced.finish()
})

/** Prints what is loaded of tracing. */
const TELL_LOADED = `--import=data:text/javascript,${encodeURIComponent(
  `import { registerHooks } from 'node:module'
   registerHooks({ load: (url, context, next) => {
     const tracing = /\\/observability\\/tracing|\\/@opentelemetry\\/(?!api\\/)/
     if (tracing.test(url)) process.stdout.write('LOADED ' + url + '\\n')
     return next(url, context)
   } })`,
)}`

test('the program sends the last spans as it stops, and loads nothing of it where it is off', async (context) => {
  const receiver = await startReceiver(context)
  const { connection } = await durableMigratedDatabase()
  const environment = {
    DATABASE_URL: urlOf(connection),
    NODE_OPTIONS: TELL_LOADED,
    OTEL_EXPORTER_OTLP_ENDPOINT: '',
    OTEL_BSP_SCHEDULE_DELAY: '60000',
  }
  const tracing = await serve({
    ...environment,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.url}/own/path`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-receiver-key=letmein',
    OTEL_SERVICE_NAME: 'estimates',
  })
  assert.match(tracing.printed, /LOADED .*observability\/tracing\.ts/)
  await exchange(tracing.address, '/api/packagings', { headers: { traceparent: KEPT } })
  closeConnections()
  assert.equal(receiver.received.length, 0)
  assert.equal(await tracing.end('SIGTERM'), 'stopped')
  const [{ path, headers, body }] = receiver.received as [TraceReceiver['received'][number]]
  assert.equal(path, '/own/path')
  assert.deepEqual([headers['content-type'], headers['x-receiver-key']], ['application/x-protobuf', 'letmein'])
  assert.ok(body.includes(Buffer.from(TRACE, 'hex')) && body.includes('listPackagings') && body.includes('estimates'))
  const plain = await serve({ ...environment, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_SDK_DISABLED: 'true' })
  assert.doesNotMatch(plain.printed, /LOADED/)
  assert.equal(await plain.end('SIGTERM'), 'stopped')
})

test('without an endpoint, or switched off by any of its variables, nothing is traced', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }
  const protocolOf = (environment: Readonly<Record<string, string>>) => readConfig(environment).traceProtocol
  assert.equal(protocolOf({}), null)
  assert.equal(protocolOf({ OTEL_SERVICE_NAME: 'estimates', OTEL_EXPORTER_OTLP_ENDPOINT: '' }), null)
  assert.equal(protocolOf({ ...endpoint, OTEL_SDK_DISABLED: 'TRUE' }), null)
  assert.equal(protocolOf({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' }), null)
  assert.equal(protocolOf(endpoint), 'http/protobuf')
  assert.equal(protocolOf({ ...endpoint, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json' }), 'http/json')
})

test('variables of OpenTelemetry without sense are refused, and what may be secret is not said', async (context) => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }
  assert.throws(
    () => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'user:secret@host' }),
    ({ message }: Error) => {
      assert.match(message, /^OTEL_EXPORTER_OTLP_ENDPOINT must be a URL/)
      return !message.includes('secret')
    },
  )
  assert.throws(
    () => readConfig({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }),
    /OTEL_EXPORTER_OTLP_PROTOCOL must be http\/protobuf or http\/json, not "grpc"/,
  )
  const receiver = await startReceiver(context)
  const refused = (variables: Readonly<Record<string, string>>, sentence: RegExp) =>
    assert.rejects(startTraced(context, service, receiver, variables), sentence)
  await refused({ OTEL_TRACES_SAMPLER: 'some' }, /OTEL_TRACES_SAMPLER must be always_on/)
  await refused(
    { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' },
    /OTEL_TRACES_SAMPLER_ARG must be from 0 to 1/,
  )
})

interface TracedService {
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
async function startTraced(
  context: TestContext,
  beside: Service,
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
  const { server, key, stop } = await startService({ beside, logger, settings: { tracing } })
  const { url } = server
  const finish = async () => {
    await stop()
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
