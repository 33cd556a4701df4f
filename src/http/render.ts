// The answers about orders and devices as JSON text, with every emission an exact decimal.
import { calculationOf } from '../engine/calculation.ts'
import { itemTotal, type DeviceShare, type EstimatedItem, type Line } from '../engine/estimate.ts'
import type { FactorBook } from '../engine/factor-book.ts'
import { EMISSION_UNIT, GHG_LABELS, PARTS, sum, toKilograms, type Milligrams, type Part } from '../engine/line.ts'
import type { StoredOrder } from '../postgres/order-record.ts'
import { toExactJson } from './exact-json.ts'
import { deviceId, type DescribedPart } from './stored-order.ts'

/** What a client asks to have added to the contract's fields. */
export type Include = ReadonlySet<'calculation' | 'metadata'>

const UNIT = JSON.stringify(EMISSION_UNIT)

/** The part of a line's text that does not change, made once: this stands on the path of every order. */
const LABELS = Object.fromEntries(
  PARTS.map((part) => [
    part,
    `"emission_unit":${UNIT},"ghg_category":${JSON.stringify(GHG_LABELS[part].category)},` +
      `"ghg_scope":${JSON.stringify(GHG_LABELS[part].scope)}`,
  ]),
) as Readonly<Record<Part, string>>

const renderLine = ({ part, description, type }: DescribedPart, emission: Milligrams, calculation: string): string =>
  `"${part}":{"description":${JSON.stringify(description)},"emission":${toKilograms(emission)},` +
  `${LABELS[part]},"type":"${type}"${calculation}}`

/** The order's response: the same bytes for the same stored order, whenever it is asked for. */
export function renderOrder(
  accountId: number,
  order: StoredOrder,
  items: readonly EstimatedItem[],
  book: FactorBook,
  include: Include,
): string {
  const total = sum(items.map(itemTotal))
  return (
    `{"order_id":${JSON.stringify(order.orderId)},"customer_id":${JSON.stringify(order.customerId)},` +
    `"order_date":"${order.orderDate}","tenure_start_date":"${order.tenureStartDate}",` +
    `"created_at":"${order.createdAt.toISOString()}","status":"created","emission_unit":${UNIT},` +
    `"total_emission":${toKilograms(total)},${renderAdditions(order, items, include)}` +
    `"items":[${items.map((item) => renderItem(accountId, item, book, include)).join(',')}]}`
  )
}

function renderAdditions({ metadata }: StoredOrder, items: readonly EstimatedItem[], include: Include): string {
  const certain = items.flatMap(({ lines }) => lines).filter(({ type }) => type !== 'indicative')
  const excluding = include.has('calculation')
    ? `"total_emission_excluding_indicative":${toKilograms(sum(certain.map(({ emission }) => emission)))},`
    : ''
  return excluding + (include.has('metadata') ? `"metadata":${metadata ?? '{}'},` : '')
}

function renderItem(accountId: number, estimated: EstimatedItem, book: FactorBook, include: Include): string {
  const { item, lines } = estimated
  const serial = item.type === 'product' ? item.product.serialNumber : null
  const device =
    serial === null ? '' : `"device_id":"${deviceId(accountId, serial)}","serial_number":${JSON.stringify(serial)},`
  const breakdown = lines.map((line) => renderLine(line, line.emission, renderCalculation(line, book, include)))
  return (
    `{"type":"${item.type}",${device}"total_emission":${toKilograms(itemTotal(estimated))},` +
    `"emission_breakdown":{${breakdown.join(',')}}}`
  )
}

const renderCalculation = (line: Line, book: FactorBook, include: Include): string =>
  include.has('calculation') ? `,"calculation":${toExactJson(calculationOf(line, book))}` : ''

/** One order as a device's ledger shows it. */
export interface LedgerOrder {
  readonly order: StoredOrder
  readonly share: DeviceShare
  /** How each part that the order has is described, for this device. */
  readonly parts: readonly DescribedPart[]
}

export const shareTotal = (share: DeviceShare): Milligrams => sum(PARTS.map((part) => share[part]))

export function renderLedger(serialNumber: string, orders: readonly LedgerOrder[]): string {
  const total = sum(orders.map(({ share }) => shareTotal(share)))
  return (
    `{"serial_number":${JSON.stringify(serialNumber)},"emission_unit":${UNIT},"number_of_orders":${orders.length},` +
    `"total_emission":${toKilograms(total)},"orders":[${orders.map(renderLedgerOrder).join(',')}]}`
  )
}

function renderLedgerOrder({ order, share, parts }: LedgerOrder): string {
  const emission = parts.map((part) => renderLine(part, share[part.part], ''))
  return (
    `{"customer_id":${JSON.stringify(order.customerId)},"order_id":${JSON.stringify(order.orderId)},` +
    `"order_date":"${order.orderDate}","tenure_start_date":"${order.tenureStartDate}","emission_unit":${UNIT},` +
    `"total_emission":${toKilograms(shareTotal(share))},"emission":{${emission.join(',')}}}`
  )
}
