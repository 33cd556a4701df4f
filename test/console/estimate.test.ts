// A journey through the estimate in a browser: found, changed, held against others, explained, taken to a program.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Locator, Page } from 'playwright-core'
import { assertAccessible, signIn, startConsole, visit, type ConsoleServer, type Visit } from './browser.ts'

let server: ConsoleServer
let visitor: Visit
before(async () => {
  server = await startConsole()
  visitor = await visit(server.url)
  await signIn(visitor, server.key)
  await visitor.page.getByRole('link', { name: 'Estimate' }).click()
})

const total = (page: Page): Locator => page.locator('.estimate-total').getByRole('button')
const exactly = async (page: Page): Promise<number> =>
  Number(/exactly ([\d.,]+)/.exec((await total(page).getAttribute('aria-label'))!)![1]!.replaceAll(',', ''))

/** Waits until the figure is another one than before. */
async function changed(page: Page, before: number): Promise<number> {
  await page.locator(`.estimate-total button:not([aria-label*="exactly ${before} "])`).waitFor()
  return exactly(page)
}

test('an order is there to begin with, with its alternatives as bars with intervals beside it', async () => {
  const { page } = visitor
  const chart = page.getByRole('img', { name: /4 bars/ })
  await chart.waitFor()
  assert.equal(await chart.locator('.whisker').count(), 4)
  for (const name of ['Your order', 'Refurbished instead of new', 'Transport: Sea', 'All alternatives combined']) {
    await page.getByRole('rowheader', { name, exact: true }).waitFor()
  }
  await assertAccessible(page, 'estimate')
})

test('the tenure is moved by keyboard, the answer follows, and the address leads back to it', async () => {
  const { page } = visitor
  const before = await exactly(page)
  await page.getByRole('slider', { name: 'Tenure' }).focus()
  await page.keyboard.press('ArrowRight')
  const after = await changed(page, before)
  assert.ok(after > before)
  await page.waitForURL(/months=13/)
  await page.reload()
  await total(page).waitFor()
  assert.equal(await exactly(page), after)
})

test('a model is found as one types, chosen by keyboard, and weighs what the catalogue says', async () => {
  const { page } = visitor
  const product = page.getByRole('combobox', { name: 'Product' })
  await product.fill('latitude 5430')
  await page
    .getByRole('option', { name: /Latitude 5430/ })
    .first()
    .waitFor()
  await assertAccessible(page, 'estimate-suggestions')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByText('Catalogue model:').waitFor()
  assert.match(await product.inputValue(), /Latitude 5430/)
  await page.waitForURL(/model=dell-latitude-5430/)
})

test('words that are no model are told what they are taken for, and shown as text', async () => {
  const { page } = visitor
  await page.getByRole('combobox', { name: 'Product' }).fill('thinkpad x1 <img src=x onerror=alert(1)>')
  await page.getByText('family:lenovo/thinkpad-x').waitFor()
  await page.keyboard.press('Escape')
  await page.getByLabel('Device type').selectOption('laptop')
  await assertAccessible(page, 'estimate-words')
  assert.equal(await page.locator('img[src=x]').count(), 0)
  await page
    .getByRole('button', { name: /ThinkPad X1 Carbon \d/ })
    .first()
    .click()
  await page.waitForURL(/model=lenovo-thinkpad-x1-carbon/)
})

test('every number opens why; a sum shows what it adds up', async () => {
  const { page } = visitor
  await total(page).click()
  const panel = page.getByRole('dialog', { name: 'Why?' })
  await panel.getByText(/Your order: Total/).waitFor()
  assert.match(await panel.innerText(), / \+ .* = /)
  await page.keyboard.press('Escape')
  const row = page.getByRole('row', { name: /^Your order/ })
  await row.getByRole('button').nth(1).click()
  await panel.getByText(/÷/).first().waitFor()
  await page.keyboard.press('Escape')
})

test('what is not filled in is said, and transports come and go', async () => {
  const { page } = visitor
  await page.getByRole('button', { name: 'Add transport leg' }).click()
  const third = page.getByRole('group', { name: 'Transport leg 3' })
  await third.getByLabel('Mode').selectOption('rail')
  await third.getByLabel('Distance (km)').fill('')
  await page.getByText('Required fields are empty').waitFor()
  await third.getByRole('button', { name: 'Remove transport leg 3' }).click()
  await total(page).waitFor()
  await page.getByLabel('Different tenure').check()
  await page.getByRole('rowheader', { name: '26 months' }).waitFor()
})

test('the curl that is shown answers the same total, and nothing is stored', async () => {
  const { page } = visitor
  const shown = await exactly(page)
  const text = await page.getByRole('region', { name: 'curl' }).innerText()
  assert.doesNotMatch(text, /cradle_/)
  const { stdout } = await promisify(execFile)('sh', ['-c', text], {
    env: { ...process.env, CRADLE_API_KEY: server.key },
    timeout: 20_000,
  })
  assert.equal((JSON.parse(stdout) as { total_emission: number }).total_emission, shown)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  await page.getByText('Copied as curl').waitFor()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), text)
  await page.getByRole('button', { name: 'TypeScript', exact: true }).click()
  await page.getByRole('region', { name: 'TypeScript' }).getByText('process.env.CRADLE_API_KEY').waitFor()
  const { rows } = await server.pool.query('SELECT 1 FROM orders LIMIT 1')
  assert.equal(rows.length, 0)
  visitor.assertQuiet()
})

test('the page is there in German', async () => {
  const { page } = visitor
  await page.getByLabel('Language').selectOption('de')
  await page.getByRole('heading', { level: 1, name: 'Schätzung' }).waitFor()
  await page.getByRole('rowheader', { name: 'Alle Alternativen zusammen' }).waitFor()
  visitor.assertQuiet()
})
