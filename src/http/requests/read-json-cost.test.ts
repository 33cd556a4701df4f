// A body that is made to cost much is refused in about the time in which a sound one of its size is read.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { leastTime } from '../../../test/least-time.ts'
import { readJson } from './read-json.ts'

const read = (body: string) => readJson(Buffer.from(body), { nestingMax: 20, problemsMax: 50 })

/** What takes the square of a body's length takes thousands of times as long. */
const TIMES_MAX = 10

function assertRefusedQuickly(body: string): void {
  const sound = `[${'1,'.repeat(body.length / 2 - 1)}1]`
  assert.equal(read(body).ok, false)
  assert.equal(read(sound).ok, true)
  const [took, usual] = [body, sound].map((one) => leastTime(() => read(one)))
  assert.ok(took! < TIMES_MAX * usual!, `${took} and ${usual} ms`)
}

test('nesting is refused as quickly, however deep', () => {
  for (const open of ['[', '{"a":', '[{"a":', '{"\\u0061":']) assertRefusedQuickly(open.repeat(100_000))
})

test('a long number is refused as quickly', () => {
  const [ones, zeros] = ['1'.repeat(1e6), '0'.repeat(5e5)]
  for (const lexeme of [ones, `1${zeros}1e-400000`, `0.${zeros}1${zeros}`]) assertRefusedQuickly(lexeme)
})
