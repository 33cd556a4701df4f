// GET /api/device-emissions/{id}?allocation=all: one device under every method of allocation, beside what is posted.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { ALLOCATION_METHODS } from '../src/engine/allocation-methods.ts'
import { ensureAccount } from '../src/postgres/accounts.ts'
import { registerRelease } from '../src/postgres/dataset-releases.ts'
import { postJson } from './asked-service.ts'
import { fill } from './busy-orders.ts'
import type { Json } from './document-check.ts'
import { createOrderClient, milligrams, type OrderClient } from './order-client.ts'
import { laptop, orderOf } from './receipt-client.ts'
import { startService, type Service } from './service.ts'
import { shippedReferenceData } from './shipped-book.ts'

interface Allocation {
  readonly method: string
  readonly provisional: boolean
  readonly posted: boolean
  readonly lives?: readonly (Json & { readonly embodied_emission: number })[]
  readonly residual?: number
  readonly resale_values_needed?: number
  readonly total: number
}

let service: Service
let client: OrderClient
before(async () => {
  service = await startService()
  client = createOrderClient(service)
  await client.post(orderOf('acme', 'a-1', '2021-01-01', [laptop('A-1', 36)]))
  const refurbished = { type: 'refurbished', date: '2024-01-01', emission_kg: 3, lifetime_months_added: 24 }
  await client.tellDevice('A-1', { event_id: 'a-1', ...refurbished })
  await client.post(orderOf('beta', 'a-2', '2024-01-01', [laptop('A-1', 24)]))
})
after(() => service.stop())

async function read(serial: string, query: string): Promise<Json & { readonly allocations: readonly Allocation[] }> {
  const { status, text } = await client.ask(`/api/device-emissions/${serial}?${query}`)
  assert.equal(status, 200, text)
  return JSON.parse(text) as Json & { readonly allocations: readonly Allocation[] }
}

const embodied = ({ lives, residual }: Allocation) => [
  ...(lives ?? []).map(({ embodied_emission: share }) => share),
  residual,
]

test('each method adds up to the embodied total of the device, and nothing else of the answer changes', async () => {
  const { allocations, ...rest } = await read('A-1', 'include=history&allocation=all&resale_values=1500,450')
  assert.deepEqual(rest, await read('A-1', 'include=history'))
  assert.deepEqual(
    allocations.map(({ method }) => method),
    ALLOCATION_METHODS,
  )
  for (const one of allocations) {
    assert.equal(one.total, 112.35)
    assert.equal(
      embodied(one).reduce((sum, share) => sum + milligrams(share), 0n),
      milligrams(one.total),
      one.method,
    )
  }
  assert.deepEqual(allocations[0], {
    method: 'capped_linear',
    provisional: false,
    posted: true,
    lives: [
      {
        ...{ customer_id: 'acme', order_id: 'a-1', from: '2021-01-01', to: '2024-01-01', months: 36 },
        embodied_emission: 82.0125,
      },
      {
        ...{ customer_id: 'beta', order_id: 'a-2', from: '2024-01-01', to: '2026-01-01', months: 24 },
        embodied_emission: 20.225,
      },
    ],
    residual: 10.1125,
    total: 112.35,
  })
})

test('shares that the end of the device may change are provisional until it is retired', async () => {
  const provisional = async (query = '') =>
    (await read('A-1', `allocation=ALL${query}`)).allocations.filter((one) => one.provisional).length
  assert.equal(await provisional(), 8)
  await client.tellDevice('A-1', { event_id: 'a-2', type: 'retired', date: '2026-01-01' })
  assert.equal(await provisional(), 0)
  const before = encodeURIComponent(new Date(Date.now() - 3_600_000).toISOString())
  assert.deepEqual((await read('A-1', `allocation=all&known_at=${before}`)).allocations, [])
  const { allocations } = await read('A-1', 'allocation=all&resale_values=1500,450')
  assert.deepEqual(
    allocations.map((one) => [one.method, ...embodied(one)]),
    [
      ['capped_linear', 82.0125, 20.225, 10.1125],
      ['first_life', 109.35, 3, 0],
      ['last_life', 0, 112.35, 0],
      ['equal', 54.675, 57.675, 0],
      ['actual_months', 65.61, 46.74, 0],
      ['actual_months_pooled', 67.41, 44.94, 0],
      ['economic', 76.545, 35.805, 0],
      ['years_digits', 98.415, 9.29, 4.645],
      ['factor_a_0.2', 21.87, 90.48, 0],
      ['factor_a_0.5', 54.675, 57.675, 0],
      ['factor_a_0.8', 87.48, 24.87, 0],
    ],
  )
})

test('without a resale value for each rental, the economic method says how many it needs', async () => {
  for (const query of ['', '&resale_values=1500', '&resale_values=3,2,1']) {
    const { allocations } = await read('A-1', `allocation=all${query}`)
    const { lives, residual, resale_values_needed: needed } = allocations.find(({ method }) => method === 'economic')!
    assert.deepEqual([lives, residual, needed], [undefined, undefined, 2])
  }
})

test('values that rise, are none or are sent alone are refused with the reason', async () => {
  for (const [query, problem] of [
    [
      'allocation=all&resale_values=450,1500',
      'Must not rise: 1500 comes after 450. Send the value of the new device first',
    ],
    ['allocation=all&resale_values=0', 'Must be a number greater than 0 and at most 1000000000; it is "0"'],
    ['allocation=all&resale_values=much', 'Must be a number greater than 0 and at most 1000000000; it is "much"'],
    ['resale_values=1500,450', 'Is sent without allocation=all, to which it belongs; send both'],
    ['allocation=equal', 'Must be one of all; it is "equal"'],
  ] as const) {
    const { status, text } = await client.ask(`/api/device-emissions/A-1?${query}`)
    const { details } = JSON.parse(text) as { readonly details: readonly Json[] }
    assert.deepEqual([status, details[0]!['message']], [400, problem], query)
  }
})

test('a device that was never rented has no shares', async () => {
  assert.deepEqual((await read('NOWHERE', 'allocation=all')).allocations, [])
})

test('of an uncapped device no method is the posted one, and its shares are capped all the same', async () => {
  const uncapped = await startService({ amortisation: 'uncapped' })
  try {
    await postJson(uncapped, '/api/customer-orders', orderOf('acme', 'u-1', '2021-01-01', [laptop('U-1', 60)]))
    const other = createOrderClient(uncapped)
    const { text } = await other.ask('/api/device-emissions/U-1?allocation=all')
    const { allocations } = JSON.parse(text) as { readonly allocations: readonly Allocation[] }
    assert.deepEqual(embodied(allocations[0]!), [109.35, 0])
    assert.equal(
      allocations.some(({ posted }) => posted),
      false,
    )
  } finally {
    await uncapped.stop()
  }
})

test('a device with a long ledger is answered for, and one with too many rentals is refused', async () => {
  const { accountId } = await ensureAccount(service.pool, 'test')
  const { referenceData, files } = shippedReferenceData()
  const releaseId = await registerRelease(service.pool, referenceData.release, referenceData.hash, files)
  const grow = (serial: string, entries: number) => fill(service.pool, releaseId, accountId, serial, entries)
  await grow('LONG', 300)
  const { allocations } = await read('LONG', 'allocation=all')
  assert.equal(allocations.length, ALLOCATION_METHODS.length)
  await grow('TOO-LONG', 1600)
  const { status, text } = await client.ask('/api/device-emissions/TOO-LONG?allocation=all')
  assert.equal(status, 413, text)
  assert.match(text, /up to 500 rentals; this device has more/)
})
