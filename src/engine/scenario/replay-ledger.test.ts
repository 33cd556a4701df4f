// Facts of a device recorded again: as they were, they post what they posted; changed, what they would have posted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  FIGURES,
  entriesOf,
  figuresWith,
  happened,
  ordered,
  refurbished,
  tenureOf,
} from '../../../test/device-facts.ts'
import { orderKey, type RentalTerms } from '../device-timeline.ts'
import type { LedgerEntry } from '../ledger-history.ts'
import { whole } from '../numbers/rational.ts'
import { runToCompletion } from '../numbers/steps.ts'
import type { DeviceFootprint, RentalChange } from '../post-entries.ts'
import type { StatedEntry } from '../stated-entries.ts'
import { eventsStating, replayLedger, type CountedEntry } from './replay-ledger.ts'

const FACTS: readonly RentalChange[] = [
  ordered('first', tenureOf('2024-01-01', 12), { transportation: 5n }),
  ordered('second', tenureOf('2025-04-01', 12)),
  happened(refurbished('2025-01-15', '6', 12)),
]

const counted = (entries: readonly LedgerEntry[], countsFrom: string | null = null): readonly CountedEntry[] =>
  entries.map((entry) => ({ ...entry, countsFrom, isSpreadUntilEnd: true }))

function replayed(entries: readonly CountedEntry[], stated: Readonly<Record<string, StatedEntry>>, figures = FIGURES) {
  const figuresAfter = ({ no }: CountedEntry): DeviceFootprint | undefined => (no === 1 ? figures : undefined)
  const statedBy = ({ orderId }: { readonly orderId: string }) => stated[orderId]
  return runToCompletion(replayLedger({ entries, figuresAfter, statedBy }))
}

const statedTerms = (terms: RentalTerms, transportation = 0n): StatedEntry => ({
  reason: 'order',
  eventId: null,
  terms,
  ...{ country: null, releaseId: 1, cause: null, packaging: 0n, transportation },
})

test('recorded again as they were, facts post the same entries, and each counts from its own day', () => {
  const entries = counted(entriesOf(FACTS), '2025-01-01')
  // A member that is absent in one and undefined or null in the other says the same.
  const said = (all: readonly CountedEntry[]) => all.map((entry) => ({ ...entry, inForce: entry.inForce ?? null }))
  assert.deepEqual(said(replayed(entries, {})), said(entries))
})

test('a longer rental ends where the next one starts, and the ledger is that of longer terms from the start', () => {
  const longer = tenureOf('2024-01-01', 18)
  const changed = replayed(counted(entriesOf(FACTS)), { first: statedTerms(longer, 7n) })
  const expected = counted(entriesOf([ordered('first', longer, { transportation: 7n }), ...FACTS.slice(1)]))
  const facts = ({ no, orderId, reason, product_embodied_emission: embodied, transportation }: CountedEntry) => ({
    no,
    orderId,
    reason,
    embodied,
    transportation,
  })
  assert.deepEqual(changed.map(facts), expected.map(facts))
  // 18 months as long as the other order is not known, and 15 up to its start; a kilogram a month.
  const [first, , correction] = changed
  assert.equal(first!.product_embodied_emission, 18_000_000n)
  assert.deepEqual([correction!.reason, correction!.product_embodied_emission], ['overlap', -3_000_000n])
})

test('a device is charged by other figures from its first day on', () => {
  const figures = figuresWith()
  const twice = { ...figures, footprint: { ...figures.footprint, embodied: whole(96) } }
  const [first] = replayed(counted(entriesOf(FACTS.slice(0, 1))), {}, twice)
  assert.equal(first!.product_embodied_emission, 24_000_000n)
})

test('the events with which an order states terms are those of its entries with terms', () => {
  const entries = entriesOf([ordered('first', tenureOf('2024-01-01', 18)), ...FACTS.slice(1)])
  const order = { customerId: 'customer', orderId: 'first' }
  assert.deepEqual(eventsStating(entries, order), [null])
  assert.ok(entries.filter((entry) => orderKey(entry) === orderKey(order)).length > 1)
})
