// The columns of exports: orders and events in the import layout with more added, devices, and entries.
import { sentIdOf } from '../../engine/order-revision.ts'
import { number, day, kilograms, text, time, type Column } from '../../spreadsheets/export-table.ts'
import { sumMilligrams, type Milligrams } from '../../engine/numbers/emission.ts'
import type { ReferenceDataOf } from '../../engine/reference/reference-data.ts'
import { footprintById } from '../../engine/reference/footprint.ts'
import type { Order } from '../../engine/order.ts'
import { hasUseLine } from '../../engine/estimate.ts'
import { gridFactors } from '../../engine/resolve-order.ts'
import { fromExactText, toDecimal } from '../../engine/numbers/rational.ts'
import type {
  ExportedDevice,
  ExportedEntry,
  ExportedEvent,
  ExportedOrder,
  PostedEmissions,
} from '../../postgres/exports.ts'
import {
  EVENT_MEMBERS,
  RENTAL_END_MEMBERS,
  labelColumn,
  columnNames,
  memberPath,
  type Member,
} from '../../spreadsheets/columns.ts'
import type { WireItem, WireOrder } from '../../contract/order-schema.ts'
import { decodeSentOrder, deviceId } from '../../ledger/codec.ts'
import { countedSwaps } from '../../ledger/counted-events.ts'
import { toEngineOrder } from '../../contract/parse-order.ts'

/** A row of an export of orders: an item, or an order without items. */
export interface ItemRow {
  readonly exported: ExportedOrder
  readonly wire: WireOrder
  readonly item: WireItem | null
  /** The item's device and its replacements, in order; empty for other items. */
  readonly serials: readonly string[]
  /**
   * Emissions that the order posted to these devices. On the first row of an order without devices: those posted to the
   * order itself.
   */
  readonly posted: PostedEmissions | null
  readonly answered: Milligrams | null
  readonly matchMethod: string | null
}

/** The items of an order, in order; everything posted to the order is assigned to one of them. */
export function itemRows(exported: ExportedOrder, referenceDataById: ReferenceDataOf): readonly ItemRow[] {
  const { order, events, posted } = exported
  const wire = decodeSentOrder(order)
  const lines = order.lineEmissions.values()
  const methods = order.matchMethods.values()
  const replacedBy = new Map(countedSwaps(events).map(({ out, wire }) => [out, wire.new_serial_number]))
  const lineCounts = lineCountsOf(exported, toEngineOrder(wire), referenceDataById)
  const ofNoDevice = posted.get('') ?? null
  const rows = (wire.items ?? []).map((item, at): ItemRow => {
    const serials = item.type === 'product' ? chainOf(item.config.serial_number, replacedBy) : []
    const parts = serials.flatMap((serial) => posted.get(serial) ?? [])
    const isProduct = item.type === 'product'
    return {
      exported,
      wire,
      item,
      serials,
      posted: isProduct ? sumOf(parts) : at === 0 ? ofNoDevice : null,
      answered: sumMilligrams(take(lines, lineCounts[at]!)),
      matchMethod: isProduct ? (methods.next().value ?? null) : null,
    }
  })
  return rows.length > 0
    ? rows
    : [{ exported, wire, item: null, serials: [], posted: ofNoDevice, answered: null, matchMethod: null }]
}

/** Number of published lines of each item: a product without a published use phase has only the embodied line. */
function lineCountsOf(
  { order, posted }: ExportedOrder,
  { items, country }: Order,
  referenceDataById: ReferenceDataOf,
): readonly number[] {
  const bases = order.footprintIds.values()
  return items.map((item) => {
    if (item.type !== 'product') return 1
    const own = bases.next().value!
    const device = posted.get(item.serialNumber)
    const referenceData = referenceDataById(device?.releaseId ?? order.releaseId)
    const footprint = footprintById(device?.basis ?? own, item.weightKg, referenceData)
    return hasUseLine(footprint, gridFactors(item.country ?? country, referenceDataById(order.releaseId))) ? 2 : 1
  })
}

