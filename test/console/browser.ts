// The console in a real browser, on a real server and database; whatever it complains of is a failure of the test.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { Pool } from 'pg'
import type { ServiceSettings } from '../../src/app.ts'
import { openConsole } from '../../src/http/plugins/console-assets.ts'
import type { Scope } from '../../src/postgres/accounts.ts'
import { atEndOfProcess } from '../end-of-file.ts'
import { startService } from '../service.ts'
import { launchChromium } from './chromium.ts'

export interface ConsoleServer {
  readonly url: string
  readonly pool: Pool
  /** A key with all scopes. */
  readonly key: string
  readonly createKey: (scopes: readonly Scope[]) => Promise<string>
}

/** The service with the console, on a database of its own; it ends with the file. */
export async function startConsole(settings: Partial<ServiceSettings> = {}): Promise<ConsoleServer> {
  const console = await openConsole(() => undefined)
  assert.ok('files' in console, 'the console could not be built: npm run console:build says why')
  const { server, pool, key, createKey } = await startService({ settings: { ...settings, console } })
  return { url: server.url, pool, key, createKey }
}

/** What the report that a page's own command asks for comes to. */
export async function askReportAgain(server: Pick<ConsoleServer, 'key'>, command: string): Promise<number> {
  const url = /"(http[^"]+)"/.exec(command)![1]!
  const answer = await fetch(url, { headers: { 'x-api-key': server.key } })
  assert.equal(answer.status, 200, url)
  return ((await answer.json()) as { total_emission: number }).total_emission
}

let browser: Promise<Browser> | undefined
atEndOfProcess(async () => (await browser)?.close())

export interface Visit {
  readonly page: Page
  /** The bytes over the network of every file of JavaScript that the page has asked for, cached or not. */
  readonly scriptBytes: () => number
  /** Fails if there was an error or a warning in the browser's console, or a request to anywhere else. */
  readonly assertQuiet: () => void
}

export interface VisitOptions {
  /** Where it begins; the overview, or the first page that there is, without it. */
  readonly path?: string
  readonly width?: number
  readonly language?: 'en' | 'de'
  readonly colorScheme?: 'light' | 'dark'
}

const WIDE = 1280
const HEIGHT = 900

/** A browser of its own, with nothing remembered. */
export async function visit(
  url: string,
  { path = '/', width = WIDE, language = 'en', colorScheme = 'light' }: VisitOptions = {},
): Promise<Visit> {
  browser ??= launchChromium()
  const viewport = { width, height: HEIGHT }
  const context = await (await browser).newContext({ viewport, colorScheme, locale: language, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const complaints: string[] = []
  const scripts = new Map<string, number>()
  page.on('console', (message) => {
    // A report may be 503 while much that was just posted is rolled up: the page asks again, but the browser complains.
    if (/status of 503 /.test(message.text()) && message.location().url.includes('/api/reports/')) return
    // A request that is under way while its demo fleet is removed finds nothing.
    if (/status of 404 /.test(message.text()) && /\/api\/(account|demo-fleet)$/.test(message.location().url)) return
    if (['error', 'warning'].includes(message.type()))
      complaints.push(`${message.text()} ${message.location().url}`.trim())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => {
    if (!/^(blob|data):/.test(request.url()) && new URL(request.url()).origin !== url) complaints.push(request.url())
  })
  page.on('response', (response) => {
    const { 'content-type': type, 'content-length': bytes } = response.headers()
    if (type?.startsWith('text/javascript')) scripts.set(response.url(), Number(bytes))
  })
  await page.goto(url + path)
  return {
    page,
    scriptBytes: () => [...scripts.values()].reduce((sum, bytes) => sum + bytes, 0),
    assertQuiet: () => assert.deepEqual(complaints, []),
  }
}

/** Signs in on the page that is shown, and waits for the first page behind it. */
export async function signIn({ page }: Visit, key: string): Promise<void> {
  await page.getByLabel(/API key|API-Schlüssel/).fill(key)
  await page.getByRole('button', { name: /Sign in|Anmelden/ }).click()
  await page.getByRole('navigation').first().waitFor({ state: 'attached' })
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** Dark differs from light in colours alone, all of them by `light-dark()`, which takes nothing else. */
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** Of a long table or list the first rows are looked at: the others are made the same way, and each costs time. */
const CONTEXT = { exclude: ['tbody tr:nth-child(n + 5)', 'option:nth-child(n + 5)'] }

/** What axe finds on the page as it is. What it has no fault to find with stays there: it is much to hand over. */
async function violations(page: Page, rules: readonly string[]): Promise<readonly string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE)
  const options = { runOnly: rules, resultTypes: ['violations'] }
  return page.evaluate<readonly string[]>(
    `axe.run(${JSON.stringify(CONTEXT)}, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`,
  )
}

/** Numbers and names of charts that lie on one another: a pair of them is two texts that cannot be read. */
const textsOverlapping = (page: Page): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(`[...document.querySelectorAll('main svg')].flatMap((chart) => {
    const texts = [...chart.querySelectorAll('text')].map((text) => [text.textContent, text.getBoundingClientRect()])
    return texts.flatMap(([one, a], at) => texts.slice(at + 1)
      .filter(([, b]) => a.left < b.right && b.left < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom)
      .map(([other]) => one + ' on ' + other))
  })`)

/** Every way in which a state of a page is looked at: under the rules of WCAG 2.2 AA and those of good practice. */
const WAYS = [
  [360, 'dark', RULES_OF_COLOURS],
  [WIDE, 'light', RULES],
  [360, 'light', RULES],
  [WIDE, 'dark', RULES_OF_COLOURS],
] as const
let states = 0

/** With TEST_LONG=1 each state in every way; else in one of them in turn, as each takes long. */
const waysOfState = (): readonly (typeof WAYS)[number][] =>
  process.env['TEST_LONG'] === '1' ? WAYS : [WAYS[states++ % WAYS.length]!]

/**
 * The page as it is, narrow or wide, light or dark, in turn: no violation, nothing wider than the window, and no texts
 * of a chart on one another. With CONSOLE_SCREENSHOTS=<folder> it is left there as pictures.
 * @param name what the pictures are called
 */
export async function assertAccessible(page: Page, name: string): Promise<void> {
  const folder = process.env['CONSOLE_SCREENSHOTS']
  for (const [width, colorScheme, rules] of waysOfState()) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: HEIGHT })
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    const place = `${name}, ${colorScheme}, ${width} px`
    if (folder) await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true })
    assert.deepEqual(await violations(page, rules), [], place)
    assert.deepEqual(await textsOverlapping(page), [], place)
    assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= width, `${place}: too wide`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: WIDE, height: HEIGHT })
}
