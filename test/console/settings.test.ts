// A journey through keys, settings and the demo fleet in a browser: made, shown once, revoked; loaded, left, removed.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { laptop, orderOf } from '../receipt-client.ts'
import { assertAccessible, signIn, startConsole, visit, type ConsoleServer, type Visit } from './browser.ts'

const MARKUP = '<img src=x onerror=alert(1)><b>bold</b>'

let server: ConsoleServer
let visitor: Visit
before(async () => {
  server = await startConsole()
  visitor = await visit(server.url)
  await signIn(visitor, server.key)
  await visitor.page.getByRole('link', { name: 'API keys and settings' }).click()
})

const rowOf = (page: Page, label: string) => page.getByRole('row').filter({ hasText: label })

test('a key is made, shown this once, not let go unasked, and works', async () => {
  const { page } = visitor
  await page.getByRole('heading', { level: 1, name: 'API keys and settings' }).waitFor()
  await rowOf(page, 'you').waitFor()
  await page.getByText(/^([0-9a-f]{4} ){15}[0-9a-f]{4}$/).waitFor()
  await assertAccessible(page, 'settings')
  await page.getByRole('button', { name: 'Create key' }).click()
  const form = page.getByRole('dialog', { name: 'Create key' })
  await form.getByLabel('Purpose').fill(MARKUP)
  await form.getByRole('button', { name: 'Create key' }).click()
  assert.match(await form.getByRole('alert').innerText(), /Choose at least one scope/)
  await form.getByLabel(/^orders:read/).check()
  await form.getByLabel('Validity').selectOption('day')
  await form.getByLabel('Last day').fill('2031-12-31')
  await assertAccessible(page, 'settings-new-key')
  await form.getByRole('button', { name: 'Create key' }).click()
  const made = page.getByRole('dialog', { name: 'Key created' })
  const secret = await made.getByLabel('API key', { exact: true }).inputValue()
  await page.keyboard.press('Escape')
  await made
    .getByRole('alert')
    .getByText(/not copied/)
    .waitFor()
  await assertAccessible(page, 'settings-made')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await made.getByRole('button', { name: 'Copy API key' }).click()
  await made.getByText('Copied').first().waitFor()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), secret)
  await made.getByRole('button', { name: 'I have saved the key' }).click()
  await rowOf(page, MARKUP).waitFor()
  const { status } = await fetch(`${server.url}/api/customer-orders`, { headers: { 'x-api-key': secret } })
  assert.equal(status, 200)
})

test('the series of grid factors is chosen, and stays chosen', async () => {
  const { page } = visitor
  const form = page.locator('form').filter({ hasText: 'Electricity of a country' })
  await form.getByText('Ember, 208 countries, 2022 to 2024').waitFor()
  await form.getByRole('radio', { name: /^What a country consumes/ }).check()
  await form.getByRole('button', { name: 'Use these factors' }).click()
  await form.getByText('What a country consumes current').waitFor()
  await page.reload()
  assert.equal(await form.getByRole('radio', { name: /^What a country consumes current/ }).isChecked(), true)
})

test('a key is revoked after a question, and stays in the list of those that ended', async () => {
  const { page } = visitor
  await page.getByRole('button', { name: `Revoke ${MARKUP}` }).click()
  const question = page.getByRole('dialog', { name: `Revoke “${MARKUP}”?` })
  await question.getByText(/^(Last used|The key had not been used)/).waitFor()
  await question.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText(`“${MARKUP}” has been revoked.`).waitFor()
  await rowOf(page, MARKUP).waitFor({ state: 'detached' })
  await page.locator('h2:focus', { hasText: 'API keys' }).waitFor()
  await page.getByLabel('Show expired and revoked keys').check()
  await rowOf(page, MARKUP)
    .getByText(/^revoked /)
    .waitFor()
  await page.waitForURL(/ended=true/)
})

test('how devices are charged from now on is chosen with its explanation, and kept', async () => {
  const { page } = visitor
  await page.getByLabel(/^Uncapped/).check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Defaults saved.').waitFor()
  const { rows } = await server.pool.query<{ readonly amortisation: string }>('select amortisation from accounts')
  assert.deepEqual(rows, [{ amortisation: 'uncapped' }])
})

test('whether doubtful orders are accepted, and how far ahead days may lie, is chosen and kept', async () => {
  const { page } = visitor
  const section = page.getByRole('region', { name: 'Checks of orders and events' })
  const stored = async () => {
    const text = 'select amortisation, strictness, days_ahead_max from accounts'
    return (await server.pool.query<Readonly<Record<string, unknown>>>(text)).rows
  }
  const save = section.getByRole('button', { name: 'Save checks' })
  assert.ok(await save.isDisabled())
  await section.getByLabel(/^Reject/).check()
  await section.getByLabel(/^Limit how far ahead/).check()
  await section.getByLabel('Days ahead').fill('1.5')
  assert.ok(await save.isDisabled())
  await section.getByLabel('Days ahead').fill('14')
  await assertAccessible(page, 'settings-checks')
  await save.click()
  await page.getByText('Checks saved.').first().waitFor()
  await section.getByLabel(/^Reject current/).waitFor()
  assert.deepEqual(await stored(), [{ amortisation: 'uncapped', strictness: 'refuse', days_ahead_max: 14 }])
  await section.getByLabel(/^Limit how far ahead/).uncheck()
  await section.getByLabel(/^Accept with a warning/).check()
  await save.click()
  await section.getByLabel(/^Accept with a warning current/).waitFor()
  assert.deepEqual(await stored(), [{ amortisation: 'uncapped', strictness: 'warn', days_ahead_max: null }])
})

