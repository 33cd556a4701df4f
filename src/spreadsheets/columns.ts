// The possible columns of a file of orders or events: used to read headers, write templates and build orders.
import type { CellReader } from './cells.ts'

/** Rows of items or of orders, or a file of events with one event per row. */
export type Layout = 'items' | 'orders' | 'events'
export const LAYOUTS: readonly Layout[] = ['items', 'orders', 'events']

export const VALUE_KINDS = ['product', 'transportation', 'packaging'] as const
export type ValueKind = (typeof VALUE_KINDS)[number]

/** A member of the POST body, and its column. */
export interface Member {
  readonly name: string
  readonly reads: CellReader
  readonly isNeeded: boolean
  /** Another member of the same item that implies this one, so that a file may omit the column. */
  readonly impliedBy?: string
  /** The column names in the layouts `items` and `orders`, if they differ from the member name. */
  readonly items?: string
  readonly orders?: string
  readonly events?: string
}

const needed = (name: string, reads: CellReader = 'text', columns: Partial<Member> = {}): Member => ({
  name,
  reads,
  isNeeded: true,
  ...columns,
})
const optional = (name: string, columns: Partial<Member> = {}): Member => ({
  ...needed(name, 'text', columns),
  isNeeded: false,
})

export const ORDER_MEMBERS: readonly Member[] = [
  needed('customer_id'),
  needed('order_id'),
  needed('order_date', 'date'),
  needed('tenure_start_date', 'date'),
  optional('country'),
]

export const ITEM_MEMBERS: Readonly<Record<ValueKind, readonly Member[]>> = {
  product: [
    needed('product_id'),
    needed('serial_number'),
    needed('tenure_months', 'number'),
    needed('weight_kg', 'number'),
    optional('device_type'),
    optional('model_id'),
    optional('product_name'),
    optional('brand'),
    optional('country', { items: 'item_country', orders: 'item_country' }),
  ],
  transportation: [
    needed('transportation_id'),
    needed('transportation_mode', 'text', { impliedBy: 'transportation_id' }),
    needed('distance_km', 'number'),
    needed('weight_kg', 'number', { orders: 'transportation_weight_kg' }),
    optional('distance_basis'),
  ],
  packaging: [needed('packaging_id'), needed('weight_kg', 'number', { orders: 'packaging_weight_kg' })],
}

/** Columns of a product that record with its order how its rental ended. No members of a POST body. */
export const RENTAL_END_MEMBERS: readonly Member[] = [optional('returned_on', { reads: 'date' }), optional('ended_by')]

const COLUMNS: typeof ITEM_MEMBERS = { ...ITEM_MEMBERS, product: [...ITEM_MEMBERS.product, ...RENTAL_END_MEMBERS] }

/** An event with what it concerns: an order, or the device of its serial number. */
export const EVENT_MEMBERS: readonly Member[] = [
  needed('event_id'),
  optional('customer_id'),
  optional('order_id'),
  optional('serial_number'),
  needed('type'),
  optional('date', { reads: 'date' }),
  optional('tenure_months', { reads: 'number' }),
  optional('new_serial_number'),
  optional('weight_kg', { reads: 'number' }),
  optional('product_id'),
  optional('device_type'),
  optional('model_id'),
  optional('product_name'),
  optional('brand'),
  optional('dispatched'),
  optional('emission_kg', { reads: 'number' }),
  optional('lifetime_months_added', { reads: 'number' }),
  optional('reason'),
]

/** Additional columns of the error file. They are ignored when the file is imported again. */
export const REASON_COLUMN = 'import_reason'
export const SUGGESTION_COLUMN = 'import_suggestion'
export const IGNORED_COLUMNS = '-'
/** Prefix of additional columns in an export, which are ignored, too. */
export const EXPORT_COLUMN = 'export.'
export const METADATA = 'metadata.'
const NUMBER_MAX = 1000

/** What a column contains: a member of a part of an order. */
export interface MemberPath {
  /** In the layout `items`, `item` is an item of the kind that its row states; in `events`, all members are `order`. */
  readonly part: 'order' | 'metadata' | 'type' | 'item' | ValueKind
  /** In the layout `orders`, the number of the item within its kind, from 1. */
  readonly number: number
  readonly name: string
  readonly reads: CellReader
  /** Of a column in another unit: by what its numbers are multiplied. */
  readonly factor?: number
}

