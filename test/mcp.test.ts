// The tools for agents: whom they serve, what they answer, and how they say that an input is wrong.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text as readAll } from 'node:stream/consumers'
import { SCOPES, type Scope } from '../src/postgres/accounts.ts'
import { verifyReceipt } from '../src/receipts/verify-receipt.ts'
import type { Json } from './document-check.ts'
import { CRADLE, FORMS, connectOverHttp, connectOverStdio, type McpClient } from './mcp-client.ts'
import { order } from './order-client.ts'
import { exchange } from './raw-http.ts'
import { assertEqual } from './receipt-client.ts'
import { startService, type Service } from './service.ts'

const TOOLS = [
  'match_device',
  'estimate_order',
  'create_order',
  'get_order',
  'get_device_ledger',
  'explain_number',
  'report_emissions',
  'get_statement',
  'find_transport_or_packaging',
]
const OF_SCOPE: Readonly<Record<Scope, readonly string[]>> = {
  'orders:write': ['create_order'],
  'orders:read': TOOLS.slice(1, 8).filter((name) => name !== 'create_order'),
  'catalogue:read': ['match_device', 'find_transport_or_packaging'],
  admin: TOOLS,
}
const ORDER = order('acme', 'A-1', ['S-1'])
const PLACE = { customer_id: 'acme', order_id: 'A-1' }

let service: Service
let agent: McpClient
before(async () => {
  service = await startService()
  assert.equal((await service.post(ORDER)).status, 200)
  agent = await connectOverHttp(service.server.url, service.key)
})
after(async () => {
  await agent.close()
  await service.stop()
})

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }
const send = (headers: Readonly<Record<string, string>>, body: unknown = PING, method = 'POST') =>
  exchange(service.server.url, '/mcp', {
    method,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    ...(method === 'POST' && { body: JSON.stringify(body) }),
  })

test('a key is offered the tools of its scopes, always in the same sequence', async () => {
  for (const scope of SCOPES) {
    const { client, close } = await connectOverHttp(service.server.url, await service.createKey([scope]))
    const { tools } = await client.listTools()
    assert.deepEqual(
      tools.map(({ name }) => name),
      OF_SCOPE[scope],
      scope,
    )
    const refused = TOOLS.filter((name) => !OF_SCOPE[scope].includes(name))
    for (const name of refused) await assert.rejects(client.callTool({ name, arguments: {} }), /not found/, name)
    await close()
  }
})

test('each description says when to use the tool, when not, an example that works, and limits', async () => {
  const { tools } = await agent.client.listTools()
  for (const { name, description = '', inputSchema, annotations } of tools) {
    assert.match(description, /Use it .*Do not use it .*Example: \{.*\}.*Limits: /s, name)
    assert.equal(annotations?.readOnlyHint, name !== 'create_order')
    const example = JSON.parse(/Example: (\{.*?\})\. /s.exec(description)![1]!) as Json
    const names = Object.keys(inputSchema.properties ?? {})
    assert.deepEqual(
      Object.keys(example).filter((one) => !names.includes(one)),
      [],
      name,
    )
    const { isError, content } = await agent.call(name, example)
    if (isError) assert.equal(content['code'], 'not_found', `${name}: ${String(content['error'])}`)
  }
})

test('both forms of the protocol, over HTTP and through cradle mcp, give the same', async () => {
  const expected = await seenBy(agent)
  for (const form of FORMS) {
    for (const connect of [connectOverHttp, connectOverStdio]) {
      const other = await connect(service.server.url, service.key, form)
      assert.deepEqual(await seenBy(other), expected, `${form} by ${connect.name}`)
      await other.close()
    }
  }
})

async function seenBy({ client, call }: McpClient): Promise<unknown> {
  const { tools } = await client.listTools()
  const { resources } = await client.listResources()
  const { content } = await call('get_order', PLACE)
  const { content: missing } = await call('get_order', { ...PLACE, order_id: 'none' })
  const { contents } = await client.readResource({ uri: 'cradle://methodology/embodied' })
  const wrong = await client
    .callTool({ name: 'nothing', arguments: {} })
    .catch(({ code }: { readonly code: number }) => code)
  return { info: client.getServerVersion(), tools, resources, content, missing: missing['code'], contents, wrong }
}

/** Numbers without a unit: counts, scores, shares of 1, and positions. */
const WITHOUT_UNIT =
  /^(number_|devices_|orders_|lines_|left_off|item$|entry_no$|step$|score$|level$|gsd$|limit$|year$|data_quality)/
const UNIT = /_(kg_co2e|kg|km|months|percent|kg_co2e_per_(kg|tonne_km)|seconds)$|^(months|percent)$/

