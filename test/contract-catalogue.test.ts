// The contract of the catalogue and of the errors, field for field.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Json } from './document-check.ts'
import { exchange } from './raw-http.ts'
import type { AskedService } from './asked-service.ts'
import { sharedService } from './shared-service.ts'

let service: AskedService
before(async () => void (service = await sharedService()))
after(() => service.stop())

const read = async <Body = Json>(path: string) => JSON.parse((await service.ask(path)).text) as Body

test('a device model has every field of the contract; its list is a bare array of the same', async () => {
  const models = await read<readonly Json[]>('/api/device-model-emissions')
  assert.ok(Array.isArray(models) && models.length > 900)
  const model = await read('/api/device-model-emissions/apple-macbook-air-13-m3-256gb')
  assert.deepEqual(Object.keys(model), [
    'id',
    'name',
    'brand',
    'type',
    'product_footprint',
    'product_footprint_unit',
    'footprint_breakdown',
    // Beyond the contract: whose figure it is.
    'origin',
  ])
  assert.deepEqual(
    models.find(({ id }) => id === model['id']),
    model,
  )
  assert.deepEqual(
    [model['product_footprint'], model['product_footprint_unit'], model['type']],
    [135, 'kgCO2e', 'laptop'],
  )
  for (const { footprint_breakdown: parts } of models) {
    for (const value of Object.values(parts as Json)) assert.equal(typeof value, 'number')
  }
})

test('both lists stand under the member packagings', async () => {
  const transportations = await read<{ readonly packagings: readonly Json[] }>('/api/transportations')
  const packagings = await read<{ readonly packagings: readonly Json[] }>('/api/packagings')
  assert.deepEqual([Object.keys(transportations), Object.keys(packagings)], [['packagings'], ['packagings']])
  assert.ok(transportations.packagings.some((each) => each['transportation_id'] === 'road-van-diesel'))
  assert.ok(packagings.packagings.some((each) => each['packaging_id'] === 'corrugated-board-recycled'))
})

test('an unknown model is 404 with a sentence in error; a missing key is 401 with code and detail', async () => {
  const unknown = await service.ask('/api/device-model-emissions/apple-macbook-air-13-m3-265gb')
  const { error, ...rest } = JSON.parse(unknown.text) as Json
  assert.equal(unknown.status, 404)
  assert.match(String(error), /no device model .* nearest are .*apple-macbook-air-13-m3-256gb/)
  const { reason, ...others } = rest as { readonly reason: { readonly code: string } }
  assert.equal(reason.code, 'unknown_model_similar')
  assert.deepEqual(others, { code: 'not_found', request_id: unknown.headers['x-request-id'] })
  const keyless = await exchange(service.server.url, '/api/packagings')
  assert.equal(keyless.status, 401)
  assert.deepEqual(JSON.parse(keyless.text), {
    code: 'unauthorized',
    detail: 'The API key is missing or invalid; send it in the header X-API-Key',
    reason: { code: 'api_key_invalid' },
    request_id: keyless.headers['x-request-id'],
  })
})

test('a faulty order is 400 with a sentence in error and every fault in details', async () => {
  const faulty = await service.post({ customer_id: '', order_date: '2024-02-30', items: [{ type: 'produkt' }] })
  const { error, code, details } = JSON.parse(faulty.text) as Json
  assert.equal(faulty.status, 400)
  assert.equal(code, 'invalid_request')
  assert.match(String(error), /^Invalid request: .* \(and \d more in details\)$/)
  assert.deepEqual((details as readonly Json[]).map(({ path }) => path).sort(), [
    '/customer_id',
    '/items/0/type',
    '/order_date',
    '/order_id',
    '/tenure_start_date',
  ])
  assert.equal((await service.post('')).status, 400)
})
