// Devices identified as another model in a browser: what moves is shown before, and then just that is recorded.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import { BOX, VAN, laptop, orderOf } from '../receipt-client.ts'
import { assertAccessible, signIn, startConsole, visit, type ConsoleServer, type Visit } from './browser.ts'
import { figuresOf, sumOf } from './preview-figures.ts'

const REASON = 'Wrong <b>name</b>'
const DEVICE = '/devices/I1'

let server: ConsoleServer
let visitor: Visit
before(async () => {
  server = await startConsole()
  await send(orderOf('Nordlicht', 'first', '2025-01-01', [laptop('I1', 24), VAN, BOX]))
  await send(orderOf('Acme', 'second', '2027-01-01', [laptop('I1', 12)]))
  visitor = await visit(server.url, { path: DEVICE })
  await signIn(visitor, server.key)
})

async function send(body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-api-key': server.key }
  const sent = await fetch(`${server.url}/api/customer-orders`, { method: 'POST', headers, body: JSON.stringify(body) })
  assert.equal(sent.status, 200, await sent.text())
}

const identified = async (): Promise<readonly unknown[]> => {
  const { rows } = await server.pool.query<{ content: string }>('select content from events order by posted_at')
  return rows.map(({ content }) => ({ ...(JSON.parse(content) as object), event_id: '' }))
}

const totalOf = async (order: string): Promise<number> => {
  const answer = await fetch(`${server.url}/api/customer-orders/${order}`, { headers: { 'x-api-key': server.key } })
  return ((await answer.json()) as { total_emission: number }).total_emission
}

const ORDERS = ['Nordlicht/first', 'Acme/second']

test('a model is found as one types, by keyboard alone; Escape closes the suggestions and not the dialog', async () => {
  const { page } = visitor
  await page.getByRole('button', { name: 'Identify as another model' }).click()
  const dialog = page.getByRole('dialog', { name: 'Identify as another model' })
  const show = dialog.getByRole('button', { name: 'Show what changes' })
  const field = dialog.getByRole('combobox', { name: 'Model' })
  await field.fill('latitude 3120')
  assert.ok(await show.isDisabled())
  await dialog.getByRole('option').first().waitFor()
  await assertAccessible(page, 'identification-models')
  await page.keyboard.press('Escape')
  assert.equal(await dialog.getByRole('option').count(), 0)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  assert.equal(await field.inputValue(), 'Dell Latitude 3120')
  assert.ok(await dialog.getByRole('button', { name: 'Identify device' }).isDisabled())
})