test('every number has its unit in the name of its field', async () => {
  const answers = [
    await agent.call('estimate_order', {
      ...ORDER,
      order_id: 'E-1',
      alternatives: [{ name: 'a', changes: { tenure_months: 6 } }],
    }),
    await agent.call('get_order', { ...PLACE, include: ['entries', 'events'] }),
    await agent.call('get_device_ledger', { id: 'S-1', include: ['history', 'entries', 'events'] }),
    await agent.call('report_emissions', { group_by: ['month', 'part'], date_basis: 'tenure', limit: 2 }),
    await agent.call('get_statement', { customer_id: 'acme', year: '2025' }),
    await agent.call('explain_number', PLACE),
    await agent.call('find_transport_or_packaging', { kind: 'packaging' }),
    await agent.call('find_transport_or_packaging', { kind: 'transport', words: 'VAN electric' }),
    await agent.call('match_device', { product_name: 'MacBook Air M3' }),
  ]
  const unnamed = new Set<string>()
  for (const { isError, content } of answers) {
    assert.equal(isError, false, JSON.stringify(content))
    JSON.stringify(content, (name, value: unknown) => {
      if (typeof value === 'number' && !UNIT.test(name) && !WITHOUT_UNIT.test(name)) unnamed.add(name)
      return value
    })
  }
  assert.deepEqual([...unnamed], [])
})

test('a tool asks nothing that is longer than a request of any other client may be', async () => {
  const customer = Array.from({ length: 5_000 }, (_, at) => `customer-${at}`)
  const { isError, content } = await agent.call('report_emissions', { customer })
  assert.deepEqual([isError, content['code']], [true, 'too_large'])
})

test('a wrong input is a result with the words of the API, not an error of the protocol', async () => {
  const wrong: readonly (readonly [string, Json, string, string])[] = [
    ['get_order', { customer_id: 'acme' }, 'invalid_request', '/order_id'],
    ['get_order', { ...PLACE, known_at: 'yesterday' }, 'invalid_request', '?known_at'],
    ['get_order', { ...PLACE, include: ['everything'] }, 'invalid_request', '/include/0'],
    ['explain_number', { ...PLACE, limit: 0 }, 'invalid_request', '/limit'],
    ['report_emissions', { group_by: ['parts'] }, 'invalid_request', '?group_by'],
    ['report_emissions', { grouped: true }, 'invalid_request', '/grouped'],
    ['match_device', {}, 'invalid_request', '?product_name'],
    ['estimate_order', { ...ORDER, order_id: 'E-2', items: [], order_date: 'soon' }, 'invalid_request', '/order_date'],
    ['create_order', { ...ORDER, order_date: '2025-01-11' }, 'conflict', '/order_date'],
    ['get_statement', { customer_id: 'acme', year: 'soon' }, 'invalid_request', '/year'],
  ]
  for (const [tool, args, code, path] of wrong) {
    const { isError, content } = await agent.call(tool, args)
    const details = (content['details'] ?? []) as readonly Json[]
    assert.deepEqual([isError, content['code']], [true, code], `${tool} ${JSON.stringify(content)}`)
    assert.ok(
      details.some((detail) => detail['path'] === path && String(detail['message']).length > 10),
      JSON.stringify(content),
    )
  }
  const { content } = await agent.call('report_emissions', { group_by: ['custmer'] })
  assert.deepEqual(
    (content['details'] as readonly Json[])[0]!['message'],
    await apiFault('/api/reports/emissions?group_by=custmer'),
  )
})

async function apiFault(path: string): Promise<unknown> {
  const { details } = JSON.parse((await service.ask(path)).text) as { readonly details: readonly Json[] }
  return details[0]!['message']
}

test('no id leads to another operation than that of the tool', async () => {
  for (const [tool, args] of [
    ['get_order', { customer_id: '..', order_id: 'keys' }],
    ['explain_number', { customer_id: '.', order_id: '..' }],
    ['get_device_ledger', { id: '..' }],
    ['get_statement', { customer_id: '..', year: '2025' }],
  ] as const) {
    const { isError, content } = await agent.call(tool, args)
    assert.deepEqual([isError, content['code']], [true, 'not_found'], JSON.stringify(content))
    assert.match(String(content['error']), /cannot be part of a path/)
  }
  for (const id of ['../keys', '%2e%2e', 'a/b', 'a?b#c', 'ä ö']) {
    const { isError, content } = await agent.call('get_order', { customer_id: id, order_id: 'keys' })
    assert.deepEqual([isError, content['code']], [true, 'not_found'], id)
    assert.ok(String(content['error']).includes(`customer "${id}"`), String(content['error']))
  }
})

test('null stands for an argument that is left out', async () => {
  const { isError } = await agent.call('get_order', { ...PLACE, known_at: null, include: null })
  assert.equal(isError, false)
})

test('an order is stored once, an estimate never, and ignored members are named', async () => {
  const sent = { ...order('acme', 'A-2', ['S-2']), colour: 'red' }
  assert.equal((await agent.call('estimate_order', sent)).isError, false)
  assert.equal((await agent.call('get_order', { ...PLACE, order_id: 'A-2' })).content['code'], 'not_found')
  const first = await agent.call('create_order', sent)
  assert.deepEqual([first.content['is_repetition'], first.content['ignored_members']], [false, ['/colour']])
  assert.equal((await agent.call('create_order', sent)).content['is_repetition'], true)
})