/** The other units of a member, by the ending of its column, with their exact size. */
const UNITS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  weight_kg: { g: 0.001, lb: 0.45359237, oz: 0.028349523125 },
  distance_km: { m: 0.001, miles: 1.609344 },
}
const IN_OTHER_UNIT = /(weight|distance)_(g|lb|oz|m|miles)(?=_\d+$|$)/

/** The column in the unit of orders: `weight_g` is `weight_kg`, and every other column itself. */
export const inOwnUnit = (column: string): string =>
  column.startsWith(METADATA)
    ? column
    : column.replace(IN_OTHER_UNIT, (_, name: string) => (name === 'weight' ? 'weight_kg' : 'distance_km'))

const withUnits = (places: ReadonlyMap<string, MemberPath>): ReadonlyMap<string, MemberPath> =>
  new Map([
    ...places,
    ...[...places].flatMap(([column, place]) =>
      Object.entries(UNITS[place.name] ?? {}).map(
        ([unit, factor]) => [column.replace(/k[gm]$/, unit), { ...place, factor }] as const,
      ),
    ),
  ])

const columnOf = (member: Member, layout: Layout): string => member[layout] ?? member.name

const place = (part: MemberPath['part'], { name, reads }: Pick<Member, 'name' | 'reads'>): MemberPath => ({
  part,
  number: 1,
  name,
  reads,
})

const placesOf = (layout: Layout): ReadonlyMap<string, MemberPath> =>
  new Map([
    ...ORDER_MEMBERS.map((member) => [member.name, place('order', member)] as const),
    ...(layout === 'items' ? [['type', place('type', { name: 'type', reads: 'text' })] as const] : []),
    ...VALUE_KINDS.flatMap((kind) =>
      COLUMNS[kind].map(
        (member) => [columnOf(member, layout), place(layout === 'items' ? 'item' : kind, member)] as const,
      ),
    ),
  ])

const PLACES: Readonly<Record<Layout, ReadonlyMap<string, MemberPath>>> = {
  items: withUnits(placesOf('items')),
  orders: withUnits(placesOf('orders')),
  events: withUnits(new Map(EVENT_MEMBERS.map((member) => [member.name, place('order', member)]))),
}

/** The column names of a layout, except those of metadata, of further items in a row and of other units. */
export const columnNames = (layout: Layout): readonly string[] =>
  [...PLACES[layout]].flatMap(([column, { factor }]) => (factor === undefined ? [column] : []))

/** The meaning of a column name; null if there is none. `serial_number_2` belongs to the second product. */
export function memberPath(column: string, layout: Layout): MemberPath | null {
  if (layout === 'events') return PLACES.events.get(column) ?? null
  if (column.startsWith(METADATA) && column.length > METADATA.length) {
    const label = column.slice(METADATA.length)
    return place('metadata', { name: quotedIn(label) ?? label, reads: 'text' })
  }
  const known = PLACES[layout].get(column)
  if (known || layout === 'items') return known ?? null
  const [, base = '', digits = ''] = /^(.+)_([1-9]\d{0,3})$/.exec(column) ?? []
  const first = PLACES.orders.get(base)
  const number = Number(digits)
  return first && isKind(first.part) && number <= NUMBER_MAX ? { ...first, number } : null
}

const isKind = (part: string): part is ValueKind => (VALUE_KINDS as readonly string[]).includes(part)

/** The column name of a member in this layout. */
export function columnOfPath(part: ValueKind | 'order', name: string, layout: Layout, number = 1): string {
  const member = (part === 'order' ? ORDER_MEMBERS : COLUMNS[part]).find((one) => one.name === name)
  const column = member ? columnOf(member, layout) : name
  return number === 1 ? column : `${column}_${number}`
}

/** The column of a label. The label is quoted as in JSON if trimming or unquoting would change it. */
export const labelColumn = (label: string): string =>
  METADATA + (label === label.trim() && quotedIn(label) === null ? label : JSON.stringify(label))

/** The content of the quotation marks if the complete text is quoted. */
function quotedIn(text: string): string | null {
  if (text.length < 3 || !text.startsWith('"') || !text.endsWith('"')) return null
  try {
    return JSON.parse(text) as string
  } catch {
    return null
  }
}

/** A header normalised for comparison: lower case, underscores for spaces and hyphens. Labels keep their spelling. */
export function normaliseHeader(header: string): string {
  const text = header.replace(/^\ufeff/, '').trim()
  if (text.slice(0, METADATA.length).toLowerCase() === METADATA) return METADATA + text.slice(METADATA.length).trim()
  return text.toLowerCase().replace(/[\s-]+/g, '_')
}
