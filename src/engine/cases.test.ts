// The worked examples of cases/, run by the engine: every formula and every order gives the result stated in its case.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCaseBook } from '../../test/case-book.ts'
import {
  listStrayFiles,
  orderOf,
  readFormulaCases,
  readOrderCases,
  type ExpectedLine,
  type FormulaCase,
  type OrderCase,
} from '../../test/case-files.ts'
import { FORMULAS } from '../../test/case-formulas.ts'
import { estimate, itemTotal, type EmissionLine, type OrderFootprint } from './estimate.ts'
import { PARTS, sumMilligrams, toKilograms } from './numbers/emission.ts'

const formulaCases = readFormulaCases()
const orderCases = readOrderCases()
const allCases = [...formulaCases, ...orderCases]

for (const example of formulaCases) {
  test(`formula ${example.id}: ${example.title}`, () => replayFormula(example))
}

for (const example of orderCases) {
  test(`order ${example.id}: ${example.title}`, () => replayOrder(example))
}

test('every file of cases/ is replayed, and each case has an id of its own, a derivation and a source', () => {
  // Those of releases/ are of test/ember-releases.ts.
  assert.deepEqual(
    listStrayFiles().filter((file) => !file.startsWith('releases/')),
    [],
  )
  assert.ok(formulaCases.length >= 60 && orderCases.length >= 20, 'cases are missing')
  for (const group of [formulaCases, orderCases]) {
    assert.deepEqual(
      group.map(({ id }) => id).filter((id, at, ids) => ids.indexOf(id) !== at),
      [],
    )
  }
  for (const { id, title, derivation, source } of allCases) {
    assert.ok(title && derivation.length > 0 && source, `${id} lacks its title, its derivation or its source`)
  }
})

test('every formula that can be named is named by a case', () => {
  const named = new Set(formulaCases.map(({ formula }) => formula))
  assert.deepEqual(
    [...FORMULAS.keys()].filter((formula) => !named.has(formula)),
    [],
  )
})

function replayFormula({ id, formula, given, expected }: FormulaCase): void {
  const compute = FORMULAS.get(formula)
  assert.ok(compute, `${id} names the formula "${formula}", which case-formulas.ts does not have`)
  const run = () => compute(given as never, readCaseBook('book.json'))
  const { refused } = expected as { readonly refused?: string }
  if (refused === undefined) assert.deepEqual(run(), expected)
  else assert.throws(run, { name: 'RangeError', message: refused })
}

function replayOrder({ order, book, expected }: OrderCase): void {
  const estimated = estimate(orderOf(order), readCaseBook(book))
  assert.ok(estimated.ok, 'the order was refused')
  const { footprint } = estimated
  assert.deepEqual(
    footprint.items.map((item, at) => ({
      total: toKilograms(itemTotal(item)),
      lines: item.lines.map((line, position) => shown(line, expected.items[at]?.lines[position])),
    })),
    expected.items,
  )
  assert.equal(toKilograms(footprint.total), expected.total)
  const certain = linesOf(footprint).filter(({ type }) => type === 'estimated')
  assert.equal(toKilograms(sumMilligrams(certain.map(({ emission }) => emission))), expected.total_excluding_indicative)
  checkDevices(footprint, expected)
  checkSums(footprint)
}

const linesOf = ({ items }: OrderFootprint): readonly EmissionLine[] => items.flatMap(({ lines }) => lines)

const shown = ({ part, emission, type, description }: EmissionLine, expected?: ExpectedLine): ExpectedLine => ({
  part,
  emission: toKilograms(emission),
  type,
  ...(expected?.description !== undefined && { description }),
})

/** A part that is missing from a device's expected values counts as 0. */
function checkDevices({ devices }: OrderFootprint, expected: OrderCase['expected']): void {
  assert.deepEqual(
    devices.map(({ serialNumber }) => serialNumber),
    Object.keys(expected.devices),
  )
  for (const share of devices) {
    const { total, ...parts } = expected.devices[share.serialNumber]!
    for (const part of PARTS) assert.equal(toKilograms(share[part]), parts[part] ?? '0', share.serialNumber)
    assert.equal(toKilograms(sumMilligrams(PARTS.map((part) => share[part]))), total, share.serialNumber)
  }
}

/** The total is the sum of the lines and, if there are devices, of their shares. */
function checkSums(footprint: OrderFootprint): void {
  assert.equal(footprint.total, sumMilligrams(linesOf(footprint).map(({ emission }) => emission)))
  if (footprint.devices.length === 0) return
  assert.equal(footprint.total, sumMilligrams(footprint.devices.flatMap((share) => PARTS.map((part) => share[part]))))
}
