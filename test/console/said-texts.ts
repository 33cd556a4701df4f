// Texts that the service says, by making it say them: lines, calculations, matches, names and reasons of every kind.
import fc from 'fast-check'
import { describeLine, explainLine, type Calculation } from '../../src/engine/explanation/calculation.ts'
import {
  CONSOLIDATION_APPROACHES,
  REPORTING_ENTITIES,
  LEASE_TYPES,
  classify,
  classifyRefurbishment,
} from '../../src/engine/inventory-boundary.ts'
import { allocateRental, openBalance, refurbish } from '../../src/engine/device-ledger.ts'
import { allocateFirstRental, type RentalEndCause } from '../../src/engine/device-timeline.ts'
import { estimate, rentalTermsOf, type EmissionLine, type RentalAllocator } from '../../src/engine/estimate.ts'
import type { ReferenceData, Fallback } from '../../src/engine/reference/reference-data.ts'
import { WEIGHT_FOOTPRINT_ID, footprintById, type Footprint } from '../../src/engine/reference/footprint.ts'
import { PARTS } from '../../src/engine/numbers/emission.ts'
import type { Message } from '../../src/engine/message.ts'
import { createMatcher } from '../../src/engine/matching/matcher.ts'
import type { Order } from '../../src/engine/order.ts'
import { ONE, parseDecimal, toDecimal, whole } from '../../src/engine/numbers/rational.ts'
import { ERROR_MESSAGES } from '../../src/engine/uncertainty/messages.ts'
import { errorSources } from '../../src/engine/uncertainty/uncertainty.ts'
import { excludedFrom } from '../../src/http/views/report.ts'
import { anyProduct } from '../product-arbitraries.ts'
import { orderFor } from '../case-arbitraries.ts'
import { orderOf, readOrderCases } from '../case-files.ts'
import { readCaseBook } from '../case-book.ts'
import { productText, readCases } from '../matching-cases.ts'

export interface ExplainedLine {
  readonly line: EmissionLine
  readonly calculation: Calculation
}

/** All that is said of a line in sentences. */
export const messagesOfLine = ({ line, calculation }: ExplainedLine): readonly Message[] => [
  describeLine(line),
  ...calculation.notes,
  ...errorSources(line.working).map(({ kind }) => ERROR_MESSAGES[kind]()),
]

/** Of the lines of an order, each with its explanation. */
function* ofOrder(order: Order, referenceData: ReferenceData, runOf?: RentalAllocator): Generator<ExplainedLine> {
  const estimated = estimate(order, referenceData, runOf)
  if (!estimated.ok) throw new Error(JSON.stringify(estimated))
  for (const line of estimated.footprint.items.flatMap(({ lines }) => lines)) {
    yield { line, calculation: explainLine(line, referenceData) }
  }
}

const SEED = 7
const ORDERS = 150

export function* explainedLines(referenceData: ReferenceData): Generator<ExplainedLine> {
  for (const { order, book: file } of readOrderCases()) yield* ofOrder(orderOf(order), readCaseBook(file))
  const orders = fc.sample(orderFor(referenceData), { numRuns: ORDERS, seed: SEED })
  for (const order of orders) yield* ofOrder(order, referenceData)
  const ofCases = readCaseBook('book.json')
  for (const order of fc.sample(orderFor(ofCases), { numRuns: ORDERS, seed: SEED })) yield* ofOrder(order, ofCases)
  for (const runOf of RUNS) for (const order of orders.slice(0, 30)) yield* ofOrder(order, referenceData, runOf)
  yield* ofOrder({ ...orders[0]!, items: productsOfEveryKind(referenceData) }, referenceData)
}

const SHIFT: RentalEndCause = { order: { customerId: 'Müller & "Söhne"', orderId: 'A on 2025-01-01' } }
const event = (type: 'retired' | 'lost'): RentalEndCause => ({
  event: { eventId: 'e', type, date: '2025-01-01' } as never,
})

