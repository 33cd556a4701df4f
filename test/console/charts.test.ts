// What charts are drawn and exported from: pieces that close, axes from 0, and CSV that no program takes for a formula.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { domainOf, piecesOf, sumOf, type Bar } from '../../console/src/charts/bars.ts'
import { toCsv } from '../../console/src/charts/csv.ts'
import type { Series } from '../../console/src/charts/theme.ts'

const SERIES: readonly Series[] = [
  { key: 'make', label: 'Making', look: 'make' },
  { key: 'use', label: 'Use', look: 'use' },
  { key: 'end', label: 'End', look: 'end' },
]
const BAR: Bar = { key: 'a', label: 'A', values: { make: 3, use: -1, end: 2 }, low: 1, high: 9 }

test('pieces are laid end to end, what is below 0 on its own side, and add up to the sum', () => {
  assert.deepEqual(
    piecesOf(BAR, SERIES).map(({ from, to }) => [from, to]),
    [
      [0, 3],
      [0, -1],
      [3, 5],
    ],
  )
  assert.equal(sumOf(BAR), 4)
})

test('the axis has 0, every piece and every whisker on it, and is no point', () => {
  assert.deepEqual(domainOf([BAR], SERIES), [-1, 9])
  assert.deepEqual(domainOf([], SERIES), [0, 1])
})

test('an export has numbers in full, and text that is neither a formula nor breaks its row', () => {
  const rows = [['=SUM(A1), "x"', 0.1 + 0.2, null]]
  assert.equal(toCsv({ columns: ['', 'kg'], rows }), `\ufeff,kg\r\n"'=SUM(A1), ""x""",0.30000000000000004,\r\n`)
})
