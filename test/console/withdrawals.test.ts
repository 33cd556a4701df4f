// Events withdrawn in a browser: what moves is shown before, refusals are the service's sentences, German has it all.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import { BOX, VAN, laptop, orderOf } from '../receipt-client.ts'
import { assertAccessible, signIn, startConsole, visit, type ConsoleServer, type Visit } from './browser.ts'
import { figuresOfRow } from './preview-figures.ts'

const REASON = 'Wrong <b>year</b>'
const ORDER = '/orders/Nordlicht/spring'

let server: ConsoleServer
let visitor: Visit
before(async () => {
  server = await startConsole()
  await send('/api/customer-orders', orderOf('Nordlicht', 'spring', '2025-01-01', [laptop('W1', 24), VAN, BOX]))
  await send('/api/customer-orders', orderOf('Acme', 'later', '2027-01-01', [laptop('W1', 24)]))
  const events = '/api/customer-orders/Nordlicht/spring/events'
  const swap = { serial_number: 'W1', date: '2025-03-01', new_serial_number: 'W2', weight_kg: 1.24 }
  await send(events, { event_id: 'swapped-1', type: 'swapped', ...swap })
  await send(events, { event_id: 'returned-1', type: 'returned', serial_number: 'W2', date: '2026-06-01' })
  const refurbished = { type: 'refurbished', date: '2026-08-01', emission_kg: 8, lifetime_months_added: 12 }
  await send('/api/devices/W1/events', { event_id: 'refurbished-1', ...refurbished })
  visitor = await visit(server.url, { path: ORDER })
  await signIn(visitor, server.key)
})

async function send(path: string, body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-api-key': server.key }
  const sent = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  assert.equal(sent.status, 200, await sent.text())
}

const idsOfEvents = async (): Promise<readonly string[]> => {
  const { rows } = await server.pool.query<{ event_id: string }>('select event_id from events order by posted_at')
  return rows.map((row) => row.event_id)
}

/** The key has no label. */
const byKey = (by: string): string => `${by} ${server.key.slice(0, 11)}…${server.key.slice(-4)}`

const totalOf = async (order: string): Promise<number> => {
  const answer = await fetch(`${server.url}/api/customer-orders/${order}`, { headers: { 'x-api-key': server.key } })
  return ((await answer.json()) as { total_emission: number }).total_emission
}

test('an event that a later one depends on is not withdrawn: the dialog shows the service’s sentence', async () => {
  const other = await visit(server.url, { path: ORDER })
  await signIn(other, server.key)
  const { page } = other
  await page.getByRole('button', { name: 'Withdraw event swapped-1' }).click()
  const dialog = page.getByRole('dialog', { name: 'Withdraw event swapped-1?' })
  await dialog.getByText(/The event "returned-1" depends on it and has to be withdrawn first/).waitFor()
  assert.ok(await dialog.getByRole('button', { name: 'Withdraw event' }).isDisabled())
  await assertAccessible(page, 'withdrawal-refused')
})

