// Random orders through HTTP: what is valid adds up everywhere, what is broken is refused with every fault.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Json } from './document-check.ts'
import { brokenOrder, validOrder } from './hostile/order-arbitrary.ts'
import { rounds } from './rounds.ts'
import { milligrams } from './order-client.ts'
import { SHIPPED_IDS, countRows, startService, type Service } from './service.ts'

const RUNS = rounds(60, 300)

let service: Service
before(async () => void (service = await startService()))
after(() => service.stop())

const sum = (those: readonly bigint[]): bigint => those.reduce((total, each) => total + each, 0n)
const emissionsOf = (parts: unknown): bigint =>
  sum(Object.values(parts as Json).map((line) => milligrams((line as Json)['emission'])))

/** What the ledger of each device has of this order. */
async function sharesOf(answer: Json): Promise<readonly bigint[]> {
  const serials = (answer['items'] as readonly Json[]).flatMap((item) => item['serial_number'] ?? [])
  return Promise.all(
    serials.map(async (serial) => {
      const { text } = await service.ask(`/api/device-emissions/${encodeURIComponent(serial as string)}`)
      const { orders } = JSON.parse(text) as { readonly orders: readonly Json[] }
      const [entry, ...others] = orders.filter((order) => order['order_id'] === answer['order_id'])
      assert.deepEqual(others, [])
      assert.equal(milligrams(entry!['total_emission']), emissionsOf(entry!['emission']))
      return milligrams(entry!['total_emission'])
    }),
  )
}

test('a valid order is 200; its total is that of its items, of their lines, and of its devices’ ledgers', async () => {
  await fc.assert(
    fc.asyncProperty(validOrder({ ...SHIPPED_IDS, run: 'valid' }), async (order) => {
      const { status, text } = await service.post(order)
      assert.equal(status, 200, text)
      const answer = JSON.parse(text) as Json
      const items = answer['items'] as readonly Json[]
      const total = milligrams(answer['total_emission'])
      assert.equal(sum(items.map((item) => milligrams(item['total_emission']))), total)
      for (const item of items)
        assert.equal(emissionsOf(item['emission_breakdown']), milligrams(item['total_emission']))
      const shares = await sharesOf(answer)
      if (shares.length > 0) assert.equal(sum(shares), total)
    }),
    { numRuns: RUNS },
  )
})

test('a valid order again gets the same bytes; its stored lines add up to the entries that it made', async () => {
  await fc.assert(
    fc.asyncProperty(validOrder({ ...SHIPPED_IDS, run: 'again' }), async (order) => {
      const [first, again] = [await service.post(order), await service.post(JSON.stringify(order, null, 1))]
      assert.equal(again.text, first.text)
      assert.equal(again.headers['idempotent-replayed'], 'true')
    }),
    { numRuns: RUNS / 3 },
  )
  // What later orders of the same devices changed stands in entries of other reasons.
  const { rows: broken } = await service.pool.query(`
    select order_id from orders
    left join (select * from entries where reason = 'order') as made using (account_id, customer_id, order_id)
    group by account_id, customer_id, order_id
    having (select coalesce(sum(mg), 0) from unnest(string_to_array(line_emissions_mg, chr(31))::bigint[]) as mg)
      <> coalesce(sum(embodied_mg + use_mg + packaging_mg + transportation_mg), 0)`)
  assert.deepEqual(broken, [])
  const { rows: overdrawn } = await service.pool.query(`
    select serial_number from devices where allocated_mg > embodied_total_mg`)
  assert.deepEqual(overdrawn, [])
})

test('a broken order is 400 with every fault at its place, and nothing of it is stored', async () => {
  const before = await countRows(service.pool)
  await fc.assert(
    fc.asyncProperty(brokenOrder({ ...SHIPPED_IDS, run: 'broken' }), async ({ order, faults }) => {
      const { status, text } = await service.post(order)
      assert.equal(status, 400, text)
      const { details } = JSON.parse(text) as { readonly details: readonly Json[] }
      assert.ok(details.length <= 50)
      const paths = details.map(({ path }) => path)
      for (const { path } of faults) assert.ok(paths.includes(path), `${path} is not among ${paths.join(' ')}`)
    }),
    { numRuns: RUNS },
  )
  assert.deepEqual(await countRows(service.pool), before)
})

test('of more than 50 faults the first 50 are told', async () => {
  const items = Array.from({ length: 60 }, () => ({
    type: 'packaging',
    config: { packaging_id: 'none', weight_kg: -1 },
  }))
  const { status, text } = await service.post({ items })
  assert.equal(status, 400)
  assert.equal((JSON.parse(text) as { readonly details: readonly Json[] }).details.length, 50)
})
