// The first screen of the overview: a sentence and figures that are the API's, within the fold, and none of before.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import {
  askReportAgain,
  assertAccessible,
  signIn,
  startConsole,
  visit,
  type ConsoleServer,
  type Visit,
} from './browser.ts'
import { rent } from './seed-fleet.ts'

let server: ConsoleServer
let visitor: Visit
before(async () => {
  server = await startConsole()
  for (const [order, serials] of [
    ['2023', ['O-1']],
    ['2024', ['O-2', 'O-3']],
  ] as const)
    await rent(server, { customer: 'Northwind GmbH', order, start: `${order}-02-01`, serials })
  await rentOverYears()
  visitor = await visit(server.url)
  await signIn(visitor, server.key)
})

/** What the API says of this year so far or of the same days of the year before, by months held. */
async function reportOf(year: number, query: string) {
  const day = new Date().toISOString().slice(4, 10)
  const url = `/api/reports/emissions?date_basis=tenure&from=${year}-01-01&to=${year}${day}&${query}`
  const answer = await fetch(server.url + url, { headers: { 'x-api-key': server.key } })
  return (await answer.json()) as {
    readonly total_emission: number
    readonly device_months: number
    readonly uncertainty: { readonly low: number; readonly high: number }
    readonly groups: readonly { readonly part: string; readonly total_emission: number }[]
  }
}

const THIS_YEAR = new Date().getUTCFullYear()
/** Devices of its own, so that no other test changes what is told of them. */
const FOLD = 'Fold Ltd'

async function rentOverYears(): Promise<void> {
  const serials = ['F-1', 'F-2', 'F-3', 'F-4', 'F-5', 'F-6', 'F-7', 'F-8']
  // Phones after laptops: so a device-month has another figure than a year before.
  const phone = { product_id: 'apple-iphone-15-128gb', weight_kg: 0.17 }
  for (const [year, product] of [
    [THIS_YEAR - 1, {}],
    [THIS_YEAR, { product: phone }],
  ] as const)
    for (let part = 0; part < 3; part += 1) {
      const own = serials.map((serial) => `${serial}-${year}-${part}`)
      const [order, start] = [`fold-${year}-${part}`, `${year}-01-01`]
      await rent(server, { customer: FOLD, order, start, serials: own, months: 24, ...product })
    }
}

test('the sentence has the figures of the API, in tonnes from 1,000 kg on, in either language', async () => {
  const { page } = visitor
  const query = `customer=${encodeURIComponent(FOLD)}&group_by=part`
  const [now, before] = [await reportOf(THIS_YEAR, query), await reportOf(THIS_YEAR - 1, query)]
  const change = (now.total_emission / now.device_months / (before.total_emission / before.device_months) - 1) * 100
  const embodied = now.groups.find(({ part }) => part === 'product_embodied_emission')!.total_emission
  for (const language of ['en', 'de'] as const) {
    const short = (value: number) => new Intl.NumberFormat(language, { maximumSignificantDigits: 3 }).format(value)
    const mass = (kilograms: number) => (now.total_emission < 1000 ? short(kilograms) : short(kilograms / 1000))
    const unit = now.total_emission < 1000 ? 'kg' : 't'
    const [low, high] = [mass(now.uncertainty.low), mass(now.uncertainty.high)]
    const [share, intensity] = [
      short((embodied / now.total_emission) * 100),
      short(now.total_emission / now.device_months),
    ]
    const total = `${mass(now.total_emission)} ${unit}`
    const percent = short(Math.abs(change))
    const isMore = change > 0
    const expected = {
      en:
        `The selected devices added ${total} CO₂e to your customers’ inventories in ${THIS_YEAR} so far ` +
        `(95% interval: ${low} to ${high} ${unit}): ${intensity} kg per device-month, ` +
        `${percent}% ${isMore ? 'more' : 'less'} than in the same period of ${THIS_YEAR - 1}. ` +
        `${share}% comes from making the devices.`,
      de:
        `Die ausgewählten Geräte haben ${THIS_YEAR} bis heute ${total} CO₂e zu den Bilanzen Ihrer Kunden ` +
        `beigetragen (95-%-Intervall: ${low} bis ${high} ${unit}): ${intensity} kg je Gerätemonat, ` +
        `${percent} % ${isMore ? 'mehr' : 'weniger'} als im gleichen Zeitraum ${THIS_YEAR - 1}. ` +
        `${share} % entfallen auf die Herstellung der Geräte.`,
    }
    await page.evaluate(`localStorage.setItem('cradle.language', '${language}')`)
    await page.goto(`${server.url}/?customer=${encodeURIComponent(FOLD)}`)
    const sentence = page.locator('.overview-answer')
    await sentence.waitFor()
    assert.equal((await sentence.innerText()).replaceAll('\u00a0', ' '), expected[language])
  }
  await page.evaluate("localStorage.setItem('cradle.language', 'en')")
})