test('the dialog shows what moves, nothing is recorded before it is confirmed, and then just that', async () => {
  const { page } = visitor
  await page.getByRole('button', { name: 'Withdraw event returned-1' }).click()
  const dialog = page.getByRole('dialog', { name: 'Withdraw event returned-1?' })
  await dialog.getByRole('heading', { name: /^Customers and years/ }).waitFor()
  await assertAccessible(page, 'withdrawal-preview')
  const [earlier, later, change] = await figuresOfRow(dialog, 'Orders', 'spring')
  assert.equal(await totalOf('Nordlicht/spring'), earlier)
  const years = dialog.getByRole('table', { name: 'Customers and years' })
  assert.deepEqual(await years.getByRole('rowheader').allInnerTexts(), ['Nordlicht'])
  assert.deepEqual(await figuresOfRow(dialog, 'Customers and years', '2026'), [change])
  assert.deepEqual(await idsOfEvents(), ['swapped-1', 'returned-1', 'refurbished-1'])
  await dialog.getByLabel('Reason (optional)').fill(REASON)
  await dialog.getByRole('button', { name: 'Withdraw event' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Event returned-1 withdrawn').waitFor()
  const [, , , id] = await idsOfEvents()
  const events = page.getByRole('region', { name: 'Events', exact: true })
  await events.getByText(`Withdrawn by event ${id} · ${REASON}`).waitFor()
  await events.getByText(`Withdraws event returned-1 · ${REASON}`).waitFor()
  assert.equal(await events.getByText(byKey('by key'), { exact: true }).count(), 3)
  assert.equal(await events.getByRole('button', { name: /^Withdraw event/ }).count(), 1)
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Events')
  assert.equal(await totalOf('Nordlicht/spring'), later)
  const entries = page.getByRole('table', { name: 'Ledger entries' })
  await entries.getByRole('rowheader', { name: /^Event withdrawn/ }).waitFor()
  await assertAccessible(page, 'withdrawal-done')
})

test('a refurbishment is withdrawn on the page of its device, with the embodied total and the orders', async () => {
  const { page } = visitor
  await page.goto(`${server.url}/devices/W1`)
  const events = page.getByRole('region', { name: 'Events', exact: true })
  // Events of orders are withdrawn on the pages of these.
  await events.getByRole('button', { name: /^Withdraw event/ }).waitFor()
  assert.equal(await events.getByRole('button', { name: /^Withdraw event/ }).count(), 1)
  await events.getByRole('button', { name: 'Withdraw event refurbished-1' }).click()
  const dialog = page.getByRole('dialog', { name: 'Withdraw event refurbished-1?' })
  await dialog.getByRole('table', { name: 'Embodied total of devices' }).waitFor()
  await assertAccessible(page, 'withdrawal-device')
  assert.deepEqual(await figuresOfRow(dialog, 'Embodied total of devices', 'W1'), [117.35, 109.35])
  const [, later] = await figuresOfRow(dialog, 'Orders', 'later')
  await dialog.getByRole('button', { name: 'Withdraw event' }).click()
  await events.getByText(/^Withdrawn by event withdrawal-/).waitFor()
  await events.getByText('Withdraws event refurbished-1').waitFor()
  // Events of orders say so on the pages of these.
  assert.equal(await events.getByText(byKey('by key'), { exact: true }).count(), 2)
  assert.equal(await events.getByRole('button', { name: /^Withdraw event/ }).count(), 0)
  assert.equal(await totalOf('Acme/later'), later)
  await assertAccessible(page, 'withdrawal-device-done')
  visitor.assertQuiet()
})

test('without the scope, and of an earlier state, there is no button; in German all of it is German', async () => {
  const reader = await visit(server.url, { path: ORDER })
  await signIn(reader, await server.createKey(['orders:read']))
  await reader.page.getByRole('table', { name: 'Events' }).waitFor()
  assert.equal(await reader.page.getByRole('button', { name: /^Withdraw event/ }).count(), 0)
  const german = await visit(server.url, { path: `${ORDER}?known=2999-12-31`, language: 'de' })
  await signIn(german, server.key)
  const { page } = german
  await page.getByRole('table', { name: 'Ereignisse' }).waitFor()
  assert.equal(await page.getByRole('button', { name: /zurückziehen$/ }).count(), 0)
  await page.goto(server.url + ORDER)
  await page.getByRole('button', { name: 'Ereignis swapped-1 zurückziehen' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ereignis swapped-1 zurückziehen?' })
  await dialog.getByRole('heading', { name: /^Kunden und Jahre/ }).waitFor()
  await assertAccessible(page, 'withdrawal-preview-de')
  assert.equal(await dialog.locator('[lang=en]').count(), 0)
  await page.keyboard.press('Escape')
  await page.goto(`${server.url}/devices/W1`)
  await page.getByText('Zieht Ereignis refurbished-1 zurück').waitFor()
  assert.equal(await page.getByText(byKey('mit Schlüssel'), { exact: true }).count(), 2)
  await assertAccessible(page, 'withdrawal-device-de')
  german.assertQuiet()
})
