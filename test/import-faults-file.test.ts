// The file of errors: the rows as they were, with reasons; mended, it imports; and templates import as they stand.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorFileHeader, errorFileRows } from '../src/spreadsheets/error-file.ts'
import { createErrorGroups } from '../src/spreadsheets/error-groups.ts'
import { orderErrorAt, type FileOrder } from '../src/spreadsheets/file-order.ts'
import { CELL_MESSAGES } from '../src/spreadsheets/messages.ts'
import type { Settings } from '../src/spreadsheets/settings.ts'
import { templateOf } from '../src/spreadsheets/templates.ts'
import { ORDER_LAYOUTS, createRules, faultsOf, ordersOf, settingsOf, sourceOf } from './import-reading.ts'
import { shippedReferenceData } from './shipped-book.ts'
import { workbookOf } from './workbook-file.ts'

const rules = createRules(shippedReferenceData().referenceData)
const faultsIn = (orders: readonly FileOrder[]) => orders.flatMap((order) => faultsOf(order, rules))

/** The file of errors of a file, and how that was read. */
async function rejectedRowsFileOf(bytes: string | Buffer, asked: Partial<Settings> = {}) {
  const orders = await ordersOf(bytes, asked)
  const settings = await settingsOf(sourceOf(Buffer.from(bytes)), asked)
  const rows = orders.map((order) => errorFileRows(settings, order.rows, faultsOf(order, rules)))
  return { text: errorFileHeader(settings, orders[0]!.table.header) + rows.join(''), orders, settings }
}

test('templates import as they stand, and have every column of their layout', async () => {
  for (const layout of ORDER_LAYOUTS) {
    const orders = await ordersOf(templateOf(layout))
    assert.deepEqual([orders.length, faultsIn(orders)], [2, []])
    assert.deepEqual(orders[0]!.body, (await ordersOf(templateOf('items')))[0]!.body)
    assert.equal(orders[0]!.table.layout, layout)
  }
})

const POINT = { decimal: 'point' } as const

const broken = (template: string): string =>
  template
    .replace('2024-12-12', '12 December 2024')
    .replace('road-van-diesel', 'road-van-deisel')
    .replace('F2LZK0AAN70X', '=HYPERLINK(1)')
    .replace(',0.171,', ',"0,171",')

test('the rows with errors stand in the file of errors as they were, each with its reasons', async () => {
  for (const layout of ORDER_LAYOUTS) {
    const { text, orders } = await rejectedRowsFileOf(broken(templateOf(layout)), POINT)
    const [head, ...lines] = text.split('\r\n')
    assert.match(head!, /^\ufeffimport_reason,import_suggestion,customer_id,/)
    assert.match(lines[0]!, /order_date: .*12 December 2024/)
    assert.match(text, /transportation_id: road-van-diesel/)
    assert.ok(text.includes(",'=HYPERLINK(1),"), 'no formula is left to run')
    const again = await ordersOf(text, POINT)
    assert.deepEqual(
      again.map(({ body }) => body),
      orders.map(({ body }) => body),
    )
    assert.deepEqual(faultsIn(again), faultsIn(orders))
  }
})

test('mended, the file of errors imports what was meant', async () => {
  for (const layout of ORDER_LAYOUTS) {
    const { text } = await rejectedRowsFileOf(broken(templateOf(layout)), POINT)
    const mended = text
      .split('\r\n')
      .map((line) => {
        const at = line.indexOf('customer-17')
        const row = line
          .slice(at)
          .replace('12 December 2024', '2024-12-12')
          .replace('road-van-deisel', 'road-van-diesel')
        return at === -1
          ? line
          : line.slice(0, at) + row.replace('"0,171"', '0.171').replace("'=HYPERLINK(1)", 'F2LZK0AAN70X')
      })
      .join('\r\n')
    const bodies = (orders: readonly FileOrder[]) => orders.map(({ body }) => body)
    assert.deepEqual(bodies(await ordersOf(mended)), bodies(await ordersOf(templateOf(layout))))
  }
})

