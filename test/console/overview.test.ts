// A journey through the overview in a browser: what was emitted, by whom, and why, down to the question to the API.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import { changeOf } from '../../console/src/overview/change.ts'
import { monthsFrom, timeOf } from '../../console/src/overview/time.ts'
import {
  askReportAgain,
  assertAccessible,
  signIn,
  startConsole,
  visit,
  type ConsoleServer,
  type Visit,
} from './browser.ts'
import { rent } from './seed-fleet.ts'

/** What the first page may weigh, in bytes as they come over the network, and how often it may ask for something. */
const SCRIPT_BYTES_MAX = 150_000
const REQUESTS_MAX = 20
/** How far what is read may move while the page is drawn, as browsers count it. */
const SHIFT_MAX = 0.05
const MARKUP = '<b>Bold</b>, "><script>alert(1)</script>'
const AIR = 'Apple MacBook Air 13 M3 256GB'

let server: ConsoleServer
let visitor: Visit
before(async () => {
  server = await startConsole()
  visitor = await visit(server.url)
  await signIn(visitor, server.key)
})

test('the time of an overview is held against the same part of the year before, a leap day too', () => {
  assert.deepEqual(timeOf('', '2028-02-29'), {
    from: '2028-01-01',
    to: '2028-02-29',
    before: { from: '2027-01-01', to: '2027-02-28' },
    kind: 'soFar',
    year: '2028',
    ahead: { from: '2028-03-01', to: '2028-08-31' },
  })
  assert.deepEqual(timeOf('2028', '2028-02-29'), timeOf('', '2028-02-29'))
  assert.deepEqual(timeOf('12-months', '2026-11-22').ahead, { from: '2026-12-01', to: '2027-05-31' })
  assert.deepEqual(timeOf('12-months', '2026-11-22').before, { from: '2024-11-23', to: '2025-11-22' })
  assert.deepEqual(timeOf('2025', '2026-11-22').before, { from: '2024-01-01', to: '2024-12-31' })
  assert.equal(timeOf('2025', '2026-11-22').ahead, null)
  const all = timeOf('all', '2026-11-22')
  assert.deepEqual([all.to, all.before], ['2026-11-22', null])
  assert.deepEqual(monthsFrom('2025-11', '2026-02'), ['2025-11', '2025-12', '2026-01', '2026-02'])
})

test('a change is told in percent where there was enough before to compare with', () => {
  assert.equal(changeOf(150, 100), 50)
  assert.equal(changeOf(-50, 100), -150)
  assert.equal(changeOf(2000, 100), 1900)
  for (const [now, before] of [
    [2001, 100],
    [5, 0],
    [5, -1],
  ] as const)
    assert.equal(changeOf(now, before), null)
})

test('an empty account is told how to fill it, and the command that it is given works as it stands', async () => {
  const { page } = visitor
  await page.getByRole('heading', { name: 'No orders yet' }).waitFor()
  await assertAccessible(page, 'overview-empty')
  const command = await page.locator('pre').innerText()
  const [url, body] = [/http\S+/.exec(command)![0], /-d '(.*)'$/.exec(command)![1]!]
  const headers = { 'x-api-key': server.key, 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body })
  assert.equal(answer.status, 200, await answer.text())
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByRole('heading', { name: 'Total emissions' }).waitFor()
})

