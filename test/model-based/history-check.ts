// Tells a random history to the service, step by step, and holds the database and the answers against the model.
import assert from 'node:assert/strict'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { History, Step } from './history-arbitrary.ts'
import { emptyModel, runSerial, type Fact, type Figures, type Model, type OrderFact } from './history-model.ts'
import { milligramsOf } from './history-numbers.ts'
import { readBalances, readEntries, type EntryRow } from './history-rows.ts'
import { namedIn, requestOf } from './history-requests.ts'
import { tell } from './history-verdicts.ts'

export interface Subject {
  readonly app: FastifyInstance
  readonly pool: Pool
  /** Keys of the account whose devices are capped, and of the one whose devices are not. */
  readonly accounts: Readonly<Record<'capped' | 'uncapped', { readonly accountId: number; readonly key: string }>>
}

export interface Tally {
  readonly steps: number
  readonly accepted: number
  readonly refused: number
  /** Of the accepted facts, withdrawals of events, and corrections of orders. */
  readonly withdrawn: number
  readonly corrected: number
}

const figures = (embodied: string, use: string, lifetime: number, refurbishment: string | null): Figures => ({
  embodied: milligramsOf(embodied),
  use: milligramsOf(use),
  lifetime,
  refurbishment,
})

/** Some models of cases/book.json, with their figures worked out by hand. */
export const CATALOGUE: Readonly<Record<string, Figures>> = {
  'apple-macbook-air-13-m3': figures('109.35', '25.65', 48, '5'),
  'hypothetical-workbook-14-16gb': figures('160', '40', 48, '5'),
  'hypothetical-phone': figures('51', '9', 36, null),
}

const STATUSES = { accepted: 200, contradiction: 409, malformed: 400, unknown: 404 } as const

/** One history under way: what was told, and what the database had after the step before. */
interface Course {
  readonly subject: Subject
  readonly prefix: string
  readonly account: { readonly accountId: number; readonly key: string }
  readonly model: Model
  readonly answers: Map<Fact, { readonly status: number; readonly text: string }>
  entries: ReadonlyMap<string, EntryRow>
}

/** @throws AssertionError at the first step after which the service and the model differ */
export async function checkHistory(subject: Subject, history: History, prefix: string): Promise<Tally> {
  const course = begin(subject, history, prefix)
  const statuses: number[] = []
  let [withdrawn, corrected] = [0, 0]
  for (const [at, step] of history.steps.entries()) {
    const status = await take(course, step, `step ${at}`)
    if (status !== null) statuses.push(status)
    if (status === 200 && step.kind === 'tell') {
      withdrawn += step.fact.kind === 'withdrawal' ? 1 : 0
      corrected += step.fact.kind === 'correction' ? 1 : 0
    }
  }
  await checkState(course, 'the end', true)
  const replayed = await checkSequence(subject, history, `${prefix}r`)
  const accepted = statuses.filter((status) => status === 200).length
  return {
    steps: statuses.length + replayed,
    accepted: accepted + replayed,
    refused: statuses.length - accepted,
    withdrawn,
    corrected,
  }
}

const begin = (subject: Subject, { isCapped }: History, prefix: string): Course => ({
  subject,
  prefix,
  account: subject.accounts[isCapped ? 'capped' : 'uncapped'],
  model: emptyModel(CATALOGUE, isCapped),
  answers: new Map(),
  entries: new Map(),
})

async function take(course: Course, { kind, fact }: Step, place: string): Promise<number | null> {
  const told = course.answers.get(fact)
  if (kind === 'otherwise' && told?.status !== 200) return null
  const answer = await send(course, fact, kind === 'otherwise')
  const saw = `${place}: ${answer.text.slice(0, 300)}`
  if (told?.status === 200) {
    assert.equal(answer.status, kind === 'otherwise' ? 409 : 200, saw)
    // An event's answer shows the order as it stands, which may have changed since; an order's is the first one.
    if (kind !== 'otherwise' && fact.kind === 'order') assert.equal(answer.text, told.text, saw)
  } else {
    const verdict = tell(course.model, fact)
    assert.equal(answer.status, STATUSES[verdict], `${saw}; the model says ${verdict}`)
    course.answers.set(fact, answer)
  }
  await checkState(course, place)
  return answer.status
}

