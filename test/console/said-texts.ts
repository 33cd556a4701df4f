// Texts that the service says, by making it say them: lines, calculations, matches, files and refusals of every kind.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { calculationOf } from '../../src/engine/calculation.ts'
import { APPROACHES, BOOKS, LEASES, bookingOf, refurbishmentIn } from '../../src/engine/books.ts'
import { allocateRental, openBalance, refurbish } from '../../src/engine/device-ledger.ts'
import { runAlone, type EndedBy } from '../../src/engine/device-run.ts'
import { estimate, termsOf, type RunOf } from '../../src/engine/estimate.ts'
import type { FactorBook, Fallback } from '../../src/engine/factor-book.ts'
import { WEIGHT_BASIS, footprintOf } from '../../src/engine/footprint.ts'
import { PARTS } from '../../src/engine/line.ts'
import { createMatcher } from '../../src/engine/match.ts'
import type { Order } from '../../src/engine/order.ts'
import { ONE, parseDecimal, toDecimal, whole } from '../../src/engine/ratio.ts'
import { errorsOf, sheetError } from '../../src/engine/uncertainty.ts'
import { invalid } from '../../src/http/failure.ts'
import { validatorOf } from '../../src/http/named-schemas.ts'
import { OrderParams } from '../../src/http/order-schema.ts'
import { excludedFrom } from '../../src/http/render-report.ts'
import { anyProduct } from '../any-product.ts'
import { orderFor } from '../case-arbitraries.ts'
import { orderOf, readOrderCases } from '../case-files.ts'
import { readCaseBook } from '../case-book.ts'
import { detect, ordersOf } from '../import-reading.ts'
import { productText, readCases } from '../matching-cases.ts'

export interface SaidText {
  readonly text: string
  /** As the console asks for it; a sentence without it. */
  readonly kind?: string
}

const sentences = (texts: readonly string[]): readonly SaidText[] => texts.map((text) => ({ text }))

/** Of the lines of an order, all that "Why?" shows. */
function* ofOrder(order: Order, book: FactorBook, runOf?: RunOf): Generator<SaidText> {
  const estimated = estimate(order, book, runOf)
  if (!estimated.ok) throw new Error(JSON.stringify(estimated))
  for (const line of estimated.footprint.items.flatMap(({ lines }) => lines)) {
    const { formula, inputs, factors, notes } = calculationOf(line, book)
    yield* sentences([line.description, ...notes, ...errorsOf(line.working).map(({ name }) => name)])
    yield { text: formula, kind: 'formula' }
    for (const { name, unit, from } of inputs) {
      yield { text: name, kind: 'input' }
      yield { text: unit, kind: 'unit' }
      yield { text: from, kind: 'origin' }
    }
    for (const { unit } of factors) yield { text: unit, kind: 'unit' }
  }
}

const SEED = 7
const ORDERS = 150

export function* ofCalculations(book: FactorBook): Generator<SaidText> {
  for (const { order, book: file } of readOrderCases()) yield* ofOrder(orderOf(order), readCaseBook(file))
  const orders = fc.sample(orderFor(book), { numRuns: ORDERS, seed: SEED })
  for (const order of orders) yield* ofOrder(order, book)
  const ofCases = readCaseBook('book.json')
  for (const order of fc.sample(orderFor(ofCases), { numRuns: ORDERS, seed: SEED })) yield* ofOrder(order, ofCases)
  for (const runOf of RUNS) for (const order of orders.slice(0, 30)) yield* ofOrder(order, book, runOf)
  yield* ofOrder({ ...orders[0]!, items: productsOfEveryKind(book) }, book)
}

const SHIFT: EndedBy = { order: { customerId: 'Müller & "Söhne"', orderId: 'A on 2025-01-01' } }
const event = (type: 'retired' | 'lost'): EndedBy => ({ event: { eventId: 'e', type, date: '2025-01-01' } as never })

