// What an account says that its product ids are: it wins over every guess from the next order on, in every process.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { verifyAll } from '../src/cli/verify.ts'
import type { Json } from './document-check.ts'
import { startService, type Service } from './service.ts'
import { PRODUCTS, createProductClient, productPath, type ProductClient } from './product-client.ts'

const AIR = 'apple-macbook-air-13-m3-256gb'
const PHONE = 'apple-iphone-15-128gb'

let service: Service
let client: ProductClient
before(async () => {
  service = await startService()
  client = createProductClient(service)
})
after(() => service.stop())

const problemsOf = async (method: string, path: string, body?: unknown): Promise<readonly Json[]> => {
  const { status, text } = await client.send(method, path, body)
  assert.equal(status, 400, text)
  return (JSON.parse(text) as { readonly details: readonly Json[] }).details
}
const pathsOf = (problems: readonly Json[]) => problems.map(({ path }) => path)

test('a mapping counts from the next order on, and what is posted stays', async () => {
  const before = await client.order('m1', { product_id: 'P-1', device_type: 'laptop' })
  assert.match(before.description, /stands in/)
  assert.equal((await client.put('P-1', { model_id: 'Apple-MacBook-Air-13-M3-256GB' }))['model_id'], AIR)
  const mapped = await client.order('m2', { product_id: 'P-1', device_type: 'laptop' })
  assert.match(mapped.description, /MacBook Air 13 M3/)
  assert.deepEqual(mapped.notes.slice(0, 1), [`The account maps "P-1" to ${AIR}.`])
  assert.equal((await client.order('m1', { product_id: 'P-1', device_type: 'laptop' })).total, before.total)
  await client.put('P-1', { device_type: 'tablet' })
  assert.match((await client.order('m3', { product_id: ' P-1 ' })).description, /a typical tablet|Tablet/i)
  assert.equal((await client.send('DELETE', productPath('P-1'))).status, 200)
  const back = await client.order('m4', { product_id: 'P-1', device_type: 'laptop' })
  assert.equal(back.description, before.description)
})

test('a mapping wins over an alias and over the words, and a model that the order names wins over it', async () => {
  await client.put(AIR, { model_id: PHONE })
  assert.match(
    (await client.order('w1', { product_id: AIR, product_name: 'MacBook Air 13 M3' })).description,
    /iPhone 15/,
  )
  assert.match((await client.order('w2', { product_id: AIR, model_id: AIR })).description, /MacBook Air 13 M3/)
  await client.send('DELETE', productPath(AIR))
})

test('another process charges by a mapping within a second, and so does an order after a restart', async () => {
  const other = await startService({ beside: service })
  const beside = createProductClient(other)
  assert.match((await beside.order('o1', { product_id: 'P-2' })).description, /stands in/)
  await client.put('P-2', { model_id: PHONE })
  const until = Date.now() + 1_000
  let count = 0
  // Asked until it is right: the promise is that it is, at the latest, a second after the mapping was answered.
  for (;;) {
    const isLate = Date.now() >= until
    const { description } = await beside.order(`o2-${(count += 1)}`, { product_id: 'P-2' })
    if (description.includes('iPhone 15')) break
    assert.ok(!isLate, `after a second, still: ${description}`)
  }
  await other.stop()
  const restarted = await startService({ beside: service })
  const again = createProductClient(restarted)
  assert.match((await again.order('o3', { product_id: 'P-2' })).description, /iPhone 15/)
  await restarted.stop()
})

test('one account’s mappings are nothing to another', async () => {
  await client.put('P-3', { model_id: PHONE })
  const stranger = createProductClient(service, await service.createKey(undefined, null, 'stranger'))
  assert.equal((await stranger.send('GET', productPath('P-3'))).status, 404)
  assert.equal((await stranger.send('DELETE', productPath('P-3'))).status, 404)
  assert.match((await stranger.order('s1', { product_id: 'P-3' })).description, /stands in/)
  assert.deepEqual(await stranger.list('?state=mapped'), [])
})

test('many are put at once or not at all, and every fault is told where it stands', async () => {
  const put = await client.send('PUT', PRODUCTS, [
    { product_id: 'B-1', model_id: AIR },
    { product_id: 'B-2', device_type: 'monitor', colour: 'red' },
  ])
  assert.equal(put.status, 200)
  assert.equal(put.headers['x-ignored-members'], '/1/colour')
  const [first, second] = JSON.parse(put.text) as readonly Json[]
  assert.deepEqual([first!['model_id'], second!['device_type']], [AIR, 'monitor'])
  const problems = await problemsOf('PUT', PRODUCTS, [
    { product_id: 'B-3', model_id: AIR },
    { product_id: 'B-4', model_id: 'apple-macbook-air-13-m3-265gb' },
    { product_id: 'B-3', device_type: 'laptop' },
    { product_id: 'B-5' },
    { product_id: 'B-6', model_id: AIR, device_type: 'laptop' },
    { product_id: 'B-7', device_type: 'toaster' },
    { product_id: '  ', device_type: 'laptop' },
    'B-8',
  ])
  const expected = ['/1/model_id', '/2/product_id', '/3/model_id', '/5/device_type', '/6/product_id', '/7']
  assert.deepEqual(pathsOf(problems).toSorted(), [...expected, '/4/device_type'].toSorted())
  const unknown = problems.find(({ path }) => path === '/1/model_id')!
  assert.ok((unknown['suggestions'] as readonly string[]).includes(AIR))
  for (const id of ['B-3', 'B-6']) assert.equal((await client.send('GET', productPath(id))).status, 404)
  const many = Array.from({ length: 1001 }, (_, at) => ({ product_id: `X-${at}`, device_type: 'laptop' }))
  assert.deepEqual(pathsOf(await problemsOf('PUT', PRODUCTS, many)), [''])
  assert.equal((await client.send('PUT', PRODUCTS, many.slice(1))).status, 200)
  assert.equal((await client.send('PUT', PRODUCTS, [])).text, '[]')
  await problemsOf('PUT', PRODUCTS, { product_id: 'B-1', model_id: AIR })
})

