// The list of products that were guessed: heaviest first, with what hangs on each and what it may be; page by page.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Json } from './document-check.ts'
import { milligrams } from './order-client.ts'
import { startService, type Service } from './service.ts'
import { PRODUCTS, createProductClient, productPath, type ProductClient } from './product-client.ts'

let service: Service
let client: ProductClient
const totals = new Map<string, bigint>()
before(async () => {
  service = await startService()
  client = createProductClient(service)
  const order = async (id: string, config: Json) => {
    const { total } = await client.order(id, config)
    const product = String(config['product_id'])
    totals.set(product, (totals.get(product) ?? 0n) + milligrams(total))
  }
  await order('l1', { product_id: 'Q-1', device_type: 'laptop', product_name: 'no name of any model', brand: 'Nobody' })
  await order('l2', { product_id: 'Q-1', device_type: 'laptop' })
  await order('l3', { product_id: 'Q-2' })
  await order('l4', { product_id: 'Q-3', product_name: 'MacBook Air 13 M3 256GB' })
  await order('l5', { product_id: 'iphone 15', tenure_months: 30 })
  await order('l6', { product_id: 'apple-macbook-air-13-m3-256gb' })
  await order('l7', { product_id: 'Q-4', device_type: 'monitor' })
  await client.put('Q-4', { device_type: 'monitor' })
  await client.put('never ordered', { model_id: 'apple-iphone-15-128gb' })
})
after(() => service.stop())

const idsOf = (listed: readonly Json[]) => listed.map((one) => one['product_id'])

test('what was guessed is listed heaviest first, with its emission, and what is certain or mapped is not', async () => {
  const listed = await client.list()
  assert.deepEqual(new Set(idsOf(listed)), new Set(['Q-1', 'Q-2', 'Q-3', 'iphone 15']))
  for (const { product_id: id, posted_emission: posted } of listed) {
    assert.equal(milligrams(posted), totals.get(String(id)), String(id))
  }
  const weights = listed.map((one) => Number(one['posted_emission']))
  assert.deepEqual(
    weights,
    weights.toSorted((a, b) => b - a),
  )
  const first = listed.find((one) => one['product_id'] === 'Q-1')!
  assert.deepEqual([first['number_of_orders'], first['number_of_devices'], first['state']], [2, 2, 'unmatched'])
  assert.deepEqual([first['product_name'], first['brand']], ['no name of any model', 'Nobody'])
})

test('states tell how a product was found, and the candidates what it may be', async () => {
  const named = await client.list('?state=name')
  assert.deepEqual(idsOf(named), ['Q-3'])
  const candidates = named[0]!['candidates'] as readonly Json[]
  assert.equal(candidates[0]!['model_id'], 'apple-macbook-air-13-m3-256gb')
  assert.ok(candidates.length <= 3)
  assert.deepEqual(named[0]!['footprint_id'], ['apple-macbook-air-13-m3-256gb'])
  assert.deepEqual(idsOf(await client.list('?state=variant')), ['iphone 15'])
  const mapped = await client.list('?state=mapped')
  assert.deepEqual(idsOf(mapped), ['Q-4', 'never ordered'])
  assert.equal(milligrams(mapped[0]!['posted_emission']), totals.get('Q-4'))
  assert.deepEqual([mapped[1]!['posted_emission'], mapped[1]!['number_of_orders']], [0, 0])
  assert.equal((mapped[1]!['mapping'] as Json)['model_id'], 'apple-iphone-15-128gb')
})

test('pages of any size visit every product once, in the sequence of the list', async () => {
  const states = 'state=unmatched,variant,name,mapped'
  const all = await client.list(`?${states}`)
  assert.equal(all.length, 6)
  for (const limit of [1, 4]) {
    const visited: Json[] = []
    for (let next: string | undefined = `${PRODUCTS}?${states}&limit=${limit}`; next !== undefined;) {
      const { text, headers } = await client.send('GET', next)
      visited.push(...(JSON.parse(text) as readonly Json[]))
      next = /^<([^>]+)>; rel="next"$/.exec(String(headers.link))?.[1]
    }
    assert.deepEqual(visited, all)
  }
})