/** Rentals of devices that were rented, refurbished, spent or gone before, and such as ended early. */
const RUNS: readonly RunOf[] = [
  (item) => runAlone(openBalance(item.footprint.embodied, item.footprint.lifetimeMonths, false), termsOf(item)),
  (item) => {
    const { balance } = allocateRental(openBalance(item.footprint.embodied, item.footprint.lifetimeMonths), whole(900))
    return runAlone(balance, termsOf(item))
  },
  ...[
    [900, 0],
    [5, 12],
  ].map(([before, added]): RunOf => (item) => {
    const opened = openBalance(item.footprint.embodied, item.footprint.lifetimeMonths)
    const { balance } = allocateRental(opened, whole(before!))
    return runAlone(refurbish(balance, parseDecimal('7.5'), whole(added!)), termsOf(item))
  }),
  (item) => {
    const opened = openBalance(item.footprint.embodied, item.footprint.lifetimeMonths)
    return runAlone({ ...opened, residual: ONE }, termsOf(item))
  },
  ...[SHIFT, event('retired'), event('lost'), null].map((endedBy): RunOf => (item) => {
    const run = runAlone(openBalance(item.footprint.embodied, item.footprint.lifetimeMonths), termsOf(item))
    return { ...run, endedBy, end: run.terms.start, months: parseDecimal('0.5') }
  }),
  (item) => {
    const { balance } = allocateRental(
      openBalance(item.footprint.embodied, item.footprint.lifetimeMonths),
      parseDecimal('0.333'),
    )
    return runAlone({ ...balance, allocated: parseDecimal('0.0000004') }, termsOf(item))
  },
]

/** Products by every way in which a model is found, or not. */
function productsOfEveryKind(book: FactorBook) {
  const ambiguous = [...book.aliases].find(([, bearers]) => bearers.length > 1)![0]
  const texts = readCases('tune').map((one) => productText(one))
  return [
    { productId: ambiguous },
    { productId: 'x', modelId: book.models.keys().next().value! },
    ...texts.map(({ productName, productId, brand, deviceType }) => ({
      productName,
      brand,
      deviceType,
      productId: productId ?? '-',
    })),
  ].map((product, at) => anyProduct({ ...product, serialNumber: `S${at}` }))
}

/** What devices are called that are charged by anything that stands in for a model. */
export const standInNames = (book: FactorBook): readonly string[] =>
  [
    ...[...book.typeDefaults.values()].filter(({ embodied }) => embodied).map(({ type }) => `type:${type}`),
    ...[...book.fallbacks].map(([key, { regression }]) => `${key}${sizesOf(regression)}`),
    WEIGHT_BASIS,
  ].map((basis) => footprintOf(basis, ONE, book).name)

/** The smallest that a regression holds for. */
function sizesOf(regression: Fallback['regression']): string {
  if (regression === null) return ''
  const { weightKg, screenInches } = regression
  return `@${toDecimal(weightKg[0])}kg${screenInches === null ? '' : `,${toDecimal(screenInches[0])}in`}`
}

export function* ofCatalogue(book: FactorBook): Generator<SaidText> {
  yield* sentences([...book.transports.values()].map(({ name }) => name))
  for (const { name, material } of book.packagings.values()) {
    yield { text: name }
    yield { text: material, kind: 'material' }
  }
  yield* sentences([...new Set([...book.models.values()].map((model) => sheetError(model).name))])
}

export function* ofMatches(book: FactorBook): Generator<SaidText> {
  const matcher = createMatcher(book)
  for (const one of [...readCases('tune'), ...readCases('blind')])
    yield* sentences(matcher.match(productText(one)).candidates.flatMap(({ reasons }) => reasons))
}

export function* ofReports(): Generator<SaidText> {
  const views = BOOKS.flatMap((book) =>
    APPROACHES.flatMap((approach) => LEASES.map((lease) => ({ book, approach, lease }))),
  )
  for (const view of views) {
    yield* sentences([...PARTS.map((part) => bookingOf(part, view).reason), ...excludedFrom(view)])
    yield* sentences([refurbishmentIn(view)?.reason ?? []].flat())
  }
}

const FILES = join(import.meta.dirname, '..', 'imports')

