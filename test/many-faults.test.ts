// Bodies with more errors than an answer has room for: refused as any other, however many there are.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Json } from './document-check.ts'
import type { AskedService } from './asked-service.ts'
import { sharedService } from './shared-service.ts'
import { AIR_LEG, laptop, orderOf } from './receipt-client.ts'

let service: AskedService
before(async () => void (service = await sharedService()))
after(() => service.stop())

const problemsOf = async (method: string, path: string, body: unknown) => {
  const headers = { 'content-type': 'application/json' }
  const { status, text } = await service.ask(path, { method, headers, body: JSON.stringify(body) })
  assert.equal(status, 400, text.slice(0, 500))
  return (JSON.parse(text) as { readonly details: readonly Json[] }).details
}

const withItems = (items: readonly unknown[]): Json => ({ ...orderOf('acme', 'f', '2025-01-01', []), items })
const TYPES: readonly unknown[] = [null, 1, true, 'x', []]

test('any number of faulty elements of any kind is refused, with the first fifty of them', async () => {
  const paths = [
    ['POST', '/api/customer-orders'],
    ['POST', '/api/estimates'],
  ] as const
  const ofItem: Readonly<Record<string, (at: number) => unknown>> = {
    'a serial number that is a number': (at) => laptop('A', 3, { serial_number: at }),
    'a type that there is not': () => ({ ...laptop('A', 3), type: 'produkt' }),
    'a config that is none': () => ({ type: 'product', config: null }),
    'no item at all': () => null,
    'any other type': (at) => TYPES[at % TYPES.length],
  }
  const ofMapping: Readonly<Record<string, (at: number) => unknown>> = {
    'a product id that is a number': (at) => ({ product_id: at, device_type: 'laptop' }),
    'a type that there is not': (at) => ({ product_id: `P${at}`, device_type: 'toaster' }),
    'no mapping at all': () => null,
    'any other type': (at) => TYPES[at % TYPES.length],
  }
  for (const count of [49, 50, 51, 1000]) {
    const many = (make: (at: number) => unknown) => Array.from({ length: count }, (_, at) => make(at))
    for (const [method, path] of paths) {
      for (const [kind, make] of Object.entries(ofItem)) {
        const problems = await problemsOf(method, path, withItems(many(make)))
        assert.equal(problems.length, Math.min(count, 50), `${path}: ${count} times ${kind}`)
      }
    }
    for (const [kind, make] of Object.entries(ofMapping)) {
      const problems = await problemsOf('PUT', '/api/products', many(make))
      assert.equal(problems.length, Math.min(count, 50), `${count} times ${kind}`)
    }
  }
})

test('an array that is too long is one fault, which says how long it is and may be', async () => {
  const zeros = (length: number): readonly number[] => Array.from({ length }, () => 0)
  const order = withItems([laptop('A', 3)])
  const ofAlternatives = (length: number) => [
    {
      path: '/alternatives',
      message: `Must be an array of at most 20 elements; it has ${length}`,
      code: 'too_many_elements',
      params: { max: 20, count: length },
    },
  ]
  for (const length of [21, 120_000]) {
    const problems = await problemsOf('POST', '/api/estimates', { ...order, alternatives: zeros(length) })
    assert.deepEqual(problems, ofAlternatives(length))
  }
  const tooLong = {
    message: 'Must be an array of at most 1000 elements; it has 100000',
    code: 'too_many_elements',
    params: { max: 1000, count: 100_000 },
  }
  const ofItems = [{ path: '/items', ...tooLong }]
  for (const path of ['/api/customer-orders', '/api/estimates']) {
    assert.deepEqual(await problemsOf('POST', path, withItems(zeros(100_000))), ofItems)
  }
  assert.deepEqual(await problemsOf('PUT', '/api/products', zeros(100_000)), [{ path: '', ...tooLong }])
  const both = { ...withItems(zeros(1001)), order_id: '', alternatives: zeros(21) }
  assert.deepEqual((await problemsOf('POST', '/api/estimates', both)).map(({ path }) => path).toSorted(), [
    '/alternatives',
    '/items',
    '/order_id',
  ])
})

test('a day that cannot be made a text is a fault of the day', async () => {
  for (const day of [{ toString: 1 }, { valueOf: null, toString: null }, ['1980-01-01'], 3]) {
    const problems = await problemsOf('POST', '/api/customer-orders', { ...withItems([]), order_date: day })
    assert.deepEqual(
      problems.map(({ path }) => path),
      ['/order_date'],
    )
  }
})

test('many errors of shape leave room for a fault of another kind behind them', async () => {
  const box = { type: 'packaging', config: { packaging_id: 'corrugated-bord', weight_kg: 1 } }
  const faulty = Array.from({ length: 30 }, (_, at) => laptop('A', 3, { serial_number: at }))
  const problems = await problemsOf('POST', '/api/customer-orders', withItems([...faulty, box]))
  assert.equal(problems.length, 31)
  assert.equal(problems.at(-1)!['path'], '/items/30/config/packaging_id')
})

test('errors of the order and of its alternatives are told at once', async () => {
  const flight = { from: 'air', to: 'sea-container-averag' }
  const alternatives = [
    { name: 'a', changes: { transportation: flight } },
    { name: 'a', changes: { tenure_months: -1 } },
    { name: 'a', changes: { tenure_months: 3 } },
  ]
  const pathsOf = async (order: Json) =>
    (await problemsOf('POST', '/api/estimates', { ...order, alternatives })).map(({ path }) => path).toSorted()
  const ofAlternatives = [
    '/alternatives/0/changes/transportation/to',
    '/alternatives/1/changes/tenure_months',
    '/alternatives/2/name',
  ]
  const sound = withItems([laptop('A', 3), AIR_LEG])
  assert.deepEqual(await pathsOf(sound), ofAlternatives)
  assert.deepEqual(await pathsOf({ ...sound, country: 'QQ' }), [...ofAlternatives, '/country'])
  assert.deepEqual(await pathsOf({ ...sound, order_id: 3, metadata: 3 }), [...ofAlternatives, '/metadata', '/order_id'])
  // Of items whose shape is not sound, it is not known what could be changed in them.
  const unsound = await pathsOf({ ...sound, items: [laptop('A', -3), AIR_LEG] })
  assert.deepEqual(unsound, [...ofAlternatives.slice(1), '/items/0/config/tenure_months'])
})
