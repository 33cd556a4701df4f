// Orders corrected in a browser: what moves is shown before, and then just that is recorded.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { Json } from '../document-check.ts'
import { BOX, VAN, laptop, orderOf } from '../receipt-client.ts'
import { assertAccessible, signIn, startConsole, visit, type ConsoleServer, type Visit } from './browser.ts'
import { figuresOf, sumOf } from './preview-figures.ts'

const REASON = 'Wrong <b>weight</b> & term'
const METADATA = { metadata: { cost_centre: '4711', 'a/b~c': '<i>' } }

let server: ConsoleServer
let visitor: Visit
before(async () => {
  server = await startConsole()
  await post('', orderOf('Nordlicht', 'spring', '2025-01-01', [laptop('W1', 30), laptop('W2', 24), VAN, BOX], METADATA))
  await post('', orderOf('Acme', 'later', '2028-01-01', [laptop('W1', 24)]))
  await post('', orderOf('Nordlicht', 'warned', '2029-01-01', [laptop('V1', 12)]))
  await post('', orderOf('Nordlicht', 'other', '2025-01-01', [laptop('X1', 12), VAN]))
  await post('', orderOf('Nordlicht', 'returned', '2025-01-01', [laptop('R1', 12), laptop('R2', 12)]))
  const returned = { event_id: 'returned-1', type: 'returned', serial_number: 'R2', date: '2025-06-01' }
  await post('/Nordlicht/returned/events', returned)
  visitor = await visit(server.url, { path: '/orders/Nordlicht/spring' })
  await signIn(visitor, server.key)
})

const headers = () => ({ 'content-type': 'application/json', 'x-api-key': server.key })

async function post(path: string, body: unknown): Promise<void> {
  const url = `${server.url}/api/customer-orders${path}`
  const sent = await fetch(url, { method: 'POST', headers: headers(), body: JSON.stringify(body) })
  assert.equal(sent.status, 200, await sent.text())
}

async function read(path: string): Promise<Json> {
  const answer = await fetch(`${server.url}/api/customer-orders/${path}`, { headers: headers() })
  return (await answer.json()) as Json
}

/** The content of an order as it is now. */
const contentOf = async (order: string): Promise<Json> =>
  ((await read(`${order}/receipt`))['order'] as Json)['as_received'] as Json

const totalOf = async (order: string): Promise<unknown> => (await read(order))['total_emission']

async function openForm(page: Page, correct = 'Correct'): Promise<Locator> {
  await page.getByRole('button', { name: correct, exact: true }).click()
  const form = page.getByRole('form')
  await form.waitFor()
  return form
}

const itemOf = (form: Locator, name: string): Locator => form.getByRole('region', { name, exact: true })

test('the form has the content of the order; it opens and closes by keyboard, and changes nothing', async () => {
  const { page } = visitor
  const content = await contentOf('Nordlicht/spring')
  const button = page.getByRole('button', { name: 'Correct', exact: true })
  await button.press('Enter')
  const form = page.getByRole('form')
  await form.waitFor()
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Correct order')
  const values = async (item: Locator, ...labels: readonly string[]) =>
    Promise.all(labels.map((label) => item.getByLabel(label, { exact: true }).inputValue()))
  assert.deepEqual(await values(form, 'Order date', 'Rental start'), ['2024-11-01', '2025-01-01'])
  const device = itemOf(form, 'Item 1: device')
  const stated = ['Serial number', 'Product ID', 'Tenure (months)', 'Weight (kg)', 'Product name', 'Brand']
  assert.deepEqual(await values(device, ...stated), ['W1', 'apple-macbook-air-13-m3-256gb', '30', '1.24', '', ''])
  const leg = itemOf(form, 'Item 3: transport leg')
  const ofLeg = ['Mode', 'Vehicle', 'Distance (km)', 'Distance measured as', 'Transported weight (kg)']
  assert.deepEqual(await values(leg, ...ofLeg), ['road', 'road-van-diesel', '137.5', 'shortest_feasible', '4.2'])
  const packaging = itemOf(form, 'Item 4: packaging')
  assert.deepEqual(await values(packaging, 'Material', 'Weight (kg)'), ['corrugated-board-recycled', '0.26'])
  const names = await Promise.all((await form.getByLabel('Name', { exact: true }).all()).map((one) => one.inputValue()))
  assert.deepEqual(names.toSorted(), Object.keys(METADATA.metadata).toSorted())
  await assertAccessible(page, 'correction-form')
  assert.ok(await form.getByRole('button', { name: 'Show what changes' }).isDisabled())
  await form.getByRole('button', { name: 'Cancel' }).press('Enter')
  await form.waitFor({ state: 'detached' })
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Correct')
  assert.deepEqual(await contentOf('Nordlicht/spring'), content)
})

