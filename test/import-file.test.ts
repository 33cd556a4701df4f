// A real-looking file with faults of all kinds, read as an import reads it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { PLANTS } from '../scripts/planted-faults.ts'
import { writeFile } from '../scripts/write-import-file.ts'
import type { Layout } from '../src/tables/columns.ts'
import { createRules, faultsOf, ordersOf } from './import-reading.ts'
import { shippedBook } from './shipped-book.ts'

const ORDERS = 1_000

for (const layout of ['items', 'orders'] as const) {
  test(`in rows that are ${layout}, every planted fault is found where it is, and none is invented`, async () => {
    const { file, planted, kinds } = await plantedFile(layout)
    assert.ok(kinds.size >= 20, `${kinds.size} kinds`)
    const rules = createRules(shippedBook().book)
    const orders = await ordersOf(file)
    const found = orders.flatMap((order) => faultsOf(order, rules)).map(({ row, column }) => `${row} ${column ?? ''}`)
    assert.deepEqual(found.sort(), planted.sort())
    const faulty = orders.filter((order) => faultsOf(order, rules).length > 0)
    assert.equal(faulty.length, planted.length)
    assert.equal(orders.length, ORDERS)
  })
}

async function plantedFile(layout: Layout) {
  const [rows, list]: [Buffer[], Buffer[]] = [[], []]
  const into = (parts: Buffer[]) => (bytes: Buffer) => Promise.resolve(void parts.push(bytes))
  const { book } = shippedBook()
  await writeFile({ book, orders: ORDERS, seed: 7, layout, faultShare: 0.2 }, into(rows), into(list))
  const listed: Record<string, string>[] = parse(Buffer.concat(list), { columns: true })
  const kinds = new Set(listed.map(({ kind }) => kind).filter((kind) => kind! in PLANTS))
  return { file: Buffer.concat(rows), planted: listed.map(({ row, column }) => `${row} ${column}`), kinds }
}
