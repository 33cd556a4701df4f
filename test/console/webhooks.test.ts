// Webhooks and PACT clients in a browser: made with a secret that is shown once, tested, changed, disabled, deleted.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { basic } from '../pact-client.ts'
import { startReceiver, type Receiver } from '../webhook-receiver.ts'
import { assertAccessible, signIn, startConsole, visit, type ConsoleServer, type Visit } from './browser.ts'

const RULES = { ports: [443], allowsLoopback: true }
/** What the receiver answers from now on. */
let status = 204
let receiver: Receiver
let server: ConsoleServer
let visitor: Visit
before(async () => {
  receiver = await startReceiver(() => ({ status }))
  server = await startConsole({ webhooks: { publicUrl: null, rules: RULES } })
  visitor = await visit(server.url, { path: '/settings/webhooks' })
  await signIn(visitor, server.key)
})
after(() => receiver.stop())

test('a webhook is added for the events that are chosen; its secret is shown once and verifies a test', async () => {
  const { page } = visitor
  await page.getByText('No webhooks').waitFor()
  await page.getByRole('button', { name: 'Add webhook' }).click()
  const form = page.getByRole('dialog', { name: 'Add webhook' })
  await form.getByLabel('URL').fill('https://10.0.0.1/hook')
  await form.getByLabel('Purpose').fill('<b>Accounting</b>')
  await form.getByLabel('Selected events').check()
  await form.getByRole('button', { name: 'Add webhook' }).click()
  await form.getByText(/Choose at least one event/).waitFor()
  await form.getByLabel(/^Order changed/).check()
  await form.getByLabel(/^Order corrected/).check()
  await assertAccessible(page, 'webhooks-form')
  await form.getByRole('button', { name: 'Add webhook' }).click()
  await form.getByText('Must be a public address; this one belongs to a private or special-purpose network').waitFor()
  await form.getByLabel('URL').fill(receiver.url)
  await form.getByRole('button', { name: 'Add webhook' }).click()
  const made = page.getByRole('dialog', { name: 'Webhook added' })
  receiver.secrets.push(await made.getByLabel('Secret', { exact: true }).inputValue())
  assert.match(receiver.secrets[0]!, /^whsec_/)
  await page.keyboard.press('Escape')
  await made
    .getByRole('alert')
    .getByText(/not copied/)
    .waitFor()
  await made.getByRole('button', { name: 'I have saved the secret' }).click()
  await page.getByText('Nothing sent yet').waitFor()
  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByRole('cell', { name: /^Accepted \(HTTP 204\) in \d+ ms/ }).waitFor()
  assert.equal(receiver.received[0]?.status, 204)
  await assertAccessible(page, 'webhooks-page')
})

test('a delivery that was rejected says why and when it is tried next, and is sent again', async () => {
  const { page } = visitor
  status = 500
  await page.getByRole('button', { name: 'Send again: delivery 1' }).click()
  await page.getByRole('cell', { name: /^The receiver rejected it \(HTTP 500\)/ }).waitFor()
  await page.getByText('The last attempt failed; Cradle tries again.').waitFor()
  await assertAccessible(page, 'webhooks-failing')
  status = 204
  await page.getByRole('button', { name: 'Send again: delivery 1' }).click()
  await page.getByRole('cell', { name: /^Accepted/ }).waitFor()
  assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 1)
})

test('a webhook is switched off and on, its pause is ended, and its secret replaced', async () => {
  const { page } = visitor
  await page.getByRole('button', { name: 'Edit' }).click()
  const form = page.getByRole('dialog', { name: 'Edit webhook' })
  await form.getByLabel('All events').check()
  await form.getByLabel(/^Send events to this webhook/).uncheck()
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Switched off by an admin.').waitFor()
  assert.equal(await page.getByRole('button', { name: /^Send/ }).count(), 0)
  await page.getByRole('button', { name: 'Enable' }).click()
  await page.getByRole('status').getByText('Active').waitFor()
  await server.pool.query(`update webhooks set paused_until = now() + interval '1 hour', failures_in_a_row = 6`)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByText(/keeps failing or asked for a pause/).waitFor()
  await page.getByRole('button', { name: 'End pause' }).click()
  await page.getByText(/keeps failing or asked for a pause/).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Replace secret' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace secret' }).click()
  const made = page.getByRole('dialog', { name: 'Secret replaced' })
  assert.notEqual(await made.getByLabel('Secret', { exact: true }).inputValue(), receiver.secrets[0])
  await made.getByRole('button', { name: 'I have saved the secret' }).click()
  await page.getByText(/^signs as well until/).waitFor()
  const { rows } = await server.pool.query('select types, is_enabled as enabled from webhooks')
  assert.deepEqual(rows, [{ types: [], enabled: true }])
})

test('a webhook that the service disabled says why, in German too, and is deleted after a question', async () => {
  await server.pool.query(`update webhooks set is_enabled = false, disabled_reason = 'gone'`)
  const german = await visit(server.url, { path: '/settings/webhooks', language: 'de' })
  const { page } = german
  await signIn(german, server.key)
  await page.getByText('Abgeschaltet, weil der Empfänger mit 410 (gone) geantwortet hat.').waitFor()
  await assertAccessible(page, 'webhooks-list-de')
  await page.getByRole('link', { name: receiver.url }).click()
  await page.getByRole('cell', { name: /^Angenommen/ }).waitFor()
  await assertAccessible(page, 'webhooks-disabled-de')
  await page.getByRole('button', { name: 'Löschen' }).click()
  await page.getByRole('dialog', { name: 'Webhook löschen?' }).getByRole('button', { name: 'Löschen' }).click()
  await page.getByText('Keine Webhooks').waitFor()
  german.assertQuiet()
})

test('a client for PACT is created with its secret and revoked; without PACT, there is no page for them', async () => {
  const { page } = visitor
  assert.equal(await page.getByRole('link', { name: 'PACT clients' }).count(), 0)
  const pact = await startConsole({ webhooks: { publicUrl: 'https://emissions.example.com', rules: RULES } })
  const admin = await visit(pact.url, { path: '/settings/pact' })
  await signIn(admin, pact.key)
  const dialog = admin.page.getByRole('dialog')
  await admin.page.getByText('No clients').waitFor()
  await admin.page.getByRole('button', { name: 'Create client' }).click()
  await dialog.getByLabel('Purpose').fill('<b>Its platform</b>')
  await dialog.getByLabel('Customer ID').fill('customer-17')
  await dialog.getByLabel('Send events').check()
  await dialog.getByLabel('Address of the customer’s PACT interface').fill('https://pact.example.com')
  await dialog.getByLabel('Client ID there').fill('cradle')
  await dialog.getByLabel('Client secret there').fill('secret')
  await assertAccessible(admin.page, 'pact-form')
  await dialog.getByRole('button', { name: 'Create client' }).click()
  const secret = await dialog.getByLabel('Client secret', { exact: true }).inputValue()
  const id = await dialog.getByText(/^pact_/).innerText()
  await dialog.getByText('https://emissions.example.com').waitFor()
  const { status: issued } = await fetch(`${pact.url}/auth/token`, {
    method: 'POST',
    headers: { authorization: basic({ client_id: id, client_secret: secret }) },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  assert.equal(issued, 200)
  await assertAccessible(admin.page, 'pact-secret')
  await dialog.getByRole('button', { name: 'I have saved the secret' }).click()
  await admin.page.getByRole('button', { name: 'Revoke: <b>Its platform</b>' }).click()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await admin.page.getByRole('cell', { name: /^Revoked / }).waitFor()
  await assertAccessible(admin.page, 'pact-list')
  admin.assertQuiet()
})