/** Rentals of devices that were rented, refurbished, spent or gone before, and such as ended early. */
const RUNS: readonly RentalAllocator[] = [
  (item) =>
    allocateFirstRental(
      openBalance(item.footprint.embodied, item.footprint.lifetimeMonths, false),
      rentalTermsOf(item),
    ),
  (item) => {
    const { balance } = allocateRental(openBalance(item.footprint.embodied, item.footprint.lifetimeMonths), whole(900))
    return allocateFirstRental(balance, rentalTermsOf(item))
  },
  ...[
    [900, 0],
    [5, 12],
  ].map(([before, added]): RentalAllocator => (item) => {
    const opened = openBalance(item.footprint.embodied, item.footprint.lifetimeMonths)
    const { balance } = allocateRental(opened, whole(before!))
    return allocateFirstRental(refurbish(balance, parseDecimal('7.5'), whole(added!)), rentalTermsOf(item))
  }),
  (item) => {
    const opened = openBalance(item.footprint.embodied, item.footprint.lifetimeMonths)
    return allocateFirstRental({ ...opened, unallocated: ONE }, rentalTermsOf(item))
  },
  ...[SHIFT, event('retired'), event('lost'), null].map((endedBy): RentalAllocator => (item) => {
    const run = allocateFirstRental(
      openBalance(item.footprint.embodied, item.footprint.lifetimeMonths),
      rentalTermsOf(item),
    )
    return { ...run, endedBy, end: run.terms.start, months: parseDecimal('0.5') }
  }),
  (item) => {
    const { balance } = allocateRental(
      openBalance(item.footprint.embodied, item.footprint.lifetimeMonths),
      parseDecimal('0.333'),
    )
    return allocateFirstRental({ ...balance, allocated: parseDecimal('0.0000004') }, rentalTermsOf(item))
  },
]

/** Products by every way in which a model is found, or not. */
function productsOfEveryKind(referenceData: ReferenceData) {
  const ambiguous = [...referenceData.aliases].find(([, bearers]) => bearers.length > 1)![0]
  const texts = readCases('tune').map((one) => productText(one))
  return [
    { productId: ambiguous },
    { productId: 'x', modelId: referenceData.models.keys().next().value! },
    ...texts.map(({ productName, productId, brand, deviceType }) => ({
      productName,
      brand,
      deviceType,
      productId: productId ?? '-',
    })),
  ].map((product, at) => anyProduct({ ...product, serialNumber: `S${at}` }))
}

/** The footprint of each fallback, at the smallest sizes that it holds for. */
export const fallbackFootprints = (referenceData: ReferenceData): readonly Footprint[] =>
  [
    ...[...referenceData.typeDefaults.values()].filter(({ embodied }) => embodied).map(({ type }) => `type:${type}`),
    ...[...referenceData.fallbacks].map(([key, { regression }]) => `${key}${sizesOf(regression)}`),
    WEIGHT_FOOTPRINT_ID,
  ].map((basis) => footprintById(basis, ONE, referenceData))

/** The smallest that a regression holds for. */
function sizesOf(regression: Fallback['regression']): string {
  if (regression === null) return ''
  const { weightKg, screenInches } = regression
  return `@${toDecimal(weightKg[0])}kg${screenInches === null ? '' : `,${toDecimal(screenInches[0])}in`}`
}

export function* ofMatches(referenceData: ReferenceData): Generator<Message> {
  const matcher = createMatcher(referenceData)
  for (const one of [...readCases('tune'), ...readCases('blind')])
    yield* matcher.match(productText(one)).candidates.flatMap(({ reasons }) => reasons)
}

export function* ofReports(): Generator<Message> {
  const views = REPORTING_ENTITIES.flatMap((reportingEntity) =>
    CONSOLIDATION_APPROACHES.flatMap((consolidationApproach) =>
      LEASE_TYPES.map((leaseType) => ({ reportingEntity, consolidationApproach, leaseType })),
    ),
  )
  for (const view of views) {
    yield* [...PARTS.map((part) => classify(part, view).reason), ...excludedFrom(view)]
    yield* [classifyRefurbishment(view)?.reason ?? []].flat()
  }
}
