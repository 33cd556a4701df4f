// Random orders written as files of every kind are read as the same orders.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { headerFor, rowsOfOrder, type Cells, type Forms } from '../scripts/generate-import-rows.ts'
import { normaliseOrder } from '../src/contract/parse-order.ts'
import type { WireItem, WireOrder } from '../src/contract/order-schema.ts'
import { DATE_FORMS, DECIMALS } from '../src/spreadsheets/cells.ts'
import type { Layout } from '../src/spreadsheets/columns.ts'
import { writeCsvRow } from '../src/spreadsheets/write-csv.ts'
import type { FileOrder } from '../src/spreadsheets/file-order.ts'
import { DELIMITERS } from '../src/spreadsheets/settings.ts'
import { ORDER_LAYOUTS, ordersOf } from './import-reading.ts'
import { workbookOf, type Cell } from './workbook-file.ts'

// What POST takes: no control characters, and something beside white space, which a cell cannot tell from nothing.
const text = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }),
    fc.constantFrom('=1+1', "'-x", '"', 'a;b,c|d', ' x ', "'=y"),
  )
  .map((one) => one.replace(/[\p{Cc}\ufeff]/gu, '-').toWellFormed())
  .filter((one) => one.trim() !== '' && !one.includes('\ufffd'))
const weight = fc.integer({ min: 1, max: 40_000_000 }).map((grams) => grams / 1000)
const day = fc
  .integer({ min: 7_400, max: 60_000 })
  .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10))
const product = fc.record(
  {
    product_id: text,
    serial_number: text,
    tenure_months: fc.nat({ max: 1200 }),
    weight_kg: weight,
    product_name: text,
    brand: text,
    country: fc.constantFrom('DE', 'FR'),
  },
  { requiredKeys: ['product_id', 'serial_number', 'tenure_months', 'weight_kg'] },
)
const transportation = fc.record(
  { transportation_id: text, transportation_mode: text, distance_km: weight, weight_kg: weight, distance_basis: text },
  { requiredKeys: ['transportation_id', 'transportation_mode', 'distance_km', 'weight_kg'] },
)
const packaging = fc.record({ packaging_id: text, weight_kg: weight })
const of = (type: WireItem['type'], config: fc.Arbitrary<object>, maxLength: number): fc.Arbitrary<WireItem[]> =>
  fc.array(
    config.map((one) => ({ type, config: one }) as unknown as WireItem),
    { maxLength },
  )
const MOST = { product: 3, transportation: 2, packaging: 2 }
// In a row that is a whole order, the products come first, then the rest.
const items = fc
  .tuple(of('product', product, 3), of('transportation', transportation, 2), of('packaging', packaging, 2))
  .map((kinds) => kinds.flat())
const order: fc.Arbitrary<WireOrder> = fc.record(
  {
    customer_id: text,
    order_id: text,
    order_date: day,
    tenure_start_date: day,
    country: fc.constantFrom('DE', 'FR'),
    metadata: fc.record({ team: text, 'Cost centre': text }, { requiredKeys: [] }),
    items,
  },
  { requiredKeys: ['customer_id', 'order_id', 'order_date', 'tenure_start_date', 'items'] },
)
const orders = fc.uniqueArray(order, { minLength: 1, maxLength: 6, selector: ({ order_id }) => order_id })

const headerOf = (layout: Layout): readonly string[] => headerFor(layout, MOST, ['team', 'Cost centre'])
const rowsOf = (all: readonly WireOrder[], layout: Layout, forms: Forms) =>
  all.flatMap((one) => rowsOfOrder(one, layout, forms))

function assertSame(read: readonly FileOrder[], written: readonly WireOrder[]): void {
  assert.deepEqual(
    read.flatMap(({ errors }) => errors),
    [],
  )
  // Through JSON, as POST gets them: what is absent is not there.
  const canonical = (body: unknown): unknown => JSON.parse(JSON.stringify(normaliseOrder(body as WireOrder)))
  assert.deepEqual(
    read.map(({ body }) => canonical(body)),
    written.map(canonical),
  )
}

test('orders written as CSV are read as they were, in every layout and form of texts and numbers', async () => {
  const forms = fc.record({
    decimal: fc.constantFrom(...DECIMALS),
    dates: fc.constantFrom(...DATE_FORMS.filter((form) => form.includes('YYYY'))),
  })
  const file = fc.record({
    layout: fc.constantFrom(...ORDER_LAYOUTS),
    delimiter: fc.constantFrom(...DELIMITERS),
    encoding: fc.constantFrom('utf-8' as const, 'utf-16le' as const),
    end: fc.constantFrom('\n', '\r\n'),
  })
  await fc.assert(
    fc.asyncProperty(orders, file, forms, async (all, { layout, delimiter, encoding, end }, how) => {
      const header = headerOf(layout)
      const cells = rowsOf(all, layout, how).map((row) => header.map((name) => row[name] ?? ''))
      const lines = [header, ...cells].map((one) => writeCsvRow(one, delimiter) + end)
      const bytes = Buffer.from(`\ufeff${lines.join('')}`, encoding === 'utf-8' ? 'utf8' : 'utf16le')
      assertSame(await ordersOf(bytes, { ...how, layout, delimiter, encoding }), all)
    }),
    { numRuns: 150 },
  )
})

test('orders written as workbooks are read as they were, numbers and days as such or as texts', async () => {
  const settings = fc.record({
    layout: fc.constantFrom(...ORDER_LAYOUTS),
    decimal: fc.constantFrom(...DECIMALS),
    countsFrom1904: fc.boolean(),
    isNative: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(orders, settings, async (all, { layout, decimal, countsFrom1904, isNative }) => {
      const header = headerOf(layout)
      const rows = rowsOf(all, layout, { decimal, dates: 'YYYY-MM-DD' })
      const cellsOf = (row: Cells): Cell[] => header.map((name) => cellOf(name, row[name] ?? '', isNative))
      const bytes = workbookOf([[...header], ...rows.map(cellsOf)], { countsFrom1904 })
      assertSame(await ordersOf(bytes, { layout, decimal, dates: 'YYYY-MM-DD' }), all)
    }),
    { numRuns: 60 },
  )
})

function cellOf(column: string, cell: string, isNative: boolean): Cell {
  if (cell === '' || !isNative) return /^'*[=+\-@]/.test(cell) ? `'${cell}` : cell
  if (column.endsWith('_date')) return { day: cell }
  if (/^(distance_km|tenure_months|\w*weight_kg)(_\d)?$/.test(column)) return Number(cell.replace(',', '.'))
  return { inline: /^'*[=+\-@]/.test(cell) ? `'${cell}` : cell }
}

test('orders written as JSON lines are read as they were, whole or item by item', async () => {
  await fc.assert(
    fc.asyncProperty(orders, fc.constantFrom(...ORDER_LAYOUTS), async (all, layout) => {
      // Item by item, a file without any item has no column that says of which type an item is.
      fc.pre(layout !== 'items' || all.some(({ items = [] }) => items.length > 0))
      const flat = rowsOf(all, 'items', { decimal: 'point', dates: 'YYYY-MM-DD' })
      const lines = layout === 'items' ? flat : all
      const read = await ordersOf(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { layout })
      assertSame(read, all)
    }),
    { numRuns: 60 },
  )
})