test('where there is no year before, or no device-months, the sentence has no hole', async () => {
  const { page } = visitor
  const added = (amount: string, to: string) => `^Your fleet added [\\d.,]+ ${amount} CO₂e to ${to} `
  const interval = '\\(95% interval: [\\d.,]+ to [\\d.,]+ (t|kg)\\)'
  const making = '\\. [\\d.]+% comes from making the devices\\.$'
  for (const [address, told] of [
    ['?time=2023', `${added('kg', '.* inventories')}in 2023 ${interval}: [\\d.]+ kg per device-month${making}`],
    [
      '?time=2023&date_basis=order&reporting_entity=lessor',
      `${added('kg', 'your inventory')}in 2023 ${interval}${making}`,
    ],
    ['?time=2024&date_basis=order', `in 2024 ${interval}, [\\d.,]+% (more|less) than in 2023${making}`],
    ['?time=all', `${added('t', '.* inventories')}to date ${interval}: [\\d.]+ kg per device-month${making}`],
  ] as const) {
    await page.goto(`${server.url}/${address}`)
    const sentence = page.locator('.overview-answer')
    await sentence.waitFor()
    assert.match((await sentence.innerText()).replaceAll('\u00a0', ' '), new RegExp(told), address)
  }
})

test('the first screen has the sentence, four figures and the top of the months, wide and narrow', async (context) => {
  const { page } = visitor
  for (const language of ['en', 'de'] as const)
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const) {
      await page.evaluate(`localStorage.setItem('cradle.language', '${language}')`)
      await page.setViewportSize({ width, height })
      await page.goto(`${server.url}/?customer=${encodeURIComponent(FOLD)}`)
      await page.locator('.chart svg[role=img]').first().waitFor()
      const placesOf = (selector: string) =>
        page.evaluate<readonly (readonly [number, number])[]>(
          `[...document.querySelectorAll('${selector}')].map((one) => one.getBoundingClientRect())
            .map(({ top, bottom }) => [Math.round(top), Math.round(bottom)])`,
        )
      const [controls, answer] = [await placesOf('.overview-controls'), await placesOf('.overview-answer')]
      const [tiles, charts] = [await placesOf('.overview-tiles .tile'), await placesOf('figure')]
      context.diagnostic(`${width} px (${language}): ${JSON.stringify({ controls, answer, tiles, months: charts[0] })}`)
      assert.equal(tiles.length, 4)
      assert.equal(await page.locator('.overview-tiles .sparkline').count(), 4)
      for (const [top, bottom] of [...controls, ...answer, ...tiles]) assert.ok(top >= 0 && bottom <= height)
      assert.ok(charts[0]![0] <= height - 100, 'the months begin within the screen')
      await assertAccessible(page, `overview-fold-${language}-${width}`)
    }
  await page.evaluate("localStorage.setItem('cradle.language', 'en')")
  await page.reload()
})

test('months to come are hatched, and in no total; the year before is a line', async () => {
  const { page } = visitor
  const months = page.locator('figure', { hasText: 'By month and part' })
  await months.locator('.legend').getByText('Contracted, not in any total').waitFor()
  await months.locator('.legend').getByText('Year before').waitFor()
  assert.equal(await months.locator('path.line-before').count(), 2, 'in the legend and over the bars')
  await months.getByRole('button', { name: 'Show as table' }).click()
  const rows = months.locator('tbody tr')
  const month = new Date().getUTCMonth() + 1
  const ahead = rows.nth(month)
  const cells = await ahead.getByRole('cell').allInnerTexts()
  // The parts have nothing, nor has the total: what is contracted has a column of its own.
  assert.deepEqual([cells.slice(0, 4), cells[5]], [['–', '–', '–', '–'], '–'])
  await ahead.getByRole('button').first().click()
  const panel = page.getByRole('dialog', { name: 'Why?' })
  const told = Number.parseFloat((await panel.locator('.explanation-value').innerText()).replaceAll(',', ''))
  assert.equal(await askReportAgain(server, await panel.locator('pre').innerText()), told)
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
})

test('under a new filter no old figure is seen: not while it is asked for, and not where that fails', async () => {
  const { page } = visitor
  const old = await page.locator('.overview-answer').innerText()
  let isFailing = true
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/api/reports/emissions?*reporting_entity=lessor*', async (route) => {
    await held
    if (isFailing) await route.fulfill({ status: 200, contentType: 'application/json', body: 'none' })
    else await route.continue()
  })
  await page.getByLabel('Perspective').selectOption('lessor')
  await page.waitForURL(/reporting_entity=lessor/)
  await page.getByText('Loading').first().waitFor()
  assert.equal(await page.locator('.overview-answer, .overview-tiles, figure').count(), 0)
  release()
  const retry = page.getByRole('button', { name: 'Try again' })
  await retry.first().waitFor()
  assert.equal(await page.locator('.overview-answer, .overview-tiles, figure').count(), 0)
  isFailing = false
  await page.reload()
  await page.locator('.overview-answer').waitFor()
  assert.notEqual(await page.locator('.overview-answer').innerText(), old)
  await page.unrouteAll()
})

test('how it is counted is told choice by choice, with both totals, and can be changed there', async () => {
  const { page } = visitor
  await page.getByRole('button', { name: 'How it is counted' }).click()
  const panel = page.getByRole('dialog', { name: 'How it is counted' })
  await panel
    .getByText(/Total with these filters: [\d.,]+ t CO₂e/)
    .nth(1)
    .waitFor()
  assert.equal(await panel.getByRole('radio').count(), 5)
  await assertAccessible(page, 'overview-counting')
  await panel.getByLabel('By order date').check()
  await page.waitForURL(/date_basis=order/)
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Rentals' }).waitFor()
  await page.getByRole('button', { name: `Remove filter Customer: ${FOLD}` }).click()
  await page.waitForURL((url) => !url.search.includes('customer'))
  assert.match(page.url(), /reporting_entity=lessor&date_basis=order/)
})
