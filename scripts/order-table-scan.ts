// A walk through the console's table of orders: opened, paged, sorted and searched, each step with what it took.
import type { Browser, Page } from 'playwright-core'
import type { Program } from './storage-growth-measures.ts'
import { customerIdOf, customersOf, orderIdOf, serialOf } from './typical-orders.ts'

export interface Taken {
  /** Until the rows are drawn: from the request on, or from the address where the page is opened by it. */
  readonly shownMs: number
  /** Of the request alone. */
  readonly askedMs: number
}

const PAGES = 10
const WAIT_MS_MAX = 20_000
const PAGE_ROWS = 25
const SEARCH = 'Order, customer or serial number'

/** Waits for the answer to a request whose address has this, and for the first row that it leads to. */
const SHOWN = `async ({ asked, first, isOpening }) => {
  const firstRow = () => document.querySelector('tbody th')?.textContent
  const answer = () => performance.getEntriesByType('resource').findLast(({ name }) => name.includes(asked))
  const isThere = () => (first.startsWith('!') ? firstRow() && firstRow() !== first.slice(1) : firstRow() === first)
  const begunAt = performance.now()
  while (!answer() || !isThere()) {
    if (performance.now() - begunAt > ${WAIT_MS_MAX}) throw new Error(asked + ': no ' + first)
    await new Promise(requestAnimationFrame)
  }
  await new Promise(requestAnimationFrame)
  const { startTime, duration } = answer()
  return { shownMs: performance.now() - (isOpening ? 0 : startTime), askedMs: duration }
}`

/** @param first id of the order in the first row then; behind a "!", of that which stands there no longer */
async function taken(page: Page, asked: string, first: string, act: () => Promise<unknown>, isOpening = false) {
  if (!isOpening) await page.evaluate('performance.clearResourceTimings()')
  await act()
  return page.evaluate<Taken>(`(${SHOWN})(${JSON.stringify({ asked, first, isOpening })})`)
}

const scatter = (n: number, below: number): number => (Math.imul(n + 1, 0x9e3779b1) >>> 0) % below

/** What each step took, by its name. @param isChanged to be sorted by emission alone */
export async function walkThrough(browser: Browser, program: Program, round: number, isChanged: boolean) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en' })
  try {
    const page = await context.newPage()
    const address = `http://127.0.0.1:${program.server.port}/orders`
    await page.goto(address)
    await page.getByLabel('API key').fill(program.key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('tbody th').first().waitFor()
    return isChanged ? await sortChanged(page, program) : await walk(page, program, address, round)
  } finally {
    await context.close()
  }
}

async function walk(page: Page, { orders }: Program, address: string, round: number) {
  const last = orders - 1
  const took = new Map<string, readonly Taken[]>()
  const newest = orderIdOf(last)
  took.set('opened', [await taken(page, 'sort=-order_date', newest, () => page.goto(address), true)])
  const next: Taken[] = []
  for (let at = 1; at <= PAGES; at += 1) {
    const press = () => page.getByRole('button', { name: 'Next' }).click()
    next.push(await taken(page, 'cursor=', orderIdOf(last - at * PAGE_ROWS), press))
  }
  took.set('a page further, from page 2 to 11', next)
  const sorting = (label: string) => () => page.getByLabel('Sorted by').selectOption(label)
  took.set('oldest first', [await taken(page, 'sort=order_date', orderIdOf(0), sorting('Oldest first'))])
  took.set('heaviest first', [await sortByEmission(page)])
  // Remembered by the page: nothing is asked for.
  await sorting('Newest first')()
  await page.locator('tbody th').first().getByText(newest).waitFor()
  for (const [step, text, found] of searchesOf(orders, round)) {
    const type = () => page.getByLabel(SEARCH).fill(text)
    took.set(step, [await taken(page, `search=${text}`, orderIdOf(found), type)])
  }
  return took
}

const sortByEmission = async (page: Page): Promise<Taken> =>
  taken(page, 'sort=-total_emission', `!${await page.locator('tbody th').first().innerText()}`, () =>
    page.getByLabel('Sorted by').selectOption('Heaviest first'),
  )

const sortChanged = async (page: Page, { orders }: Program) => {
  await page.locator('tbody th', { hasText: orderIdOf(orders - 1) }).waitFor()
  return new Map([['heaviest first, had something happened to each of them', [await sortByEmission(page)]]])
}

/** What each is called, what is typed, and the latest order that it finds. */
function searchesOf(orders: number, round: number): readonly (readonly [string, string, number])[] {
  const order = scatter(round, orders)
  const tens = Math.floor(order / 10)
  const customers = customersOf(orders)
  const customer = scatter(round, customers)
  const ofCustomer = orders - 1 - ((orders - 1 - customer) % customers)
  return [
    ['search: ten order ids', orderIdOf(order).slice(0, -1), tens * 10 + 9],
    ['search: a customer', customerIdOf(customer).slice(0, -2), ofCustomer],
    ['search: a serial number', serialOf(order).slice(0, -1), order],
    ['search: what all order ids begin with', 'order-', orders - 1],
  ]
}
