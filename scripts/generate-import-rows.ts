// Orders written as the rows of a file, the way round that an import reads them.
import type { WireItem, WireOrder } from '../src/contract/order-schema.ts'
import { writeDay, writeNumber, type DateForm, type Decimal } from '../src/spreadsheets/cells.ts'
import { ITEM_MEMBERS, ORDER_MEMBERS, columnOfPath, type ValueKind, type Layout } from '../src/spreadsheets/columns.ts'

export interface Forms {
  readonly decimal: Decimal
  readonly dates: DateForm
}

/** Cells by their column. */
export type Cells = Record<string, string>

/** One row an item, or one row the whole; an order without items is a row without any. */
export function rowsOfOrder(order: WireOrder, layout: Layout, forms: Forms): Cells[] {
  const shared = cellsOfOrder(order, forms)
  const items = order.items ?? []
  if (layout === 'items') {
    if (items.length === 0) return [shared]
    return items.map((item) => ({ ...shared, type: item.type, ...cellsOfItem(item, layout, 1, forms) }))
  }
  const counts = { product: 0, transportation: 0, packaging: 0 }
  const cells = items.map((item) => cellsOfItem(item, layout, (counts[item.type] += 1), forms))
  return [Object.assign({}, shared, ...cells) as Cells]
}

function cellsOfOrder(order: WireOrder, forms: Forms): Cells {
  const members = ORDER_MEMBERS.flatMap(({ name }) => cellOf(name, order[name as keyof WireOrder], name, forms))
  const labels = Object.entries(order.metadata ?? {}).map(([name, value]) => [`metadata.${name}`, value] as const)
  return Object.fromEntries([...members, ...labels])
}

const cellsOfItem = ({ type, config }: WireItem, layout: Layout, number: number, forms: Forms): Cells =>
  Object.fromEntries(
    ITEM_MEMBERS[type].flatMap(({ name }) =>
      cellOf(
        columnOfPath(type, name, layout, number),
        (config as Readonly<Record<string, unknown>>)[name],
        name,
        forms,
      ),
    ),
  )

function cellOf(column: string, value: unknown, name: string, forms: Forms): readonly (readonly [string, string])[] {
  if (typeof value === 'number') return [[column, writeNumber(value, forms.decimal)]]
  if (typeof value !== 'string') return []
  return [[column, name.endsWith('_date') ? writeDay(value, forms.dates) : value]]
}

/** The columns of a file whose orders have so many items of each kind at most, labels of these names among them. */
export function headerFor(
  layout: Layout,
  most: Readonly<Record<ValueKind, number>>,
  labels: readonly string[],
): string[] {
  const order = [...ORDER_MEMBERS.map(({ name }) => name), ...labels.map((name) => `metadata.${name}`)]
  const kinds = Object.keys(ITEM_MEMBERS) as ValueKind[]
  const items = kinds.flatMap((kind) =>
    Array.from({ length: layout === 'items' ? 1 : most[kind] }, (_, at) =>
      ITEM_MEMBERS[kind].map(({ name }) => columnOfPath(kind, name, layout, at + 1)),
    ).flat(),
  )
  return [...new Set([...order, ...(layout === 'items' ? ['type'] : []), ...items])]
}
