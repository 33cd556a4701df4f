// The status of an order, from the entries for each of its devices and from the number of recorded events.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EntryReason } from './ledger-history.ts'
import { statusOf } from './order.ts'

const CORRECTIONS: readonly EntryReason[] = ['overlap', 'resequenced', 'loss', 'retirement', 'refurbishment']

/** The entries of one device with these reasons; corrections set no terms. */
const device = (...reasons: readonly EntryReason[]) =>
  reasons.map((reason) => ({ reason, terms: CORRECTIONS.includes(reason) ? null : {} }))
/** The entries of an order without devices set no terms. */
const alone = (...reasons: readonly EntryReason[]) => reasons.map((reason) => ({ reason, terms: null }))

test('an order of which nothing but itself is known was created', () => {
  for (const posted of [[], [alone('order')], [device('order'), device('order')], [[]]]) {
    assert.equal(statusOf(posted, 0), 'created')
  }
})

test('an event, or an entry that something else caused, amends an order', () => {
  assert.equal(statusOf([device('order'), device('order', 'extension')], 1), 'amended')
  assert.equal(statusOf([device('order')], 1), 'amended')
  for (const reason of CORRECTIONS) assert.equal(statusOf([device('order', reason)], 0), 'amended')
})

test('an order is returned once none of its devices is out, whatever corrected them since', () => {
  assert.equal(statusOf([device('order', 'return'), device('order')], 1), 'amended')
  assert.equal(statusOf([device('order', 'early_return', 'overlap'), device('order', 'late_return')], 2), 'returned')
  assert.equal(statusOf([device('order', 'cancelled'), device('order', 'return')], 2), 'returned')
})

test('an order is cancelled where all its devices are, or where it has none', () => {
  assert.equal(statusOf([device('order', 'cancelled'), device('order')], 1), 'amended')
  assert.equal(statusOf([device('order', 'cancelled'), device('order', 'cancelled', 'resequenced')], 2), 'cancelled')
  assert.equal(statusOf([alone('order', 'cancelled')], 1), 'cancelled')
  assert.equal(statusOf([alone('cancelled')], 1), 'cancelled')
  assert.equal(statusOf([device('order', 'cancelled'), device('order', 'reversal', 'resequenced')], 2), 'reversed')
  assert.equal(statusOf([alone('order', 'reversal')], 1), 'reversed')
})

test('a device that was swapped for another decides nothing more', () => {
  assert.equal(statusOf([device('order', 'swapped_out'), device('swapped_in')], 1), 'amended')
  assert.equal(statusOf([device('order', 'swapped_out'), device('swapped_in', 'return')], 2), 'returned')
})
