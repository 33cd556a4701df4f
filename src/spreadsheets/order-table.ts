// The columns of one file, prepared for reading its rows.
import { isBlank, type DateForm, type Decimal } from './cells.ts'
import { memberPath, IGNORED_COLUMNS, type ValueKind, type Layout, type MemberPath } from './columns.ts'
import { constantsOf, type Constant } from './constant-columns.ts'
import { headerMeaning } from './header-synonyms.ts'
import type { Register } from './register-members.ts'
import type { Format, Settings } from './settings.ts'
import { createReplacements, type Replacements } from './value-table.ts'

/** A column and the member that its cells contain. */
export interface CellPosition extends MemberPath {
  /** The index of the cell in a row, from 0. */
  readonly at: number
}

/** The columns of one item of a row, in the layout `orders`. */
export interface ItemColumns {
  readonly kind: ValueKind
  readonly number: number
  readonly spots: readonly CellPosition[]
}

export interface OrderTable {
  readonly format: Format
  readonly layout: Layout
  readonly decimal: Decimal
  readonly dates: DateForm
  readonly header: readonly string[]
  /** Number of cells of a row, not counting those below empty headers at the end. */
  readonly width: number
  readonly order: readonly CellPosition[]
  readonly metadata: readonly CellPosition[]
  /** The cells of the customer id and the order id, or -1. */
  readonly customerAt: number
  readonly orderAt: number
  /** In the layout `items`: the cell with the kind of the item, or -1; and the cells of the item. */
  readonly typeAt: number
  readonly item: readonly CellPosition[]
  /** In the layout `orders`: its items. */
  readonly groups: readonly ItemColumns[]
  readonly constants: readonly Constant[]
  /** The cells of quantities, which are not read: every row is one device. */
  readonly quantities: readonly number[]
  readonly replacements: Replacements
  /** What is stated for a file of devices without orders; null for a file of orders. */
  readonly register: Register | null
}

/** @param header the first row of the file */
export function createOrderTable(header: readonly string[], settings: Settings): OrderTable {
  const { format, layout, decimal, dates, columns, values = {}, register = null } = settings
  const columnOf = header.map((name) => (Object.hasOwn(columns, name) ? columns[name]! : IGNORED_COLUMNS))
  const spots = columnOf.flatMap((column, at): CellPosition[] => {
    const place = memberPath(column, layout)
    return place ? [{ ...place, at }] : []
  })
  const ofPart = (part: MemberPath['part']) => spots.filter((spot) => spot.part === part)
  const order = ofPart('order')
  const cellOf = (name: string) => order.find((spot) => spot.name === name)?.at ?? -1
  return {
    format,
    layout,
    decimal,
    dates,
    header,
    width: widthOf(header),
    order,
    metadata: ofPart('metadata'),
    customerAt: cellOf('customer_id'),
    orderAt: cellOf('order_id'),
    typeAt: ofPart('type')[0]?.at ?? -1,
    item: ofPart('item'),
    groups: groupsOf(spots),
    constants: constantsOf(settings.constants ?? {}, layout),
    quantities:
      layout === 'events' ? [] : header.flatMap((name, at) => (isQuantity(name, columns, layout) ? [at] : [])),
    replacements: createReplacements(columnOf, values),
    register,
  }
}

/** True for a column of quantities that is ignored or kept as metadata. */
function isQuantity(header: string, columns: Settings['columns'], layout: Layout): boolean {
  const column = Object.hasOwn(columns, header) ? columns[header]! : IGNORED_COLUMNS
  const isUnread = column === IGNORED_COLUMNS || memberPath(column, layout)?.part === 'metadata'
  return isUnread && headerMeaning(header, layout)?.lacks === 'quantity'
}

/** The number of cells without empty ones at the end. */
export function widthOf(cells: readonly string[]): number {
  let width = cells.length
  while (width > 0 && isBlank(cells[width - 1]!)) width -= 1
  return width
}

const KIND_PARTS: readonly MemberPath['part'][] = ['product', 'transportation', 'packaging']

function groupsOf(spots: readonly CellPosition[]): readonly ItemColumns[] {
  const groups = Map.groupBy(
    spots.filter(({ part }) => KIND_PARTS.includes(part)),
    ({ part, number }) => KIND_PARTS.indexOf(part) * 10_000 + number,
  )
  return [...groups]
    .sort(([a], [b]) => a - b)
    .map(([, ofGroup]) => ({ kind: ofGroup[0]!.part as ValueKind, number: ofGroup[0]!.number, spots: ofGroup }))
}
