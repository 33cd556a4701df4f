// One order is one order: repetitions, races, restarts and new figures change neither what is stored nor what is said.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { EXAMPLE_ORDER } from '../src/http/schemas/examples.ts'
import type { Json } from './document-check.ts'
import type { Answer } from './raw-http.ts'
import { countRows, startService, type Service } from './service.ts'
import { shippedReferenceData } from './shipped-book.ts'

let service: Service
before(async () => void (service = await startService()))
after(() => service.stop())

const order = (orderId: string, changes: Json = {}): Json => ({ ...EXAMPLE_ORDER, order_id: orderId, ...changes })
const isReplay = ({ headers }: Answer): boolean => headers['idempotent-replayed'] === 'true'

function assertReplay(answer: Answer, first: Answer): void {
  assert.equal(answer.status, 200)
  assert.equal(answer.text, first.text)
  assert.equal(isReplay(answer), true)
  assert.equal(answer.headers['dataset-release'], first.headers['dataset-release'])
}

/** The same content with the members of every object in the opposite sequence. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, reversed(member)])
      .reverse(),
  )
}

test('the same order again gets the first answer, byte for byte, and is stored once', async () => {
  const first = await service.post(order('same'))
  assert.equal(first.status, 200)
  assert.equal('idempotent-replayed' in first.headers, false)
  const stored = await countRows(service.pool)
  for (let time = 0; time < 3; time += 1) assertReplay(await service.post(order('same')), first)
  assert.deepEqual(await countRows(service.pool), stored)
})

test('the sequence of members, white space and the spelling of numbers do not make another order', async () => {
  const sent = order('spelling', { metadata: { a: '1', b: '2' }, country: 'DE' })
  const first = await service.post(sent)
  const text = JSON.stringify(sent)
  const spellings = [
    JSON.stringify(reversed(sent)),
    JSON.stringify(sent, null, '\t').replaceAll('\n', '\r\n'),
    text.replace('"tenure_months":3', '"tenure_months":3.0').replace('1.24', '1.240'),
    text.replace('"tenure_months":3', '"tenure_months":30e-1').replace('"distance_km":100', '"distance_km":1E2'),
    text.replace('customer-17', 'c\\u0075stomer-17'),
    text.replace('C02XL0AAJGH5', ' C02XL0AAJGH5\u00a0'),
    text.replace('"road"', '"ROAD"'),
    text.replace('{"customer_id"', '{"unknown":1,"customer_id"'),
    `\ufeff${text}`,
  ]
  assert.equal(new Set([text, ...spellings]).size, spellings.length + 1)
  for (const spelling of spellings) assertReplay(await service.post(spelling), first)
})

test('items absent and items empty are the same order', async () => {
  const { items, ...rest } = order('absent')
  assert.ok(items)
  const first = await service.post(rest)
  assertReplay(await service.post({ ...rest, items: [] }), first)
})

test('the same identity with other content is 409, names the members that differ, and changes nothing', async () => {
  const sent = order('taken', { metadata: { a: '1' }, country: 'DE' })
  const [product, ...others] = sent['items'] as readonly { readonly type: string; readonly config: Json }[]
  const first = await service.post(sent)
  const stored = await countRows(service.pool)
  const withProduct = (changes: Json) => ({
    items: [{ ...product, config: { ...product?.config, ...changes } }, ...others],
  })
  const changes: readonly (readonly [Json, readonly string[]])[] = [
    [{ order_date: '2024-12-13' }, ['/order_date']],
    [{ country: 'FR' }, ['/country']],
    [{ country: undefined }, ['/country']],
    [{ metadata: { a: '2' } }, ['/metadata/a']],
    [{ metadata: { a: '1', b: '1' } }, ['/metadata/b']],
    [{ metadata: undefined }, ['/metadata']],
    [
      withProduct({ tenure_months: 4, weight_kg: 1.25 }),
      ['/items/0/config/tenure_months', '/items/0/config/weight_kg'],
    ],
    [withProduct({ brand: 'Apple' }), ['/items/0/config/brand']],
    [{ items: [product, others[0]] }, ['/items/2']],
    [{ items: undefined }, ['/items/0', '/items/1', '/items/2']],
  ]
  for (const [change, paths] of changes) {
    const { status, text } = await service.post({ ...sent, ...change })
    const { code, details } = JSON.parse(text) as { readonly code: string; readonly details: readonly Json[] }
    assert.deepEqual([status, code], [409, 'conflict'])
    assert.deepEqual(
      details.map(({ path }) => path),
      paths,
    )
  }
  assert.deepEqual(await countRows(service.pool), stored)
  assertReplay(await service.post(sent), first)
})

test('an order that is faulty now is told so, also under an identity that is taken', async () => {
  await service.post(order('faulty'))
  assert.equal((await service.post(order('faulty', { order_date: 'x' }))).status, 400)
})

test('of 100 identical orders at once one is stored, and all get the same bytes', async () => {
  const stored = await countRows(service.pool)
  const answers = await Promise.all(Array.from({ length: 100 }, () => service.post(order('race'))))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  assert.equal(answers.filter((answer) => !isReplay(answer)).length, 1)
  assert.deepEqual(await countRows(service.pool), {
    ...stored,
    orders: stored.orders + 1n,
    entries: stored.entries + 1n,
  })
})

test('of different orders that race for one identity in two services, one wins and the rest are 409', async () => {
  const other = await startService({ beside: service })
  const stored = await countRows(service.pool)
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, at) =>
      (at % 2 === 0 ? service : other).post(order('contents', { metadata: { number: String(at) } })),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.equal(answers.filter(({ status }) => status === 409).length, 59)
  assert.deepEqual(await countRows(service.pool), {
    ...stored,
    orders: stored.orders + 1n,
    entries: stored.entries + 1n,
  })
  await other.stop()
})

test('identical orders that race through two services are stored once, and all get the same bytes', async () => {
  const other = await startService({ beside: service })
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? service : other).post(order(`two-${round}`))),
    )
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    assert.equal(answers.filter((answer) => !isReplay(answer)).length, 1)
  }
  await other.stop()
})

test('a service started later on the same database gives the first answer', async () => {
  const first = await service.post(order('restart'))
  const later = await startService({ beside: service })
  assertReplay(await later.post(order('restart')), first)
  await later.stop()
})

test('an event_id that an event of another order has is a conflict, which names that order legibly', async () => {
  const tell = async (orderId: string) => {
    assert.equal((await service.post(order(orderId))).status, 200)
    const event = { event_id: 'taken', type: 'cancelled', date: '2024-12-01' }
    const headers = { 'content-type': 'application/json' }
    const path = `/api/customer-orders/customer-17/${orderId}/events`
    return service.ask(path, { method: 'POST', headers, body: JSON.stringify(event) })
  }
  assert.equal((await tell('first-told')).status, 200)
  const answer = await tell('other-told')
  assert.equal(answer.status, 409)
  assert.match(answer.text, /differs at \/order_id/)
  assert.match(answer.text, /Is \\"other-told\\" here, and \\"first-told\\" in what is stored/)
  assert.doesNotMatch(answer.text, /u0000/)
})

test('with new figures an old order keeps its bytes and release, and a new one takes the new figures', async () => {
  const first = await service.post(order('release'), '?include=calculation')
  const { files } = shippedReferenceData()
  const packagings = files.get('packagings.csv')!.replace(/^(corrugated-board-recycled,.*?),1\.098114,/m, '$1,2,')
  const later = await startService({
    beside: service,
    files: new Map([...files, ['RELEASE', '2027.01\n'], ['packagings.csv', packagings]]),
  })
  assert.match(later.server.referenceData.release, /^2027\.01-/)
  assertReplay(await later.post(order('release'), '?include=calculation'), first)
  assert.equal((await later.post(order('release', { country: 'DE' }))).status, 409)
  const fresh = await later.post(order('release-new'))
  assert.equal(fresh.headers['dataset-release'], later.server.referenceData.release)
  assert.match(fresh.text, /"packaging":\{[^}]*"emission":0\.52,/)
  const ledger = await later.ask('/api/device-emissions/C02XL0AAJGH5')
  const { release } = service.server.referenceData
  assert.deepEqual(String(ledger.headers['dataset-release']).split(', ').sort(), [
    release,
    later.server.referenceData.release,
  ])
  assertReplay(await service.post(order('release-new')), fresh)
  await later.stop()
})
