// A journey through reports in a browser: built and downloaded, quality and what to mend, statements, exports.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { topGroups } from '../../console/src/emissions/top-groups.ts'
import { daysOf } from '../../console/src/emissions/period-days.ts'
import { reportPage, searchOf } from '../../console/src/emissions/report-query.ts'
import { verifyStatement } from '../../src/statements/verify-statement.ts'
import { assertAccessible, signIn, startConsole, visit, type ConsoleServer, type Visit } from './browser.ts'
import { rent } from './seed-fleet.ts'

const MARKUP = '<b>Bold</b> & 100%/ü'
const PRODUCT = '<img src=x onerror=alert(1)>'

let server: ConsoleServer
let visitor: Visit
before(async () => {
  server = await startConsole()
  await rent(server, { customer: 'Northwind GmbH', order: 'NW-1', start: '2024-02-01', serials: ['A-1', 'A-2'] })
  await rent(server, { customer: MARKUP, order: 'B-1', start: '2024-03-01', serials: ['B-1'] })
  const product = { product_id: PRODUCT, device_type: 'tablet' }
  await rent(server, { customer: 'Northwind GmbH', order: 'NW-2', start: '2024-04-01', serials: ['T-1'], product })
  visitor = await visit(server.url)
  await signIn(visitor, server.key)
  await visitor.page.getByRole('link', { name: 'Reports' }).click()
})

async function download(page: Page, name: string | RegExp): Promise<Buffer> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).first().click()])
  return readFileSync(await file.path())
}

test('those that weigh most are told one by one, and all others add up to the rest', () => {
  const sums = new Map([
    ['a', 1],
    ['b', 5],
    [null, 3],
    ['c', 0.1],
    ['d', 0.2],
  ])
  const { ranked, others } = topGroups(sums, 3)
  assert.deepEqual(
    ranked.map(({ label }) => label),
    ['b', null, 'a'],
  )
  assert.deepEqual(others, { count: 2, emission: 0.3 })
  assert.equal(searchOf({ group_by: ['month', 'part'], customer: [''] }), 'group_by=month,part&customer=')
})

test('a month, a quarter and a year are opened by their days, those of the report that lie in them', () => {
  assert.deepEqual(daysOf('2024-02'), { from: '2024-02-01', to: '2024-02-29' })
  assert.deepEqual(daysOf('2023-Q4'), { from: '2023-10-01', to: '2023-12-31' })
  assert.deepEqual(daysOf('0001'), { from: '0001-01-01', to: '0001-12-31' })
  assert.deepEqual(daysOf('0001-02'), { from: '0001-02-01', to: '0001-02-28' })
  assert.equal(reportPage({ quarter: ['2026-Q4'] }), '/reports?from=2026-10-01&to=2026-12-31')
  const soFar = { from: '2026-11-03', to: '2026-11-22' }
  assert.equal(reportPage({ ...soFar, month: ['2026-11'] }), '/reports?from=2026-11-03&to=2026-11-22')
  assert.equal(reportPage({ customer: ['a', 'b'], month: [] }), '/reports?customer=a&customer=b')
})

test('a report that is refused for one reason says it once', async () => {
  // The browser itself complains of the refusal, in a console of its own.
  const asking = await visit(server.url, { path: '/reports?from=2026-12-01&to=2026-01-01', language: 'de' })
  await signIn(asking, server.key)
  const told = asking.page.getByRole('alert')
  await told.waitFor()
  assert.equal((await told.innerText()).split('Der letzte Tag liegt vor dem ersten').length, 2)
})

test('a refusal by the service is read in German, by its code', async () => {
  const asking = await visit(server.url, { path: '/reports?from=2026-02-30', language: 'de' })
  await signIn(asking, server.key)
  const alert = asking.page.getByRole('alert')
  await alert.waitFor()
  assert.match(await alert.innerText(), /Muss ein Kalendertag oder ein Monat sein, .*; hier steht „2026-02-30“/)
})

test('a report is grouped, filtered, sorted, linked to, and downloaded as what it shows', async () => {
  const { page } = visitor
  await page.getByRole('img', { name: /^\d+ bars: emissions by Month, Part/ }).waitFor()
  await page.getByLabel('Group by').selectOption('customer')
  await page.getByRole('rowheader', { name: MARKUP }).first().waitFor()
  await page.getByLabel('then by').selectOption('category')
  await page.getByLabel('Lease type').selectOption('finance')
  await page.getByRole('cell', { name: 'Category 2: Capital goods' }).first().waitFor()
  await page.getByRole('button', { name: /^Sort by Emission/ }).click()
  await page.waitForURL(/group_by=customer%2Ccategory&lease_type=finance&sort=-emission/)
  await assertAccessible(page, 'reports-built')
  const figures = await page.locator('.data-table .number:nth-child(3) .figure').allInnerTexts()
  const numbers = figures.map((text) => Number(text.replaceAll(',', '')))
  assert.deepEqual(
    numbers,
    [...numbers].sort((a, b) => b - a),
  )
  const csv = (await download(page, /CSV$/)).toString()
  assert.match(csv, /customer,category,total_emission_kg/)
  assert.equal(csv.trim().split('\r\n').length, 1 + figures.length)
  assert.equal((await download(page, /XLSX$/)).subarray(0, 2).toString(), 'PK')
})

