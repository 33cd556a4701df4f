// A journey through the import in a browser: a dry run, missing settings, corrected cells, an import, and its reversal.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { assertAccessible, signIn, startConsole, visit, type ConsoleServer, type Visit } from './browser.ts'

const MARKUP = '<img src=x onerror=alert(1)>'
const HEADER =
  'customer_id;order_id;order_date;tenure_start_date;type;product_id;serial_number;tenure_months;weight_kg;device_type'
const row = (order: string, months: string, weight = '1,24') =>
  `${MARKUP};${order};12.12.2024;01.01.2025;product;P-1;S-${order};${months};${weight};laptop`

const file = (name: string, rows: readonly string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from([HEADER, ...rows, ''].join('\n')),
})
const FILE = file(`${MARKUP}.csv`, [
  ...Array.from({ length: 60 }, (_, at) => row(`o${at}`, '12')),
  ...Array.from({ length: 30 }, (_, at) => row(`bad${at}`, `${MARKUP} 12 months`)),
])

let server: ConsoleServer
let visitor: Visit
before(async () => {
  server = await startConsole()
  visitor = await visit(server.url)
  await signIn(visitor, server.key)
  await visitor.page.getByRole('link', { name: 'Import' }).click()
})

const choose = (page: Page, chosen: ReturnType<typeof file>) => page.locator('input[type=file]').setInputFiles(chosen)
const ordersStored = async (): Promise<number> =>
  Number((await server.pool.query<{ count: string }>('SELECT count(*) FROM orders')).rows[0]!.count)

test('where nothing was imported yet, the page says how to begin, with a template to fill in', async () => {
  const { page } = visitor
  await page.getByRole('link', { name: 'Orders' }).click()
  await page.getByText('No orders yet').waitFor()
  await page.getByRole('link', { name: 'Import' }).click()
  await page.getByText('No imports yet').waitFor()
  await assertAccessible(page, 'import-empty')
  const [template] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'one row per item' }).click(),
  ])
  assert.match(readFileSync(await template.path(), 'utf8'), /^customer_id,order_id/)
})

