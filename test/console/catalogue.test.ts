// A journey through the catalogue in a browser: found, compared, explained, taken along.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { assertAccessible, signIn, startConsole, visit, type ConsoleServer, type Visit } from './browser.ts'

const AIR = 'Apple MacBook Air 13 M3 256GB'
/** What a page that is opened first may weigh, in bytes as they come over the network. */
const SCRIPT_BYTES_MAX = 150_000

let server: ConsoleServer
let visitor: Visit
before(async () => {
  server = await startConsole()
  visitor = await visit(server.url)
})

test('a wrong key is refused in a sentence, a right one leads to the overview', async () => {
  const { page } = await visit(server.url)
  await page.getByLabel('API key').fill('cradle_wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  assert.match(await page.getByRole('alert').innerText(), /not valid/)
  await assertAccessible(page, 'sign-in')
  await signIn(visitor, server.key)
  await visitor.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await visitor.page.getByRole('link', { name: 'Catalogue' }).click()
  await visitor.page.getByRole('heading', { level: 1, name: 'Device models' }).waitFor()
})

test('a page with a table of models takes at most 150 kB of JavaScript', async (context) => {
  const fresh = await visit(server.url, { path: '/catalogue' })
  await signIn(fresh, server.key)
  await fresh.page.getByRole('table').waitFor()
  const bytes = fresh.scriptBytes()
  context.diagnostic(`${bytes} bytes`)
  assert.ok(bytes > 10_000 && bytes <= SCRIPT_BYTES_MAX, `${bytes} bytes`)
  fresh.assertQuiet()
})

test('models are found by what people call them, filtered, sorted, and linked to as they are shown', async () => {
  const { page } = visitor
  await page.getByRole('table').waitFor()
  await assertAccessible(page, 'catalogue-models')
  await page.getByLabel('Device type').selectOption('laptop')
  await page.getByLabel('Brand').selectOption('Dell')
  await page.getByRole('rowheader', { name: /^Dell/ }).first().waitFor()
  await page.getByRole('button', { name: /^Sort by Footprint/ }).click()
  await page
    .getByRole('columnheader', { name: /Footprint/ })
    .and(page.locator('[aria-sort=descending]'))
    .waitFor()
  await page.waitForURL(/type=laptop&brand=Dell&sort=-product_footprint/)
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('Page 2').waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('Page 3').waitFor()
  await page.goBack()
  await page.getByText('Page 2').waitFor()
  await page.reload()
  await page.getByText('Later page').waitFor()
  await page.getByRole('table').waitFor()
  assert.equal(await page.getByRole('rowheader', { name: /^(?!Dell)/ }).count(), 0)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByLabel('Search').fill('macbook air 13 m3 256')
  await page.getByRole('rowheader', { name: AIR }).waitFor()
})

test('a figure opens why: its stages, its source, and how sure it is; Escape gives the focus back', async () => {
  const { page } = visitor
  const figure = page.getByRole('row', { name: AIR }).first().getByRole('button')
  await figure.focus()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('dialog', { name: 'Why?' })
  await panel.getByText(`${AIR}: life-cycle footprint`).waitFor()
  assert.match(await panel.innerText(), /95% interval: [\d.]+ to [\d.]+ kg CO₂e/)
  assert.match((await panel.getByRole('link').first().getAttribute('href'))!, /^https:/)
  await assertAccessible(page, 'catalogue-why')
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  assert.ok(await page.evaluate(`document.activeElement.textContent === '${await figure.innerText()}'`))
})

test('models are compared with their intervals, and the data is taken along as CSV and PNG', async () => {
  const { page } = visitor
  const boxes = page.getByRole('checkbox')
  await boxes.nth(0).check()
  const comparison = page.getByRole('region', { name: 'Comparison' })
  await comparison.getByRole('img', { name: /^Footprint of one model/ }).waitFor()
  await assertAccessible(page, 'catalogue-one-model')
  await boxes.nth(1).check()
  await comparison.getByRole('img', { name: /^Footprints of 2 models/ }).waitFor()
  await comparison.getByText(/do not differ significantly/).waitFor()
  assert.equal(await comparison.locator('.whisker').count(), 2)
  await comparison.getByRole('button', { name: 'Show as table' }).click()
  await assertAccessible(page, 'catalogue-comparison')
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    comparison.getByRole('button', { name: /CSV/ }).click(),
  ])
  assert.match(
    readFileSync(await csv.path(), 'utf8'),
    /^\ufeffName,Production \(kg CO₂e\),.*High \(kg CO₂e\)\r\nApple /,
  )
  const [png] = await Promise.all([
    page.waitForEvent('download'),
    comparison.getByRole('button', { name: /PNG/ }).click(),
  ])
  assert.equal(
    readFileSync(await png.path())
      .subarray(1, 4)
      .toString(),
    'PNG',
  )
  await page.getByRole('button', { name: 'Close comparison' }).click()
  await comparison.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await boxes.nth(4).waitFor()
  for (const at of [0, 1, 2, 3]) await boxes.nth(at).check()
  assert.ok(await boxes.nth(4).isDisabled())
})

