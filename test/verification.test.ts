// An order computed again at a request, and the events that it answers with.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { verifyAll } from '../src/cli/verify.ts'
import type { Json } from './document-check.ts'
import { startService, type Service } from './service.ts'
import { pathOf } from './order-client.ts'
import { BOX, VAN, createReceiptClient, laptop, orderOf, type ReceiptClient } from './receipt-client.ts'

const RETURNED = { event_id: 'e1', type: 'returned', serial_number: 'V1', date: '2025-02-16' }
const SWAPPED = {
  event_id: 'e2',
  type: 'swapped',
  serial_number: 'V2',
  date: '2025-03-01',
  new_serial_number: 'V3',
  weight_kg: 1.3,
}

let service: Service
let client: ReceiptClient
before(async () => {
  service = await startService()
  client = createReceiptClient(service)
  await client.post(orderOf('acme', 'told', '2025-01-01', [laptop('V1', 3), laptop('V2', 12), VAN, BOX]))
  await client.tell('acme', 'told', RETURNED)
  await client.tell('acme', 'told', SWAPPED)
})
after(() => service.stop())

async function verified(customer: string, id: string, query = ''): Promise<Json> {
  const { status, text } = await client.ask(`${pathOf(customer, id)}/verification${query}`)
  assert.equal(status, 200, text)
  return JSON.parse(text) as Json
}

test('what is stored of an order is computed again, and is equal', async () => {
  const { outcome, lines, devices, entries, dataset_releases: releases, difference } = await verified('acme', 'told')
  assert.deepEqual([outcome, lines, devices, entries, difference], ['equal', 8, 3, 5, undefined])
  assert.deepEqual(releases, [service.server.referenceData.release])
})

test('an order without devices is verified by what was posted to it', async () => {
  await client.post(orderOf('acme', 'bare', '2025-01-01', [VAN, BOX]))
  const { outcome, lines, devices, entries } = await verified('acme', 'bare')
  assert.deepEqual([outcome, lines, devices, entries], ['equal', 2, 0, 1])
})

test('a device whose product id is blank is verified by what was taken for it', async () => {
  await client.post(orderOf('acme', 'blank', '2025-01-01', [laptop('B1', 3, { product_id: 'XY' }), laptop('V2', 1)]))
  // Earlier versions stored it; now it is refused.
  await service.pool.query(`update orders set items = replace(items, '"XY"', '" "') where order_id = 'blank'`)
  await service.pool.query("update entries set product_id = '' where product_id = 'XY'")
  assert.equal((await verified('acme', 'blank'))['outcome'], 'equal')
  assert.deepEqual((await verifyAll(service.pool)).lines, [])
})

test('as of a time, that which was known then is verified; before, there is no order', async () => {
  const { text } = await client.ask(`${pathOf('acme', 'told')}?include=entries`)
  const { created_at: createdAt } = JSON.parse(text) as { readonly created_at: string }
  const { outcome, entries } = await verified('acme', 'told', `?known_at=${createdAt}`)
  assert.deepEqual([outcome, entries], ['equal', 2])
  for (const path of [pathOf('acme', 'nobody'), pathOf('acme', 'told')]) {
    assert.equal((await client.ask(`${path}/verification?known_at=2020-01-01T00:00:00Z`)).status, 404)
  }
})

test('a milligram that was changed behind the back of the service is found, and where it is', async () => {
  await client.post(orderOf('acme', 'changed', '2025-01-01', [laptop('W1', 3)]))
  await service.pool.query("update entries set use_mg = use_mg + 1 where serial_number = 'W1'")
  const { outcome, difference, dataset_releases: releases } = await verified('acme', 'changed')
  assert.deepEqual([outcome, releases], ['different', []])
  assert.equal((difference as Json)['pointer'], '/devices/0/posted_total/product_use')
})

test('an order answers what was told of it, in the sequence in which it became known', async () => {
  const { text } = await client.ask(`${pathOf('acme', 'told')}?include=events`)
  const { events } = JSON.parse(text) as { readonly events: readonly { readonly event: Json }[] }
  assert.deepEqual(
    events.map(({ event }) => event),
    [RETURNED, SWAPPED],
  )
})