test('what a file does not tell is asked for, before anything is stored', async () => {
  // The browser itself complains of the refusal, in a console of its own.
  const asking = await visit(server.url)
  await signIn(asking, server.key)
  const { page } = asking
  await page.getByRole('link', { name: 'Import' }).click()
  await choose(page, { ...FILE, buffer: Buffer.from(FILE.buffer.toString().replace('serial_number', 'Seriennr')) })
  await page
    .getByRole('alert')
    .getByText(/needs more information/)
    .waitFor()
  await assertAccessible(page, 'import-unclear')
  // Until the layout is known, a column may be one of either.
  await page.getByLabel('Seriennr').locator('option[value=packaging_weight_kg]').waitFor({ state: 'attached' })
  await page.getByText('Probably serial_number').waitFor()
  // The field asks for it: the sentence for clients of the API is not shown.
  assert.equal(await page.getByRole('alert').getByText('serial_number').count(), 0)
  assert.equal(await page.getByLabel('Seriennr').inputValue(), '')
  await page.getByRole('button', { name: 'Use the probable match for this column' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Orders to store').waitFor()
  assert.equal(await page.getByLabel('Seriennr').inputValue(), 'serial_number')
})

test('a dry run shows how the file was read and what is wrong with it, row by row, and stores nothing', async () => {
  const { page } = visitor
  await choose(page, FILE)
  await page.waitForURL(/\/import\/\d+/)
  await page.getByRole('button', { name: 'Import 60 orders' }).waitFor()
  assert.equal(await page.getByLabel('Delimiter').inputValue(), 'semicolon')
  assert.equal(await page.getByLabel('Decimal separator').inputValue(), 'comma')
  assert.equal(await page.getByLabel('Date format').inputValue(), 'DD.MM.YYYY')
  const errors = page.getByRole('region', { name: 'Errors', exact: true })
  await errors.getByRole('rowheader', { name: '30', exact: true }).waitFor()
  await errors.getByRole('cell', { name: '62, 63, 64, 65, 66 …' }).waitFor()
  await errors.getByText('Row by row').click()
  await errors.getByRole('rowheader', { name: '62' }).waitFor()
  await errors
    .getByRole('cell', { name: `${MARKUP} 12 months`, exact: true })
    .first()
    .waitFor()
  await assertAccessible(page, 'import-dry-run')
  await errors.getByRole('button', { name: 'Next' }).click()
  await errors.getByRole('rowheader', { name: '90' }).waitFor()
  assert.equal(await page.locator('img[src=x]').count(), 0)
  const [rejected] = await Promise.all([
    page.waitForEvent('download'),
    errors.getByRole('link', { name: 'Download rejected rows' }).click(),
  ])
  assert.equal(
    readFileSync(await rejected.path(), 'utf8')
      .trim()
      .split('\n').length,
    31,
  )
  assert.equal(await ordersStored(), 0)
})

test('what was found can be said otherwise, and is checked again', async () => {
  const { page } = visitor
  const again = page.getByRole('button', { name: 'Check again' })
  assert.ok(await again.isDisabled())
  await page.getByLabel('device_type').selectOption('-')
  await again.click()
  await page.getByRole('button', { name: 'Import 60 orders' }).waitFor()
  assert.equal(await page.getByLabel('device_type').inputValue(), '-')
})

test('the words of carriers are offered with what they probably mean, and checked with what is chosen', async () => {
  const other = await visit(server.url)
  await signIn(other, server.key)
  const { page } = other
  await page.getByRole('link', { name: 'Import' }).click()
  const header = `${HEADER};transportation_id;transportation_mode;distance_km`
  const leg = (carrier: string) => `acme;c1;;;transportation;;;;1,5;;${carrier};road;400`
  const rows = [header, `${row('c1', '12').replace(MARKUP, 'acme')};;;`, leg('DHL Paket'), leg('pickup'), '']
  await choose(page, { ...FILE, name: 'carriers.csv', buffer: Buffer.from(rows.join('\n')) })
  const words = page.getByRole('group', { name: 'Words for transports' })
  const parcel = words.getByLabel('DHL Paket')
  await parcel.waitFor()
  const probable = await parcel.locator('option').filter({ hasText: 'Probably' }).allTextContents()
  assert.deepEqual(probable, [
    'Probably: Truck of a parcel carrier, diesel, articulated, 40 t, France',
    'Probably: Van of a parcel carrier, diesel, up to 3.5 t, France',
  ])
  assert.equal(await parcel.inputValue(), '')
  await assertAccessible(page, 'import-carriers')
  await parcel.selectOption('road-parcel-truck-articulated-40t-fr')
  await words.getByLabel('pickup').selectOption('-')
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByRole('button', { name: 'Import one order' }).waitFor()
  assert.equal(await words.getByLabel('DHL Paket').inputValue(), 'road-parcel-truck-articulated-40t-fr')
})

test('the file is imported as it was tried, in all that is shown, and reversed after a question', async () => {
  const { page } = visitor
  await page.getByRole('button', { name: 'Import 60 orders' }).click()
  const reverse = page.getByRole('button', { name: 'Reverse import' })
  await reverse.waitFor()
  await page.getByText('Completed', { exact: true }).waitFor()
  assert.equal(await ordersStored(), 60)
  await page.getByRole('link', { name: 'Orders' }).click()
  await page
    .getByRole('rowheader', { name: /^o\d+$/ })
    .first()
    .waitFor()
  await page.goBack()
  await reverse.click()
  const question = page.getByRole('dialog', { name: 'Reverse this import?' })
  await question.getByText('All 60 orders that it stored are reversed.').waitFor()
  await assertAccessible(page, 'import-reverse')
  await question.getByRole('button', { name: 'Reverse' }).click()
  await page.getByText('Reversed', { exact: true }).waitFor()
  await page.locator('h2:focus', { hasText: FILE.name }).waitFor()
  await page.getByText('Orders reversed').waitFor()
  await assertAccessible(page, 'import-reversed')
})

test('wrong cells are corrected in place, equal ones together, and tried before they are stored', async () => {
  const { page } = visitor
  const before = await ordersStored()
  await page.getByRole('link', { name: 'All imports' }).click()
  const rows = Array.from({ length: 5 }, (_, at) => row(`wrong${at}`, `"${at < 4 ? '=' : ''}12, m"`))
  await choose(page, file('wrong.csv', rows))
  await page.getByRole('button', { name: 'Correct the values here' }).click()
  await page.getByLabel('Row 2, tenure_months').fill('12')
  await page.getByRole('button', { name: 'Apply to 3 more cells with this value' }).click()
  await assertAccessible(page, 'import-correct')
  await page.getByRole('button', { name: 'Check corrected rows' }).click()
  // The remaining errors can be corrected once the other orders are imported.
  await page.getByRole('button', { name: 'Import 4 orders' }).click()
  await page.getByText('Completed', { exact: true }).waitFor()
  assert.equal(await ordersStored(), before + 4)
  await page.getByRole('button', { name: 'Correct the values here' }).click()
  await page.getByLabel('Row 6, tenure_months').fill('12')
  await page.getByRole('button', { name: 'Check corrected rows' }).click()
  await page.getByRole('button', { name: 'Import one order' }).waitFor()
  await page.getByRole('heading', { name: 'wrong-corrected.csv' }).waitFor()
})

test('earlier imports are listed, the newest first, and one that has no file at hand says so', async () => {
  const { page } = visitor
  await page.getByRole('link', { name: 'All imports' }).click()
  const names = page.getByRole('rowheader', { name: FILE.name })
  await names.nth(3).waitFor()
  assert.equal(await page.locator('img[src=x]').count(), 0)
  await assertAccessible(page, 'import-list')
  await names.nth(3).getByRole('link').click()
  await page.getByText('To import the file, choose it again.').waitFor()
  visitor.assertQuiet()
})

test('a dropped file is taken, without a dry run only after a press, and a reader may only look', async () => {
  const { page } = visitor
  await page.getByRole('link', { name: 'All imports' }).click()
  await page.getByLabel('Dry run first').uncheck()
  const { buffer } = file('dropped.csv', [row('dropped', '3')])
  const text = JSON.stringify(buffer.toString())
  const data = await page.evaluateHandle(
    `(() => {
      const dropped = new DataTransfer()
      dropped.items.add(new File([${text}], 'dropped.csv'))
      return dropped
    })()`,
  )
  await page.locator('.import-drop').dispatchEvent('drop', { dataTransfer: data })
  await page.getByRole('button', { name: 'Import' }).click()
  await page.getByRole('button', { name: 'Reverse import' }).waitFor()
  await page.getByText('Completed', { exact: true }).waitFor()
  visitor.assertQuiet()
  await page.goto(`${server.url}/import`)
  const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
  await page.locator('input[type=file]').setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: png })
  await page.getByText('“orders.csv” cannot be read as a file of orders.').waitFor()
  await page.getByText('The file is of the type PNG; orders are accepted as CSV, XLSX or JSON lines').waitFor()
  assert.equal(await page.getByLabel(/^(Character encoding|Format)$/).count(), 0)
  const reader = await visit(server.url)
  await signIn(reader, await server.createKey(['orders:read', 'catalogue:read']))
  await reader.page.getByRole('link', { name: 'Import' }).click()
  await reader.page.getByText(/Your API key can view imports but not start them/).waitFor()
  assert.equal(await reader.page.locator('input[type=file]').count(), 0)
  reader.assertQuiet()
})