async function send({ subject, prefix, account }: Course, fact: Fact, isOther: boolean) {
  const headers = { 'x-api-key': account.key, 'content-type': 'application/json', 'if-match': '*' }
  const { statusCode, body } = await subject.app.inject({ headers, ...requestOf(fact, prefix, isOther) })
  return { status: statusCode, text: body }
}

/** The same orders without events, in another sequence, come to what the model says of them in any. */
async function checkSequence(subject: Subject, history: History, prefix: string): Promise<number> {
  const orders = [...new Set(history.steps.map(({ fact }) => fact))].filter((fact) => fact.kind === 'order')
  const models = new Map(orders.flatMap(({ devices }) => devices.map(({ serial, model }) => [serial, model])))
  const turns = orders.map((order, at) => ({ order, turn: history.resequencing[at % history.resequencing.length]! }))
  const course = begin(subject, history, prefix)
  for (const { order } of turns.toSorted((a, b) => a.turn - b.turn)) {
    // What a device is charged by is the first order's to say: it must be the same in any sequence.
    const devices = order.devices.map((device) => ({ ...device, model: models.get(device.serial)! }))
    const fact: OrderFact = { ...order, devices }
    assert.equal((await send(course, fact, false)).status, STATUSES[tell(course.model, fact)])
  }
  await checkState(course, 'the orders in another sequence', true)
  return turns.length
}

async function checkState(course: Course, place: string, isLast = false): Promise<void> {
  const { subject, prefix, account, model } = course
  const serials = [...model.devices.keys()]
  const names = serials.map((serial) => prefix + serial)
  const [entries, balances] = await Promise.all([
    readEntries(subject.pool, account.accountId, names),
    readBalances(subject.pool, account.accountId, names),
  ])
  for (const [key, row] of course.entries) assert.deepEqual(entries.get(key), row, `${place}: an entry changed`)
  const posted = [...entries].filter(([key]) => !course.entries.has(key)).map(([, row]) => row)
  course.entries = entries
  for (const serial of serials) checkSerial(model, serial, prefix, [...entries.values()], balances, place)
  // Of the answers, those about orders to which something was posted; at the end, all.
  const orders = isLast ? null : new Set(posted.map(({ customer, order }) => `${customer}/${order}`))
  await checkAnswers(course, [...entries.values()], orders, place)
}

const sum = (those: readonly bigint[]): bigint => those.reduce((total, each) => total + each, 0n)

function checkSerial(
  model: Model,
  serial: string,
  prefix: string,
  entries: readonly EntryRow[],
  balances: ReadonlyMap<string, { readonly whole: bigint; readonly posted: bigint }>,
  place: string,
): void {
  const run = runSerial(model, serial)
  const own = entries.filter((entry) => entry.serial === prefix + serial)
  for (const [order, { embodied, use, isShipped }] of run.posted) {
    const lines = own
      .filter((entry) => `${entry.customer}/${entry.order}` === namedIn(prefix, order))
      .toSorted((a, b) => a.no - b.no)
    const posted = [
      lines.map((line) => line.embodied),
      lines.map((line) => line.use),
      lines.map((line) => line.shipping),
    ]
    const revision = Math.max(...lines.map((line) => line.revision))
    const shipping = isShipped ? lines.find((line) => line.revision === revision)!.shipping : 0n
    assert.deepEqual(posted.map(sum), [embodied, use, shipping], `${place}: ${serial} of ${order}`)
  }
  const kept = balances.get(prefix + serial)
  assert.deepEqual(kept, { whole: run.whole, posted: run.given }, `${place}: the balance of ${serial}`)
  assert.equal(sum(own.map(({ embodied }) => embodied)), run.given, `${place}: all that is posted to ${serial}`)
  assert.equal(run.given + run.left + run.residual, run.whole)
}

