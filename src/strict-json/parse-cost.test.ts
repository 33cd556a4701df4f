// Tests that rejecting a body built to be expensive takes about as long as reading a valid body of the same size.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { leastTime } from '../../test/least-time.ts'
import { parseStrictJson } from './parse.ts'

const read = (body: string) => parseStrictJson(Buffer.from(body), { nestingMax: 20, problemsMax: 50 })

/** Processing in quadratic time would take thousands of times as long as reading a valid text of the same length. */
const TIMES_MAX = 50

function assertRefusedQuickly(body: string, why: RegExp): void {
  const result = read(body)
  assert.match(result.ok ? '' : result.problems.map(({ message }) => message).join(), why)
  const sound = JSON.stringify('a'.repeat(body.length - 2))
  assert.equal(read(sound).ok, true)
  const [took, usual] = [body, sound].map((one) => leastTime(() => read(one)))
  assert.ok(took! < TIMES_MAX * usual!, `${took} and ${usual} ms`)
}

test('nesting is refused as quickly, however deep', () => {
  for (const open of ['[', '{"a":', '[{"a":', '{"\\u0061":']) assertRefusedQuickly(open.repeat(1e6), /Nested deeper/)
})

test('a long number is refused as quickly', () => {
  const [ones, zeros] = ['1'.repeat(1e6), '0'.repeat(5e5)]
  const lexemes = [ones, `1${zeros}1e-400000`, `0.${zeros}1${zeros}`]
  for (const lexeme of lexemes) assertRefusedQuickly(lexeme, /than a JSON number can be/)
})
