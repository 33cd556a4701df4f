// The columns that a file of orders may have: one table, from which headers are read, templates written, orders built.
import type { CellReader } from './cells.ts'

export type Layout = 'items' | 'orders'
export const LAYOUTS: readonly Layout[] = ['items', 'orders']

export const VALUE_KINDS = ['product', 'transportation', 'packaging'] as const
export type ValueKind = (typeof VALUE_KINDS)[number]

/** A member of POST's body, and the column that bears it. */
export interface Member {
  readonly name: string
  readonly reads: CellReader
  readonly isNeeded: boolean
  /** The member of its item that tells it, too: then a file may leave it out. */
  readonly toldBy?: string
  /** The column in the layout `items`, then in `orders`, where they are not named like the member. */
  readonly items?: string
  readonly orders?: string
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
    needed('transportation_mode', 'text', { toldBy: 'transportation_id' }),
    needed('distance_km', 'number'),
    needed('weight_kg', 'number', { orders: 'transportation_weight_kg' }),
    optional('distance_basis'),
  ],
  packaging: [needed('packaging_id'), needed('weight_kg', 'number', { orders: 'packaging_weight_kg' })],
}

/** What the file of errors has more; passed over when it is imported again. */
export const REASON_COLUMN = 'import_reason'
export const SUGGESTION_COLUMN = 'import_suggestion'
export const IGNORED_COLUMNS = '-'
/** What an export has more begins with this; passed over, too. */
export const EXPORT_COLUMN = 'export.'
export const METADATA = 'metadata.'
const NUMBER_MAX = 1000

/** What a column means: which member of which part of an order. */
export interface MemberPath {
  /** `item` is an item of whatever kind its row says, in the layout `items`. */
  readonly part: 'order' | 'metadata' | 'type' | 'item' | ValueKind
  /** Which of its kind, from 1; in the layout `orders`. */
  readonly number: number
  readonly name: string
  readonly reads: CellReader
}

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
      ITEM_MEMBERS[kind].map(
        (member) => [columnOf(member, layout), place(layout === 'items' ? 'item' : kind, member)] as const,
      ),
    ),
  ])

const PLACES: Readonly<Record<Layout, ReadonlyMap<string, MemberPath>>> = {
  items: placesOf('items'),
  orders: placesOf('orders'),
}

/** The names of a layout's columns, but those of metadata and of further items in a row. */
export const columnNames = (layout: Layout): readonly string[] => [...PLACES[layout].keys()]

/** What a column of this name means; null where there is none. `serial_number_2` is of the second product. */
export function memberPath(column: string, layout: Layout): MemberPath | null {
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

/** The column of a member, as a file of this layout names it. */
export function columnOfPath(part: ValueKind | 'order', name: string, layout: Layout, number = 1): string {
  const member = (part === 'order' ? ORDER_MEMBERS : ITEM_MEMBERS[part]).find((one) => one.name === name)
  const column = member ? columnOf(member, layout) : name
  return number === 1 ? column : `${column}_${number}`
}

/** The column of a label: in quotation marks, as in JSON, where it would be another one without its white space. */
export const labelColumn = (label: string): string =>
  METADATA + (label === label.trim() && quotedIn(label) === null ? label : JSON.stringify(label))

/** What stands in quotation marks, if all of a text does. */
function quotedIn(text: string): string | null {
  if (text.length < 3 || !text.startsWith('"') || !text.endsWith('"')) return null
  try {
    return JSON.parse(text) as string
  } catch {
    return null
  }
}

/** A header as it is compared: without case, with spaces and hyphens for underscores. A label keeps its spelling. */
export function normaliseHeader(header: string): string {
  const text = header.replace(/^\ufeff/, '').trim()
  if (text.slice(0, METADATA.length).toLowerCase() === METADATA) return METADATA + text.slice(METADATA.length).trim()
  return text.toLowerCase().replace(/[\s-]+/g, '_')
}