test('a mapping that cannot be is refused, with what was meant', async () => {
  const [unknown] = await problemsOf('PUT', productPath('P-4'), { model_id: 'apple-iphone-15-182gb' })
  assert.equal(unknown!['path'], '/model_id')
  assert.ok((unknown!['suggestions'] as readonly string[]).includes(PHONE))
  for (const body of [{}, { model_id: AIR, device_type: 'laptop' }, { model_id: 3 }, { device_type: null }, []]) {
    assert.equal((await problemsOf('PUT', productPath('P-4'), body)).length, 1, JSON.stringify(body))
  }
  for (const path of [`${PRODUCTS}/%20`, `${PRODUCTS}/a%00b`, `${PRODUCTS}/${'x'.repeat(201)}`]) {
    await problemsOf('PUT', path, { model_id: AIR })
  }
  assert.equal((await client.send('GET', productPath('P-4'))).status, 404)
})

test('the same mapping again changes nothing, and a key without the scope may not map', async () => {
  const first = await client.put('P-5', { model_id: AIR })
  assert.deepEqual(await client.put('P-5', { model_id: AIR }), first)
  assert.deepEqual(JSON.parse((await client.send('GET', productPath('P-5'))).text), first)
  const reader = createProductClient(service, await service.createKey(['orders:read']))
  assert.equal((await reader.send('GET', productPath('P-5'))).status, 200)
  assert.equal((await reader.send('PUT', productPath('P-5'), { model_id: PHONE })).status, 403)
  assert.equal((await reader.send('DELETE', productPath('P-5'))).status, 403)
})

test('with mappings, verify --all finds no difference, and a forged one is found', async () => {
  await client.put('P-6', { model_id: AIR })
  await client.order('v1', { product_id: 'P-6' })
  await client.put('P-6', { device_type: 'laptop' })
  assert.deepEqual((await verifyAll(service.pool)).lines, [])
  const forge = (to: string) => service.pool.query(`update orders set match_methods = $1 where order_id = 'v1'`, [to])
  await forge(`mapping:${PHONE}`)
  assert.match(
    (await verifyAll(service.pool)).lines.join('\n'),
    /order "v1".*footprint_ids: found .*expected apple-iphone/,
  )
  await forge(`mapping:${AIR}`)
})

test('a product id may be as long in a path as in a list, and none that a path cannot hold is mapped', async () => {
  const long = 'é'.repeat(200)
  const put = await client.send('PUT', PRODUCTS, [{ product_id: ` ${long.normalize('NFD')} `, device_type: 'laptop' }])
  assert.equal(put.status, 200, put.text)
  assert.equal((await client.send('GET', productPath(` ${long.normalize('NFD')} `))).status, 200)
  for (const id of [`${long}é`, '.', '..', ' . ', 'a\nb', ' ']) {
    const ofMany = await problemsOf('PUT', PRODUCTS, [{ product_id: id, device_type: 'laptop' }])
    assert.deepEqual(pathsOf(ofMany), ['/0/product_id'], JSON.stringify(id))
    if (/^\.\.?$/.test(id)) assert.match(String(ofMany[0]!['message']), /a path that ends with it/)
    else assert.equal((await problemsOf('PUT', productPath(id), { device_type: 'laptop' })).length, 1)
  }
})

test('a member that was probably meant is named, and a product id beside that of the path is refused', async () => {
  const [missing] = await problemsOf('PUT', productPath('P-7'), { modell_id: AIR })
  assert.match(String(missing!['message']), /\(a member "modell_id" was sent instead\)/)
  const [many] = await problemsOf('PUT', PRODUCTS, [{ product_id: 'P-7', device_typ: 'laptop' }])
  assert.match(String(many!['message']), /\(a member "device_typ" was sent instead\)/)
  for (const other of ['P-8', 7, null]) {
    const problems = await problemsOf('PUT', productPath('P-7'), { product_id: other, model_id: AIR })
    assert.deepEqual(pathsOf(problems), ['/product_id'])
  }
  await client.put('P-7', { product_id: ' P-7 ', model_id: AIR })
})

test('what is not JSON is refused in words that fit every operation', async () => {
  const { status, text } = await service.ask(PRODUCTS, { method: 'PUT', headers: { 'content-type': 'a/b' }, body: 'x' })
  assert.equal(status, 415)
  assert.match(text, /Send the body with the header/)
})
