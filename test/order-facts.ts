// An order of one device or more for the tests of its events, and what a ruling on an event comes to.
import assert from 'node:assert/strict'
import { replayEntries, type EntryReason } from '../src/engine/ledger-history.ts'
import {
  decideOrderEvent,
  orderDeviceOf,
  type EventOrder,
  type OrderDevice,
  type OrderEvent,
} from '../src/engine/order-events.ts'
import type { RentalChange } from '../src/engine/post-entries.ts'
import { RunningLedger } from '../src/engine/running-ledger.ts'
import { compare, type Rational } from '../src/engine/numbers/rational.ts'
import { FIGURES, entriesOf, ordered, tenureOf } from './device-facts.ts'

export const START = '2025-01-01'
const SHARED = { packaging: 3n, transportation: 5n }
export const OWN = ordered('own', tenureOf(START, 12), SHARED)
export const OTHER = (start: string, months: number) => ordered('other', tenureOf(start, months))

export const ledgerOf = (...facts: readonly RentalChange[]): RunningLedger =>
  RunningLedger.open(replayEntries(entriesOf(facts)), FIGURES)

export const device = (serialNumber: string, ...facts: readonly RentalChange[]): OrderDevice =>
  orderDeviceOf(serialNumber, ledgerOf(...facts), { customerId: 'customer', orderId: 'own' })

export const orderWith = (...devices: readonly OrderDevice[]): EventOrder => ({
  customerId: 'customer',
  orderId: 'own',
  tenureStartDate: START,
  devices,
})

/** The order of one device, of which these facts became known beside the order itself. */
export const orderOf = (...facts: readonly RentalChange[]) => orderWith(device('S-1', OWN, ...facts))

/** An event as one of these tests tells it. */
type Told = OrderEvent extends infer Each
  ? Each extends OrderEvent
    ? Omit<Each, 'eventId' | 'serialNumber'>
    : never
  : never

const event = (told: Told, serialNumber: string | null = null): OrderEvent => ({
  eventId: 'event',
  serialNumber,
  ...told,
})

export const returned = (date: string) => event({ type: 'returned', date })
export const extended = (tenureMonths: number) => event({ type: 'extended', tenureMonths })
export const cancelled = (date: string, dispatched = false) => event({ type: 'cancelled', date, dispatched })
export const swapped = (date: string, newSerialNumber = 'S-2') => event({ type: 'swapped', date, newSerialNumber })

interface NewTerms {
  readonly serial: string
  readonly reason: EntryReason
  readonly start: string
  readonly end: string
  readonly months: Rational
}

/** What an accepted event sets. */
export function accepted(
  told: OrderEvent,
  order: EventOrder,
  replacement: RunningLedger | null = null,
): readonly NewTerms[] {
  const ruling = decideOrderEvent(told, order, replacement)
  assert.ok(ruling.ok, JSON.stringify(ruling))
  return [...ruling.changes].map(([serial, change]) => {
    assert.ok('terms' in change)
    assert.deepEqual([change.eventId, change.customerId, change.orderId], ['event', 'customer', 'own'])
    return { serial, reason: change.reason, ...change.terms }
  })
}

export function assertOne(
  sets: readonly NewTerms[],
  reason: EntryReason,
  start: string,
  end: string,
  months: Rational,
): void {
  const [one, ...others] = sets
  assert.deepEqual(others, [])
  assert.deepEqual([one!.serial, one!.reason, one!.start, one!.end], ['S-1', reason, start, end])
  assert.equal(compare(one!.months, months), 0)
}

/** The place and the sentence for which an event is refused. */
export function refused(
  told: OrderEvent,
  order: EventOrder,
  replacement: RunningLedger | null = null,
  isMalformed = false,
) {
  const ruling = decideOrderEvent(told, order, replacement)
  assert.ok(!ruling.ok, 'was accepted')
  assert.equal(ruling.isMalformed, isMalformed)
  return [ruling.problem.path, ruling.problem.message] as const
}
