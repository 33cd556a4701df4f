// Random histories in which an order is corrected: every figure is as if it had been told so at first.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { verifyAll } from '../src/cli/verify.ts'
import { figuresOf, openAccount, tellFacts } from './account-figures.ts'
import { readCaseBook } from './case-book.ts'
import { freshDatabase } from './fresh-database.ts'
import type { History } from './model-based/history-arbitrary.ts'
import { CATALOGUE } from './model-based/history-check.ts'
import { emptyModel, type Fact, type OrderFact } from './model-based/history-model.ts'
import { drawHistories, openSubject } from './model-based/history-run.ts'
import { requestOf } from './model-based/history-requests.ts'
import { tell as tellModel } from './model-based/history-verdicts.ts'
import { pathOf } from './order-client.ts'

const HISTORIES = Number(process.env['TEST_LONG'] ? 100 : 6)

/** One history with corrected content for one of its orders, and the same history told with that content at first. */
interface CorrectedHistory {
  readonly isCapped: boolean
  readonly told: readonly Fact[]
  readonly right: OrderFact
  readonly atOnce: readonly Fact[]
}

/** Facts told one after the other: those that are accepted. */
function acceptedOf(facts: readonly Fact[], isCapped: boolean): readonly Fact[] {
  const model = emptyModel(CATALOGUE, isCapped)
  return facts.filter((fact) => tellModel(model, fact) === 'accepted')
}

/** A correction of the history itself could be of the same order. */
const OTHER_DOORS: ReadonlySet<Fact['kind']> = new Set<Fact['kind']>(['identification', 'correction'])

/**
 * A device that the correction adds was not rented by another order, since a device counts for its owner with the order
 * that was recorded first. Where no swap passes a model on to a replacement, the wrong order or the right one names
 * another model than all other orders do.
 */
function correctedHistory({ steps, isCapped }: History, number: number): CorrectedHistory | null {
  const facts = steps.flatMap(({ kind, fact }) => (kind === 'tell' && !OTHER_DOORS.has(fact.kind) ? [fact] : []))
  const models = new Map<string, string>()
  for (const fact of facts)
    if (fact.kind === 'order')
      for (const { serial, model } of fact.devices) if (!models.has(serial)) models.set(serial, model)
  const [anyModel] = models.values()
  const otherModel = Object.keys(CATALOGUE).find((model) => model !== anyModel)!
  const ofOneModel = (order: OrderFact): OrderFact => ({
    ...order,
    devices: order.devices.map((device) => ({ ...device, model: anyModel! })),
  })
  const ofAnyModel = acceptedOf(
    facts.flatMap((fact) => (fact.kind === 'order' ? ofOneModel(fact) : isOfOtherModel(fact) ? [] : fact)),
    isCapped,
  )
  const hasSwap = ofAnyModel.some((fact) => fact.kind === 'order-event' && fact.type === 'swapped')
  const places = ofAnyModel.flatMap(({ kind }, at) => (kind === 'order' ? [at] : []))
  const place = number % 2 && !hasSwap ? places[number % Math.max(1, places.length)] : undefined
  const told = ofAnyModel.map((fact, at) =>
    at === place && fact.kind === 'order'
      ? { ...fact, devices: fact.devices.map((device) => ({ ...device, model: otherModel })) }
      : fact,
  )
  const orders = told.filter((fact) => fact.kind === 'order')
  const wrong = orders[number % Math.max(1, orders.length)]
  const source = orders[(number + 1) % Math.max(1, orders.length)]
  if (!wrong || !source) return null
  const right: OrderFact = {
    ...wrong,
    start: number % 2 ? source.start : wrong.start,
    devices: devicesOf(wrong, number, number % 5 || hasSwap ? anyModel! : otherModel),
    transports: source.transports,
    packagings: source.packagings,
  }
  const heldElsewhere = new Set(orders.flatMap((one) => (one === wrong ? [] : one.devices.map(({ serial }) => serial))))
  const held = new Set(wrong.devices.map(({ serial }) => serial))
  if (right.devices.some(({ serial }) => !held.has(serial) && heldElsewhere.has(serial))) return null
  const withRight = told.map((fact) => (fact === wrong ? right : fact))
  const atOnce = acceptedOf(withRight, isCapped)
  return atOnce.length === withRight.length ? { isCapped, told, right, atOnce } : null
}

/** Here all devices are of one model. */
const isOfOtherModel = (fact: Fact): boolean =>
  fact.kind === 'order-event' && fact.type === 'swapped' && fact.model !== undefined

function devicesOf(order: OrderFact, number: number, model: string): OrderFact['devices'] {
  const devices = order.devices.map((device) => ({ ...device, model }))
  if (number % 3 === 0) return devices.map((device) => ({ ...device, tenure: device.tenure + 1 }))
  const other = { ...devices[0]!, serial: 's7' }
  return number % 3 === 1 ? devices.slice(1).concat(other) : [...devices, other]
}

test('with open books, reports and statements are as if the corrected content had been sent at first', async (t) => {
  const subject = await openSubject((await freshDatabase()).pool)
  t.after(() => subject.app.close())
  const histories = drawHistories(53, 12 * HISTORIES)
    .flatMap((history, at) => correctedHistory(history, at) ?? [])
    .slice(0, HISTORIES)
  assert.equal(histories.length, HISTORIES)
  let withEvents = 0
  for (const [at, { isCapped, told, right, atOnce }] of histories.entries()) {
    const key = await openAccount(subject, `told-${at}`, isCapped)
    await tellFacts(subject, key, told)
    const { payload } = requestOf(right, 'n-', false)
    const headers = { 'x-api-key': key, 'content-type': 'application/json', 'if-match': '*' }
    const url = pathOf(`n-${right.customer}`, `n-${right.orderId}`)
    const { statusCode, body } = await subject.app.inject({ method: 'PUT', url, headers, payload })
    assert.equal(statusCode, 200, `history ${at}: ${body}`)
    const other = await openAccount(subject, `at-once-${at}`, isCapped)
    await tellFacts(subject, other, atOnce)
    assert.deepEqual(await figuresOf(subject, key, told), await figuresOf(subject, other, atOnce), `history ${at}`)
    withEvents += told.some((fact) => fact.kind === 'order-event' && fact.order === right.order) ? 1 : 0
  }
  t.diagnostic(`${HISTORIES} histories, in ${withEvents} of which the corrected order has events`)
  assert.ok(withEvents > 0)
  const { lines } = await verifyAll(subject.pool, undefined, () => readCaseBook('book.json'))
  // The release of the worked examples has no files.
  assert.deepEqual(
    lines.filter((line) => !line.includes('content_hash')),
    [],
  )
})