test('the first page takes at most 150 kB of JavaScript and 20 requests, and hardly moves', async (context) => {
  for (const [customer, start, serials] of [
    ['Northwind GmbH', '2023-07-01', ['A-1', 'A-2']],
    ['Northwind GmbH', '2024-02-01', ['A-1', 'A-2']],
    [MARKUP, '2024-09-01', ['A-1', 'A-2', 'M-1']],
  ] as const)
    await rent(server, { customer, order: start, start, serials })
  for (let at = 0; at < 11; at += 1)
    await rent(server, { customer: `Customer ${at}`, order: '1', start: '2024-03-01', serials: [`C-${at}`] })
  const product = { product_id: '<i>Tab</i>', device_type: 'tablet' }
  await rent(server, { customer: 'Acme & Sons', order: 'T', start: '2024-01-01', serials: ['T-1'], product })
  for (const [language, standIn] of [
    ['de', 'Ersatzwert'],
    ['en', 'Fallback'],
  ] as const) {
    const fresh = await visit(server.url, { language })
    await fresh.page.goto(`${server.url}/?time=2024`)
    await signIn(fresh, server.key)
    const charts = fresh.page.getByRole('img', { name: /(of 3 categories|von 3 Kategorien)/ })
    await charts.waitFor()
    await fresh.page.getByText(standIn).first().waitFor()
    const bytes = fresh.scriptBytes()
    context.diagnostic(`${bytes} bytes of JavaScript (${language})`)
    assert.ok(bytes > 10_000 && bytes <= SCRIPT_BYTES_MAX, `${bytes} bytes`)
    const requests: string[] = []
    fresh.page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await fresh.page.reload()
    await charts.waitFor()
    context.diagnostic(`${requests.length} requests (${language})`)
    assert.ok(requests.length > 10 && requests.length <= REQUESTS_MAX, requests.join(' '))
    const shift = await fresh.page.evaluate<number>(
      `new Promise((done) => {
        new PerformanceObserver((list) => done(list.getEntries().reduce((sum, { value }) => sum + value, 0)))
          .observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => done(0), 500)
      })`,
    )
    context.diagnostic(`layout shift of ${shift}`)
    assert.ok(shift <= SHIFT_MAX, `a layout shift of ${shift}`)
    const paint = await fresh.page.evaluate<number>(
      'new Promise((done) => new PerformanceObserver((list) => done(list.getEntries().at(-1).startTime))' +
        ".observe({ type: 'largest-contentful-paint', buffered: true }))",
    )
    context.diagnostic(`largest paint after ${Math.round(paint)} ms, signed in, on loopback`)
    fresh.assertQuiet()
  }
})

