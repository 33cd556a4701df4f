// Losses of the grid in the inventory of electricity: those of the release, and those of the account.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertSums, clientOf, rental, type Report } from './electricity-client.ts'
import { startService } from './service.ts'

const service = await startService()

test('British losses are those of the release until the account has its own; other countries have none', async () => {
  const own = await clientOf(service, 'losses')
  const order = await own.done('POST', '/api/customer-orders', rental('c', 'gb', 'A', '2025-01-01', 12, 'GB'))
  await own.done('POST', '/api/customer-orders', rental('c', 'fr', 'B', '2025-01-01', 12, 'FR'))
  const ofCountry = ({ months }: Report, country: string) => months.filter((line) => line.country === country)
  const plain = await own.report('year=2025')
  assertSums(plain)
  assert.deepEqual(new Set(ofCountry(plain, 'FR').map(({ losses }) => losses)), new Set([null]))
  const [january] = ofCountry(plain, 'GB')
  // 1.23 × 0.21579 × 0.01853 ÷ 0.177, METHODOLOGY.md#market-based-electricity
  const { emission, share, year, source } = january!.losses!
  assert.deepEqual([emission, share, year, source.origin], [0.027787, 0.094768066281, 2025, undefined])
  assert.match(source.publisher, /DESNZ/)

  const told = { source_title: 'Losses', source_publisher: 'Grid operator' }
  await own.put('/api/grid-losses/GB-2020', { ...told, share: 0.1 })
  const stated = await own.report('year=2025')
  assertSums(stated)
  const [replaced] = ofCountry(stated, 'GB')
  // 1.23 × 0.21579 ÷ 9: an own share of an earlier year comes before any of the release.
  assert.equal(replaced!.losses!.emission, 0.029491)
  assert.deepEqual([replaced!.losses!.year, replaced!.losses!.source.origin], [2020, 'account'])
  const { status, text } = await own.ask('DELETE', '/api/grid-losses/GB-2020')
  assert.equal(status, 200, text)
  assert.deepEqual(await own.report('year=2025'), plain)
  const again = await own.get('/api/customer-orders/c/gb')
  assert.equal(again['total_emission'], order['total_emission'], 'no figure of an order has moved')
})
