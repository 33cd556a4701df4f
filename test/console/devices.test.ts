// A journey through the devices in a browser: found by serial number and by order, and one life read to its end.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { assertAccessible, signIn, startConsole, visit, type ConsoleServer, type Visit } from './browser.ts'
import { HOSTILE, seedFleet } from './seed-fleet.ts'

const SERIAL = 'C02XL0AAJGH5'

let server: ConsoleServer
let visitor: Visit
before(async () => {
  server = await startConsole()
  await seedFleet(server)
  visitor = await visit(server.url)
  await signIn(visitor, server.key)
})

test('devices are found by what their serial number begins with, and by an order', async () => {
  const { page } = visitor
  await page.getByRole('link', { name: 'Devices' }).click()
  await page.getByRole('rowheader', { name: SERIAL }).waitFor()
  await assertAccessible(page, 'devices')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('Page 2').waitFor()
  await page.getByLabel('Serial number starts with').fill('PHONE-02')
  await page.waitForURL(/serial=PHONE-02$/)
  await page.getByRole('rowheader', { name: 'PHONE-020' }).waitFor()
  await page.getByRole('rowheader', { name: SERIAL }).waitFor({ state: 'detached' })
  assert.equal(await page.getByRole('rowheader').count(), 8)
  await page.getByLabel('Order ID').fill('NW-2023-001')
  await page.getByRole('rowheader', { name: 'C02XL0LOST01' }).waitFor()
  await page.waitForURL(/order=NW-2023-001$/)
  assert.equal(await page.getByRole('rowheader').count(), 2)
  await page.getByLabel('Order ID').fill('nobody')
  await page.getByText('No devices for this order ID').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
})

test('the heaviest devices come first where one likes, of a customer and of a model, each with why', async () => {
  const { page } = visitor
  const totals = async () => {
    const figures = await page.locator('tbody td.number:nth-child(2) .figure').all()
    const names = await Promise.all(figures.map((one) => one.getAttribute('aria-label')))
    return names.map((name) => Number(/exactly ([\d,.]+) /.exec(name!)![1]!.replaceAll(',', '')))
  }
  const isFalling = (all: readonly number[]) => all.every((one, at) => at === 0 || one <= all[at - 1]!)
  await page.getByRole('rowheader', { name: 'PHONE-001' }).waitFor()
  assert.equal(isFalling(await totals()), false)
  await page.getByRole('button', { name: /^Sort by Rental emissions/ }).click()
  await page.waitForURL(/sort=-total_emission$/)
  await page.locator('[aria-sort="descending"]').waitFor()
  await page.locator('tbody tr:first-child', { hasText: SERIAL }).waitFor()
  assert.equal(isFalling(await totals()), true)
  await page.getByLabel('Customer', { exact: true }).fill('Acme & Sons')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Sort by Rental emissions, this customer/ }).waitFor()
  await page.getByRole('rowheader', { name: 'PHONE-001' }).waitFor({ state: 'detached' })
  const [ofAcme, ...others] = await totals()
  assert.equal(others.length, 0)
  const report = await fetch(`${server.url}/api/reports/emissions?customer=Acme+%26+Sons`, {
    headers: { 'x-api-key': server.key },
  })
  assert.equal(((await report.json()) as { total_emission: number }).total_emission, ofAcme)
  await assertAccessible(page, 'devices-heaviest')
  await page.locator('tbody td.number:nth-child(2) .figure').click()
  const panel = page.getByRole('dialog', { name: 'Why?' })
  await panel.getByText(/emissions of one order for this device/).waitFor()
  await panel.getByRole('link', { name: 'View device history' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByLabel('Model', { exact: true }).fill('apple-iphone-15-128gb')
  await page.keyboard.press('Enter')
  await page.getByText('No matching devices').waitFor()
  await page.getByLabel('Customer', { exact: true }).fill('')
  await page.getByRole('rowheader', { name: 'PHONE-001' }).waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('rowheader', { name: 'PHONE-027' }).waitFor()
  assert.equal(await page.getByRole('rowheader').count(), 2)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.goto(`${server.url}/devices`)
})

test('a life is told as an equation that closes, a time line, rentals, events and entries', async () => {
  const { page } = visitor
  await page.getByRole('link', { name: SERIAL }).click()
  await page.getByRole('heading', { level: 1, name: SERIAL }).waitFor()
  const equation = page.getByRole('region', { name: 'Embodied emissions balance' })
  await equation.getByText('Both sides are equal to the milligram').waitFor()
  const figures = await equation.getByRole('button').allInnerTexts()
  const [bought, added, charged, left] = figures.map((one) => Math.round(Number(one) * 1e6))
  assert.equal(figures.length, 4)
  assert.ok(charged! > 0 && left! > 0)
  assert.equal(bought! + added!, charged! + left!)
  assert.equal(added, 8_250_000)
  await page.getByRole('img', { name: /^Timeline of the device/ }).waitFor()
  const chapters = page.getByRole('table', { name: 'Device history' })
  const told = (await chapters.getByRole('rowheader').allInnerTexts()).map((text) => text.split(/\n| · /)[0])
  assert.deepEqual(told, ['Northwind GmbH', 'Idle', 'Refurbished', 'Acme & Sons', 'Idle', 'Blue Ocean'])
  assert.match(await page.getByRole('table', { name: 'Events' }).innerText(), /return-1/)
  assert.equal(await page.getByRole('table', { name: 'Ledger entries' }).getByRole('rowheader').count(), 5)
  await assertAccessible(page, 'device')
})

