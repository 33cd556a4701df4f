// The list of device models: filters, pages that visit every model exactly once, and what a wrong parameter is told.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Json } from './document-check.ts'
import type { AskedService } from './asked-service.ts'
import { sharedService } from './shared-service.ts'

const PATH = '/api/device-model-emissions'

let service: AskedService
before(async () => void (service = await sharedService()))
after(() => service.stop())

const list = async (query: string) => {
  const { status, headers, text } = await service.ask(PATH + query)
  assert.equal(status, 200, text.slice(0, 300))
  return { models: JSON.parse(text) as readonly Json[], link: headers.link as string | undefined }
}

const problemsOf = async (path: string) => {
  const { status, text } = await service.ask(path)
  assert.equal(status, 400)
  return (JSON.parse(text) as { readonly details: readonly Json[] }).details
}

async function visitPages(query: string): Promise<readonly Json[]> {
  const visited: Json[] = []
  for (let next: string | undefined = query; next !== undefined;) {
    const { models, link }: Awaited<ReturnType<typeof list>> = await list(next)
    visited.push(...models)
    next = link && /^<\/api\/device-model-emissions(\?[^>]+)>; rel="next"$/.exec(link)?.[1]
    assert.equal(next === undefined, link === undefined)
  }
  return visited
}

test('the list is stable, and without limit it is whole', async () => {
  const { models, link } = await list('')
  assert.equal(models.length, service.server.referenceData.models.size)
  assert.deepEqual((await list('')).models, models)
  assert.equal(link, undefined)
})

test('pages of any size visit every model exactly once, in the order of the list', async () => {
  const { models } = await list('')
  for (const limit of [1000, 100, 7]) assert.deepEqual(await visitPages(`?limit=${limit}`), models)
})

test('a page keeps the filters of the page before', async () => {
  const { models } = await list('?type=tablet,monitor&brand=apple&brand=DELL&q=i')
  assert.ok(models.length > 3)
  assert.deepEqual(await visitPages('?type=tablet,monitor&brand=apple&brand=DELL&q=i&limit=2'), models)
})

test('a cursor belongs to its words: with others it is refused, not read as the first page', async () => {
  const { link } = await list('?q=macbook&limit=2')
  const cursor = /cursor=([^&>]+)/.exec(link!)![1]!
  await list(`?q=macbook&limit=5&type=laptop&cursor=${cursor}`)
  for (const query of [`q=iphone&cursor=${cursor}`, `cursor=${cursor}`]) {
    const [problem] = await problemsOf(`${PATH}?${query}`)
    assert.match(String(problem!['message']), /Is not a cursor of this list/)
  }
})

test('a filter keeps the models that fit it, and no other', async () => {
  const { models } = await list('')
  const kept = async (query: string, keeps: (model: Json) => boolean) => {
    const expected = models.filter(keeps)
    assert.ok(expected.length > 0 && expected.length < models.length, query)
    assert.deepEqual((await list(query)).models, expected, query)
  }
  for (const type of new Set(models.map((model) => String(model['type'])))) {
    await kept(`?type=${type}`, (model) => model['type'] === type)
  }
  await kept('?type=mobile&type=tablet', (model) => ['mobile', 'tablet'].includes(String(model['type'])))
  for (const brand of ['Apple', 'aPPle']) await kept(`?brand=${brand}`, (model) => model['brand'] === 'Apple')
  await kept('?brand=apple,dell', (model) => ['Apple', 'Dell'].includes(String(model['brand'])))
  const words = (model: Json) =>
    `${String(model['brand'])} ${String(model['name'])} ${String(model['id'])}`.toLowerCase()
  const byId = (some: readonly Json[]) => some.map((model) => String(model['id'])).sort()
  const airs = models.filter((model) => words(model).includes('macbook') && words(model).includes('air'))
  assert.deepEqual(byId((await list('?q=MacBook%20air')).models), byId(airs))
})

test('words rank the models as the matcher does, an alias finds its own, and a slip is forgiven', async () => {
  const idsOf = async (q: string) =>
    (await list(`?q=${encodeURIComponent(q)}`)).models.map((model) => String(model['id']))
  const air = 'apple-macbook-air-13-m3-256gb'
  assert.equal((await idsOf('MacBook Air 13 M3 256GB'))[0], air)
  assert.equal((await idsOf('Macbok Air 13 M3'))[0], air)
  const [alias, bearers] = [...service.server.referenceData.aliases].find(([, ids]) => ids.length === 1)!
  assert.equal((await idsOf(alias.toUpperCase()))[0], bearers[0])
})

