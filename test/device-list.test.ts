// The list of devices: each once, with a balance that closes and the rental that began last; page by page.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Json } from './document-check.ts'
import { milligrams, startLiveService, type LiveService } from './live-service.ts'
import { createOrderClient, order, type OrderClient } from './order-client.ts'

const DEVICES = '/api/devices'

let service: LiveService
let client: OrderClient
before(async () => {
  service = await startLiveService()
  client = createOrderClient(service)
  await client.post(order('acme', 'o1', ['A-1', 'A-2', 'b-1']))
  await client.post(order('beta', 'o2', ['A-1'], { tenure_start_date: '2026-03-01' }))
  await client.post(order('beta', 'o3', ['A-3']))
  await client.post({ ...order('beta', 'o4', []), items: [weighed('A-4')] })
  await client.tell('beta', 'o3', { event_id: 'e1', type: 'cancelled', date: '2025-01-20' })
  await client.tell('acme', 'o1', { event_id: 'e2', type: 'returned', date: '2025-05-01', serial_number: 'A-2' })
  await client.tellDevice('A-2', { event_id: 'e3', type: 'lost', date: '2025-06-01' })
})
after(() => service.stop())

/** Of no known type: charged by its weight. */
const weighed = (serial: string): Json => ({
  type: 'product',
  config: { product_id: 'Q-9', serial_number: serial, tenure_months: 12, weight_kg: 1.24 },
})

async function list(query = ''): Promise<readonly Json[]> {
  const { status, text } = await client.ask(DEVICES + query)
  assert.equal(status, 200, text)
  return JSON.parse(text) as readonly Json[]
}

const serialsOf = (devices: readonly Json[]) => devices.map((one) => one['serial_number'])

test('every device is listed once, by serial number, with the balance and total of its own story', async () => {
  const devices = await list()
  assert.deepEqual(serialsOf(devices), ['A-1', 'A-2', 'A-3', 'A-4', 'b-1'])
  for (const device of devices) {
    const { text } = await client.ask(`/api/device-emissions/${String(device['serial_number'])}?include=story`)
    const ledger = JSON.parse(text) as Json & { readonly story: { readonly balance: Json; readonly bought: Json } }
    for (const name of ['put_in', 'given_to_orders', 'unallocated_residual', 'left']) {
      assert.equal(device[name], ledger.story.balance[name], `${String(device['serial_number'])}: ${name}`)
    }
    assert.equal(device['total_emission'], ledger['total_emission'])
    assert.deepEqual(
      [device['charged_by'], device['name']],
      [ledger.story.bought['charged_by'], ledger.story.bought['name']],
    )
    const parts = ['given_to_orders', 'unallocated_residual', 'left'].map((name) => milligrams(device[name]))
    assert.equal(
      parts.reduce((sum, part) => sum + part, 0n),
      milligrams(device['put_in']),
    )
  }
})

test('the rental that began last is told as it stands, and why a device is gone', async () => {
  const [first, second, third] = await list()
  assert.deepEqual(first!['last_rental'], { customer_id: 'beta', order_id: 'o2', from: '2026-03-01', to: '2027-03-01' })
  assert.equal(first!['number_of_orders'], 2)
  assert.deepEqual(second!['last_rental'], {
    customer_id: 'acme',
    order_id: 'o1',
    from: '2025-02-01',
    to: '2025-05-01',
  })
  assert.deepEqual([first!['gone'], second!['gone']], [undefined, 'lost'])
  assert.equal(third!['last_rental'], undefined)
})

test('a prefix is compared as it is written, and pages of any size visit every device once', async () => {
  assert.deepEqual(serialsOf(await list('?serial_prefix=A-')), ['A-1', 'A-2', 'A-3', 'A-4'])
  assert.deepEqual(serialsOf(await list('?serial_prefix=%20B')), [])
  assert.deepEqual(serialsOf(await list('?serial_prefix=%25')), [])
  for (const limit of [1, 2]) {
    const visited: Json[] = []
    for (let next: string | undefined = `${DEVICES}?serial_prefix=A&limit=${limit}`; next !== undefined;) {
      const { text, headers } = await client.ask(next)
      visited.push(...(JSON.parse(text) as readonly Json[]))
      next = /^<([^>]+)>; rel="next"$/.exec(String(headers['link']))?.[1]
    }
    assert.deepEqual(serialsOf(visited), ['A-1', 'A-2', 'A-3', 'A-4'])
  }
})

test('an unknown parameter, an empty prefix and what is no cursor are refused', async () => {
  for (const query of [
    'q=1',
    'serial_prefix=',
    'serial_prefix=%20',
    'serial_prefix=a%00',
    'cursor=AAAA',
    'limit=101',
  ]) {
    assert.equal((await client.ask(`${DEVICES}?${query}`)).status, 400, query)
  }
})