test('what moves is shown, nothing is recorded before it is confirmed, and then just that', async () => {
  const { page } = visitor
  const before = await contentOf('Nordlicht/spring')
  const totals = [await totalOf('Nordlicht/spring'), await totalOf('Acme/later')]
  const form = await openForm(page)
  await itemOf(form, 'Item 1: device').getByLabel('Tenure (months)').fill('24')
  await itemOf(form, 'Item 3: transport leg').getByLabel('Distance (km)').fill('250')
  await form.getByRole('button', { name: 'Drop Item 2: device' }).press('Enter')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Add device')
  await form.getByRole('button', { name: 'Add packaging' }).click()
  await itemOf(form, 'Item 4: packaging').getByLabel('Weight (kg)').fill('0.5')
  await form.getByRole('button', { name: 'Show what changes' }).click()
  const shown = page.getByRole('region', { name: 'What changes', exact: true })
  await shown.getByRole('heading', { name: /^Customers and years/ }).waitFor()
  await assertAccessible(page, 'correction-preview')
  const preview = page.getByRole('region', { name: 'What changes', exact: true })
  const orders = await figuresOf(preview, 'Orders')
  assert.deepEqual(orders.map(([from]) => from).toSorted(), totals.toSorted())
  const years = await figuresOf(preview, 'Customers and years')
  assert.equal(sumOf(years.map(([change]) => change!)), sumOf(orders.map(([, , change]) => change!)))
  assert.deepEqual(await contentOf('Nordlicht/spring'), before)
  await shown.getByLabel('Reason (optional)').fill(REASON)
  await shown.getByRole('button', { name: 'Correct order' }).click()
  await page.getByText('Order spring corrected').waitFor()
  const [first, , van, box] = before['items'] as readonly { readonly type: string; readonly config: Json }[]
  assert.deepEqual(await contentOf('Nordlicht/spring'), {
    ...before,
    items: [
      { ...first, config: { ...first!.config, tenure_months: 24 } },
      { ...van, config: { ...van!.config, distance_km: 250 } },
      box,
      { ...box, config: { ...box!.config, weight_kg: 0.5 } },
    ],
  })
  assert.deepEqual(
    [await totalOf('Nordlicht/spring'), await totalOf('Acme/later')].toSorted(),
    orders.map(([, after]) => after).toSorted(),
  )
  const history = page.getByRole('region', { name: 'Corrections', exact: true })
  await history.getByText('Item 1 · Tenure (months): 30 → 24').waitFor()
  await history.getByText(REASON).waitFor()
  await history.getByText(`by key ${server.key.slice(0, 11)}…${server.key.slice(-4)}`, { exact: true }).waitFor()
  await assertAccessible(page, 'correction-done')
  await page.goto(`${server.url}/devices/W1`)
  await page.getByRole('table', { name: 'Ledger entries' }).getByText('Order corrected').waitFor()
  visitor.assertQuiet()
})

