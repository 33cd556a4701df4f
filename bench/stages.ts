// An order's own path, step by step as it is served, without HTTP and without a database: what of a request is ours.
//   node bench/stages.ts [SECONDS]     prints the microseconds that each step takes an order, as JSON
import { JSON_NESTING_MAX } from '../src/config.ts'
import { NO_MAPPINGS } from '../src/engine/reference/product-match.ts'
import { PROBLEMS_MAX } from '../src/engine/validate-order.ts'
import { toRecord } from '../src/ledger/record-order.ts'
import { validatorOf } from '../src/http/schemas/registry.ts'
import { parseStrictJson } from '../src/strict-json/parse.ts'
import { OrderParams } from '../src/contract/order-schema.ts'
import { parseOrder, type ParsedOrderResult } from '../src/contract/parse-order.ts'
import { orderView } from '../src/http/views/order.ts'
import { insertNewOrdersValues } from '../src/postgres/insert-orders.ts'
import { shippedReferenceData } from '../test/shipped-book.ts'
import { orderBody } from './bench-order.ts'
import { NUMBER_MARK } from './load-plan.ts'

const WARM_UP_MS = 1000
/** So many orders take each step side by side: about as many as share a trip to the database. */
const ABREAST = 20
const JSON_LIMITS = { nestingMax: JSON_NESTING_MAX, problemsMax: PROBLEMS_MAX }
const NOTHING_MORE = new Set<never>()

/** Microseconds an order, by step. */
export type StepFigures = Readonly<Record<string, number>>

function measureSteps(forMs: number): StepFigures {
  const takeSteps = prepareSteps()
  repeat(takeSteps, WARM_UP_MS)
  return repeat(takeSteps, forMs)
}

function repeat(takeSteps: (spent: Map<string, number>) => number, forMs: number): StepFigures {
  const spent = new Map<string, number>()
  const until = performance.now() + forMs
  let orders = 0
  while (performance.now() < until) orders += takeSteps(spent)
  return Object.fromEntries([...spent].map(([step, ms]) => [step, (ms * 1000) / orders]))
}

/** A function that leads the next orders through all steps, adds what each took, and says how many they were. */
function prepareSteps() {
  const { referenceData } = shippedReferenceData()
  const validate = validatorOf(OrderParams)
  const body = orderBody({
    productId: referenceData.models.keys().next().value!,
    transportationId: 'road-van-diesel',
    transportationMode: 'road',
    packagingId: referenceData.packagings.keys().next().value!,
  })
  let number = 0
  const nextBody = () =>
    Buffer.from(body.replaceAll(NUMBER_MARK, String((number += 1)).padStart(NUMBER_MARK.length, '0')))
  return (spent: Map<string, number>): number => {
    const step = <Result>(name: string, take: () => Result): Result => {
      const startedAt = performance.now()
      const result = take()
      spent.set(name, (spent.get(name) ?? 0) + performance.now() - startedAt)
      return result
    }
    const bodies = Array.from({ length: ABREAST }, nextBody)
    const parsed = step('JSON is parsed', () => bodies.map((bytes) => parseStrictJson(bytes, JSON_LIMITS)))
    const values = parsed.map((one) => (one.ok ? one.value : undefined))
    const read = step('the order is read', () =>
      values.map((value) => parseOrder(value, validate, referenceData, NO_MAPPINGS, null)),
    )
    const sound = read.map(soundOrder)
    const posted = step('it is estimated', () =>
      sound.map(({ wire, items }) => toRecord(1, { wire, items, releaseId: 1, isCapped: true })),
    )
    step('its rows are joined', () => insertNewOrdersValues(posted))
    const createdAt = new Date()
    const answers = step('it is answered', () =>
      posted.map(({ posting: { order, footprint } }) =>
        orderView(
          { accountId: 1, order: { ...order, createdAt, status: 'created' }, items: footprint.items, referenceData },
          NOTHING_MORE,
        ),
      ),
    )
    step('the answer is copied', () => answers.map((answer) => Buffer.byteLength(answer)))
    return ABREAST
  }
}

function soundOrder(read: ParsedOrderResult): ParsedOrderResult & { readonly ok: true } {
  if (!read.ok) throw new Error(`the order was refused: ${JSON.stringify(read.problems)}`)
  return read
}

if (import.meta.main) console.log(JSON.stringify(measureSteps(Number(process.argv[2] ?? 5) * 1000)))