/** The dataset releases needed to read the rows of the orders. */
export const releasesOf = (orders: readonly ExportedOrder[]): readonly number[] =>
  orders.flatMap(({ order, posted }) => [
    order.releaseId,
    ...[...posted.values()].flatMap(({ releaseId }) => releaseId ?? []),
  ])

/** A device and its replacements, each replacing the one before. */
function chainOf(serial: string, replacedBy: ReadonlyMap<string, string>): readonly string[] {
  const chain = [serial]
  for (let next = replacedBy.get(serial); next !== undefined && !chain.includes(next); next = replacedBy.get(next))
    chain.push(next)
  return chain
}

function take<Value>(values: Iterator<Value, undefined>, count: number): readonly Value[] {
  return Array.from({ length: count }, () => values.next().value!)
}

const sumOf = (parts: readonly PostedEmissions[]): PostedEmissions => ({
  embodied: sumMilligrams(parts.map(({ embodied }) => embodied)),
  use: sumMilligrams(parts.map(({ use }) => use)),
  packaging: sumMilligrams(parts.map(({ packaging }) => packaging)),
  transportation: sumMilligrams(parts.map(({ transportation }) => transportation)),
})

const totalOf = ({ embodied, use, packaging, transportation }: PostedEmissions): Milligrams =>
  embodied + use + packaging + transportation

/** @param prefix prefix of the column names */
const postedColumns = <Row>(prefix: string, of: (row: Row) => PostedEmissions | null): readonly Column<Row>[] => [
  kilograms(`${prefix}embodied_kg`, (row) => of(row)?.embodied ?? null),
  kilograms(`${prefix}use_kg`, (row) => of(row)?.use ?? null),
  kilograms(`${prefix}packaging_kg`, (row) => of(row)?.packaging ?? null),
  kilograms(`${prefix}transportation_kg`, (row) => of(row)?.transportation ?? null),
  kilograms(`${prefix}total_kg`, (row) => {
    const posted = of(row)
    return posted && totalOf(posted)
  }),
]

type Members = Readonly<Record<string, string | number | undefined>>

/** A column of the import format, in the layout of one row per item. */
function importColumn(name: string): Column<ItemRow> {
  const { part, name: member, reads } = memberPath(name, 'items')!
  const valueOf = ({ wire, item }: ItemRow): string | number | null => {
    if (part === 'type') return item?.type ?? null
    const members = (part === 'order' ? wire : (item?.config ?? {})) as Members
    return members[member] ?? null
  }
  if (reads === 'number') return number(name, valueOf)
  const textOf = valueOf as (row: ItemRow) => string | null
  return reads === 'date' ? day(name, textOf) : text(name, textOf)
}

/** Not `returned_on` and `ended_by`, which imports read as events: those are in the export of events. */
const isOfOrder = (column: string): boolean => !RENTAL_END_MEMBERS.some(({ name }) => name === column)

/** Own properties only: a label may be named `constructor`. */
const labelOf = ({ metadata = {} }: WireOrder, label: string): string | null =>
  Object.hasOwn(metadata, label) ? metadata[label]! : null

/** @param labels the metadata that get their own columns; null puts all metadata as JSON into one column */
export const orderColumns = (labels: readonly string[] | null): readonly Column<ItemRow>[] => [
  ...columnNames('items').filter(isOfOrder).map(importColumn),
  ...(labels === null
    ? [text<ItemRow>('export.metadata', ({ exported }) => exported.order.metadata)]
    : labels.map((label) => text<ItemRow>(labelColumn(label), ({ wire }) => labelOf(wire, label)))),
  text('export.status', ({ exported }) => exported.order.status),
  time('export.created_at', ({ exported }) => exported.order.createdAt),
  text('export.devices', ({ serials }) => (serials.length === 0 ? null : serials.join(' '))),
  ...postedColumns<ItemRow>('export.', ({ posted }) => posted),
  kilograms('export.answered_kg', ({ answered }) => answered),
  text('export.footprint_id', ({ serials, exported }) => {
    const bases = new Set(serials.flatMap((serial) => exported.posted.get(serial)?.basis ?? []))
    return bases.size === 0 ? null : [...bases].join(' ')
  }),
  text('export.match_method', ({ matchMethod }) => matchMethod),
  text('export.dataset_release', ({ exported }) => exported.release),
]