test('the dialog shows what moves, nothing is recorded before it is confirmed, and then just that', async () => {
  const { page } = visitor
  const dialog = page.getByRole('dialog', { name: 'Identify as another model' })
  const earlier = await Promise.all(ORDERS.map(totalOf))
  await dialog.getByRole('button', { name: 'Show what changes' }).click()
  await dialog.getByRole('heading', { name: /^Customers and years/ }).waitFor()
  await assertAccessible(page, 'identification-preview')
  const orders = await figuresOf(dialog, 'Orders')
  assert.deepEqual(
    orders.map(([before]) => before),
    earlier,
  )
  const years = await figuresOf(dialog, 'Customers and years')
  assert.equal(sumOf(years.map(([change]) => change!)), sumOf(orders.map(([, , change]) => change!)))
  // 200.277 kg of one model, 109.35 of the other.
  assert.deepEqual(await figuresOf(dialog, 'Embodied total of devices'), [[109.35, 200.277]])
  assert.deepEqual([await identified(), await Promise.all(ORDERS.map(totalOf))], [[], earlier])
  await dialog.getByLabel('Reason (optional)').fill(REASON)
  await dialog.getByRole('button', { name: 'Identify device' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('I1 identified as another model').waitFor()
  assert.deepEqual(await identified(), [
    { event_id: '', type: 'identified', model_id: 'dell-latitude-3120', reason: REASON },
  ])
  assert.deepEqual(
    await Promise.all(ORDERS.map(totalOf)),
    orders.map(([, after]) => after),
  )
  await page.getByText(`Identified as dell-latitude-3120 · ${REASON}`).waitFor()
  await page.getByText('Footprint used: Dell Latitude 3120').waitFor()
  await assertAccessible(page, 'identification-done')
  visitor.assertQuiet()
})

test('another choice needs another preview; what contradicts the ledger is told in the service’s words', async () => {
  const other = await visit(server.url, { path: DEVICE })
  await signIn(other, server.key)
  const { page } = other
  await page.getByRole('button', { name: 'Identify as another model' }).click()
  const dialog = page.getByRole('dialog', { name: 'Identify as another model' })
  const [show, confirm] = ['Show what changes', 'Identify device'].map((name) => dialog.getByRole('button', { name }))
  await dialog.getByRole('combobox', { name: 'Model' }).fill('latitude 3120')
  await dialog.getByRole('option').first().click()
  await show!.click()
  await dialog.getByText(/already/).waitFor()
  assert.ok(await confirm!.isDisabled())
  await assertAccessible(page, 'identification-refused')
  await dialog.getByLabel('Only its type and weight').check()
  assert.equal(await dialog.getByText(/already/).count(), 0)
  assert.ok(await show!.isDisabled())
  await dialog.getByLabel('Device type').selectOption('tablet')
  await dialog.getByLabel('Weight (kg)').fill('0.6')
  await show!.click()
  await dialog.getByRole('table', { name: 'Orders' }).waitFor()
  assert.ok(await confirm!.isEnabled())
  await assertAccessible(page, 'identification-type')
  await dialog.getByLabel('Weight (kg)').fill('0.65')
  assert.ok(await confirm!.isDisabled())
  await show!.click()
  await dialog.getByRole('table', { name: 'Orders' }).waitFor()
  await confirm!.click()
  await page.getByText('Identified as Tablet, 0.65 kg').waitFor()
  assert.deepEqual((await identified())[1], {
    event_id: '',
    type: 'identified',
    device_type: 'tablet',
    weight_kg: 0.65,
  })
})

test('an identification is withdrawn like any event of the device', async () => {
  const { page } = visitor
  await page.reload()
  await page
    .getByRole('button', { name: /^Withdraw event identification-/ })
    .last()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('table', { name: 'Orders' }).waitFor()
  await dialog.getByRole('button', { name: 'Withdraw event' }).click()
  await page.getByText('Footprint used: Dell Latitude 3120').waitFor()
})

test('without the scope, and of an earlier state, there is no button; in German all of it is German', async () => {
  const reader = await visit(server.url, { path: DEVICE })
  await signIn(reader, await server.createKey(['orders:read']))
  await reader.page.getByRole('table', { name: 'Ledger entries' }).waitFor()
  assert.equal(await reader.page.getByRole('button', { name: 'Identify as another model' }).count(), 0)
  // Who may not read the catalogue states the type and weight.
  const writer = await visit(server.url, { path: DEVICE })
  await signIn(writer, await server.createKey(['orders:read', 'orders:write']))
  await writer.page.getByRole('button', { name: 'Identify as another model' }).click()
  await writer.page.getByLabel('Weight (kg)').waitFor()
  assert.equal(await writer.page.getByRole('combobox', { name: 'Model', exact: true }).count(), 0)
  const german = await visit(server.url, { path: `${DEVICE}?known=2999-12-31`, language: 'de' })
  await signIn(german, server.key)
  const { page } = german
  await page.getByRole('table', { name: 'Buchungen' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Als anderes Modell bestimmen' }).count(), 0)
  await page.goto(server.url + DEVICE)
  await page.getByRole('button', { name: 'Als anderes Modell bestimmen' }).click()
  const dialog = page.getByRole('dialog', { name: 'Als anderes Modell bestimmen' })
  await dialog.getByRole('combobox', { name: 'Modell' }).fill('iphone 15')
  await dialog.getByRole('option').first().click()
  await dialog.getByRole('button', { name: 'Änderungen anzeigen' }).click()
  await dialog.getByRole('heading', { name: /^Kunden und Jahre/ }).waitFor()
  await assertAccessible(page, 'identification-preview-de')
  assert.equal(await dialog.locator('[lang=en]').count(), 0)
  german.assertQuiet()
})
