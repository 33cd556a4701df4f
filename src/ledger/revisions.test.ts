// The number of revisions of an order is bounded, and the answer says so.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { REVISIONS_MAX, nextRevisionId } from '../engine/order-revision.ts'
import { ApiError } from '../contract/errors.ts'
import { asNextRevision } from './revisions.ts'

const SENT = { customer_id: 'acme', order_id: 'order-1', order_date: '2025-01-01', tenure_start_date: '2025-01-01' }

test('an order that has as many revisions as it may have cannot be corrected again, and the error says so', () => {
  let id = SENT.order_id
  for (let revision = 1; revision < REVISIONS_MAX; revision += 1) id = asNextRevision(SENT, id).order_id
  assert.equal(nextRevisionId(id), null)
  assert.throws(
    () => asNextRevision(SENT, id),
    (error) => error instanceof ApiError && error.code === 'conflict' && error.message.includes(`${REVISIONS_MAX}`),
  )
})
