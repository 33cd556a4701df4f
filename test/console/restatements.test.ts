// Stored orders restated in a browser: after a mapping, onto another release, by own figures; seen before, then posted,
// and undone.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'

import { registerRelease } from '../../src/postgres/dataset-releases.ts'
import { changedRelease } from '../changed-release.ts'
import type { Json } from '../document-check.ts'
import { assertAccessible, signIn, startConsole, visit, type ConsoleServer, type Visit } from './browser.ts'
import { seedGuesses } from './seed-fleet.ts'

const MARKUP = '<b>Vans</b> & "more"'
const LOUDER_VAN = {
  file: 'transports.csv',
  row: 'road-van-diesel',
  cells: { factor_kg_co2e_per_tonne_km: '0.93725', ttw_kg_co2e_per_tonne_km: '0.7863' },
}

let server: ConsoleServer
let visitor: Visit
/** Emission of the order that is restated, as it was first. */
let first: number
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

test('a product is mapped and its stored orders are restated: seen by cause, posted, shown by the order', async () => {
  const { page } = visitor
  const earlier = await totalOf('guess-2')
  first = earlier
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
  await page.getByRole('table', { name: 'One order' }).getByRole('link', { name: 'guess-2' }).waitFor()
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
  await page.getByRole('table', { name: 'One order' }).getByRole('link', { name: 'guess-2' }).click()
  await page.getByRole('heading', { level: 1, name: 'guess-2' }).waitFor()
  const shown = page.getByRole('region', { name: 'Emissions of the order' }).locator('.figure').first()
  assert.match((await shown.getAttribute('aria-label')) ?? '', new RegExp(`exactly ${String(now)} `))
  await assertAccessible(page, 'order-restated')
  await page.getByRole('link', { name: 'Restatement 1' }).click()
  await page.getByRole('heading', { level: 1, name: 'Restatement 1' }).waitFor()
  visitor.assertQuiet()
})

test('a release is compared and pinned, and orders are restated onto it by a form that is filled in', async () => {
  const { page } = visitor
  const { referenceData, files } = changedRelease('2026.11.1', [LOUDER_VAN])
  const pinned = referenceData.release
  await registerRelease(server.pool, pinned, referenceData.hash, files)
  await page.getByRole('link', { name: 'API keys and settings' }).click()
  const section = page.getByRole('region', { name: 'Dataset release', exact: true })
  await section.getByLabel(/^Follow the newest release/).waitFor()
  await section.getByLabel('To', { exact: true }).selectOption(pinned)
  await section.getByLabel('From', { exact: true }).selectOption({ index: 1 })
  await section.getByText(/^Transport: 2 changed, 0 added, 0 removed$/).waitFor()
  await section.getByText('road-van-diesel/factor_kg_co2e_per_tonne_km').waitFor()
  await section.getByLabel(/^Stay with one release/).check()
  await section.getByLabel('Release', { exact: true }).selectOption(pinned)
  await assertAccessible(page, 'settings-releases')
  await section.getByRole('button', { name: 'Save release' }).click()
  await page.getByText('Dataset release saved.').first().waitFor()
  assert.equal((await ask('/api/account'))['dataset_release'], pinned)
  await section.getByRole('link', { name: /^Restate with this release/ }).click()
  await page.getByRole('heading', { level: 1, name: 'New restatement' }).waitFor()
  assert.equal(await page.getByLabel('Dataset release', { exact: true }).inputValue(), pinned)
  const preview = page.getByRole('button', { name: 'Calculate preview' })
  assert.ok(await preview.isDisabled())
  await page.getByLabel('Reason').fill(MARKUP)
  await page.getByLabel('Orders', { exact: true }).selectOption('Certain product IDs')
  await page.getByLabel('Product IDs').fill('LAP-7\nTAB-0\nTAB-0\n')
  await page.getByLabel('Rental start from').fill('2024-12-31')
  await assertAccessible(page, 'restatement-form')
  await preview.click()
  await page.getByRole('heading', { level: 2, name: MARKUP }).waitFor()
  await ready()
  const { scope, figures, preview: summary } = await ask('/api/restatements/2')
  assert.deepEqual(scope, { product_ids: ['LAP-7', 'TAB-0'], tenure_start_from: '2024-12-31' })
  assert.deepEqual(figures, { release: pinned })
  const { number_of_orders: orders, bridge } = summary as Json
  assert.equal(orders, 2)
  assert.deepEqual(Object.keys(bridge as Json), ['transport_and_packaging'])
  await page.getByText('2 product IDs: LAP-7, TAB-0 · Rentals from Dec 31, 2024').waitFor()
})