test('where a model to compare is gone, there is a way out', async () => {
  // The browser itself complains of the refusal, in a console of its own.
  const asking = await visit(server.url, { path: '/catalogue?compare=none' })
  await signIn(asking, server.key)
  await asking.page.getByRole('alert').waitFor()
  await asking.page.getByRole('button', { name: 'Close comparison' }).click()
  await asking.page.getByRole('alert').waitFor({ state: 'detached' })
})

test('transports and packagings are there by keyboard alone, and a change of page is told', async () => {
  const { page } = visitor
  for (const [name, lead] of [
    ['Transport', 'van'],
    ['Packaging', 'board'],
  ] as const) {
    await page.getByRole('link', { name }).focus()
    await page.keyboard.press('Enter')
    await page
      .getByRole('rowheader', { name: new RegExp(lead, 'i') })
      .first()
      .waitFor()
    assert.equal(await page.evaluate('document.activeElement.textContent'), name)
    await assertAccessible(page, `catalogue-${name.toLowerCase()}`)
  }
  visitor.assertQuiet()
})

test('factors fit a window of 1440 px in German, and on a phone each is seen without scrolling', async () => {
  const german = await visit(server.url, { path: '/catalogue/transports', language: 'de', width: 1440 })
  await signIn(german, server.key)
  const { page } = german
  for (const path of ['/catalogue/transports', '/catalogue/packagings']) {
    await page.goto(server.url + path)
    for (const [width, seen] of [
      [1440, 'thead th:last-child'],
      [390, 'tbody .figure'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      const { x, width: wide } = (await page.locator(`.data-table ${seen}`).first().boundingBox())!
      const table = (await page.locator('.data-table').boundingBox())!
      assert.ok(x + wide <= table.x + table.width + 1, `${path}, ${width} px: ends at ${x + wide}`)
    }
  }
  german.assertQuiet()
})

test('German, dark, and the way out are remembered or done at once', async () => {
  const { page } = visitor
  await page.getByLabel('Language').selectOption('de')
  await page.getByLabel('Farbschema').selectOption('dark')
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Verpackungen' }).waitFor()
  assert.equal(await page.evaluate('document.documentElement.lang'), 'de')
  assert.equal(await page.evaluate('getComputedStyle(document.documentElement).colorScheme'), 'dark')
  await page.getByRole('button', { name: 'Abmelden' }).click()
  await page.getByLabel('API-Schlüssel').waitFor()
  await page.reload()
  await page.getByLabel('API-Schlüssel').waitFor()
  visitor.assertQuiet()
})

test('a page that cannot be loaded says so in its place, and the others are still there', async () => {
  const fresh = await visit(server.url, { path: '/catalogue' })
  const { page } = fresh
  await signIn(fresh, server.key)
  await page.route(/\/assets\/orders-/, (route) => route.abort())
  await page.getByRole('link', { name: 'Orders' }).click()
  await page.getByRole('heading', { level: 1, name: 'This page could not be displayed' }).waitFor()
  await assertAccessible(page, 'page-fault')
  await page.getByRole('link', { name: 'Catalogue' }).click()
  await page.getByRole('heading', { level: 1, name: 'Device models' }).waitFor()
  await page.unroute(/\/assets\/orders-/)
  await page.getByRole('link', { name: 'Orders' }).click()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
})

test('a key that may not see a page is told what it lacks, and is led to what it may see', async () => {
  const reader = await visit(server.url, { path: '/catalogue' })
  await signIn(reader, await server.createKey(['orders:read']))
  await reader.page.getByText(/The key lacks the scope catalogue:read/).waitFor()
  assert.equal(await reader.page.getByRole('button', { name: 'Try again' }).count(), 0)
  await assertAccessible(reader.page, 'lacks-scope')
  reader.assertQuiet()
  const looker = await visit(server.url)
  await signIn(looker, await server.createKey(['catalogue:read']))
  await looker.page.getByRole('heading', { level: 1, name: 'Device models' }).waitFor()
  looker.assertQuiet()
})
