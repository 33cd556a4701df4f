// A journey through the import in a browser: tried, asked about, mended, imported, and undone.
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
  // Until the layout is told, a column may be one of either.
  await page.getByLabel('Seriennr').locator('option[value=packaging_weight_kg]').waitFor({ state: 'attached' })
  await page.getByText('Probably serial_number').waitFor()
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
  const [mend] = await Promise.all([
    page.waitForEvent('download'),
    errors.getByRole('link', { name: 'Download rejected rows' }).click(),
  ])
  assert.equal(
    readFileSync(await mend.path(), 'utf8')
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

test('the file is imported as it was tried, in all that is shown, and undone after a question', async () => {
  const { page } = visitor
  await page.getByRole('button', { name: 'Import 60 orders' }).click()
  const undo = page.getByRole('button', { name: 'Reverse import' })
  await undo.waitFor()
  await page.getByText('Completed', { exact: true }).waitFor()
  assert.equal(await ordersStored(), 60)
  await page.getByRole('link', { name: 'Orders' }).click()
  await page
    .getByRole('rowheader', { name: /^o\d+$/ })
    .first()
    .waitFor()
  await page.goBack()
  await undo.click()
  const question = page.getByRole('dialog', { name: 'Reverse this import?' })
  await question.getByText('All 60 orders that it stored are reversed.').waitFor()
  await assertAccessible(page, 'import-undo')
  await question.getByRole('button', { name: 'Reverse' }).click()
  await page.getByText('Reversed', { exact: true }).waitFor()
  await page.locator('h2:focus', { hasText: FILE.name }).waitFor()
  await page.getByText('Orders reversed').waitFor()
  await assertAccessible(page, 'import-reversed')
})

test('faulty cells are mended where they stand, equal ones together, and tried before they are stored', async () => {
  const { page } = visitor
  const before = await ordersStored()
  await page.getByRole('link', { name: 'All imports' }).click()
  const rows = Array.from({ length: 5 }, (_, at) => row(`mend${at}`, `"${at < 4 ? '=' : ''}12, m"`))
  await choose(page, file('mend.csv', rows))
  await page.getByRole('button', { name: 'Correct the values here' }).click()
  await page.getByLabel('Row 2, tenure_months').fill('12')
  await page.getByRole('button', { name: 'Apply to 3 more cells with this value' }).click()
  await assertAccessible(page, 'import-mend')
  await page.getByRole('button', { name: 'Check corrected rows' }).click()
  // What is still wrong can be mended once the others are in.
  await page.getByRole('button', { name: 'Import 4 orders' }).click()
  await page.getByText('Completed', { exact: true }).waitFor()
  assert.equal(await ordersStored(), before + 4)
  await page.getByRole('button', { name: 'Correct the values here' }).click()
  await page.getByLabel('Row 6, tenure_months').fill('12')
  await page.getByRole('button', { name: 'Check corrected rows' }).click()
  await page.getByRole('button', { name: 'Import one order' }).waitFor()
  await page.getByRole('heading', { name: 'mend-mended.csv' }).waitFor()
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
  await page.getByText('The file is a PNG image; orders are taken as CSV, XLSX or JSON lines').waitFor()
  assert.equal(await page.getByLabel(/^(Character encoding|Format)$/).count(), 0)
  const reader = await visit(server.url)
  await signIn(reader, await server.createKey(['orders:read', 'catalogue:read']))
  await reader.page.getByRole('link', { name: 'Import' }).click()
  await reader.page.getByText(/Your API key can view imports but not start them/).waitFor()
  assert.equal(await reader.page.locator('input[type=file]').count(), 0)
  reader.assertQuiet()
})
