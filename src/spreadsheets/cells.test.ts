// Tests cells: a number or a day is read exactly or rejected, and possible formulas are escaped.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  CellError,
  DATE_FORMS,
  DECIMALS,
  escapeFormula,
  readDay,
  readNumber,
  readText,
  unescapeFormula,
  writeDay,
  writeNumber,
} from './cells.ts'

const reasonOf = (value: unknown): string => {
  assert.ok(value instanceof CellError, `${String(value)} was read`)
  return value.reason.message
}

test('a number is read by its decimal mark, whatever white space stands around it', () => {
  assert.equal(readNumber('1.24', 'point'), 1.24)
  assert.equal(readNumber(' 1,24 ', 'comma'), 1.24)
  assert.equal(readNumber('007', 'comma'), 7)
  assert.equal(readNumber('1.5E-3', 'point'), 0.0015)
})

test('a number that could be another one is refused, with what it may be', () => {
  const fault = readNumber('1.234', 'comma')
  assert.match(reasonOf(fault), /ambiguous.*1234 or 1,234/)
  assert.deepEqual((fault as CellError).suggestions, ['1234', '1,234'])
  assert.match(reasonOf(readNumber('1,234', 'point')), /ambiguous/)
})

test('what is no number is refused, with the number that was probably meant', () => {
  const suggestions = [
    ['1,5', 'point', '1.5'],
    ['1.5 kg', 'point', '1.5'],
    ['1,234.5', 'point', '1234.5'],
    ['1.234,5', 'comma', '1234,5'],
    ['three', 'point', null],
    ['1e5000', 'point', null],
    ['Infinity', 'point', null],
    ['0x10', 'point', null],
  ] as const
  for (const [cell, decimal, suggestion] of suggestions) {
    const fault = readNumber(cell, decimal)
    assert.ok(fault instanceof CellError, cell)
    assert.deepEqual(fault.suggestions, suggestion === null ? [] : [suggestion], cell)
  }
})

test('separators of thousands in any form lead to the number that is meant, or to no suggestion', () => {
  const cells: readonly (readonly [string, 'point' | 'comma', readonly string[]])[] = [
    ['1 234,5', 'point', ['1234.5']],
    ['1.234,5', 'point', ['1234.5']],
    ['1,234.5', 'point', ['1234.5']],
    ["1'234.5", 'comma', ['1234,5']],
    ['1\u202f234,5', 'comma', ['1234,5']],
    ['1\u00a0234\u00a0567', 'point', ['1234567']],
    ['1,234,567.8', 'comma', ['1234567,8']],
    ['12,34,5', 'point', []],
    ['1 2', 'point', []],
    ['1240 g', 'point', []],
    ['2.7 lb', 'point', []],
    ['1,24 kg', 'point', ['1.24']],
  ]
  for (const [cell, decimal, suggestions] of cells) {
    const read = readNumber(cell, decimal)
    assert.deepEqual(read instanceof CellError && read.suggestions, suggestions, cell)
  }
})

test('a number that a double would change is refused', () => {
  assert.match(reasonOf(readNumber('1.2345678901234567890', 'point')), /more digits/)
  assert.match(reasonOf(readNumber('9007199254740993', 'point')), /more digits/)
  assert.equal(readNumber('0.30000000000000004', 'point'), 0.30000000000000004)
})

test('an id that a spreadsheet shortened is refused: many numbers look like it', () => {
  for (const cell of ['3,51235E+14', '3.51235E+14', '1E+12', ' 1,23E+11 ']) {
    assert.match(reasonOf(readText(cell, 'serial_number')), /spreadsheet has shortened/, cell)
  }
  for (const cell of ['351234567890123', '1E12', 'E+14', '3,512345E+14', 'SN-1,2E+14', '12E+10', '1E+1']) {
    assert.equal(readText(cell, 'serial_number'), cell)
  }
  assert.equal(readText('3,51235E+14', 'product_name'), '3,51235E+14')
})