test('a result that is too large for an agent says how to ask for less', async () => {
  const serials = Array.from({ length: 400 }, (_, place) => `L-${place}`)
  const { isError, content } = await agent.call('estimate_order', order('acme', 'A-large', serials))
  assert.deepEqual([isError, content['code']], [true, 'too_large'])
  assert.match(String(content['error']), /ask for less/)
})

test('a receipt that is read as a resource verifies offline', async () => {
  const { contents } = await agent.client.readResource({ uri: 'cradle://receipts/acme/A-1' })
  const [receipt] = contents
  assert.ok(receipt && 'text' in receipt)
  assertEqual(verifyReceipt(receipt.text, service.server.referenceData.matching))
  await assert.rejects(agent.client.readResource({ uri: 'cradle://receipts/acme/none' }), /no order "none"/)
  await assert.rejects(agent.client.readResource({ uri: 'cradle://methodology/nothing' }))
  const writer = await connectOverHttp(service.server.url, await service.createKey(['orders:write']))
  await assert.rejects(writer.client.readResource({ uri: 'cradle://receipts/acme/A-1' }))
  await writer.close()
})

test('the key is needed, in either header; a session of the console is not enough', async () => {
  const { status, headers } = await send({ 'x-api-key': service.key })
  assert.equal(status, 200)
  assert.deepEqual([headers['cache-control'], headers['x-content-type-options']], ['no-store', 'nosniff'])
  assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/)
  assert.equal((await send({ authorization: `bearer ${service.key}` })).status, 200)
  const wrong: readonly Readonly<Record<string, string>>[] = [
    {},
    { 'x-api-key': `${service.key.slice(0, -1)}?` },
    { authorization: `Basic ${service.key}` },
    { cookie: `cradle_session=${'a'.repeat(43)}` },
  ]
  for (const headers of wrong) assert.equal((await send(headers)).status, 401, JSON.stringify(headers))
})

test('a page of another machine is refused with 403, one of this machine is not', async () => {
  for (const origin of ['https://evil.example', 'http://localhost.evil.example', 'null']) {
    const { status, text } = await send({ 'x-api-key': service.key, origin })
    assert.deepEqual([status, (JSON.parse(text) as Json)['code']], [403, 'foreign_origin'], origin)
  }
  assert.equal((await send({ 'x-api-key': service.key, origin: 'http://localhost:6274' })).status, 200)
})

test('there are no sessions and no streams, and a body has the limits of any other', async () => {
  const key = { 'x-api-key': service.key }
  for (const method of ['GET', 'DELETE']) assert.equal((await send(key, undefined, method)).status, 405, method)
  assert.equal((await send(key, { ...PING, params: { text: 'x'.repeat(2 ** 20) } })).status, 413)
  assert.equal((await send({ ...key, 'content-type': 'text/plain' })).status, 415)
  assert.equal((await send(key, 'no message')).status, 400)
  assert.equal((await send(key, [PING, PING])).status, 400)
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const listen = { ...PING, method: 'subscriptions/listen', params: { notifications: {}, _meta: meta } }
  const { text } = await send({ ...key, 'mcp-protocol-version': '2026-07-28', 'mcp-method': listen.method }, listen)
  assert.match(text, /Subscription limit reached/)
})

test('cradle mcp says at once that the key or the address is wrong, and exits with 1', async () => {
  const { url } = service.server
  const faults: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
    [{ CRADLE_URL: url, CRADLE_API_KEY: '' }, /CRADLE_API_KEY is not set/],
    [{ CRADLE_URL: url, CRADLE_API_KEY: `${service.key}x` }, /answers with 401: The API key is missing or invalid/],
    [{ CRADLE_URL: 'http://127.0.0.1:9', CRADLE_API_KEY: service.key }, /http:\/\/127\.0\.0\.1:9 does not answer/],
    [{ CRADLE_URL: 'nowhere', CRADLE_API_KEY: service.key }, /CRADLE_URL is not a URL/],
  ]
  for (const [env, reason] of faults) {
    const child = spawn(CRADLE, ['mcp'], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    const printed = Promise.all([readAll(child.stdout), readAll(child.stderr)])
    const [status] = (await once(child, 'exit')) as [number]
    const [stdout, stderr] = await printed
    assert.deepEqual([status, stdout], [1, ''], stderr)
    assert.match(stderr, reason)
  }
})

test('a call of a tool counts as a request of the key, and so does the operation that it calls', async () => {
  const limited = await startService({ beside: service, settings: { keyRequestsPerSecondMax: 1 } })
  const params = { name: 'get_order', arguments: PLACE }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const attempt = async () => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const sent = { method: 'POST', headers: { ...headers, 'x-api-key': await service.createKey() }, body }
    return (await exchange(limited.server.url, '/mcp', sent)).text
  }
  // Two of them: a new second may begin between the request and its operation.
  assert.match((await attempt()) + (await attempt()), /too_many_requests.*retry_after_seconds.*"isError":true/)
  await limited.stop()
})
