// A journey through the matching in a browser: the heaviest guess first, mapped by one press, and taken back.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import { assertAccessible, signIn, startConsole, visit, type ConsoleServer, type Visit } from './browser.ts'
import { until } from '../command.ts'
import { seedGuesses } from './seed-fleet.ts'

let server: ConsoleServer
let visitor: Visit
before(async () => {
  server = await startConsole()
  visitor = await visit(server.url)
  await signIn(visitor, server.key)
})

const share = async () => Number.parseFloat(await visitor.page.locator('.matching-share .figure').innerText())

test('without a guess the page says what would bring one', async () => {
  const { page } = visitor
  await page.getByRole('link', { name: 'Matching' }).click()
  await page.getByText('Nothing to review').waitFor()
})

test('guesses are listed heaviest first, by how they were found, each with why', async () => {
  await seedGuesses(server)
  const { page } = visitor
  await page.reload()
  const cards = page.locator('.matching-product')
  await cards.first().waitFor()
  assert.equal(await share(), 0)
  const weights = await cards.locator('.matching-weight .figure').allInnerTexts()
  const kilograms = weights.map(Number.parseFloat)
  assert.equal(kilograms.length, 10)
  assert.deepEqual(
    kilograms,
    kilograms.toSorted((a, b) => b - a),
  )
  assert.equal(await page.locator('main img[src], main script, main h3 b').count(), 0)
  await assertAccessible(page, 'matching')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('Page 2').waitFor()
  await page.getByLabel('Match method', { exact: true }).selectOption('name')
  await page.getByRole('heading', { level: 3, name: 'LAP-7' }).waitFor()
  await page.waitForURL(/\?state=name$/)
  // The list before may have it, too; it stays until the filtered one is there.
  await until(
    async () => (await cards.count()) === 1,
    () => 'the list stays unfiltered',
  )
  const panel = page.getByRole('dialog', { name: 'Why?' })
  await cards.first().locator('.matching-weight .figure').click()
  await panel.getByText(/the next order uses apple-macbook-air-13-m3-256gb \(match method: product name\)/).waitFor()
  await page.keyboard.press('Escape')
  await cards.first().locator('.matching-candidates .figure').first().click()
  await panel.getByText(/Match score of Apple MacBook Air 13 M3 256GB for LAP-7/).waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
})

test('one press maps to the best candidate; the notice takes it back, and the share follows', async () => {
  const { page } = visitor
  const map = page.getByRole('button', { name: 'Map LAP-7 to Apple MacBook Air 13 M3 256GB', exact: true })
  await map.click()
  await page.getByText('LAP-7 mapped to Apple MacBook Air 13 M3 256GB').first().waitFor()
  await page.getByText('No product IDs with this match method').waitFor()
  assert.equal(await page.evaluate('document.activeElement.id'), 'matching-list')
  const { rows } = await server.pool.query(
    'select product_id, model_id from product_mappings where model_id is not null',
  )
  assert.deepEqual(rows, [{ product_id: 'LAP-7', model_id: 'apple-macbook-air-13-m3-256gb' }])
  assert.ok((await share()) > 0)
  await assertAccessible(page, 'matching-done')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Previous mapping of LAP-7 restored').first().waitFor()
  await map.waitFor()
  assert.equal(await share(), 0)
})

test('a type will do, any model can be searched for, and what is mapped can be taken back later', async () => {
  const { page } = visitor
  await page.getByRole('button', { name: 'Clear filters' }).click()
  const card = page.locator('.matching-product').filter({ hasText: 'GRV-77' })
  await card.getByLabel('Or map to a device type only').selectOption('tablet')
  await card.getByRole('button', { name: 'Map GRV-77 to Tablet' }).click()
  await card.waitFor({ state: 'detached' })
  await page.getByLabel('Match method', { exact: true }).selectOption('variant')
  const other = page.locator('.matching-product').filter({ hasText: 'iphone 15' })
  // Pressed, as a notice may lie over it.
  await other.getByRole('button', { name: /^Another model/ }).press('Enter')
  await other.getByText(/the next order uses/).waitFor()
  await other.getByLabel('Search the catalogue').fill('iphone 15 128')
  await other.getByRole('button', { name: 'Map iphone 15 to Apple iPhone 15 128GB', exact: true }).last().waitFor()
  await assertAccessible(page, 'matching-other')
  await other.getByRole('button', { name: 'Map iphone 15 to Apple iPhone 15 128GB', exact: true }).last().press('Enter')
  await other.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Mapped', exact: true }).click()
  await page.getByText(/Mapped to Tablet on/).waitFor()
  await assertAccessible(page, 'matching-mapped')
  await page.getByRole('button', { name: 'Remove mapping of GRV-77' }).press('Enter')
  await page.getByText(/Mapped to Tablet on/).waitFor({ state: 'detached' })
  visitor.assertQuiet()
})

test('a key that may only read sees the guesses, is told what it lacks, and German has it all', async () => {
  const reader = await visit(server.url, { language: 'de', colorScheme: 'dark' })
  await signIn(reader, await server.createKey(['orders:read', 'catalogue:read']))
  const { page } = reader
  await page.getByRole('link', { name: 'Zuordnung' }).click()
  await page.getByText(/Zum Zuordnen ist die Berechtigung orders:write nötig/).waitFor()
  await page.locator('.matching-product').first().waitFor()
  assert.ok(
    await page
      .getByRole('button', { name: /^Zuordnen/ })
      .first()
      .isDisabled(),
  )
  await assertAccessible(page, 'matching-de')
  reader.assertQuiet()
})
