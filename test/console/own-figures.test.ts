// Own figures in a browser: by a form, which an estimate then uses; from a file; in the catalogue; deleted.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Json } from '../document-check.ts'
import { laptop, orderOf } from '../receipt-client.ts'
import { assertAccessible, signIn, startConsole, visit, type ConsoleServer, type Visit } from './browser.ts'

let server: ConsoleServer
let visitor: Visit
before(async () => {
  server = await startConsole()
  visitor = await visit(server.url, { path: '/catalogue/own' })
  await signIn(visitor, server.key)
})

const headers = () => ({ 'x-api-key': server.key, 'content-type': 'application/json' })

async function estimate(product: Json): Promise<Json> {
  const body = JSON.stringify(orderOf('Acme', 'estimate', '2025-01-01', [laptop('S1', 12, product)]))
  const answer = await fetch(`${server.url}/api/estimates`, { method: 'POST', headers: headers(), body })
  assert.equal(answer.status, 200, await answer.clone().text())
  return (await answer.json()) as Json
}

const HEADER = 'id,name,material,factor_kg_co2e_per_kg,source_title,source_publisher'
const ROW = 'reusable-case,Reusable case,polypropylene,0.4,Own measurement,Rental GmbH'

const csv = (lines: readonly string[]) => ({
  name: 'own.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(`${lines.join('\r\n')}\r\n`),
})

test('a model is added by a form, and an estimate uses it', async () => {
  const { page } = visitor
  await page.getByText('None yet').waitFor()
  await assertAccessible(page, 'own-figures-none')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Add device model' })
  const save = form.getByRole('button', { name: 'Save' })
  assert.ok(await save.isDisabled())
  await form.getByLabel('ID *').fill('ruggedbook-r15')
  await form.getByLabel('Name *').fill('R15')
  await form.getByLabel('Brand *').fill('Ruggedbook')
  await form.getByLabel('Device type *').selectOption('laptop')
  await form.getByLabel('Aliases and part numbers').fill('RB-R15\nR-15')
  await form.getByLabel('Total footprint').fill('312.4')
  await form.getByLabel('Production (kg CO₂e)').fill('240')
  await form.getByLabel('Title of the source').fill('PCF of the R15')
  await form.getByLabel('Publisher').fill('Ruggedbook GmbH')
  await assertAccessible(page, 'own-figures-form')
  await save.click()
  await form.waitFor({ state: 'detached' })
  await page.getByRole('row').filter({ hasText: 'ruggedbook-r15' }).waitFor()
  await assertAccessible(page, 'own-figures')
  const product = { product_id: 'sku-1', product_name: 'Ruggedbook R15', brand: 'Ruggedbook' }
  // 312.4 kg over the 48 months of laptops.
  assert.equal((await estimate(product))['total_emission'], (312.4 * 12) / 48)
})

test('the catalogue says whose the figure is, and other content is another version', async () => {
  const { page } = visitor
  await page.getByRole('link', { name: 'Device models', exact: true }).click()
  await page.getByLabel('Search').fill('ruggedbook')
  await page.getByRole('row').filter({ hasText: 'Ruggedbook R15' }).getByText('Own figure').waitFor()
  await assertAccessible(page, 'catalogue-own')
  await page.getByRole('link', { name: 'Own figures', exact: true }).click()
  await page.getByRole('button', { name: 'Edit Ruggedbook R15' }).click()
  const form = page.getByRole('dialog', { name: 'Edit device model' })
  assert.equal(await form.getByLabel('Aliases and part numbers').inputValue(), 'RB-R15\nR-15')
  await form.getByLabel('Total footprint').fill('300')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^2, since /).waitFor()
})

