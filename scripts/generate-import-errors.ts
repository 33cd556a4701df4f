// Faults that people make in files of orders, twenty-six kinds, each planted into the rows of one sound order.
import type { WireOrder } from '../src/contract/order-schema.ts'
import type { Layout } from '../src/spreadsheets/columns.ts'
import type { Cells } from './generate-import-rows.ts'

/** Stands for bytes that are none of the encoding; whoever writes the file puts them in its place. */
export const LOST = '\ufffd'

/** A row as it is written: its cells, and what is done to the line that they make. */
export interface WrittenRow {
  readonly cells: Cells
  readonly spoil?: 'short' | 'long' | 'unclosed' | 'misquoted'
}

export interface Planting {
  readonly rows: readonly WrittenRow[]
  /** Which row of the order, from 0, and which column; null for a row that cannot be read as cells. */
  readonly at: number
  readonly column: string | null
}

/** Plants its fault, or answers null where the order has no place for it. */
export type Plant = (rows: readonly Cells[], order: WireOrder, layout: Layout) => Planting | null

type Mend = (cells: Cells) => string | null

/** A fault of one cell: the first row that has the column filled gets another value there. */
const inCell =
  (column: string, spoilt: Mend): Plant =>
  (rows) => {
    const at = rows.findIndex((cells) => cells[column] !== undefined && spoilt(cells) !== null)
    if (at === -1) return null
    const value = spoilt(rows[at]!)!
    return {
      rows: rows.map((cells, row) => ({ cells: row === at ? { ...cells, [column]: value } : cells })),
      at,
      column,
    }
  }

const always =
  (value: string): Mend =>
  () =>
    value

/** A cell of one order, the same in all of its rows: an order's member is faulty once. */
const inOrder =
  (column: string, value: string): Plant =>
  (rows) => ({ rows: rows.map((cells) => ({ cells: { ...cells, [column]: value } })), at: 0, column })

const inLine =
  (spoil: NonNullable<WrittenRow['spoil']>): Plant =>
  (rows) => ({ rows: rows.map((cells, at) => (at === 0 ? { cells, spoil } : { cells })), at: 0, column: null })

const isProduct = ({ serial_number: serial }: Cells): boolean => serial !== undefined

/** A cell of the first product, whether or not the sound order has it filled. */
const ofProduct =
  (column: string, value: string): Plant =>
  (rows) => {
    const at = rows.findIndex(isProduct)
    if (at === -1) return null
    return {
      rows: rows.map((cells, row) => ({ cells: row === at ? { ...cells, [column]: value } : cells })),
      at,
      column,
    }
  }

const ofItems =
  (plant: Plant): Plant =>
  (rows, order, layout) =>
    layout === 'items' ? plant(rows, order, layout) : null

export const PLANTS: Readonly<Record<string, Plant>> = {
  'unknown transportation': inCell('transportation_id', ({ transportation_id: id }) => `${id}-extra`),
  'mode of another transportation': inCell('transportation_mode', ({ transportation_mode: mode }) =>
    mode === 'sea' ? 'road' : 'sea',
  ),
  'unknown packaging': inCell('packaging_id', always('corugated-bord')),
  'unknown country': inOrder('country', 'UK'),
  'misspelled country': inOrder('country', 'Deutschlnd'),
  'unknown model': ofProduct('model_id', 'apple-macbook-air-13-m9'),
  'unknown type of device': ofProduct('device_type', 'laptops'),
  'day that does not exist': inOrder('order_date', '2024-02-30'),
  'day in another form': inOrder('tenure_start_date', '24.12.2024'),
  'day before all': inOrder('tenure_start_date', '1889-01-01'),
  'number with a unit': inCell('weight_kg', () => '1.24 kg'),
  'decimal comma': inCell('weight_kg', () => '1,24'),
  'negative weight': inCell('weight_kg', () => '-1.24'),
  'no serial number': inCell('serial_number', always('')),
  'months as a word': inCell('tenure_months', always('three')),
  'half a month': inCell('tenure_months', always('3.5')),
  'too far': inCell('distance_km', always('50001')),
  'no customer': inOrder('customer_id', ''),
  'unknown type of item': ofItems(inCell('type', ({ type }) => `${type}s`)),
  'rows that disagree': ofItems((rows) =>
    rows.length < 2
      ? null
      : {
          rows: rows.map((cells, at) => ({ cells: at === 1 ? { ...cells, order_date: '2017-07-07' } : cells })),
          at: 1,
          column: 'order_date',
        },
  ),
  'serial number twice': ofItems((rows) => {
    const [first, second] = rows.flatMap((cells, at) => (isProduct(cells) ? [at] : []))
    if (first === undefined || second === undefined) return null
    const serial_number = rows[first]!['serial_number']!
    const spoilt = rows.map((cells, at) => ({ cells: at === second ? { ...cells, serial_number } : cells }))
    return { rows: spoilt, at: second, column: 'serial_number' }
  }),
  'too few cells': inLine('short'),
  'too many cells': inLine('long'),
  'quote never closed': inLine('unclosed'),
  'quote inside a cell': inLine('misquoted'),
  'bytes of another encoding': ofProduct('brand', LOST),
}