test('what the service rejects stands at its field, until something else stands there', async () => {
  const other = await visit(server.url, { path: '/orders/Nordlicht/other' })
  await signIn(other, server.key)
  const { page } = other
  const form = await openForm(page)
  await itemOf(form, 'Item 1: device').getByLabel('Weight (kg)').fill('0')
  await form.getByRole('button', { name: 'Add device' }).click()
  await itemOf(form, 'Item 3: device').getByLabel('Serial number').fill('N/A')
  await form.getByRole('button', { name: 'Drop Item 2: transport leg' }).click()
  await form.getByRole('button', { name: 'Add label' }).click()
  await form.getByLabel('Name', { exact: true }).fill('depot')
  const show = form.getByRole('button', { name: 'Show what changes' })
  await show.click()
  const [device, added] = [itemOf(form, 'Item 1: device'), itemOf(form, 'Item 2: device')]
  await device.getByText(/greater than 0/).waitFor()
  assert.equal(await device.locator('[aria-invalid=true]').count(), 1)
  assert.deepEqual(await added.locator('.field:has([aria-invalid=true]) label').allInnerTexts(), [
    'Serial number',
    'Product ID',
    'Tenure (months)',
    'Weight (kg)',
  ])
  const label = form.getByLabel('Value', { exact: true })
  assert.equal(await label.getAttribute('aria-invalid'), 'true')
  assert.equal(await page.evaluate('document.activeElement.labels[0].textContent'), 'Value')
  await assertAccessible(page, 'correction-errors')
  await label.fill('North')
  await device.getByLabel('Weight (kg)').fill('1.3')
  assert.equal(await device.locator('[aria-invalid=true]').count(), 0)
  await added.getByLabel('Product ID').fill('ThinkPad T14')
  await added.getByLabel('Tenure (months)').fill('12')
  await added.getByLabel('Weight (kg)').fill('1.4')
  await show.click()
  await added.getByText(/N\/A/).waitFor()
  await added.getByLabel('Serial number').fill('X2')
  await show.click()
  await page.getByRole('table', { name: 'Orders' }).waitFor()
  assert.equal(await form.locator('[aria-invalid=true]').count(), 0)
  // Another content needs another preview.
  await added.getByLabel('Weight (kg)').fill('1.5')
  assert.equal(await page.getByRole('button', { name: 'Correct order' }).count(), 0)
})

test('warnings about the corrected content are shown with what changes, in both languages', async () => {
  for (const [language, texts] of [
    [
      'en',
      [
        'Correct',
        /^Item 1/,
        'Serial number',
        'Show what changes',
        'Warnings',
        /order "later" of "Acme" has the device until/,
      ],
    ],
    [
      'de',
      [
        'Korrigieren',
        /^Position 1/,
        'Seriennummer',
        'Änderungen anzeigen',
        'Warnungen',
        /Bestellung „later“ von „Acme“/,
      ],
    ],
  ] as const) {
    const [correct, item, serial, show, warnings, sentence] = texts
    const other = await visit(server.url, { path: '/orders/Nordlicht/warned', language })
    await signIn(other, server.key)
    const { page } = other
    const form = await openForm(page, correct)
    await form.getByRole('region', { name: item }).getByLabel(serial).fill('W1')
    await form.getByRole('button', { name: show }).click()
    const table = page.getByRole('table', { name: warnings })
    await table.waitFor()
    await table.getByText(`${language === 'en' ? 'Item' : 'Position'} 1 · ${serial}`).waitFor()
    await table.getByText(sentence).waitFor()
    await assertAccessible(page, `correction-warnings-${language}`)
    assert.equal(await page.getByRole('main').locator('[lang=en]').count(), 0)
    other.assertQuiet()
  }
})