test('a file is stored as a whole, and comes back as a download', async () => {
  const { page } = visitor
  await page.getByLabel('Kind', { exact: true }).selectOption('Own packagings')
  await page.getByText('None yet').waitFor()
  const upload = page.getByLabel('Upload CSV')
  await upload.setInputFiles(csv([HEADER, ROW]))
  await page.getByRole('row').filter({ hasText: 'reusable-case' }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  const [columns = '', first = ''] = Buffer.concat(chunks).toString('utf8').replace('\ufeff', '').split('\r\n')
  assert.ok(columns.startsWith('id,name,material,'))
  assert.ok(first.startsWith('reusable-case,Reusable case,polypropylene,,0.4,'))
  await upload.setInputFiles(csv([columns, first]))
  await page.getByText('Nothing changed: all of it was already stored.').first().waitFor()
})

test('lifetimes have a type, grid factors a country and a year; a figure is deleted after a question', async () => {
  const { page } = visitor
  await page.getByLabel('Kind', { exact: true }).selectOption('Own lifetimes')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const lifetime = page.getByRole('dialog', { name: 'Add lifetime' })
  await lifetime.getByLabel('Device type *').selectOption('laptop')
  await lifetime.getByLabel('Lifetime *').fill('66')
  await lifetime.getByLabel('Title of the source').fill('Own fleet')
  await lifetime.getByLabel('Publisher').fill('Rental GmbH')
  await lifetime.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row').filter({ hasText: 'Laptop' }).getByText('66').waitFor()
  await page.getByLabel('Kind', { exact: true }).selectOption('Own grid factors')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const grid = page.getByRole('dialog', { name: 'Add grid factor' })
  await grid.getByLabel('Country *').selectOption('DE')
  await grid.getByLabel('Year *').fill('2024')
  await grid.getByLabel('Emission factor *').fill('0.042')
  await grid.getByLabel('Title of the source').fill('Contract')
  await grid.getByLabel('Publisher').fill('Utility AG')
  await grid.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row').filter({ hasText: 'Germany, 2024' }).waitFor()
  await assertAccessible(page, 'own-figures-grid')
  await page.getByRole('button', { name: 'Delete Germany, 2024' }).click()
  const question = page.getByRole('dialog', { name: 'Delete Germany, 2024?' })
  await question.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('None yet').waitFor()
  await page.getByRole('link', { name: /^Restate with own figures/ }).click()
  await page.getByLabel(/^Own figures/).waitFor()
  assert.ok(await page.getByLabel(/^Own figures/).isChecked())
  visitor.assertQuiet()
})

test('a key that may only read sees own figures in German, and nothing that would change them', async () => {
  const reader = await visit(server.url, { path: '/catalogue/own', language: 'de', colorScheme: 'dark' })
  await signIn(reader, await server.createKey(['catalogue:read']))
  const { page } = reader
  await page.getByText(/Zum Ändern ist die Berechtigung admin nötig/).waitFor()
  await page.getByRole('row').filter({ hasText: 'ruggedbook-r15' }).waitFor()
  assert.equal(await page.getByRole('button', { name: /Hinzufügen|Bearbeiten|Löschen/ }).count(), 0)
  await assertAccessible(page, 'own-figures-de')
  reader.assertQuiet()
})

test('what is wrong with a form is said at its field, with a file row by row, and none of it is stored', async () => {
  const mistaken = await visit(server.url, { path: '/catalogue/own?kind=packagings' })
  await signIn(mistaken, server.key)
  const { page } = mistaken
  await page.getByLabel('Upload CSV').setInputFiles(csv([HEADER, ROW, 'Bad Id,Case,wood,99,,Rental GmbH']))
  const errors = page.getByRole('table', { name: 'Errors in the file' })
  await errors.getByRole('rowheader', { name: '3' }).first().waitFor()
  await errors.getByText('factor_kg_co2e_per_kg').waitFor()
  await assertAccessible(page, 'own-figures-refused')
  const other = csv([HEADER, ROW.replace('0.4', '0.5')])
  await page.getByLabel('Upload CSV').setInputFiles(other)
  await page.getByRole('row').filter({ hasText: 'A figure "reusable-case" with different content' }).waitFor()
  await page.getByLabel('Store new versions of figures that exist already').check()
  await page.getByLabel('Upload CSV').setInputFiles(other)
  await page.getByText(/^2, since /).waitFor()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Add packaging' })
  await form.getByLabel('ID *').fill('case')
  await form.getByLabel('Name *').fill('Case')
  await form.getByLabel('Material *').fill('wood')
  await form.getByLabel('Emission factor *').fill('0.5')
  await form.getByLabel('SHA-256 of the document').fill('ABC')
  await form.getByLabel('Title of the source').fill('Own measurement')
  await form.getByLabel('Publisher').fill('Rental GmbH')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByLabel('SHA-256 of the document').and(page.locator('[aria-invalid="true"]')).waitFor()
  await assertAccessible(page, 'own-figures-form-refused')
  const { packagings } = await listPackagings()
  assert.equal(packagings.filter(({ origin }) => origin === 'account').length, 1)
})

async function listPackagings() {
  const answer = await fetch(`${server.url}/api/packagings`, { headers: headers() })
  return (await answer.json()) as { readonly packagings: readonly { readonly origin: string }[] }
}