test('a cursor of another account, an unknown state and a limit out of range are refused', async () => {
  const { headers } = await client.send('GET', `${PRODUCTS}?limit=1`)
  const cursor = /cursor=([^&>]+)/.exec(String(headers.link))![1]!
  const stranger = createProductClient(service, await service.createKey(undefined, null, 'stranger'))
  for (const query of [`cursor=${cursor}`, 'cursor=AAAA', 'state=weak', 'limit=0', 'limit=101', 'q=1']) {
    assert.equal((await stranger.send('GET', `${PRODUCTS}?${query}`)).status, 400, query)
  }
  assert.deepEqual(await stranger.list(), [])
})

test('words are matched without an order, with a score and a reason for every candidate', async () => {
  const match = async (query: string) => {
    const { status, text } = await client.send('GET', `/api/match?${query}`)
    assert.equal(status, 200, text)
    return JSON.parse(text) as Json & { readonly candidates: readonly Json[] }
  }
  const named = await match('product_name=MacBook%20Air%2013%20M3%20256GB&brand=Apple&device_type=laptop')
  assert.deepEqual([named['resolved_to'], named['match_method']], ['apple-macbook-air-13-m3-256gb', 'name'])
  assert.ok(named.candidates.every(({ score, reasons }) => Number(score) <= 1 && (reasons as string[]).length > 0))
  const exact = await match('product_id=apple-macbook-air-13-m3-256gb')
  assert.deepEqual([exact['match_method'], exact.candidates.length], ['product_id', 1])
  assert.equal((await match('product_id=P-000123&device_type=laptop'))['match_method'], 'type')
  assert.equal((await match('product_id=Q-4'))['match_method'], 'weight-fit')
  const faulty = ['', 'brand=Apple', 'product_name=', 'product_name=a%00', 'product_id=x&device_type=toaster']
  const unweighable = ['0', '-1', '40001', '1e3', '', 'a'].map((weight) => `product_id=x&weight_kg=${weight}`)
  for (const query of [...faulty, 'product_name=%20', 'product_id=%20', ...unweighable]) {
    assert.equal((await client.send('GET', `/api/match?${query}`)).status, 400, query)
  }
})

test('an answer says what determined the type of a device whose model is not known', async () => {
  const told = async (query: string) => {
    const { text } = await client.send('GET', `/api/match?${query}`)
    return (JSON.parse(text) as Json)['type_evidence']
  }
  assert.deepEqual(await told('product_name=Vostro%203511&brand=Dell'), { type: 'laptop', by: 'line', words: 'vostro' })
  assert.deepEqual(await told('product_name=Gaming%20Notebook'), { type: 'laptop', by: 'word', words: 'notebook' })
  assert.deepEqual(await told('product_name=X90&brand=Vivo&weight_kg=0.2'), {
    type: 'mobile',
    by: 'maker',
    words: 'vivo',
  })
  assert.deepEqual(await told('product_name=HP%2014%20Celeron%204GB%20RAM'), { type: 'laptop', by: 'equipment' })
  assert.deepEqual(await told('product_name=OptiPlex%207010'), { type: 'none', by: 'line', words: 'optiplex' })
  for (const untold of [
    'product_name=Gaming%20Notebook&device_type=laptop',
    'product_name=MacBook%20Air%2013%20M3%20256GB',
    'product_name=ThinkPad%20T14%20Gen%203',
    'product_name=Laptop%20Tasche',
    'product_id=Q-9',
  ])
    assert.equal(await told(untold), undefined, untold)
})

test('a stand-in by weight has a figure for a weight that was sent, and none for one that nobody named', async () => {
  const match = async (query: string) => JSON.parse((await client.send('GET', `/api/match?${query}`)).text) as Json
  const unweighed = await match('product_id=Q-9')
  assert.equal(unweighed['resolved_to'], 'weight-fit')
  assert.match(String(unweighed['note']), /send weight_kg/)
  const weighed = await match('product_id=Q-9&weight_kg=2.5')
  assert.deepEqual([weighed['resolved_to'], weighed['note']], ['weight-fit@2.5kg', undefined])
  assert.equal((await match('product_id=apple-macbook-air-13-m3-256gb'))['note'], undefined)
})

