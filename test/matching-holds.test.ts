// Orders whose products are matched by their words: however many there are, whatever they say, others have their turn.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { ApiError } from '../src/contract/errors.ts'
import { WORKER_MESSAGES } from '../src/workers/messages.ts'
import { NO_MAPPINGS } from '../src/engine/reference/product-match.ts'
import { createPrematcher } from '../src/ledger/prematch.ts'
import { createMatcher, matcherFor } from '../src/engine/matching/matcher.ts'
import type { Json } from './document-check.ts'
import { startService, type Service } from './service.ts'
import { shippedReferenceData } from './shipped-book.ts'

let service: Service
before(async () => void (service = await startService()))
after(() => service.stop())

const PRODUCTS = 120
const TRIES = 2
/** Before words were matched in slices, it was 40 times as long. */
const TIMES_MAX = 3
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
let seed = 0

type Draw = (below: number) => number

/** A text of 200 characters that nobody asked for before: the same ones each time that the test runs. */
function freshText(tokenOf: (draw: Draw) => string): string {
  let state = (seed += 1)
  const draw: Draw = (below) => (state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff) % below
  return Array.from({ length: 66 }, () => tokenOf(draw))
    .join(' ')
    .slice(0, 200)
}

const letter = (draw: Draw) => LETTERS[draw(LETTERS.length)]!
const lettersWithDigits = () => freshText((draw) => `${letter(draw)}${draw(10)}`)
const shortCodes = () => freshText((draw) => `${letter(draw)}${letter(draw)}${letter(draw)}${draw(100)}`)

/** With the name of a model among others, which the matcher may or may not take it for. */
const MODELS = [...shippedReferenceData().referenceData.models.values()]
const namedText = () =>
  freshText((draw) => (draw(20) === 0 ? MODELS[draw(MODELS.length)]!.name : `${letter(draw)}${draw(10)}`))

type Text = readonly [productId: string, productName: string]

let orders = 0
function orderOf(texts: readonly Text[]): string {
  orders += 1
  const items = texts.map(([product_id, product_name], at): Json => {
    const serial_number = `S-${orders}-${at}`
    return { type: 'product', config: { product_id, product_name, serial_number, tenure_months: 1, weight_kg: 1 } }
  })
  const dates = { order_date: '2025-01-01', tenure_start_date: '2025-01-01' }
  return JSON.stringify({ customer_id: 'c', order_id: `order-${orders}`, ...dates, items })
}

/**
 * How long the thread was held at most between two turns of its event loop while an order was answered: in CPU time of
 * the thread, since what else the machine does is not the order's doing.
 */
async function longestHold(path: string, body: string): Promise<number> {
  let longest = 0
  let isOver = false
  let last = threadCpu()
  const look = (): void => {
    const now = threadCpu()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  const headers = { 'content-type': 'application/json' }
  const { status, text } = await service.ask(path, { method: 'POST', headers, body })
  isOver = true
  assert.equal(status, 200, text.slice(0, 300))
  return longest
}

function threadCpu(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}

for (const [path, textOf] of [
  ['/api/customer-orders', lettersWithDigits],
  ['/api/estimates', shortCodes],
] as const) {
  test(`${path}: products to be matched hold the thread hardly longer than those that were matched`, async () => {
    const [unmatched, matched]: [number[], number[]] = [[], []]
    for (let at = 0; at < TRIES; at += 1) {
      const texts = Array.from({ length: PRODUCTS }, (): Text => [textOf(), textOf()])
      unmatched.push(await longestHold(path, orderOf(texts)))
      matched.push(await longestHold(path, orderOf(texts)))
    }
    const times = Math.min(...unmatched) / Math.min(...matched)
    assert.ok(times <= TIMES_MAX, `${times.toFixed(1)} times as long`)
  })
}

test('products that a worker matches are found as the matcher finds each of them', async () => {
  const texts = Array.from({ length: PRODUCTS }, (_, at): Text => [`own-${at}`, namedText()])
  const { status } = await service.ask('/api/estimates', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: orderOf(texts),
  })
  assert.equal(status, 200)
  const { referenceData } = service.server
  const { match } = createMatcher(referenceData)
  for (const [productId, productName] of texts) {
    const product = { productId, productName, brand: null, deviceType: null }
    assert.ok(matcherFor(referenceData).remembers(product))
    const { model, isVariant, isAccessory, known } = match(product)
    assert.deepEqual(matcherFor(referenceData).find(product), { model, isVariant, isAccessory, known })
  }
})

test('products are matched in the service where the worker has ended', async () => {
  const { referenceData } = service.server
  const ended = () => Promise.reject(new ApiError('unavailable', WORKER_MESSAGES.report_worker_ended()))
  const prematch = createPrematcher(() => Promise.resolve(() => undefined), ended)
  const texts = Array.from({ length: PRODUCTS }, (_, at): Text => [`ended-${at}`, lettersWithDigits()])
  const release = { referenceData, releaseId: 1 }
  await prematch(1, JSON.parse(orderOf(texts)), NO_MAPPINGS, release, () => new AbortController().signal)
  for (const [productId, productName] of texts)
    assert.ok(matcherFor(referenceData).remembers({ productId, productName, brand: null, deviceType: null }))
})
