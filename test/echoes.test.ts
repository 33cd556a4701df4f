// No answer repeats much of what was sent: of names that take a megabyte it shows how they begin.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { EXAMPLE_ORDER } from '../src/http/schemas/examples.ts'
import { ApiError, errorBody, invalidRequest } from '../src/contract/errors.ts'
import { REQUEST_MESSAGES } from '../src/contract/messages.ts'
import { defineMessages } from '../src/engine/message.ts'
import type { Json } from './document-check.ts'
import { createImportClient } from './import-client.ts'
import { startService, type Service } from './service.ts'

let service: Service
before(async () => void (service = await startService()))
after(() => service.stop())

const LONG = 'n'.repeat(900_000)
/** 50 faults, each with how a place, a sentence and a few suggestions begin. */
const ANSWER_CHARACTERS_MAX = 60_000

test('a failure says where and what in few characters, however long the names are that it is about', () => {
  const { long } = defineMessages({ long: '{text}' })
  const problem = { path: `/${LONG}`, ...long({ text: LONG }), suggestions: ['short', LONG] }
  const { error, details } = JSON.parse(errorBody(invalidRequest([problem]), 'x')) as {
    error: string
    details: readonly Json[]
  }
  assert.ok(error.length < 2_100)
  assert.ok(JSON.stringify(details).length < 4_000)
  assert.deepEqual(details[0]!['suggestions'], ['short'])
  for (const code of ['unauthorized', 'conflict', 'not_found'] as const) {
    assert.ok(errorBody(new ApiError(code, long({ text: LONG }), [problem]), 'x').length < 6_500, code)
  }
  const usual = invalidRequest([{ path: '/items/0', ...REQUEST_MESSAGES.required() }])
  assert.match(errorBody(usual, 'x'), /"path":"\/items\/0","message":"Is missing"/)
})

test('a name or a value of a megabyte is not echoed, wherever it stands', async () => {
  const json = { 'content-type': 'application/json' }
  const [item, ...others] = EXAMPLE_ORDER.items!
  const withItem = (more: object) => ({ ...EXAMPLE_ORDER, items: [{ ...item, ...more }, ...others] })
  const bodies = [
    { ...EXAMPLE_ORDER, metadata: { [LONG]: 'x' } },
    { ...EXAMPLE_ORDER, metadata: { [LONG]: 3 } },
    { ...EXAMPLE_ORDER, [LONG]: 1, order_id: 5 },
    { ...EXAMPLE_ORDER, order_id: LONG },
    withItem({ type: LONG }),
    withItem({ config: { ...item!.config, product_id: LONG, [LONG.slice(1)]: 3, serial_number: 4 } }),
  ]
  for (const [at, body] of bodies.entries()) {
    for (const path of ['/api/customer-orders', '/api/estimates']) {
      const { text, headers } = await service.ask(path, { method: 'POST', headers: json, body: JSON.stringify(body) })
      assert.ok(text.length < ANSWER_CHARACTERS_MAX, `body ${at} of ${path}: ${text.length} characters`)
      assert.ok(JSON.stringify(headers).length < 6_000)
    }
  }
  for (const text of [`{"${LONG}":`, `{"a":"${LONG}`, LONG, `{"${LONG}":1,"${LONG}":2}`.slice(0, 1_000_000)]) {
    const answer = await service.ask('/api/customer-orders', { method: 'POST', headers: json, body: text })
    assert.ok(answer.text.length < ANSWER_CHARACTERS_MAX, `${answer.text.length} characters`)
  }
})

test('a header of a megabyte in a file is not echoed', async () => {
  const client = createImportClient(service)
  const row = 'a,b,2025-01-01'
  for (const head of [`customer_id,order_id,${LONG}`, `${LONG},order_id,${LONG}x`, `"${LONG}",b,c`]) {
    const { text } = await client.send(`${head}\n${row}\n`)
    assert.ok(text.length < ANSWER_CHARACTERS_MAX, `${text.length} characters`)
  }
})

test('a list of imports with thousands of columns comes in pages that bear it, each import once', async () => {
  const client = createImportClient(service)
  const file = 'customer_id,order_id,order_date,tenure_start_date,type\nacme,x,y,z,product\n'
  for (let sent = 0; sent < 5; sent += 1) await client.run(file)
  const columns = JSON.stringify(Array.from({ length: 10_000 }, (_, at) => ({ header: `note ${at}`, member: null })))
  await service.pool.query(`update imports set detected = jsonb_set(detected::jsonb, '{columns}', $1::jsonb)::text`, [
    columns,
  ])
  const seen: unknown[] = []
  let pages = 0
  for (let path: string | undefined = '/api/imports'; path !== undefined; pages += 1) {
    const { text, headers } = await service.ask(path)
    assert.ok(text.length < 2_000_000, `${text.length} characters`)
    seen.push(...(JSON.parse(text) as readonly Json[]).map(({ import_id: id }) => id))
    path = /<([^>]+)>; rel="next"/.exec(String(headers['link']))?.[1]
  }
  assert.deepEqual(seen, [5, 4, 3, 2, 1])
  assert.ok(pages > 1)
})