test('the books are closed and reopened with a reason, and each time is listed', async () => {
  const { page } = visitor
  const section = page.getByRole('region', { name: 'Closed periods' })
  const headers = { 'x-api-key': server.key, 'content-type': 'application/json' }
  const body = JSON.stringify(orderOf('renter', MARKUP, '2022-07-01', [laptop('late', 12)]))
  assert.equal((await fetch(`${server.url}/api/customer-orders`, { method: 'POST', headers, body })).status, 200)
  await section.getByText('The books are open for all days.').first().waitFor()
  await section.getByLabel('First open day').fill('2024-01-01')
  await section.getByRole('button', { name: 'Show what becomes final' }).click()
  await section.getByText('Becomes final:').waitFor()
  const years = section.getByRole('table', { name: '2 years of customers' }).getByRole('row')
  assert.match(await years.nth(1).innerText(), /renter\s+202[23]\s/)
  const overdue = section.getByRole('table', { name: 'Rentals without a return' }).getByRole('row')
  assert.match(await overdue.nth(1).innerText(), /late\s.*<b>bold[^]*Jul 1, 2023/)
  await assertAccessible(page, 'settings-closing-preview')
  await section.getByText('The books are open for all days.').first().waitFor()
  await section.getByRole('button', { name: 'Close the books' }).click()
  await section.getByText('The books are closed for all days before Jan 1, 2024.').waitFor()
  await section.getByLabel('First open day').fill('2023-07-01')
  await section.getByLabel('Reason for reopening closed days').fill(MARKUP)
  await assertAccessible(page, 'settings-periods')
  await section.getByRole('button', { name: 'Reopen closed days' }).click()
  await section.getByText('The books are closed for all days before Jul 1, 2023.').waitFor()
  const history = section.getByRole('table', { name: 'When the books were closed or reopened' })
  const rows = history.getByRole('row')
  assert.match(await rows.nth(1).innerText(), /Reopened[^]*Jul 1, 2023[^]*<b>bold/)
  assert.match(await rows.nth(2).innerText(), /Closed[^]*Jan 1, 2024/)
})

test('a demo fleet is loaded by one click, looked at under a banner, left without the key, and removed', async () => {
  const { page } = visitor
  await page.getByRole('button', { name: 'Load demo fleet' }).click()
  await page.getByRole('progressbar', { name: /loading progress/ }).waitFor()
  const banner = page.getByRole('region', { name: 'You are looking at a demo fleet.' })
  await banner.waitFor({ timeout: 120_000 })
  await page.locator('.account').getByText('test (demo fleet)').waitFor()
  assert.equal(await page.getByRole('link', { name: 'API keys and settings' }).count(), 0)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await assertAccessible(page, 'demo-banner')
  await page.reload()
  await banner.getByRole('button', { name: 'Back to my account' }).click()
  await banner.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'API keys and settings' }).click()
  await page.getByText(/^Loaded: 1,000 orders/).waitFor()
  await page.getByRole('button', { name: 'Open demo fleet' }).click()
  await banner.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove demo fleet' }).click()
  await page.getByText('Demo fleet removed.').waitFor()
  assert.equal(await banner.count(), 0)
  const { rows } = await server.pool.query<{ readonly name: string }>('select name from accounts')
  assert.deepEqual(rows, [{ name: 'test' }])
  visitor.assertQuiet()
})

test('another tab of the browser goes on with no session that was left in this one', async () => {
  const { page } = visitor
  const other = await page.context().newPage()
  await other.goto(`${server.url}/settings`)
  await rowOf(other, 'you').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await other.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await other.close()
})

test('the last admin key is asked about twice, and signs out who was signed in with it', async () => {
  const last = await visit(server.url, { language: 'de' })
  const { page } = last
  await signIn(last, server.key)
  await page.getByRole('link', { name: 'API-Schlüssel und Einstellungen' }).click()
  await page.getByRole('button', { name: / widerrufen$/ }).click()
  await page.getByText(/werden abgemeldet/).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Widerrufen' }).click()
  await page.getByRole('dialog', { name: /ist der letzte Admin-Schlüssel/ }).waitFor()
  await assertAccessible(page, 'settings-last-admin-de')
  await page.getByRole('button', { name: 'Letzten Admin-Schlüssel widerrufen' }).click()
  await page.getByRole('heading', { level: 1, name: 'Anmelden' }).waitFor()
  await assertAccessible(page, 'sign-in-de')
  const { rows } = await server.pool.query('select from api_keys where revoked_at is null')
  assert.equal(rows.length, 0)
})