test('a year is told in figures that agree with the report, held against the year before', async () => {
  const { page } = visitor
  await page.goto(`${server.url}/?time=2024`)
  await page.getByRole('img', { name: /of 3 categories/ }).waitFor()
  await assertAccessible(page, 'overview')
  const weighs = page.getByRole('region', { name: 'Largest contributors' })
  await weighs.getByText('Northwind GmbH').waitFor()
  await weighs.getByText(AIR).waitFor()
  const tile = page.locator('section', { hasText: 'Total emissions' }).first()
  await tile.getByRole('button').first().click()
  const panel = page.getByRole('dialog', { name: 'Why?' })
  const told = await panel.locator('.explanation-value').innerText()
  const formula = await panel.locator('.explanation-formula').innerText()
  const [sum, total] = formula.split(' = ')
  const milligrams = (text: string) => Math.round(Number(text) * 1e6)
  assert.equal(
    sum!.split(' + ').reduce((all, one) => all + milligrams(one), 0),
    milligrams(total!),
  )
  assert.equal(Number.parseFloat(told.replaceAll(',', '')), Number(total))
  assert.equal(await askReportAgain(server, await panel.locator('pre').innerText()), Number(total))
  await assertAccessible(page, 'overview-why')
  await panel.getByRole('link', { name: /^Open the report/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Report' }).waitFor()
  await panel.waitFor({ state: 'detached' })
  assert.match(page.url(), /date_basis=tenure&reporting_entity=lessee&from=2024-01-01&to=2024-12-31/)
  await page.goBack()
  await page
    .getByText(/^2023:/)
    .first()
    .waitFor()
})

test('every piece of a bar opens the question that the API answers with it, markup in names being text', async () => {
  const { page } = visitor
  const chart = page.locator('figure', { hasText: 'By customer' })
  await chart.getByRole('button', { name: 'Show as table' }).click()
  const rows = chart.getByRole('row')
  await rows.filter({ hasText: MARKUP }).waitFor()
  assert.equal(await rows.count(), 1 + 10 + 1)
  await rows.filter({ hasText: 'others' }).getByRole('rowheader').waitFor()
  const cell = rows.filter({ hasText: 'Northwind GmbH' }).getByRole('button').first()
  await cell.focus()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('dialog', { name: 'Why?' })
  await panel.getByText('Northwind GmbH: Embodied').waitFor()
  const told = Number.parseFloat((await panel.locator('.explanation-value').innerText()).replaceAll(',', ''))
  assert.equal(await askReportAgain(server, await panel.locator('pre').innerText()), told)
  assert.match(
    (await panel.getByRole('link', { name: 'View orders' }).getAttribute('href'))!,
    /^\/orders\?customer_id=Northwind/,
  )
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
})

/** What a report in the browser comes to, which has to be what the API says by its own command. */
async function totalOfReport(page: Visit['page']): Promise<number> {
  await page.getByRole('heading', { level: 1, name: 'Report' }).waitFor()
  await page.getByText('API request').click()
  return askReportAgain(server, await page.locator('details pre').innerText())
}

test('a bar tells its full value, and opens the report behind it by pointer and by keyboard', async () => {
  const { page } = visitor
  // Not where a bar comes to lie beneath it when the page scrolls.
  await page.mouse.move(0, 0)
  const bars = page.getByRole('toolbar', { name: 'Bars: By customer' }).getByRole('link')
  assert.equal(await bars.and(page.locator('[tabindex="0"]')).count(), 1)
  await bars.first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await page.locator(':focus').and(bars.last()).waitFor()
  await page.keyboard.press('ArrowRight')
  const heaviest = await bars.first().getAttribute('aria-label')
  const told = Number(/: ([\d,.]+) kg CO₂e\. View details$/.exec(heaviest!)![1]!.replaceAll(',', ''))
  const tip = page.locator('.tip').getByText(heaviest!.replace('. View details', ''))
  await tip.waitFor()
  await bars.first().hover()
  await page.mouse.move(0, 0)
  await assertAccessible(page, 'overview-bar')
  assert.equal(await tip.count(), 1, 'where the focus is, its tip stays')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/reports\?.*group_by=model,part&customer=Northwind\+GmbH/)
  assert.equal(await totalOfReport(page), told)
  await page.goBack()
  const months = page.getByRole('toolbar', { name: 'Bars: By month and part' }).getByRole('link', { name: /^Mar 24/ })
  const ofMarch = Number(/: ([\d,.]+) kg/.exec((await months.getAttribute('aria-label'))!)![1]!.replaceAll(',', ''))
  await months.click()
  await page.waitForURL(/from=2024-03-01&to=2024-03-31/)
  assert.equal(await totalOfReport(page), ofMarch)
  await page.goBack()
  await bars.last().click()
  await page.waitForURL(/group_by=customer,part/)
  await page.goBack()
})

test('where bars are too thin to be pressed one by one, neighbours are pressed together', async () => {
  const { page } = visitor
  await page.setViewportSize({ width: 360, height: 900 })
  const months = page
    .getByRole('toolbar', { name: 'Bars: By month and part' })
    .getByRole('link', { name: /^Jan 24 – / })
  await months.click()
  await page.waitForURL(/from=2024-01-01&to=2024-02-29/)
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goBack()
})

test('filters stand in the address, and what fits nothing says what to do', async () => {
  const { page } = visitor
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByLabel('Customer', { exact: true }).fill('Northwind GmbH')
  await page.keyboard.press('Enter')
  await page.getByLabel('Device type', { exact: true }).selectOption('laptop')
  await page.getByLabel('Perspective').selectOption('lessor')
  await page.waitForURL(/time=2024&customer=Northwind\+GmbH&type=laptop&reporting_entity=lessor/)
  await page.getByText('Category 2: Capital goods', { exact: false }).first().waitFor({ state: 'attached' })
  await page.getByLabel('Device type', { exact: true }).selectOption('monitor')
  await page.getByText('No emissions in this selection').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('heading', { name: 'Total emissions' }).waitFor()
  visitor.assertQuiet()
})