test('every number opens why, down to the formula of the order’s line and its source', async () => {
  const { page } = visitor
  const panel = page.getByRole('dialog', { name: 'Why?' })
  const equation = page.getByRole('region', { name: 'Embodied emissions balance' })
  await equation.getByRole('button').first().click()
  await panel.getByText(/Embodied footprint of Apple MacBook Air/).waitFor()
  assert.match((await panel.getByRole('link').first().getAttribute('href'))!, /^https:/)
  await page.keyboard.press('Escape')
  const rental = page.getByRole('row', { name: /Acme & Sons/ }).first()
  await rental.getByRole('button').nth(1).click()
  await panel.getByText('Formula').waitFor()
  await page.keyboard.press('Escape')
  await rental.getByRole('button').nth(3).click()
  await panel.getByText(/share by weight of the order’s lines/).waitFor()
  await page.keyboard.press('Escape')
  const entry = page.getByRole('table', { name: 'Ledger entries' }).getByRole('row').nth(1)
  const told = page.getByRole('table', { name: 'Events' }).getByRole('row').nth(1)
  const others = [page.locator('.devices-tiles'), entry.locator('td').last(), told, rental.locator('td').last()]
  for (const figure of (await Promise.all(others.map((one) => one.locator('.figure').all()))).flat()) {
    await figure.focus()
    await page.keyboard.press('Enter')
    await panel.locator('.explanation h3').waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
  }
})

test('a life is compared by other methods of allocation when that is asked for, and each figure says why', async () => {
  const { page } = visitor
  const table = page.getByRole('table', { name: 'Other allocation methods' })
  assert.equal(await table.count(), 0)
  await page.getByRole('button', { name: 'Compare methods' }).click()
  await table.waitFor()
  const names = await table.getByRole('rowheader').allInnerTexts()
  assert.equal(names.length, 11)
  assert.match(names[0]!, /^Capped linear\s*Posted$/)
  assert.match(names[6]!, /^Loss of market value\s*Provisional · needs 3 resale values$/)
  await assertAccessible(page, 'device-allocations')
  await page.getByLabel('Resale values').fill('1500, 900, 300')
  const economic = table.getByRole('row', { name: /^Loss of market value/ })
  await economic.locator('.figure').first().click()
  const panel = page.getByRole('dialog', { name: 'Why?' })
  await panel.getByText(/By the market value that the device loses in each rental/).waitFor()
  await page.keyboard.press('Escape')
})

test('the charts and the passport are taken along, and tables of the charts shown', async () => {
  const { page } = visitor
  await page.getByRole('button', { name: 'Show as table' }).first().click()
  await page.getByRole('table', { name: /^Data table: Remaining embodied emissions/ }).waitFor()
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download Emissions by rental as CSV' }).click(),
  ])
  assert.match(readFileSync(await csv.path(), 'utf8'), /Acme & Sons · A-77/)
  const [passport] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Passport (JSON-LD)' }).click(),
  ])
  const text = readFileSync(await passport.path(), 'utf8')
  assert.match(text, /"Granularity":"Item"/)
  assert.doesNotMatch(text, /Acme|A-77/)
})

test('the page shows what was known on a day, and says so where that is nothing', async () => {
  const { page } = visitor
  await page.getByLabel('As of').fill('2020-01-01')
  await page.getByText(`No orders recorded for ${SERIAL} by this day`).waitFor()
  await page.waitForURL(/known=2020-01-01/)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('table', { name: 'Ledger entries' }).waitFor()
  visitor.assertQuiet()
})

test('names that are markup are text, a lost device keeps the rest with its owner, and German has it all', async () => {
  const { page } = visitor
  await page.goto(`${server.url}/devices/${encodeURIComponent(HOSTILE)}`)
  await page.getByRole('heading', { level: 1, name: HOSTILE }).waitFor()
  await page.getByRole('table', { name: 'Ledger entries' }).waitFor()
  assert.equal(await page.locator('main img[src], main script, main td b').count(), 0)
  await page.goto(`${server.url}/devices/C02XL0LOST01`)
  await page.getByLabel('Language').selectOption('de')
  await page.getByText('Beide Seiten sind auf das Milligramm gleich').waitFor()
  const equation = page.getByRole('region', { name: 'Bilanz der grauen Emissionen' })
  await equation.getByText('Ausgebucht').waitFor()
  assert.equal((await equation.getByRole('button').allInnerTexts()).at(-1), '0')
  await assertAccessible(page, 'device-lost-de')
  visitor.assertQuiet()
})