test('errors that an earlier version stored without codes are written and grouped by their sentences', () => {
  const place = { column: null, value: null }
  const reason = 'A double quote opens a cell here and is never closed'
  const advice = 'Put the cell in double quotes, and write each double quote inside it twice'
  const row = { number: 2, line: 2, cells: ['a', 'b'], json: null, isSound: false }
  const before = { row: 2, ...place, reason, suggestion: advice }
  const settings = { format: 'csv', delimiter: ',' } as const
  assert.match(errorFileRows(settings, [row], [before]), /^A double quote.*Delete this cell/)
  assert.match(errorFileRows(settings, [row], [orderErrorAt(before, CELL_MESSAGES.quote_unclosed())]), /Delete this/)
  const groups = createErrorGroups()
  const suggestion = null
  for (const text of ['"x"', '"y"']) groups.add({ row: 3, ...place, reason: `${text} is not a number`, suggestion })
  for (const text of ['x', 'y'])
    groups.add(orderErrorAt({ row: 4, ...place }, CELL_MESSAGES.cell_not_a_day({ text, format: 'YYYY-MM-DD' })))
  assert.deepEqual(
    groups.groups().map(({ code, errors, params }) => [code, errors, params]),
    [
      [undefined, 2, undefined],
      ['cell_not_a_day', 2, { text: 'x', format: 'YYYY-MM-DD' }],
    ],
  )
})

test('an error with several suggestions lists each, and its values are short', () => {
  const place = { row: 2, column: null, value: null }
  const message = { message: 'x', code: 'x', params: { text: 'x'.repeat(1000), number: 7, list: ['a', 'b'] } }
  const { params, ...error } = orderErrorAt(place, message, ['12', '13'])
  assert.deepEqual(error, { ...place, reason: 'x', code: 'x', suggestion: '12 or 13', suggestions: ['12', '13'] })
  assert.deepEqual(params, { ...message.params, text: `${'x'.repeat(200)}…` })
})

test('rows that are too short, too long or wrongly quoted stay so until they are mended', async () => {
  const [head, ...rows] = templateOf('items').trim().split('\r\n')
  const spoilt = [head, `${rows[0]},more`, rows[1]!.split(',').slice(0, 9).join(','), rows[2], `"${rows[3]}`].join(
    '\r\n',
  )
  const { text, orders } = await rejectedRowsFileOf(spoilt)
  assert.deepEqual(
    faultsIn(orders).map(({ row, column }) => [row, column]),
    [
      [2, null],
      [3, null],
      [5, null],
    ],
  )
  assert.deepEqual(
    faultsIn(await ordersOf(text)).map(({ row }) => row),
    [2, 3, 5],
  )
  assert.equal((await ordersOf(text)).length, orders.length)
  assert.match(text, /never closed/)
})

test('the file of errors of a workbook is CSV that is read like it', async () => {
  const rows = templateOf('orders')
    .trim()
    .split('\r\n')
    .map((line) => line.split(','))
  const asked = { decimal: 'comma' } as const
  const weight = rows[0]!.indexOf('weight_kg')
  const bytes = workbookOf(
    rows.map((cells, row) =>
      cells.map((cell, at) => (row > 0 && at === weight ? -1.5 : row === 0 ? cell : cell.replace('.', ','))),
    ),
  )
  const { text, orders } = await rejectedRowsFileOf(bytes, asked)
  assert.deepEqual(
    faultsIn(orders).map(({ column, value }) => [column, value]),
    [
      ['weight_kg', '-1,5'],
      ['weight_kg', '-1,5'],
    ],
  )
  assert.deepEqual(
    (await ordersOf(text, asked)).map(({ body }) => body),
    orders.map(({ body }) => body),
  )
})

test('the file of errors of JSON lines has what is wrong in a line before each', async () => {
  const [sound] = await ordersOf(templateOf('items'))
  const faulty = { ...(sound!.body as object), order_date: 'soon' }
  const mended = { ...faulty, order_date: '2024-12-12' }
  const file = `${JSON.stringify(faulty)}\n{"customer_id":\n${JSON.stringify(mended)}\n`
  const { text, orders } = await rejectedRowsFileOf(file)
  const lines = text.split('\n')
  assert.match(lines[0]!, /^\{"import_reason":"\/order_date: Must be a calendar day/)
  assert.match(lines[2]!, /^\{"import_reason":".*Not valid JSON/)
  assert.deepEqual([lines[1], lines[3], lines[4]], file.trim().split('\n'))
  assert.deepEqual(
    (await ordersOf(text)).map(({ body }) => body),
    orders.map(({ body }) => body),
  )
})
