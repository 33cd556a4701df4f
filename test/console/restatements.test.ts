// Stored orders restated in a browser: after a mapping, onto another release, by own figures; seen before, then posted.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'

import type { Json } from '../document-check.ts'
import { assertAccessible, signIn, startConsole, visit, type ConsoleServer, type Visit } from './browser.ts'
import { seedGuesses } from './seed-fleet.ts'

let server: ConsoleServer
let visitor: Visit
before(async () => {
  server = await startConsole()
  await seedGuesses(server)
  visitor = await visit(server.url, { path: '/restatements' })
  await signIn(visitor, server.key)
})

async function ask(path: string): Promise<Json> {
  const answer = await fetch(server.url + path, { headers: { 'x-api-key': server.key } })
  assert.equal(answer.status, 200)
  return (await answer.json()) as Json
}

const totalOf = async (order: string): Promise<number> =>
  Number((await ask(`/api/customer-orders/Northwind%20GmbH/${order}`))['total_emission'])

const ready = () => visitor.page.getByText('Preview ready', { exact: true }).waitFor()

test('a list without restatements says what they are for', async () => {
  const { page } = visitor
  await page.getByText('No restatements yet').waitFor()
  await assertAccessible(page, 'restatements-none')
})

test('a product is mapped and its stored orders restated: kilograms before, by cause, and after on the order', async () => {
  const { page } = visitor
  const earlier = await totalOf('guess-2')
  await page.getByRole('link', { name: 'Matching' }).click()
  const card = page.locator('.matching-product').filter({ hasText: 'GRV-77' })
  await card.getByLabel('Or map to a device type only').selectOption('tablet')
  await card.getByRole('button', { name: 'Map GRV-77 to Tablet' }).click()
  const restate = page.getByRole('button', { name: 'Restate stored orders of GRV-77' })
  await restate.waitFor()
  await assertAccessible(page, 'matching-restate')
  await restate.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Restatement 1' }).waitFor()
  await page.getByRole('heading', { level: 2, name: 'Mapping of GRV-77' }).waitFor()
  await ready()
  assert.equal(await totalOf('guess-2'), earlier)
  const { preview } = (await ask('/api/restatements/1')) as { readonly preview: Json }
  const difference = Number(preview['difference'])
  assert.ok(difference < 0)
  await page.getByRole('img', { name: /^The difference is [-−][\d.,]+ kg CO₂e: Identification [-−]/ }).waitFor()
  await assertAccessible(page, 'restatement-preview')
  await page.getByRole('link', { name: 'Customers and years' }).click()
  await page.getByRole('table', { name: 'Customers and years' }).getByText('2025').first().waitFor()
  await assertAccessible(page, 'restatement-years')
  await page.getByRole('link', { name: 'One order' }).click()
  await page.getByRole('table', { name: 'What changes' }).getByRole('link', { name: 'guess-2' }).waitFor()
  await page.getByRole('button', { name: 'Apply …' }).click()
  const question = page.getByRole('dialog', { name: 'Apply this restatement?' })
  await question.getByText('One order of one customer will change:').waitFor()
  await assertAccessible(page, 'restatement-apply')
  await question.getByRole('button', { name: 'Post one order' }).click()
  await page.getByText('Applied', { exact: true }).first().waitFor()
  await page.getByText(/have been posted as previewed/).waitFor()
  await assertAccessible(page, 'restatement-applied')
  const now = await totalOf('guess-2')
  assert.equal(Math.round((now - earlier) * 1e6), Math.round(difference * 1e6))
  await page.getByRole('table', { name: 'What changes' }).getByRole('link', { name: 'guess-2' }).click()
  await page.getByRole('heading', { level: 1, name: 'guess-2' }).waitFor()
  const shown = page.getByRole('region', { name: 'Emissions of the order' }).locator('.figure').first()
  assert.match((await shown.getAttribute('aria-label')) ?? '', new RegExp(`exactly ${String(now)} `))
  visitor.assertQuiet()
})