test('an event that contradicts the content is named; what others changed meanwhile is not overwritten', async () => {
  const other = await visit(server.url, { path: '/orders/Nordlicht/returned' })
  await signIn(other, server.key)
  const { page } = other
  const form = await openForm(page)
  await form.getByRole('button', { name: 'Drop Item 2: device' }).click()
  await form.getByRole('button', { name: 'Show what changes' }).click()
  await page.getByText(/"returned-1".*has to be withdrawn first/).waitFor()
  await assertAccessible(page, 'correction-conflict')
  await page.reload()
  await openForm(page)
  await itemOf(form, 'Item 1: device').getByLabel('Tenure (months)').fill('18')
  await form.getByRole('button', { name: 'Show what changes' }).click()
  const confirm = page.getByRole('button', { name: 'Correct order' })
  await confirm.waitFor()
  const changed = orderOf('Nordlicht', 'returned', '2025-01-01', [laptop('R1', 14), laptop('R2', 12)])
  const path = `${server.url}/api/customer-orders/Nordlicht/returned`
  const put = { method: 'PUT', headers: { ...headers(), 'if-match': '*' }, body: JSON.stringify(changed) }
  assert.equal((await fetch(path, put)).status, 200)
  await confirm.click()
  await page.getByText(/Somebody else has changed this order/).waitFor()
  await assertAccessible(page, 'correction-changed')
  assert.deepEqual(((await contentOf('Nordlicht/returned'))['items'] as readonly unknown[])[0], laptop('R1', 14))
  await page.getByRole('button', { name: 'Load again' }).click()
  const tenure = itemOf(form, 'Item 1: device').getByLabel('Tenure (months)')
  await page.getByText(/Somebody else has changed this order/).waitFor({ state: 'detached' })
  assert.equal(await tenure.inputValue(), '14')
  await tenure.fill('18')
  await form.getByRole('button', { name: 'Show what changes' }).click()
  await confirm.click()
  await page.getByText('Order returned corrected').waitFor()
  assert.deepEqual(((await contentOf('Nordlicht/returned'))['items'] as readonly unknown[])[0], laptop('R1', 18))
})

test('without the scope, and of an earlier state, there is no button; in German all of it is German', async () => {
  const reader = await visit(server.url, { path: '/orders/Nordlicht/other' })
  await signIn(reader, await server.createKey(['orders:read']))
  await reader.page.getByRole('table', { name: 'Ledger entries' }).waitFor()
  assert.equal(await reader.page.getByRole('button', { name: 'Correct', exact: true }).count(), 0)
  // Who may not read the catalogue writes the ids.
  const writer = await visit(server.url, { path: '/orders/Nordlicht/other' })
  await signIn(writer, await server.createKey(['orders:read', 'orders:write']))
  const plain = await openForm(writer.page)
  assert.equal(await plain.getByLabel('Transport (ID)').inputValue(), 'road-van-diesel')
  await plain.getByLabel('Distance (km)').fill('500')
  await plain.getByRole('button', { name: 'Show what changes' }).click()
  await writer.page.getByRole('button', { name: 'Correct order' }).waitFor()
  writer.assertQuiet()
  const german = await visit(server.url, { path: '/orders/Nordlicht/spring?known=2999-12-31', language: 'de' })
  await signIn(german, server.key)
  const { page } = german
  await page.getByRole('table', { name: 'Buchungen' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Korrigieren', exact: true }).count(), 0)
  await page.goto(`${server.url}/orders/Nordlicht/spring`)
  await page.getByText('Position 1 · Mietdauer (Monate): 30 → 24').waitFor()
  const form = await openForm(page, 'Korrigieren')
  await itemOf(form, 'Position 1: Gerät').getByLabel('Gewicht (kg)').fill('41000')
  const show = form.getByRole('button', { name: 'Änderungen anzeigen' })
  await show.click()
  await form.getByText(/höchstens 40000|höchstens 40.000/).waitFor()
  await itemOf(form, 'Position 1: Gerät').getByLabel('Gewicht (kg)').fill('1.3')
  await show.click()
  await page.getByRole('heading', { name: /^Kunden und Jahre/ }).waitFor()
  await assertAccessible(page, 'correction-preview-de')
  assert.equal(await page.getByRole('main').locator('[lang=en]').count(), 0)
})