export async function ofFiles(): Promise<readonly SaidText[]> {
  const said: SaidText[] = []
  const names = readdirSync(FILES).filter((name) => !name.endsWith('.json'))
  for (const [name, bytes] of [
    ...names.map((name) => [name, readFileSync(join(FILES, name))] as const),
    ...UNCLEAR.map((text) => ['x.xlsx', Buffer.from(text, 'latin1')] as const),
  ]) {
    const detected = await detect(bytes, {}, name)
    if (!detected.ok) said.push(...sentences(detected.problems.map(({ message }) => message)))
    else {
      said.push(
        ...detected.evidence.flatMap(({ because, value, setting }) => [
          { text: because },
          ...(/_/.test(setting) ? [{ text: value }] : []),
        ]),
      )
      for (const { faults } of await ordersOf(bytes))
        for (const { reason, suggestion } of faults)
          said.push({ text: reason }, ...(isAdvice(suggestion) ? [{ text: suggestion, kind: 'suggestion' }] : []))
    }
  }
  return said
}

/** What to do; of what is to be written nothing is put into words. */
const isAdvice = (suggestion: string | null): suggestion is string => /[a-z]+ [a-z]+ [a-z]+/.test(suggestion ?? '')

/** What an order is refused by that has every fault a client can make. */
export function* ofProblems(): Generator<SaidText> {
  const validate = validatorOf(OrderParams)
  const names = ['customer_id', 'order_id', 'order_date', 'country', 'metadata', 'items']
  const wrong = [null, true, 7, -1, 1e30, '', 'x'.repeat(300), [], {}, ['a'], { a: 1 }]
  const configs = ['product', 'transportation', 'packaging', 'x'].flatMap((type) =>
    wrong.map((value) => ({
      type,
      config: { weight_kg: value, tenure_months: value, device_type: value, country: value },
    })),
  )
  const bodies = [
    ...wrong,
    ...names.flatMap((name) => wrong.map((value) => ({ [name]: value }))),
    { items: Array.from({ length: 1001 }, () => ({})), tenure_start: '2025-01-01', order_idd: 'x' },
    ...configs.map((item) => ({ items: [item, item] })),
  ]
  for (const body of bodies) {
    const { problems } = validate(body)
    yield* sentences(problems.map(({ message }) => message))
    if (problems.length > 0) yield { text: invalid(problems).message }
  }
}

const HEADER = 'customer_id,order_id,order_date,tenure_start_date,type,product_id,serial_number,tenure_months,weight_kg'
/** Files that leave something open, or have something wrong. */
const UNCLEAR: readonly string[] = [
  '',
  ' ',
  '[]',
  '{}',
  '\n',
  `${HEADER}\n`,
  `${HEADER}\nc,o,2025-01-02,2025-01-02,product,p,s,12,"1,234"\n`,
  `${HEADER}\nc,o,2025-01-02,2025-01-02,product,p,s,12,1.5 kg\nc,,2025-02-30,x,product,p,s,12,0.1234567890123456789\n`,
  `${HEADER}\nc,o,01.02.2025,2025-01-02,product,p,s,12,1.5\nc,o,13.02.2025,,product,p,s\n`,
  `${HEADER}\nc,o,01/02/2025,01/02/2025,product,p,s,12,1.5\n`,
  `${HEADER}\nc,o,31/01/2025,01/31/2025,product,p,s,12,1.5\n`,
  `${HEADER}\nc,o,2025-01-02,2025-01-02,product,"p" x,s,12,1.5\nc,o,2025-01-03,2025-01-02,product,"p,s,12,1.5\n`,
  `${HEADER},menge,ende,Notiz,\nc,o,2025-01-02,2025-01-02,product,p,s,12,1.5,1,2,3,4\n`,
  `kunde,${HEADER.slice(12)},order_id\nc,o,2025-01-02,2025-01-02,product,p,s,12,1.5\n`,
  `${HEADER}\nc,M\xfcller,2025-01-02,2025-01-02,product,p,s,12,1.5\n`,
  '{"customer_id":"c","order_id":"o","order_date":"2025-01-02","type":"product","product_idd":"x","product_id":[1]}\nx\n',
]
