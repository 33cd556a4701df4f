// What is split without the parser of CSV is what the parser reads.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { parseLines } from './csv-table.ts'

const DATA = join(import.meta.dirname, '..', '..', 'data')
/** The rows of a text, or the message of what is wrong with it. */
const read = (rowsOf: (text: string) => unknown, text: string): unknown => {
  try {
    return rowsOf(text)
  } catch (error) {
    return (error as Error).message
  }
}
type Line = ReturnType<typeof parseLines>[number]
const parseAll = (text: string): unknown =>
  numbered(parse(text, { info: true, relax_column_count: true, skip_empty_lines: true }) as unknown as readonly Line[])
const withLines = (text: string): unknown => numbered(parseLines(text))
const numbered = (lines: readonly Line[]) => lines.map(({ record, info }) => ({ record, line: info.lines }))

test('the files of the release are read as the parser of CSV reads them', () => {
  const files = globSync('**/*.csv', { cwd: DATA })
  assert.ok(files.length >= 15)
  for (const file of files) {
    const text = readFileSync(join(DATA, file), 'utf8')
    assert.deepEqual(withLines(text), parseAll(text), file)
  }
})

test('any text is read as the parser of CSV reads it, or refused with the same error', () => {
  const piece = fc.constantFrom('a', ',', ',', '"', '""', '","', '\n', '\n', '\r\n', '\r', ' ', '"b"', '\n"', '"\n')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const text = pieces.join('')
      assert.deepEqual(read(withLines, text), read(parseAll, text))
    }),
    { numRuns: 3000 },
  )
})
