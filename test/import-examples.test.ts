// Files as other programs save them (sheetjs.xlsx: SheetJS 0.18.5), each with the orders and the errors that it holds.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Settings } from '../src/spreadsheets/settings.ts'
import { createRules, detect, faultsOf, ordersOf } from './import-reading.ts'
import { shippedReferenceData } from './shipped-book.ts'

interface Expected {
  readonly asked: Partial<Settings>
  readonly settings: Partial<Settings>
  /** POST's body of each order; null where no row of it can be read. */
  readonly orders: readonly unknown[]
  /** The rows of each order. */
  readonly rows: readonly (readonly number[])[]
  readonly errors: readonly { readonly row: number; readonly column: string | null; readonly value: string | null }[]
}

const FOLDER = join(import.meta.dirname, 'imports')
const names = globSync('*.expected.json', { cwd: FOLDER }).map((name) => name.replace('.expected.json', ''))
assert.equal(names.length * 2, globSync('*', { cwd: FOLDER }).length, 'a file has nothing expected of it')
const rules = createRules(shippedReferenceData().referenceData)

for (const name of names.sort()) {
  test(`${name} holds the orders and the errors that are expected of it`, async () => {
    const file = readFileSync(join(FOLDER, name))
    const expected = JSON.parse(readFileSync(join(FOLDER, `${name}.expected.json`), 'utf8')) as Expected
    const detected = await detect(file, expected.asked, name)
    assert.ok(detected.ok, JSON.stringify(detected))
    for (const [setting, value] of Object.entries(expected.settings)) {
      assert.deepEqual(detected.settings[setting as keyof Settings], value, setting)
    }
    const orders = await ordersOf(file, expected.asked)
    assert.deepEqual(
      orders.map(({ body }) => body),
      expected.orders,
    )
    assert.deepEqual(
      orders.map(({ rows }) => rows.map(({ number }) => number)),
      expected.rows,
    )
    const errors = orders.flatMap((order) => faultsOf(order, rules))
    assert.deepEqual(
      errors.map(({ row, column, value }) => ({ row, column, value })),
      expected.errors,
    )
    assert.ok(errors.every(({ reason }) => reason.length > 10))
  })
}