/** The columns of an import of events, and when each was recorded. */
export const EVENT_COLUMNS: readonly Column<ExportedEvent>[] = [
  ...EVENT_MEMBERS.map(eventColumn),
  time('export.recorded_at', ({ postedAt }) => postedAt),
  text('export.emission_default', ({ emissionDefault }) => emissionDefault && emissionDefault.device_type),
]

function eventColumn({ name, reads }: Member): Column<ExportedEvent> {
  const valueOf = (event: ExportedEvent) => memberOfEvent(event, name)
  if (reads === 'number') return number(name, valueOf)
  return reads === 'date' ? day(name, valueOf) : text(name, valueOf)
}

function memberOfEvent({ order, serialNumber, wire }: ExportedEvent, name: string): string | null {
  if (name === 'customer_id') return order && order.customerId
  if (name === 'order_id') return order && sentIdOf(order.orderId)
  // Of an order’s event, only as it was sent: without one, it concerns all devices of the order.
  if (name === 'serial_number' && !order) return serialNumber
  const value = wire[name]
  if (value === undefined) return null
  return name === 'event_id' ? sentIdOf(String(value)) : String(value)
}

export const deviceColumns = (accountId: number): readonly Column<ExportedDevice>[] => [
  text('serial_number', ({ device }) => device.serialNumber),
  text('device_id', ({ device }) => deviceId(accountId, device.serialNumber)),
  text('footprint_id', ({ device }) => device.footprintId),
  text('product_id', ({ device }) => device.possibleMatch?.productId ?? null),
  text('match_method', ({ device }) => device.possibleMatch?.matchMethod ?? null),
  text('amortisation', ({ device }) => (device.isCapped ? 'capped' : 'uncapped')),
  number('number_of_orders', ({ orderCount }) => orderCount),
  time('first_posted_at', ({ firstPostedAt }) => firstPostedAt),
  time('last_posted_at', ({ lastPostedAt }) => lastPostedAt),
  kilograms('whole_kg', ({ device }) => device.balance.embodiedTotal),
  kilograms('remaining_kg', ({ device }) => device.balance.embodiedTotal - device.balance.allocated),
  ...postedColumns<ExportedDevice>('', (row) => row),
  text('dataset_release', ({ release }) => release),
]

export const ENTRY_COLUMNS: readonly Column<ExportedEntry>[] = [
  text('serial_number', ({ entry }) => entry.serialNumber || null),
  text('customer_id', ({ entry }) => entry.customerId || null),
  text('order_id', ({ entry }) => sentIdOf(entry.orderId) || null),
  number('entry_no', ({ entry }) => entry.no),
  time('posted_at', ({ entry }) => entry.postedAt),
  day('counts_from', ({ entry }) => entry.countsFrom),
  text('reason', ({ entry }) => entry.reason),
  day('tenure_start_date', ({ entry }) => entry.terms?.start ?? null),
  day('tenure_end_date', ({ entry }) => entry.terms?.end ?? null),
  number('tenure_months', ({ entry }) => entry.terms && toDecimal(fromExactText(entry.terms.months))),
  text('country', ({ entry }) => entry.country),
  ...postedColumns<ExportedEntry>('', ({ entry }) => ({
    embodied: entry.product_embodied_emission,
    use: entry.product_use,
    packaging: entry.packaging,
    transportation: entry.transportation,
  })),
  text('event_id', ({ entry }) => entry.eventId && sentIdOf(entry.eventId)),
  text('cause_customer_id', ({ entry }) => entry.cause?.customerId ?? null),
  text('cause_order_id', ({ entry: { cause } }) => cause && sentIdOf(cause.orderId)),
  text('dataset_release', ({ release }) => release),
]
