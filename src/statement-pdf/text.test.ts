// Tests text lines: permitted line breaks, maximum width, and visual order.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { REPLACEMENT_CHARACTER, breakLines, fontFaces } from './text.ts'

const shown = (text: string, width = Infinity, linesMax?: number): string[] =>
  breakLines(text, 'regular', 10, width, linesMax).map(({ runs }) => runs.map((run) => run.text).join('|'))

test('lines break behind spaces and signs, not within a number, and anywhere in a word that is too long', () => {
  assert.deepEqual(shown('one two three', 42), ['one two', 'three'])
  assert.deepEqual(shown('https://example.org/path', 66), ['https://', 'example.org/', 'path'])
  assert.deepEqual(shown('is 1,234.567890', 70), ['is', '1,234.567890'])
  assert.deepEqual(shown('AAAAAAAAAA', 33), ['AAAAA', 'AAAAA'])
})

test('what is longer than it may be ends with an ellipsis', () => {
  assert.deepEqual(shown('one two three four', 42, 2), ['one two', 'three f…'])
})

test('Hebrew and Arabic run from right to left, numbers and brackets in them as they are read', () => {
  const [line] = breakLines('שלום (2025) abc', 'regular', 10, Infinity)
  // From left to right: the Latin word, the year in brackets, then the first word at the right end.
  assert.equal(line!.runs[0]!.text, 'abc')
  assert.equal(line!.runs.at(-1)!.text, 'שלום')
  assert.match(line!.runs.map(({ text }) => text).join(''), /^abc \(2025\) שלום$/)
  assert.equal(line!.reads, 'שלום (2025) abc')
  assert.ok(line!.isRightToLeft)
})

test('every text has lines that are no wider than asked for, of characters that the fonts have', () => {
  assert.ok(fontFaces('regular').some((face) => face.has(REPLACEMENT_CHARACTER.codePointAt(0)!)))
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ unit: 'grapheme', maxLength: 60 }))
  fc.assert(
    fc.property(text, fc.integer({ min: 40, max: 200 }), fc.integer({ min: 1, max: 5 }), (one, width, linesMax) => {
      const lines = breakLines(one, 'bold', 10, width, linesMax)
      assert.ok(lines.length >= 1 && lines.length <= linesMax)
      for (const { runs, width: wide } of lines) {
        // Joined Arabic letters may be slightly wider than separate ones.
        assert.ok(wide * 10 <= width * 1.1, `${wide * 10} of ${width}`)
        for (const run of runs) for (const sign of run.text) assert.ok(run.face.has(sign.codePointAt(0)!), sign)
      }
    }),
    { numRuns: 40 },
  )
})
