// What clients see, kept as files: a change of any answer is a change of these files, which a review sees.
// `UPDATE_GOLDEN=1 npx node --test --test-global-setup=test/test-postgres.ts test/golden.test.ts` writes them anew.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCaseBook } from './case-book.ts'
import { readHistoryCases, readOrderCases, type CaseOrder } from './case-files.ts'
import { exchange, type Sent } from './raw-http.ts'
import { startService, type Service } from './service.ts'

const GOLDEN = join(import.meta.dirname, 'golden')
/** The histories of these are also read as receipts, statements and verifications, which are long. */
const IN_FULL = new Set(['early-return', 'refurbishment'])

let service: Service
before(async () => void (service = await startService({ book: readCaseBook('book.json'), account: 'golden' })))
after(() => service.stop())

async function send(path: string, sent: Sent = {}): Promise<string> {
  const { status, headers, text } = await exchange(service.server.url, path, {
    ...sent,
    headers: { 'x-api-key': service.key, ...sent.headers },
  })
  return `${sent.method ?? 'GET'} ${path}\n${status} ${headers['content-type']}\n${text.trimEnd()}\n\n`
}

const post = (path: string, body: unknown) =>
  send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

/** What differs from run to run: times, hashes, signatures, ids of requests and keys, cursors. */
const withoutChance = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
    .replaceAll(/\b[0-9a-f]{64}\b/g, '<hash>')
    .replaceAll(/"eyJ[\w-]+\.[\w-]+\.[\w-]{86}"/g, '"<signature>"')
    .replaceAll(/"recorded_by":\{"key":"[^"]+"/g, '"recorded_by":{"key":"<chance>"')
    .replaceAll(/"(public_key|fingerprint|next_cursor|key_id)":"[^"]+"/g, '"$1":"<chance>"')

function assertGolden(file: string, text: string): void {
  const path = join(GOLDEN, file)
  const found = withoutChance(text)
  if (process.env['UPDATE_GOLDEN'] === '1') return writeFileSync(path, found)
  const lines = found.split('\n')
  const before = readFileSync(path, 'utf8').split('\n')
  const at = lines.findIndex((line, no) => line !== before[no])
  if (at === -1) return assert.equal(lines.length, before.length)
  const [is, was] = [lines[at]!, before[at] ?? '']
  const from = Math.max(0, [...is].findIndex((character, column) => character !== was[column]) - 60)
  assert.equal(is.slice(from, from + 200), was.slice(from, from + 200), `test/golden/${file}:${at + 1}`)
}

const orderPath = ({ customer_id, order_id }: Pick<CaseOrder, 'customer_id' | 'order_id'>): string =>
  `/api/customer-orders/${encodeURIComponent(customer_id)}/${encodeURIComponent(order_id)}`

test('the document is as it was', async () => {
  const document = (await send('/openapi.json')).split('\n').slice(2).join('\n')
  const { components, ...rest } = JSON.parse(document) as { readonly components: { readonly schemas: object } }
  // Their sequence says nothing to a client.
  const schemas = Object.fromEntries(Object.entries(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
  assertGolden('openapi.json', `${JSON.stringify({ ...rest, components: { ...components, schemas } }, null, 1)}\n`)
})

test('the worked orders are answered as they were', async () => {
  let text = ''
  for (const { order, book } of readOrderCases()) {
    if (book !== 'book.json') continue
    text += await post('/api/estimates', order)
    text += await post('/api/customer-orders', order)
    text += await send(`${orderPath(order)}?include=calculation,entries,events`)
  }
  assertGolden('orders.txt', text)
})

test('the worked histories are answered as they were, and so is what is read of them', async () => {
  let text = ''
  const customers = new Set<string>()
  for (const { id, book, amortisation, steps } of readHistoryCases()) {
    // Each correction has another id.
    const isCorrected = steps.some((step) => 'corrected' in step)
    if (book !== 'book.json' || amortisation !== undefined || isCorrected) continue
    const orders = steps.flatMap((step) => ('order' in step ? [step.order] : []))
    const { customer_id } = orders[0]!
    for (const step of steps) {
      if ('order' in step) text += await post('/api/customer-orders', step.order)
      else if ('of_order' in step)
        text += await post(`${orderPath({ customer_id, order_id: step.of_order })}/events`, step.event)
      else if ('of_device' in step)
        text += await post(`/api/devices/${encodeURIComponent(step.of_device)}/events`, step.event)
    }
    const serials = new Set(orders.flatMap(({ items }) => items.map(({ config }) => config['serial_number'] ?? null)))
    for (const order of orders) text += await send(`${orderPath(order)}?include=entries,events`)
    for (const serial of serials)
      if (serial !== null) text += await send(`/api/device-emissions/${String(serial)}?include=entries,history`)
    if (!IN_FULL.has(id)) continue
    customers.add(customer_id)
    for (const order of orders) {
      text += await send(`${orderPath(order)}/receipt`)
      text += await send(`${orderPath(order)}/verification`)
    }
  }
  for (const customer of customers) text += await send(`/api/statements/${encodeURIComponent(customer)}/2025`)
  assertGolden('histories.txt', text)
})

test('lists, reports, exports and refusals are answered as they were', async () => {
  let text = ''
  for (const path of [
    '/api/customer-orders?limit=5',
    '/api/devices?limit=5',
    '/api/products?limit=5',
    '/api/product-states',
    '/api/device-model-emissions?limit=3',
    '/api/reports/emissions?from=2025-01&to=2025-12&group_by=month,scope',
    '/api/reports/emissions?from=2025-01&to=2025-12&group_by=customer&date_basis=order',
    '/api/reports/quality?from=2025-01-01&to=2025-12-31',
    '/api/exports/orders?format=csv',
    '/api/import-templates/items',
    '/api/account',
    '/api/nothing-here',
    '/api/customer-orders?limit=0&country=XX',
    '/api/reports/emissions?from=2025-13&group_by=moon',
    '/api/device-emissions/NOT-THERE',
  ])
    text += await send(path)
  text += await post('/api/customer-orders', {
    customer_id: '',
    items: [{ type: 'product', config: {} }, { type: 'moon' }],
  })
  text += await send('/api/match?product_name=MacBook%20Air%2013%20M3')
  assertGolden('answers.txt', text)
})