test('an import is restated from its page, after a mapping of its product', async () => {
  const { page } = visitor
  const columns =
    'customer_id,order_id,order_date,tenure_start_date,type,product_id,serial_number,tenure_months,weight_kg'
  const rowOf = (at: number) => `Import Ltd,i${at},2024-12-12,2025-01-01,product,P-1,IMP-${at},12,1.24`
  const body = [columns, rowOf(1), rowOf(2), ''].join('\n')
  const authorized = { 'x-api-key': server.key }
  const headers = { ...authorized, 'content-type': 'application/octet-stream' }
  const file = await fetch(`${server.url}/api/imports?dry_run=false&file_name=i.csv`, { method: 'POST', headers, body })
  assert.equal(file.status, 202, await file.text())
  const mapping = { method: 'PUT', headers: { ...authorized, 'content-type': 'application/json' } }
  const model = JSON.stringify({ model_id: 'apple-macbook-air-13-m3-256gb' })
  await page.goto(`${server.url}/import/1`)
  await page.getByText('Completed', { exact: true }).waitFor()
  assert.equal((await fetch(`${server.url}/api/products/P-1`, { ...mapping, body: model })).status, 200)
  await assertAccessible(page, 'import-restate')
  await page.getByRole('button', { name: 'Restate this import' }).click()
  await page.getByRole('heading', { level: 2, name: 'Mappings of the import i.csv' }).waitFor()
  await ready()
  await page.getByText('Import 1', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Apply …' }).click()
  await page.getByRole('dialog').getByText('2 orders of one customer will change:').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('heading', { level: 1, name: 'Restatements' }).waitFor()
  await page.getByRole('link', { name: MARKUP }).click()
  await ready()
})

test('a preview that no longer holds is outdated and can be previewed again; a preview can be discarded', async () => {
  const { page } = visitor
  const event = { event_id: 'return-1', type: 'returned', date: '2025-06-16', serial_number: 'G-0-1' }
  const headers = { 'x-api-key': server.key, 'content-type': 'application/json' }
  const url = `${server.url}/api/customer-orders/Northwind%20GmbH/guess-0/events`
  const posted = await fetch(url, { method: 'POST', headers, body: JSON.stringify(event) })
  assert.equal(posted.status, 200, await posted.text())
  await page.getByRole('button', { name: 'Apply …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Post 2 orders' }).click()
  await page.getByText('Outdated', { exact: true }).waitFor()
  await page.getByText(/^Nothing was posted: .*Preview again/).waitFor()
  await assertAccessible(page, 'restatement-outdated')
  await page.getByRole('button', { name: 'Preview again' }).click()
  await page.getByRole('heading', { level: 1, name: 'Restatement 3' }).waitFor()
  await ready()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('heading', { level: 1, name: 'Restatements' }).waitFor()
  const rows = page.getByRole('table', { name: 'Restatements' }).getByRole('row')
  await rows.nth(1).getByText('Outdated').waitFor()
  assert.match(await rows.nth(1).innerText(), /<b>[^]*Outdated/)
  assert.match(await rows.nth(2).innerText(), /Mapping of GRV-77[^]*Applied[^]*−81/)
  assert.equal(await rows.count(), 3)
  await assertAccessible(page, 'restatements')
  visitor.assertQuiet()
})

test('an undo gives the order its first figure, after a preview that marks years that were closed before', async () => {
  const { page } = visitor
  for (const body of [{ closed_until: '2026-01-01' }, { closed_until: null, reason: 'Mapping corrected' }]) {
    const headers = { 'x-api-key': server.key, 'content-type': 'application/json' }
    const answer = await fetch(`${server.url}/api/periods`, { method: 'POST', headers, body: JSON.stringify(body) })
    assert.equal(answer.status, 200, await answer.text())
  }
  assert.notEqual(await totalOf('guess-2'), first)
  await page.getByRole('link', { name: 'Mapping of GRV-77' }).click()
  await page.getByRole('button', { name: 'Undo this restatement' }).click()
  const question = page.getByRole('dialog', { name: 'Undo restatement 1?' })
  const reason = question.getByLabel('Reason')
  assert.equal(await reason.inputValue(), 'Undo of restatement 1')
  await reason.fill(' ')
  assert.ok(await question.getByRole('button', { name: 'Calculate preview' }).isDisabled())
  await reason.fill('The mapping was wrong')
  await assertAccessible(page, 'restatement-undo')
  await question.getByRole('button', { name: 'Calculate preview' }).click()
  await page.getByRole('heading', { level: 2, name: 'The mapping was wrong' }).waitFor()
  await ready()
  const id = /\d+$/.exec(new URL(page.url()).pathname)![0]
  const { scope, figures, preview } = await ask(`/api/restatements/${id}`)
  assert.deepEqual([scope, figures], [{}, { before_restatement: 1 }])
  assert.equal((preview as Json)['number_of_superseded_statements'], 1)
  assert.ok(
    (await page.getByRole('link', { name: 'Undoes restatement 1' }).getAttribute('href'))!.endsWith('/restatements/1'),
  )
  await page.getByRole('link', { name: 'Customers and years' }).click()
  await page.getByText(/In one of them, the year had been closed/).waitFor()
  const rows = page.getByRole('table', { name: 'Customers and years' }).getByRole('row')
  await rows.filter({ hasText: '2025' }).getByText('was closed').waitFor()
  assert.equal(await rows.getByText('was closed').count(), 1)
  await assertAccessible(page, 'restatement-undo-years')
  await page.getByRole('button', { name: 'Apply …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Post one order' }).click()
  await page.getByText(/have been posted as previewed/).waitFor()
  assert.equal(await totalOf('guess-2'), first)
  await page.getByRole('link', { name: 'Undoes restatement 1' }).click()
  await page.getByRole('heading', { level: 1, name: 'Restatement 1' }).waitFor()
  await page.getByRole('link', { name: 'Orders', exact: true }).first().click()
  await page.getByRole('link', { name: 'guess-2' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'guess-2' }).waitFor()
  const shown = page.getByRole('region', { name: 'Emissions of the order' }).locator('.figure').first()
  assert.match((await shown.getAttribute('aria-label')) ?? '', new RegExp(`exactly ${String(first)} `))
  visitor.assertQuiet()
})

test('a key that may only read sees a restatement in German, and no button that would change one', async () => {
  const reader = await visit(server.url, { path: '/restatements', language: 'de', colorScheme: 'dark' })
  await signIn(reader, await server.createKey(['orders:read']))
  const { page } = reader
  await page.getByText(/Zum Anfordern, Anwenden und Verwerfen ist die Berechtigung admin nötig/).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Neue Neuberechnung' }).count(), 0)
  await page.getByRole('link', { name: 'Mapping of GRV-77' }).click()
  await page.getByRole('img', { name: /^Die Differenz beträgt/ }).waitFor()
  assert.equal(await page.getByRole('button', { name: /^(Anwenden|Verwerfen|Diese Neuberechnung)/ }).count(), 0)
  await assertAccessible(page, 'restatement-de')
  reader.assertQuiet()
})
