// A journey through the orders in a browser: found, opened, explained, as they stood, and proven.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { BOX, VAN, laptop, orderOf } from '../receipt-client.ts'
import { assertAccessible, signIn, startConsole, visit, type ConsoleServer, type Visit } from './browser.ts'

const MARKUP = '<img src=x onerror=alert(1)>'
const CUSTOMER = `Nordlicht & Söhne/${MARKUP}`
const ORDER = 'spring-50%/fleet'
const PHONE = {
  type: 'product',
  config: {
    product_id: 'our phone',
    product_name: `Galaxy S23 ${MARKUP}`,
    device_type: 'mobile',
    serial_number: `R5-${MARKUP}`,
    tenure_months: 24,
    weight_kg: 0.168,
  },
}

let server: ConsoleServer
let visitor: Visit
before(async () => {
  server = await startConsole()
  visitor = await visit(server.url, { path: '/orders' })
})

async function send(path: string, body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-api-key': server.key }
  const sent = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  assert.equal(sent.status, 200, await sent.text())
}

const PATH = `${encodeURIComponent(CUSTOMER)}/${encodeURIComponent(ORDER)}`
const tell = (event: object) => send(`/api/customer-orders/${PATH}/events`, event)

async function fill(): Promise<void> {
  const items = [laptop('C02XL0AAJGH5', 36), laptop('C02XL0AAJGH6', 24), PHONE, VAN, BOX]
  await send(
    '/api/customer-orders',
    orderOf(CUSTOMER, ORDER, '2025-01-01', items, { order_date: '2024-10-01', metadata: { 'cost centre': '4711' } }),
  )
  await tell({ event_id: 'returned-1', type: 'returned', serial_number: 'C02XL0AAJGH6', date: '2025-08-16' })
  await tell({
    event_id: 'swapped-1',
    type: 'swapped',
    serial_number: 'C02XL0AAJGH5',
    date: '2025-03-01',
    new_serial_number: 'C02XL0AAJGH7',
    weight_kg: 1.24,
  })
  const ids = Array.from({ length: 30 }, (_, at) => String(at + 1).padStart(3, '0'))
  await Promise.all(
    ids.map((id) =>
      send('/api/customer-orders', orderOf('acme', `o-${id}`, '2025-02-01', [laptop(`A-${id}`, 12), VAN])),
    ),
  )
}

test('where there are no orders, the page says how to send the first', async () => {
  await signIn(visitor, server.key)
  const { page } = visitor
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
  await page.getByText('No orders yet').waitFor()
  await assertAccessible(page, 'orders-empty')
  await fill()
  await page.reload()
})

test('orders are found by customer, device and id, page by page, and linked to as they are shown', async () => {
  const { page } = visitor
  await page.getByRole('rowheader', { name: 'o-030' }).waitFor()
  assert.equal(await page.getByRole('row').count(), 26)
  await assertAccessible(page, 'orders-list')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('Page 2').waitFor()
  await page.getByRole('rowheader', { name: ORDER }).waitFor()
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Next')
  assert.equal(await page.getByRole('button', { name: 'Next' }).getAttribute('aria-disabled'), 'true')
  const search = page.getByLabel('Order, customer or serial number')
  await search.fill('o-02')
  await page.waitForURL(/\?search=o-02$/)
  await page.getByRole('rowheader', { name: 'o-029' }).waitFor()
  await page.getByRole('row').nth(11).waitFor({ state: 'detached' })
  await page.getByLabel('Customer ID').fill('nobody')
  await page.getByText('No matching orders').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await search.fill('C02XL0AAJGH7')
  await page.getByRole('row').nth(2).waitFor({ state: 'detached' })
  await page.getByRole('rowheader', { name: ORDER }).waitFor()
  await page.reload()
  assert.equal(await search.inputValue(), 'C02XL0AAJGH7')
  await page.getByRole('button', { name: 'Clear filters' }).click()
})

test('the newest orders stand first, or the heaviest, or the oldest, as one likes', async () => {
  const { page } = visitor
  const first = page.getByRole('rowheader').first()
  const ordered = page.locator('th[aria-sort]', { hasText: 'Order date' })
  assert.equal(await ordered.getAttribute('aria-sort'), 'descending')
  await ordered.getByRole('button').click()
  await page.waitForURL(/\?sort=order_date$/)
  await first.getByText(ORDER).waitFor()
  assert.equal(await ordered.getAttribute('aria-sort'), 'ascending')
  await page.getByLabel('Sort by', { exact: true }).selectOption('Newest first')
  await first.getByText('o-030').waitFor()
  await page.getByLabel('Sort by', { exact: true }).selectOption('Highest emissions first')
  await page.waitForURL(/\?sort=-total_emission$/)
  await first.getByText(ORDER).waitFor()
})

test('a number of the table opens why, read when it is asked for', async () => {
  const { page } = visitor
  await page
    .getByRole('row', { name: ORDER })
    .getByRole('button', { name: /kg CO₂e/ })
    .click()
  const panel = page.getByRole('dialog', { name: 'Why?' })
  await panel.getByText(`Total emissions of order ${ORDER}`).waitFor()
  assert.match(await panel.innerText(), /C02XL0AAJGH7 · Apple MacBook Air/)
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
})