test('a day is read in the form of the file or as YYYY-MM-DD, and exists', () => {
  assert.equal(readDay('1.2.2024', 'DD.MM.YYYY'), '2024-02-01')
  assert.equal(readDay('1/2/2024', 'MM/DD/YYYY'), '2024-01-02')
  assert.equal(readDay('2024-12-24', 'MM/DD/YYYY'), '2024-12-24')
  assert.equal(readDay('2024-12-24 00:00:00', 'DD.MM.YYYY'), '2024-12-24')
  assert.match(reasonOf(readDay('30.02.2024', 'DD.MM.YYYY')), /There is no day/)
  assert.match(reasonOf(readDay('01.02.24', 'DD.MM.YYYY')), /not a day written as/)
  for (const time of ['17:00', '9:05:30', '23:59:59.999Z', '10:14:00 -0400', '12:00 PM', '00:00:00']) {
    assert.equal(readDay(`2024-12-24 ${time}`, 'YYYY-MM-DD'), '2024-12-24', time)
  }
  assert.match(reasonOf(readDay('2024-12-24 noon', 'YYYY-MM-DD')), /not a day/)
})

test('a day in another form is refused, with the day where it can be one only', () => {
  assert.deepEqual((readDay('24.12.2024', 'YYYY-MM-DD') as CellError).suggestions, ['2024-12-24'])
  assert.deepEqual((readDay('12/24/2024', 'DD.MM.YYYY') as CellError).suggestions, ['24.12.2024'])
  assert.deepEqual((readDay('01/02/2024', 'YYYY-MM-DD') as CellError).suggestions, [])
  assert.deepEqual((readDay('1.3.23', 'DD.MM.YYYY') as CellError).suggestions, ['01.03.2023'])
  assert.deepEqual((readDay('02/01/99', 'MM/DD/YYYY') as CellError).suggestions, ['02/01/1999'])
  for (const short of ['31.02.23', '01/03/23']) {
    assert.deepEqual((readDay(short, 'DD.MM.YYYY') as CellError).suggestions, [], short)
  }
})

test('every number and every day is read as it was written, in every form', () => {
  const number = fc.oneof(
    fc.integer({ min: 0, max: 1200 }),
    fc.integer({ min: 0, max: 4e6 }).map((grams) => grams / 1000),
  )
  fc.assert(
    fc.property(number, fc.constantFrom(...DECIMALS), (value, decimal) => {
      assert.equal(readNumber(writeNumber(value, decimal), decimal), value)
    }),
  )
  const day = fc
    .date({ min: new Date(0), max: new Date('2199-12-31'), noInvalidDate: true })
    .map((at) => at.toISOString().slice(0, 10))
  fc.assert(
    fc.property(day, fc.constantFrom(...DATE_FORMS.filter((form) => form.includes('YYYY'))), (value, form) =>
      assert.equal(readDay(writeDay(value, form), form), value),
    ),
  )
})

/** Invisible characters that may precede a formula. */
const UNSEEN = [
  ' ',
  '\t',
  '\r',
  '\n',
  '\u00a0',
  '\u00ad',
  '\u200b',
  '\u200e',
  '\u2028',
  '\u2060',
  '\u3000',
  '\ufeff',
  '\0',
]

test('a formula behind what cannot be seen is guarded like one that begins the cell; a number is left as it is', () => {
  for (const unseen of UNSEEN) {
    for (const cell of [`${unseen}=1+1`, `${unseen}${unseen}@a`, `${unseen}+a`, `${unseen}-a`]) {
      assert.ok(escapeFormula(cell).startsWith(`'${unseen}`), JSON.stringify(escapeFormula(cell)))
      assert.equal(unescapeFormula(escapeFormula(cell)), cell)
    }
  }
  for (const number of ['-5', '+49', ' -1,5', '-1.5e3 ']) assert.equal(escapeFormula(number), number)
})

test('no cell that is written begins like a formula, unless it is a plain number, and every cell comes back', () => {
  const risky = fc.tuple(
    fc.constantFrom('', "'", "''", ' ', ...UNSEEN, `\u00a0'\u200b`),
    fc.constantFrom('=', '+', '-', '@', '\t', '\r', "'"),
    fc.string(),
  )
  const cell = fc.oneof(
    fc.string(),
    risky.map((parts) => parts.join('')),
    fc.constantFrom('-5', '+49', '-1,5', '-', "'-5"),
  )
  fc.assert(
    fc.property(cell, (text) => {
      const written = escapeFormula(text)
      assert.equal(unescapeFormula(written), text)
      const seen = written.replace(/^[\s\p{C}]*/u, '')
      assert.ok(!/^[\t\r]/.test(written) && !/^[=@]/.test(seen), JSON.stringify(written))
      assert.ok(!/^[+-]/.test(seen) || /^[+-]\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)? *$/.test(seen), JSON.stringify(written))
    }),
    { numRuns: 2_000 },
  )
})
