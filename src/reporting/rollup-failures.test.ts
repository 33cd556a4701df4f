// Folding that fails: the log has it, with its reason, and not once for each attempt.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createRollupFailures } from './rollup-failures.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

function watched() {
  const lines: string[] = []
  let [now, counted] = [0, 0]
  const failures = createRollupFailures(
    ({ message }) => lines.push(message),
    () => (counted += 1),
    () => now,
  )
  return {
    lines,
    counted: () => counted,
    /** One attempt after the other, five seconds apart. */
    fail: (milliseconds: number, error: string, isUnavailable: boolean) => {
      for (const end = now + milliseconds; now < end; now += 5 * SECOND)
        failures.failed(new Error(error), isUnavailable)
    },
    wentWell: failures.wentWell,
  }
}

test('a fault is told at once with its reason, and then every ten minutes with how often it was', () => {
  const { lines, fail, counted } = watched()
  fail(5 * SECOND, 'an order is not there', false)
  assert.equal(lines.length, 1)
  assert.match(lines[0]!, /^Folding entries for reports failed, .*: an order is not there$/)
  fail(60 * MINUTE, 'an order is not there', false)
  assert.equal(lines.length, 7)
  assert.match(lines[1]!, /failed 121 times in 10 min/)
  assert.equal(counted(), 721)
})

test('a database that is away or slow is told of once that lasts for a minute, and a new time of it anew', () => {
  const { lines, fail, wentWell } = watched()
  fail(55 * SECOND, 'canceling statement due to statement timeout', true)
  wentWell()
  assert.deepEqual(lines, [])
  fail(70 * SECOND, 'canceling statement due to statement timeout', true)
  assert.equal(lines.length, 1)
  assert.match(lines[0]!, /failed 13 times in 1 min, .*statement timeout/)
  wentWell()
  fail(70 * SECOND, 'canceling statement due to statement timeout', true)
  assert.equal(lines.length, 2)
})
