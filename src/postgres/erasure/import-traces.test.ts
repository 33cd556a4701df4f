// A rejected row is removed if it contains an erased name, and only then.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { isNamedIn } from './import-traces.ts'

const names = new Set(['acme', 'C02 XL/7', '1', 'Müller'])

test('a name is found as a cell, within a text, and in JSON, however it is written there', () => {
  for (const cells of [
    ['acme'],
    [' acme '],
    ['order of acme, late'],
    ['C02 XL/7'],
    ['serial C02 XL/7.'],
    ['1'],
    ['Mu\u0308ller'],
    ['{"customer_id":"1"}'],
    ['{"customer_id":"M\\u00fcller"}'],
    ['{"customer_id":"1","items":[{"trunca'],
    [{ params: { customer_id: 'acme' } }],
  ]) {
    assert.ok(isNamedIn(JSON.stringify(cells), names), JSON.stringify(cells))
  }
})

test('a longer word, or a number that a short name is part of, is no name', () => {
  for (const cells of [['acmes', 'pacme'], ['11', '1.2', 'row 1 of 2'], ['C02 XL 7'], ['Muller'], ['{"items":1}']]) {
    assert.ok(!isNamedIn(JSON.stringify(cells), names), JSON.stringify(cells))
  }
})