test('an order shows items, lines, shares, events and entries; all numbers open why; markup is text', async () => {
  const { page } = visitor
  await page.getByRole('link', { name: ORDER }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: ORDER }).waitFor()
  await page.getByText(CUSTOMER).waitFor()
  await page.getByRole('img', { name: /6 items by part/ }).waitFor()
  const way = page.getByRole('img', { name: /10 lines make up the total/ })
  assert.equal(await way.locator('.whisker').count(), 11)
  assert.equal(await page.locator('img[src=x]').count(), 0)
  const shares = page.getByRole('region', { name: 'Emissions by device', exact: true })
  await shares.getByRole('row', { name: 'C02XL0AAJGH6' }).getByRole('button').nth(3).click()
  const panel = page.getByRole('dialog', { name: 'Why?' })
  await panel.getByText(/allocated to its devices by weight/).waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  for (const table of ['Lines', 'Emissions by device', 'Ledger entries']) {
    const cells = page.getByRole('region', { name: table, exact: true }).locator('td.number')
    assert.equal(await cells.filter({ has: page.getByRole('button') }).count(), await cells.count(), table)
  }
})

test('it is recomputed by the service, and its receipt taken along', async () => {
  const { page } = visitor
  const proof = page.getByRole('region', { name: 'Verification' })
  await proof.getByRole('button', { name: 'Recalculate' }).click()
  await proof.getByText('Verified: equal to the milligram.').waitFor()
  await proof.getByText('10 lines recalculated').waitFor()
  await assertAccessible(page, 'orders-order')
  const [receipt] = await Promise.all([
    page.waitForEvent('download'),
    proof.getByRole('link', { name: 'Download receipt' }).click(),
  ])
  const { media_type: form } = JSON.parse(readFileSync(await receipt.path(), 'utf8')) as { readonly media_type: string }
  assert.equal(form, 'application/vnd.cradle.receipt+json;version=3')
  await server.pool.query(
    "update entries set use_mg = use_mg + 1 where reason = 'order' and serial_number = 'C02XL0AAJGH6'",
  )
  await proof.getByRole('button', { name: 'Recalculate' }).click()
  await proof.getByText(/^Mismatch/).waitFor()
  await proof.getByText('/posted_total/product_use').waitFor()
  visitor.assertQuiet()
})

test('as of a day before it was told, nothing is known of it', async () => {
  const { page } = visitor
  // Typed as by hand: month, day, and the digits of the year, of which the first three are none.
  await page.getByLabel('As of').focus()
  await page.keyboard.type('01012025', { delay: 20 })
  await page.getByText(/had not been recorded by the end of/).waitFor()
  assert.equal(await page.getByLabel('As of').inputValue(), '2025-01-01')
  assert.ok(await page.evaluate("document.activeElement.type === 'date'"))
  await page.getByRole('button', { name: 'Show current state' }).click()
  await page.getByText(/^Current state; recorded on/).waitFor()
  await page.getByLabel('As of').fill('2999-12-31')
  await page.getByText(/what was recorded by the end of/).waitFor()
})

/** They are in whatever the service says of lines. */
const SERVICE_WORDS =
  /\b(emission from|embodied emission|stands in|typical|months|sheet|transportation of|packaging of)\b/i

test('in German all of an order is German, down to why each of its lines is what it is', async () => {
  const german = await visit(server.url, { path: '/orders?sort=order_date', language: 'de' })
  await signIn(german, server.key)
  await german.page.getByRole('link', { name: ORDER }).click()
  const { page } = german
  await page.getByRole('region', { name: 'Prüfung' }).waitFor()
  const lines = page.getByRole('region', { name: 'Zeilen', exact: true })
  await lines.getByText('Transport des Geräts').waitFor()
  assert.doesNotMatch(await page.getByRole('main').innerText(), SERVICE_WORDS)
  const whys = lines.locator('tbody tr td:nth-of-type(1) button')
  assert.ok((await whys.count()) > 4)
  for (const why of await whys.all()) {
    await why.click()
    const panel = page.getByRole('dialog')
    await panel.getByText('Die Methode ist beschrieben in').waitFor()
    // What sources are called stays as it was published.
    assert.equal(await panel.locator('[lang=en]:not(.source *)').count(), 0)
    assert.doesNotMatch(await panel.innerText(), SERVICE_WORDS)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
  }
  assert.equal(await page.locator('main [lang=en]').count(), 0)
  german.assertQuiet()
})

test('where too many orders fit to be sorted by their emissions, the page says so, and what to do', async () => {
  await server.pool.query(
    `insert into orders (account_id, release_id, order_date, tenure_start_date, created_at, customer_id, order_id,
      items, footprint_ids, match_methods, line_emissions_mg)
    select account_id, release_id, order_date, tenure_start_date, created_at, customer_id, 'copy-' || n, items,
      footprint_ids, match_methods, line_emissions_mg
    from orders, generate_series(1, 100000) as n where order_id = 'o-001'`,
  )
  const many = await visit(server.url, { path: '/orders?sort=-total_emission' })
  await signIn(many, server.key)
  const { page } = many
  await page.getByText('Too many orders to sort by emissions').waitFor()
  await assertAccessible(page, 'orders-too-many')
  await page.getByRole('button', { name: 'Newest first' }).click()
  await page.getByRole('rowheader', { name: 'o-030' }).waitFor()
})
