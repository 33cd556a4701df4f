// A real-looking file with errors of all kinds, read as an import reads it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFileProducts } from '../scripts/generate-import-products.ts'
import { placeOf, plantedFile } from '../scripts/generate-import-file.ts'
import { errorFileHeader, errorFileRows } from '../src/spreadsheets/error-file.ts'
import type { FileOrder } from '../src/spreadsheets/file-order.ts'
import { createRules, faultsOf, ordersOf, settingsOf, sourceOf } from './import-reading.ts'
import { shippedReferenceData } from './shipped-book.ts'

const ORDERS = 1_000
const ROWS = 20_000

test('a few products are in most of the rows of a file, as a rental company has them', () => {
  const productOf = createFileProducts(shippedReferenceData().referenceData, 7)
  const counts = new Map<string, number>()
  for (let at = 0; at < ROWS; at += 1) {
    const text = JSON.stringify(productOf(`SN-7-${at}`))
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const often = [...counts.values()].sort((a, b) => b - a)
  assert.ok(often.length > 300 && often.length <= 400, `${often.length} texts`)
  const ofMost = often.slice(0, 40).reduce((sum, count) => sum + count, 0)
  assert.ok(ofMost > ROWS / 2, `${ofMost} of ${ROWS} rows have the 40 most frequent products`)
})

for (const layout of ['items', 'orders'] as const) {
  test(`in rows that are ${layout}, every planted fault is found where it is, and none is invented`, async () => {
    const { referenceData } = shippedReferenceData()
    const { file, planted } = await plantedFile({ referenceData, orders: ORDERS, seed: 7, layout, faultShare: 0.2 })
    const kinds = new Set(planted.map(({ kind }) => kind))
    assert.ok(kinds.size >= 20, `${kinds.size} kinds`)
    const rules = createRules(referenceData)
    const orders = await ordersOf(file)
    const found = orders.flatMap((order) => faultsOf(order, rules)).map(placeOf)
    assert.deepEqual(found.sort(), planted.map(placeOf).sort())
    const faulty = orders.filter((order) => faultsOf(order, rules).length > 0)
    assert.equal(faulty.length, planted.length)
    assert.equal(orders.length, ORDERS)
    const refused = await ordersOf(await rejectedRowsFileOf(file, faulty, rules))
    assert.equal(refused.length, faulty.length)
    assert.deepEqual(
      refused.filter((order) => faultsOf(order, rules).length === 0),
      [],
      'of the file of errors, nothing is stored before it is mended',
    )
  })
}

async function rejectedRowsFileOf(file: Buffer, faulty: readonly FileOrder[], rules: ReturnType<typeof createRules>) {
  const settings = await settingsOf(sourceOf(file))
  const rows = faulty.map((order) => errorFileRows(settings, order.rows, faultsOf(order, rules)))
  return errorFileHeader(settings, faulty[0]!.table.header) + rows.join('')
}
