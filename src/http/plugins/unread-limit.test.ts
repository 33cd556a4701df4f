// The limits on responses that are not read, per account and in total.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { ApiError } from '../../contract/errors.ts'
import { createUnreadLimit } from './unread-limit.ts'
import { SERVICE_MESSAGES } from '../messages.ts'

const REFUSED = (error: unknown) => error instanceof ApiError && error.code === 'unavailable'

test('one account has half of the room, others the rest; taking an answer or leaving gives room back', async () => {
  const hold = createUnreadLimit(SERVICE_MESSAGES.reports_unread(), 100)
  const taken = [1, 2].map(() => new PassThrough())
  hold(1, 30, taken[0]!)
  hold(1, 20, taken[1]!)
  assert.throws(() => hold(1, 1, new PassThrough()), REFUSED)
  hold(2, 50, new PassThrough())
  assert.throws(() => hold(3, 1, new PassThrough()), REFUSED)
  taken[0]!.destroy()
  await once(taken[0]!, 'close')
  hold(3, 30, new PassThrough())
  assert.throws(() => hold(1, 1, new PassThrough()), REFUSED)
  taken[1]!.resume().end()
  await once(taken[1]!, 'end')
  hold(1, 20, new PassThrough())
})

test('a single answer is never too large, whosoever it is', () => {
  const hold = createUnreadLimit(SERVICE_MESSAGES.reports_unread(), 100)
  hold(1, 500, new PassThrough())
  assert.throws(() => hold(1, 1, new PassThrough()), REFUSED)
  assert.throws(() => hold(2, 1, new PassThrough()), REFUSED)
})