test('what was charged by a mapping that is gone, or has no effect any more, is listed with its emission', async () => {
  const other = createProductClient(service, await service.createKey(undefined, null, 'gone'))
  await other.put('G-1', { model_id: 'apple-iphone-15-128gb' })
  await other.put('G-2', { model_id: 'apple-iphone-15-128gb' })
  const { total } = await other.order('g1', { product_id: 'G-1' })
  await other.order('g2', { product_id: 'G-2' })
  assert.deepEqual(await other.list(), [])
  await other.send('DELETE', productPath('G-1'))
  const [wasMapped, ...none] = await other.list()
  assert.deepEqual(none, [])
  assert.deepEqual([wasMapped!['product_id'], wasMapped!['state']], ['G-1', 'was_mapped'])
  assert.equal(milligrams(wasMapped!['posted_emission']), milligrams(total))

  // As a later release of the datasets leaves a mapping behind.
  await service.pool.query("update product_mappings set model_id = 'gone' where product_id = 'G-2'")
  const [stale] = await other.list('?state=stale')
  const mapping = stale!['mapping'] as Json
  assert.deepEqual([stale!['product_id'], mapping['model_id'], mapping['is_in_catalogue']], ['G-2', 'gone', false])
  assert.deepEqual(new Set(idsOf(await other.list())), new Set(['G-1', 'G-2']))
  assert.deepEqual(await other.list('?state=mapped'), [])
  const one = JSON.parse((await other.send('GET', productPath('G-2'))).text) as Json
  assert.deepEqual(one, mapping)
})

test('what hangs on each state is the sum of its list, and a mapping moves it at once', async () => {
  const own = createProductClient(service, await service.createKey(undefined, null, 'sums'))
  const sums = async () => JSON.parse((await own.send('GET', '/api/product-states')).text) as readonly Json[]
  assert.deepEqual(await sums(), [])
  await own.order('s1', { product_id: 'S-1', device_type: 'laptop' })
  await own.order('s2', { product_id: 'S-2', device_type: 'monitor' })
  const listed = await own.list()
  const total = listed.reduce((sum, one) => sum + milligrams(one['posted_emission']), 0n)
  const [before] = await sums()
  assert.deepEqual(
    [before!['state'], before!['number_of_products'], milligrams(before!['posted_emission'])],
    ['unmatched', 2, total],
  )
  await own.put('S-1', { device_type: 'laptop' })
  const [mapped, unmatched] = await sums()
  assert.deepEqual(
    [mapped!['state'], mapped!['number_of_products'], unmatched!['number_of_products']],
    ['mapped', 1, 1],
  )
  assert.equal(milligrams(mapped!['posted_emission']) + milligrams(unmatched!['posted_emission']), total)
  assert.equal((await own.send('GET', '/api/product-states?state=mapped')).status, 400)
})

test('an order that is corrected there and back counts once', async () => {
  const { total } = await client.order('l8', { product_id: 'Q-8' })
  for (const [months, weight] of [
    [18, 1.3],
    [12, 1.24],
  ]) {
    const config = { product_id: 'Q-8', serial_number: 'l8', tenure_months: months, weight_kg: weight }
    const order = {
      customer_id: 'acme',
      order_id: 'l8',
      order_date: '2025-01-10',
      tenure_start_date: '2025-02-01',
      items: [{ type: 'product', config }],
    }
    const headers = { 'content-type': 'application/json', 'if-match': '*' }
    const put = { method: 'PUT', headers, body: JSON.stringify(order) }
    assert.equal((await service.ask('/api/customer-orders/acme/l8', put)).status, 200)
  }
  const listed = (await client.list()).find((one) => one['product_id'] === 'Q-8')!
  assert.deepEqual([listed['number_of_orders'], listed['posted_emission']], [1, total])
})