test('a filter that nothing fits gives an empty list', async () => {
  assert.deepEqual((await list('?brand=no-such-brand')).models, [])
  assert.deepEqual((await list('?q=%25%27')).models, [])
})

test('an unknown parameter, type, limit or cursor is 400 and says what would be right', async () => {
  const [unknown] = await problemsOf(`${PATH}?brands=apple`)
  assert.equal(unknown!['path'], '?brands')
  assert.match(String(unknown!['message']), /there are type, brand, q, limit, cursor/)
  assert.deepEqual(unknown!['suggestions'], ['brand'])
  const [type] = await problemsOf(`${PATH}?type=toaster`)
  assert.match(String(type!['message']), /laptop, mobile, tablet, monitor, gaming_console, headphone/)
  const wrong = [
    'limit=0',
    'limit=1001',
    'limit=1e2',
    'limit=',
    'limit=-1',
    'limit=1&limit=2',
    'type=',
    'cursor=',
    'cursor=AAAA',
    'cursor=__proto__',
    `q=${'a'.repeat(201)}`,
    'q=a&q=b',
    'q=',
    'q=%20',
    'q=%25%00%27',
    '__proto__=1',
    'constructor=1',
    'type%5B%5D=laptop',
    'type[__proto__]=x',
  ]
  for (const query of wrong) assert.equal((await problemsOf(`${PATH}?${query}`)).length, 1, query)
  assert.equal((await problemsOf(`${PATH}?a=1&b=2&type=x`)).length, 3)
})

test('every path refuses a parameter that it does not know', async () => {
  const none = 'there are none here'
  const paths = [
    ['/api/transportations', none],
    ['/api/packagings', none],
    [`${PATH}/apple-macbook-air-13-m3-256gb`, 'there are include'],
    ['/api/device-emissions/x', 'there are include, allocation, resale_values, known_at'],
    ['/api/customer-orders/x/y', 'there are include, known_at'],
  ] as const
  for (const [path, known] of paths) {
    const [problem, ...others] = await problemsOf(`${path}?limit=1`)
    assert.deepEqual(others, [])
    assert.match(String(problem!['message']), /is not a parameter/)
    assert.ok(String(problem!['message']).endsWith(`; ${known}`), path)
  }
  const body = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
  for (const path of ['/api/customer-orders/x/y/events', '/api/devices/x/events']) {
    const { status, text } = await service.ask(`${path}?limit=1`, body)
    assert.deepEqual([status, /is not a parameter[^"]*; there are preview/.test(text)], [400, true], path)
  }
  assert.equal((await service.post({}, '?include=everything')).status, 400)
  assert.equal((await service.post({}, '?includes=calculation')).status, 400)
})

test('sorted by footprint, every model comes once; with evidence each has its source and interval', async () => {
  interface Evident extends Json {
    readonly product_footprint: number
    readonly uncertainty: { readonly low: number; readonly high: number }
    readonly source: { readonly url: string }
  }
  const seen: Evident[] = []
  let next: string | undefined = '?type=monitor&sort=-product_footprint&include=evidence&limit=100'
  while (next !== undefined) {
    const { text, headers } = await service.ask(PATH + next)
    seen.push(...(JSON.parse(text) as Evident[]))
    next = /^<\/api\/device-model-emissions(\?[^>]+)>/.exec(String(headers.link ?? ''))?.[1]
  }
  const all = JSON.parse((await service.ask(`${PATH}?type=monitor`)).text) as readonly Json[]
  assert.deepEqual(new Set(seen.map(({ id }) => id)), new Set(all.map(({ id }) => id)))
  assert.equal(seen.length, all.length)
  const footprints = seen.map(({ product_footprint: footprint }) => footprint)
  assert.deepEqual(
    footprints,
    footprints.toSorted((a, b) => b - a),
  )
  for (const { product_footprint: footprint, uncertainty, source } of seen) {
    assert.ok(uncertainty.low < footprint && footprint < uncertainty.high && source.url !== '')
  }
})