test('a German page explains settings and errors in German, and offers each suggestion', async () => {
  const { page } = await visit(server.url, { path: '/import', language: 'de' })
  await page.getByLabel('API-Schlüssel').fill(server.key)
  await page.getByRole('button', { name: 'Anmelden' }).click()
  await choose(page, file('unklar.csv', [row('a0', '12', '1,234')]))
  await page.getByText('„1,234“ kann Dezimalstellen oder ein Tausendertrennzeichen haben').waitFor()
  await assertAccessible(page, 'import-german-unclear')
  const rows = Array.from({ length: 15 }, (_, at) => row(`a${at}`, '12'))
  const wrong = [row('b1', '12', '1.234'), row('b2', '2 Monate'), row('b3', '12').replace('laptop', 'Tisch')]
  await choose(page, file('deutsch.csv', [...rows, ...wrong, row('b4', '12').replace('12.12.2024', '31.02.2024')]))
  await page.getByText('18 Zellen der ersten Zeilen sind so geschrieben, wie „1,24“').waitFor()
  const errors = page.getByRole('region', { name: 'Fehler', exact: true })
  await errors.getByText('Es kann 1234 oder 1,234 heißen').waitFor()
  await errors.getByText('Den Tag „31.02.2024“ gibt es im Format DD.MM.YYYY nicht').waitFor()
  assert.equal(await page.locator('main [lang=en]').count(), 0)
  await errors.getByText('Zeile für Zeile').click()
  await errors.getByRole('cell', { name: '1234 oder 1,234', exact: true }).waitFor()
  await assertAccessible(page, 'import-german-errors')
  await page.getByRole('button', { name: '15 Bestellungen importieren' }).click()
  await page.getByText('Abgeschlossen', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Werte hier korrigieren' }).click()
  await page.getByRole('button', { name: '1234 verwenden' }).waitFor()
  await page.getByRole('button', { name: '1,234 verwenden' }).click()
  assert.equal(await page.getByLabel('Zeile 17, weight_kg').inputValue(), '1,234')
  await assertAccessible(page, 'import-german-correct')
})