test('a bar opens the report of what it is of, its rules and filters kept, and the filters can be seen', async () => {
  const { page } = visitor
  const bars = page.getByRole('toolbar').getByRole('link')
  const bold = page.getByRole('toolbar').getByRole('link', { name: MARKUP })
  await bold.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(
    /=model,category&date_basis=tenure&reporting_entity=lessee&consolidation_approach=operational&lease_type=finance&/,
  )
  assert.equal(await page.getByLabel('Customer', { exact: true }).inputValue(), MARKUP)
  await page.getByLabel('GHG category', { exact: true }).selectOption('Category 2: Capital goods')
  await page.waitForURL(/category=Category\+2/)
  // Those of the report before stand until it has come.
  await bars.nth(1).waitFor({ state: 'detached' })
  assert.equal(await bars.count(), 1)
  await bars.last().click()
  await page.waitForURL(/group_by=month,category.*&model=apple-macbook-air/)
  await page.getByRole('button', { name: 'Clear filters' }).click()
})

test('the quality board tells how well it is known, and leads to what to mend first', async () => {
  const { page } = visitor
  await page.getByRole('link', { name: 'Quality' }).click()
  await page.getByRole('rowheader', { name: PRODUCT }).waitFor()
  await page
    .getByRole('img', { name: /bars? in kilograms/ })
    .first()
    .waitFor()
  await assertAccessible(page, 'reports-quality')
  await page.getByRole('row', { name: PRODUCT }).getByRole('button').last().click()
  const panel = page.getByRole('dialog', { name: 'Why?' })
  const [difference, width] = (await panel.locator('.explanation-formula').innerText()).split(' = ')
  const [high, low] = difference!.split(' − ').map((one) => Math.round(Number(one) * 1e6))
  assert.equal(high! - low!, Math.round(Number(width) * 1e6))
  assert.equal(await panel.getByRole('link', { name: 'Go to Matching' }).getAttribute('href'), '/matching')
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
})

test('a statement is downloaded for a customer and year, and verified with the key that the page shows', async () => {
  const { page } = visitor
  await page.getByRole('link', { name: 'Statements', exact: true }).click()
  await page.getByLabel('Customer', { exact: true }).fill('Nobody')
  await page.keyboard.press('Enter')
  await page.getByText('No emissions for this customer').waitFor()
  await page.getByLabel('Customer', { exact: true }).fill(MARKUP)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: `Statements of ${MARKUP}` }).waitFor()
  await page.getByRole('rowheader', { name: '2024' }).waitFor()
  await assertAccessible(page, 'reports-statements')
  const fingerprint = await page.locator('pre').first().innerText()
  const told = await page.getByRole('row', { name: /2024/ }).getByRole('button').getAttribute('aria-label')
  const text = (await download(page, /2024: JSON/)).toString()
  const verification = await verifyStatement(text, fingerprint)
  assert.equal(verification.outcome, 'equal')
  const { summary } = JSON.parse(text) as { summary: { total_emission: string } }
  assert.ok(told!.includes(summary.total_emission), told!)
  assert.equal((await download(page, /2024: PDF, German/)).subarray(0, 4).toString(), '%PDF')
})

test('orders, events, devices and entries are exported, filtered by what is chosen', async () => {
  const { page } = visitor
  await page.getByRole('link', { name: 'Exports' }).click()
  await page.getByLabel('Customer', { exact: true }).fill('Northwind GmbH')
  await page.keyboard.press('Enter')
  await page.waitForURL(/customer=Northwind/)
  await assertAccessible(page, 'reports-exports')
  const orders = (await download(page, 'Orders: CSV')).toString()
  assert.match(orders, /NW-1/)
  assert.doesNotMatch(orders, /Bold/)
  assert.match((await download(page, 'Events: CSV')).toString(), /^.?event_id,customer_id/)
  const entries = JSON.parse((await download(page, 'Ledger entries: JSON')).toString()) as Record<string, unknown>
  assert.ok('about' in entries)
  visitor.assertQuiet()
})

test('a report that cannot be asked for is told in the words of the page', async () => {
  const asker = await visit(server.url, { path: '/reports?from=2024-05-01&to=2024-01-01&group_by=month,colour' })
  await signIn(asker, server.key)
  const notice = asker.page.getByRole('alert')
  await notice.getByText('This selection cannot be shown').waitFor()
  assert.match(await notice.innerText(), /Group by: Must be one of/)
  await asker.page.goto(`${server.url}/reports?from=2024-05-01&to=2024-01-01`)
  await notice.getByText('The last day is before the first day. Change one of them.').waitFor()
  assert.doesNotMatch(await notice.innerText(), /\?|group_by|Try again/)
})

test('the electricity of a year is told by month, by place and by market, with why', async () => {
  // 14.76 kWh a year.
  const product = { product_id: 'dell-latitude-3120', weight_kg: 1.38, country: 'DE' }
  await rent(server, { customer: 'Volt AG', order: 'V-1', start: '2023-01-01', serials: ['V-1'], product })
  const { page } = visitor
  await page.goto(`${server.url}/reports/electricity`)
  await page.getByText('No electricity in this year').waitFor()
  await page.getByLabel('Year').selectOption('2023')
  await page.getByRole('heading', { name: 'Electricity in 2023' }).waitFor()
  await assertAccessible(page, 'reports-electricity')
  const february = page.getByRole('row').filter({ hasText: 'Feb 23' })
  await february.getByText('Forecast').waitFor()
  await february.getByRole('button', { name: /^0\.4/ }).first().click()
  const why = page.getByRole('dialog', { name: 'Why?' })
  assert.match(await why.locator('.explanation-formula').innerText(), /^1\.23 × 0\.\d+ = 0\.\d+$/)
  await why.getByText('The factor of another year is used until the month’s own factor is there.').waitFor()
  await assertAccessible(page, 'reports-electricity-why')
})