interface Line {
  readonly emission: number
  readonly type: string
}
interface OrderAnswer {
  readonly total_emission: number
  readonly total_emission_excluding_indicative: number
  readonly items: readonly { readonly total_emission: number; readonly emission_breakdown: Record<string, Line> }[]
}
interface LedgerAnswer {
  readonly serial_number: string
  readonly total_emission: number
  readonly orders: readonly {
    readonly customer_id: string
    readonly order_id: string
    readonly total_emission: number
  }[]
  readonly history: { readonly balance: Readonly<Record<string, number>> }
}

const milligrams = (kilograms: number): bigint => BigInt(Math.round(kilograms * 1e6))

/** @param only the orders to ask about, as the service calls them; null for all */
async function checkAnswers(
  course: Course,
  entries: readonly EntryRow[],
  only: ReadonlySet<string> | null,
  place: string,
): Promise<void> {
  const { model, prefix } = course
  const orders = [...model.orders.keys()].map((order) => namedIn(prefix, order))
  const asked = only ? orders.filter((name) => only.has(name)) : orders
  const concerned = entries.filter((entry) => asked.includes(`${entry.customer}/${entry.order}`))
  const names = new Set(only ? concerned.map(({ serial }) => serial) : entries.map(({ serial }) => serial))
  const ledgers = await Promise.all(
    [...names].map((serial) => get<LedgerAnswer>(course, `/api/device-emissions/${serial}?include=history`)),
  )
  for (const { serial_number: serial, history } of ledgers) {
    checkBalance(model, serial.slice(prefix.length), history.balance, place)
  }
  await Promise.all(asked.map((name) => checkOrder(course, name, entries, ledgers, place)))
}

/** An order's answer, its items, its lines, its shares in the devices' ledgers and its entries all say the same. */
async function checkOrder(
  course: Course,
  name: string,
  entries: readonly EntryRow[],
  ledgers: readonly LedgerAnswer[],
  place: string,
): Promise<void> {
  const own = entries.filter((entry) => `${entry.customer}/${entry.order}` === name)
  const posted = sum(own.map((entry) => entry.embodied + entry.use + entry.shipping))
  const answer = await get<OrderAnswer>(course, `/api/customer-orders/${name}?include=calculation`)
  const where = `${place}: the answer about ${name}`
  assert.equal(milligrams(answer.total_emission), posted, where)
  assert.equal(sum(answer.items.map((item) => milligrams(item.total_emission))), posted, where)
  const lines = answer.items.flatMap((item) => Object.values(item.emission_breakdown))
  const indicative = lines.filter(({ type }) => type === 'indicative').map(({ emission }) => milligrams(emission))
  assert.equal(posted - milligrams(answer.total_emission_excluding_indicative), sum(indicative), where)
  const shares = ledgers.flatMap(({ orders }) => orders.filter((one) => `${one.customer_id}/${one.order_id}` === name))
  assert.equal(sum(shares.map((share) => milligrams(share.total_emission))), posted, where)
}

function checkBalance(model: Model, serial: string, balance: Readonly<Record<string, number>>, place: string): void {
  const { whole, given, left, residual } = runSerial(model, serial)
  const told = ['embodied_total', 'allocated', 'unallocated', 'remaining'].map((part) => milligrams(balance[part]!))
  assert.deepEqual(told, [whole, given, residual, left], `${place}: the history of ${serial}`)
}

async function get<Answer>({ subject, account }: Course, url: string): Promise<Answer> {
  const { statusCode, body } = await subject.app.inject({ method: 'GET', url, headers: { 'x-api-key': account.key } })
  assert.equal(statusCode, 200, `${url}: ${body.slice(0, 300)}`)
  return JSON.parse(body) as Answer
}
