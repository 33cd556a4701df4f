// Orders as JSON: every emission as an exact decimal, with uncertainty intervals if the calculation is included.
import { sentIdOf } from '../../engine/order-revision.ts'
import { itemTotal, type EmissionLine, type EstimatedItem } from '../../engine/estimate.ts'
import { describeLine, explainLine } from '../../engine/explanation/calculation.ts'
import { EMISSION_UNIT, sumMilligrams, toMilligrams, type Milligrams } from '../../engine/numbers/emission.ts'
import { mapResumable, type Resumable } from '../../engine/numbers/steps.ts'
import type { DeviceModel, ReferenceData } from '../../engine/reference/reference-data.ts'
import {
  datasheetError,
  errorSources,
  intervalAround,
  uncertaintyOf,
  uncertaintyOfSum,
} from '../../engine/uncertainty/uncertainty.ts'
import { deviceId } from '../../ledger/codec.ts'
import type { StoredOrder } from '../../ledger/records.ts'
import type { Include } from '../parameters.ts'
import { stringifyExact, withSerialised } from '../../strict-json/json-number.ts'
import { breakdownView, errorView, intervalView, kilogramsView, lineView } from './emission.ts'
import { referenceView } from './message.ts'

const lineUncertaintyView = (line: EmissionLine) => ({
  ...intervalView(uncertaintyOf(line)),
  from: errorSources(line.working).map(errorView),
})

function calculationView(line: EmissionLine, referenceData: ReferenceData) {
  const { notes, ledger, ...calculation } = explainLine(line, referenceData)
  return {
    ...calculation,
    notes: notes.map(({ message }) => message),
    note_messages: notes.map(referenceView),
    ...(ledger && { ledger }),
  }
}

/** The uncertainty of the lifetime emissions of a device. */
export function modelUncertaintyView(model: DeviceModel) {
  const error = datasheetError(model)
  const footprint = toMilligrams((model.total ?? model.production)!)
  return { ...intervalView(intervalAround(footprint, error.logSd)), from: [errorView(error)] }
}

/** An order with its lines, as first answered or in its current state. */
export interface OrderToShow {
  readonly accountId: number
  readonly order: Pick<
    StoredOrder,
    'orderId' | 'customerId' | 'orderDate' | 'tenureStartDate' | 'createdAt' | 'status' | 'metadata'
  >
  readonly items: readonly EstimatedItem[]
  /** The reference data that the order was estimated with. */
  readonly referenceData: ReferenceData
}

/** The response of an order, serialised: the same bytes for the same order, whenever it is requested. */
export const orderView = (answered: OrderToShow, include: Include): string =>
  withSerialised(headView(answered, include), {
    ...metadataMember(answered.order, include),
    items: itemsView(answered.accountId, answered.items, answered.referenceData, include),
  })

/**
 * Like `orderView`, with a step for every item.
 * @param history the last members, serialised: posted entries and recorded events
 */
export function* orderViewResumable(
  answered: OrderToShow,
  include: Include,
  history: Readonly<Record<string, string>>,
): Resumable<string> {
  const { accountId, items, referenceData } = answered
  const serialise = serialiserFor(include)
  const serialised = yield* mapResumable(items, (item) => serialise(itemView(accountId, item, referenceData, include)))
  return withSerialised(headView(answered, include), {
    ...metadataMember(answered.order, include),
    items: `[${serialised.join(',')}]`,
    ...history,
  })
}

const headView = ({ order, items }: OrderToShow, include: Include) => ({
  ...orderHeadView(order, sumMilligrams(items.map(itemTotal))),
  ...totalsView(items, include),
})

/** What every response says first of an order. */
export const orderHeadView = (order: Omit<OrderToShow['order'], 'metadata'>, total: Milligrams) => ({
  order_id: sentIdOf(order.orderId),
  customer_id: order.customerId,
  order_date: order.orderDate,
  tenure_start_date: order.tenureStartDate,
  created_at: order.createdAt,
  status: order.status,
  emission_unit: EMISSION_UNIT,
  total_emission: kilogramsView(total),
})

/** The order's metadata, serialised, if they are included. */
export const metadataMember = (
  { metadata }: Pick<OrderToShow['order'], 'metadata'>,
  include: ReadonlySet<string>,
): Readonly<Record<string, string>> => (include.has('metadata') ? { metadata: metadata ?? '{}' } : {})

/** Only calculations have ratios, which are written by a slower function. */
const serialiserFor = (include: Include): ((view: unknown) => string) =>
  include.has('calculation') ? stringifyExact : (view) => JSON.stringify(view)

/** Members added to a total if the calculation is included: the total without indicative lines, and its uncertainty. */
export function totalsView(items: readonly EstimatedItem[], include: Include) {
  if (!include.has('calculation')) return {}
  const lines = items.flatMap((item) => item.lines)
  const certain = lines.filter(({ type }) => type !== 'indicative').map(({ emission }) => emission)
  return {
    total_emission_excluding_indicative: kilogramsView(sumMilligrams(certain)),
    uncertainty: intervalView(uncertaintyOfSum(lines)),
  }
}

/** The items of an order, serialised. */
export function itemsView(
  accountId: number,
  items: readonly EstimatedItem[],
  referenceData: ReferenceData,
  include: Include,
): string {
  return serialiserFor(include)(items.map((item) => itemView(accountId, item, referenceData, include)))
}

function itemView(accountId: number, estimated: EstimatedItem, referenceData: ReferenceData, include: Include) {
  const { item, lines } = estimated
  const isExplained = include.has('calculation')
  const serial = item.type === 'product' ? item.product.serialNumber : null
  return {
    type: item.type,
    ...(serial !== null && { device_id: deviceId(accountId, serial), serial_number: serial }),
    total_emission: kilogramsView(itemTotal(estimated)),
    ...(isExplained && { uncertainty: intervalView(uncertaintyOfSum(lines)) }),
    emission_breakdown: breakdownView(
      lines.map((line) => [
        line.part,
        {
          ...lineView(line, line.emission),
          ...(isExplained && {
            description_message: referenceView(describeLine(line)),
            calculation: calculationView(line, referenceData),
            uncertainty: lineUncertaintyView(line),
          }),
        },
      ]),
    ),
  }
}
