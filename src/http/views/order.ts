// Orders as JSON text: every emission as an exact decimal, with uncertainty intervals if the calculation is included.
import { itemTotal, type EmissionLine, type EstimatedItem, type LineDescription } from '../../engine/estimate.ts'
import { explainLine } from '../../engine/explanation/calculation.ts'
import {
  EMISSION_UNIT,
  GHG_LABELS,
  PARTS,
  sumMilligrams,
  toKilograms,
  toMilligrams,
  type Milligrams,
  type Part,
} from '../../engine/numbers/emission.ts'
import { mapResumable, type Resumable } from '../../engine/numbers/steps.ts'
import type { DeviceModel, ReferenceData } from '../../engine/reference/reference-data.ts'
import type { ErrorSource } from '../../engine/uncertainty/lognormal.ts'
import {
  UNCERTAINTY_LEVEL,
  datasheetError,
  errorSources,
  intervalAround,
  uncertaintyOf,
  uncertaintyOfSum,
  type Uncertainty,
} from '../../engine/uncertainty/uncertainty.ts'
import { deviceId } from '../../ledger/codec.ts'
import type { StoredOrder } from '../../ledger/records.ts'
import type { Include } from '../parameters.ts'
import { stringifyExact } from '../../strict-json/json-number.ts'

const DECIMALS = 6

/** A JSON member preceded by a comma. */
const lineUncertaintyView = (line: EmissionLine): string =>
  renderUncertainty(uncertaintyOf(line), `,"from":[${errorSources(line.working).map(renderError).join(',')}]`)

const rounded = (value: number): number => Number(value.toFixed(DECIMALS))

const renderError = ({ name, logSd }: ErrorSource): string =>
  `{"name":${JSON.stringify(name)},"log_sd":${rounded(logSd)}}`

/** A JSON member preceded by a comma, for the lifetime emissions of a device. */
export function modelUncertaintyView(model: DeviceModel): string {
  const error = datasheetError(model)
  const footprint = toMilligrams((model.total ?? model.production)!)
  return renderUncertainty(intervalAround(footprint, error.logSd), `,"from":[${renderError(error)}]`)
}

/** A JSON member preceded by a comma, for the sum of the lines. */
const totalUncertaintyView = (lines: readonly EmissionLine[]): string => renderUncertainty(uncertaintyOfSum(lines), '')

const renderUncertainty = (uncertainty: Uncertainty, from: string): string =>
  `,"uncertainty":${intervalView(uncertainty, from)}`

/** @param from a JSON member preceded by a comma */
export const intervalView = ({ low, high, gsd }: Uncertainty, from = ''): string =>
  `{"low":${toKilograms(low)},"high":${toKilograms(high)},"level":${UNCERTAINTY_LEVEL},` +
  `"kind":"lognormal","gsd":${rounded(gsd)}${from}}`

export const UNIT = JSON.stringify(EMISSION_UNIT)

const textByPart = (textOf: (part: Part) => string) =>
  Object.fromEntries(PARTS.map((part) => [part, textOf(part)])) as Readonly<Record<Part, string>>

/** The constant parts of a line, built once: this code runs for every order. */
const BEFORE = textByPart((part) => `"${part}":{"description":`)
const LABELS = textByPart(
  (part) =>
    `,"emission_unit":${UNIT},"ghg_category":${JSON.stringify(GHG_LABELS[part].category)},` +
    `"ghg_scope":${JSON.stringify(GHG_LABELS[part].scope)},"type":"`,
)

export const lineView = (
  { part, description, type }: LineDescription,
  emission: Milligrams,
  calculation: string,
): string =>
  `${BEFORE[part]}${JSON.stringify(description)},"emission":${toKilograms(emission)}` +
  `${LABELS[part]}${type}"${calculation}}`

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

/** The response of an order: the same bytes for the same order, whenever it is requested. */
export const orderView = (answered: OrderToShow, include: Include): string =>
  renderAround(itemViews(answered.accountId, answered.items, answered.referenceData, include), answered, include, '')

/**
 * Like `orderView`, with a step for every item.
 * @param history the last members, each preceded by a comma: posted entries and recorded events
 */
export function* orderViewResumable(answered: OrderToShow, include: Include, history: string): Resumable<string> {
  const { accountId, items, referenceData } = answered
  const rendered = yield* mapResumable(items, (item) => renderItem(accountId, item, referenceData, include))
  return renderAround(rendered.join(','), answered, include, history)
}

function renderAround(rendered: string, answered: OrderToShow, include: Include, history: string): string {
  const { order, items } = answered
  const total = sumMilligrams(items.map(itemTotal))
  return (
    `{"order_id":${JSON.stringify(order.orderId)},"customer_id":${JSON.stringify(order.customerId)},` +
    `"order_date":"${order.orderDate}","tenure_start_date":"${order.tenureStartDate}",` +
    `"created_at":"${timeText(order.createdAt)}","status":"${order.status}","emission_unit":${UNIT},` +
    `"total_emission":${toKilograms(total)}${renderAdditions(answered, include)},` +
    `"items":[${rendered}]${history}}`
  )
}

let lastTime: { readonly time: Date; readonly text: string } | null = null

/** All orders of a batch have the time of its commit, as the same object. */
function timeText(time: Date): string {
  if (lastTime?.time !== time) lastTime = { time, text: time.toISOString() }
  return lastTime.text
}

function renderAdditions({ order, items }: OrderToShow, include: Include): string {
  return totalsView(items, include) + (include.has('metadata') ? `,"metadata":${order.metadata ?? '{}'}` : '')
}

/** Members added to a total if the calculation is included: the total without indicative lines, and its uncertainty. */
export function totalsView(items: readonly EstimatedItem[], include: Include): string {
  if (!include.has('calculation')) return ''
  const lines = items.flatMap((item) => item.lines)
  const certain = lines.filter(({ type }) => type !== 'indicative').map(({ emission }) => emission)
  return `,"total_emission_excluding_indicative":${toKilograms(sumMilligrams(certain))}${totalUncertaintyView(lines)}`
}

export const itemViews = (
  accountId: number,
  items: readonly EstimatedItem[],
  referenceData: ReferenceData,
  include: Include,
): string => listed(items, (item) => renderItem(accountId, item, referenceData, include))

/** Replaces `join`, whose result is copied completely once more when it is sent. */
function listed<Value>(values: readonly Value[], render: (value: Value) => string): string {
  let text = ''
  for (const value of values) text += text === '' ? render(value) : `,${render(value)}`
  return text
}

function renderItem(
  accountId: number,
  estimated: EstimatedItem,
  referenceData: ReferenceData,
  include: Include,
): string {
  const { item, lines } = estimated
  const serial = item.type === 'product' ? item.product.serialNumber : null
  const device =
    serial === null ? '' : `"device_id":"${deviceId(accountId, serial)}","serial_number":${JSON.stringify(serial)},`
  const breakdown = listed(lines, (line) =>
    lineView(line, line.emission, renderCalculation(line, referenceData, include)),
  )
  return (
    `{"type":"${item.type}",${device}"total_emission":${toKilograms(itemTotal(estimated))}` +
    `${include.has('calculation') ? totalUncertaintyView(lines) : ''},"emission_breakdown":{${breakdown}}}`
  )
}

const renderCalculation = (line: EmissionLine, referenceData: ReferenceData, include: Include): string =>
  include.has('calculation')
    ? `,"calculation":${stringifyExact(explainLine(line, referenceData))}${lineUncertaintyView(line)}`
    : ''
