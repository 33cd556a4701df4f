// When webhooks are attempted again: without waiting, since times are passed.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { ATTEMPTS_MAX, FAILURES_MAX, nextAttemptAt, pauseUntil, retryAfterOf } from './retry-schedule.ts'

const NOW = new Date('2026-01-01T00:00:00.000Z')
const secondsUntil = (time: Date | null) => time && (time.getTime() - NOW.getTime()) / 1_000
const [MINUTE, HOUR] = [60, 3_600]

test('ten attempts are made over 75 hours, and none after them', () => {
  const delays = Array.from({ length: ATTEMPTS_MAX }, (_, at) => secondsUntil(nextAttemptAt(at + 1, NOW, 0.5, null)))
  const expected = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR, null]
  assert.deepEqual(delays, expected)
  const total = delays.reduce<number>((sum, delay) => sum + (delay ?? 0), 0)
  assert.equal(Math.floor(total / HOUR), 75)
})

test('a delay is up to a tenth shorter or longer', () => {
  assert.deepEqual(
    [0, 1].map((random) => secondsUntil(nextAttemptAt(3, NOW, random, null))),
    [27 * MINUTE, 33 * MINUTE],
  )
})

test('Retry-After of 429, 502, 503 and 504 makes a delay longer, never shorter, and never above a day', () => {
  for (const status of [429, 502, 503, 504]) assert.equal(retryAfterOf(status, '120', NOW), 120_000)
  for (const status of [200, 301, 400, 500]) assert.equal(retryAfterOf(status, '120', NOW), null)
  assert.equal(retryAfterOf(503, 'Thu, 01 Jan 2026 00:01:00 GMT', NOW), 60_000)
  assert.equal(retryAfterOf(503, 'Thu, 01 Jan 2020 00:01:00 GMT', NOW), 0)
  for (const text of [undefined, 'soon', '']) assert.equal(retryAfterOf(503, text, NOW), null)
  assert.equal(secondsUntil(nextAttemptAt(1, NOW, 0.5, 120_000)), 120)
  assert.equal(secondsUntil(nextAttemptAt(3, NOW, 0.5, 120_000)), 30 * MINUTE)
  assert.equal(secondsUntil(nextAttemptAt(1, NOW, 0.5, 1e12)), 24 * HOUR)
})

test('an endpoint is left alone after five failures in a row, for longer each time, up to 15 minutes', () => {
  const pauses = Array.from({ length: 14 }, (_, at) => secondsUntil(pauseUntil(at + 1, NOW, null)))
  assert.equal(FAILURES_MAX, 5)
  assert.deepEqual(pauses, [null, null, null, null, 5, 10, 20, 40, 80, 160, 320, 640, 900, 900])
  assert.equal(secondsUntil(pauseUntil(1, NOW, 30_000)), 30)
})
