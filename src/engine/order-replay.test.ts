// Withdrawals: an event and its withdrawal leave the order as if neither had been recorded.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { START, cancelled, extended, returned, swapped } from '../../test/order-facts.ts'
import { ordered, tenureOf } from '../../test/device-facts.ts'
import { daysLater } from '../../test/model-based/history-numbers.ts'
import { toFractionText } from './numbers/rational.ts'
import type { OrderEvent } from './order-events.ts'
import { DevicelessOrderReplay, OrderReplay, type RecordedEvent } from './order-replay.ts'

const SHARED = { packaging: 3n, transportation: 5n }
const SENT = {
  customerId: 'customer',
  orderId: 'own',
  tenureStartDate: START,
  devices: new Map(['S-1', 'S-2'].map((serial) => [serial, ordered('own', tenureOf(START, 12), SHARED)])),
}

/** What an order comes to: for each device its terms, the reason and event that set them, and its shares. */
class Outcome {
  readonly #replay = new OrderReplay(SENT)
  readonly #states = new Map<string, { text: string; packaging: bigint; transportation: bigint }>()

  constructor(events: readonly RecordedEvent[] = []) {
    for (const [serial, { terms }] of SENT.devices) this.#set(serial, stateText('order', null, terms), SHARED)
    for (const event of events) this.tell(event)
  }

  #set(serial: string, text: string, { packaging, transportation }: typeof SHARED): void {
    const before = this.#states.get(serial) ?? { packaging: 0n, transportation: 0n }
    this.#states.set(serial, {
      text,
      packaging: before.packaging + packaging,
      transportation: before.transportation + transportation,
    })
  }

  /** The sentence for which the event is refused; null if it is accepted. */
  tell(event: RecordedEvent): string | null {
    const decision = this.#replay.apply(event)
    if (!decision.ok) return decision.problem.message
    for (const [serial, change] of decision.changes) {
      const { reason, eventId } = change.inForce ?? change
      this.#set(serial, stateText(reason, eventId, change.terms), change.shared)
    }
    return null
  }

  /** Without the devices that are no longer in the order. */
  states(): readonly unknown[] {
    return [...this.#states]
      .filter(([, { text }]) => !text.startsWith('withdrawal'))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
  }

  shares(serial: string): readonly bigint[] {
    const { packaging, transportation } = this.#states.get(serial)!
    return [packaging, transportation]
  }
}

const stateText = (reason: string, eventId: string | null, { start, end, months }: ReturnType<typeof tenureOf>) =>
  [reason, eventId, start, end, toFractionText(months)].join(' ')

const withdrawal = (withdraws: string, eventId = `w-${withdraws}`): RecordedEvent => ({
  type: 'withdrawn',
  eventId,
  withdraws,
})

const named = (event: OrderEvent, eventId: string, serialNumber: string | null = 'S-1'): OrderEvent => ({
  ...event,
  eventId,
  serialNumber,
})

test('a withdrawn return leaves the device rented as it was ordered, and it can be returned again', () => {
  const order = new Outcome([named(returned('2025-03-01'), 'e1'), withdrawal('e1')])
  assert.deepEqual(order.states(), new Outcome().states())
  assert.equal(order.tell(named(returned('2025-04-01'), 'e2')), null)
})

test('an event before the last one is withdrawn, and the later one counts on what is left', () => {
  const both = new Outcome([named(extended(18), 'e1'), named(extended(24), 'e2'), withdrawal('e1')])
  assert.deepEqual(both.states(), new Outcome([named(extended(24), 'e2')]).states())
})

test('an event that a later one depends on cannot be withdrawn before that one, which the refusal names', () => {
  const order = new Outcome([named(swapped('2025-03-01', 'S-9'), 'e1'), named(returned('2025-05-01'), 'e2', 'S-9')])
  assert.equal(
    order.tell(withdrawal('e1')),
    'The event "e2" depends on it and has to be withdrawn first. Without it: "S-9" is not a device of this order',
  )
  assert.equal(order.tell(withdrawal('e2')), null)
  assert.equal(order.tell(withdrawal('e1')), null)
  assert.deepEqual(order.states(), new Outcome().states())
})

test('a swap that was withdrawn can be recorded again with the same device', () => {
  const swap = (id: string) => named(swapped('2025-03-01', 'S-9'), id)
  const again = new Outcome([swap('e1'), withdrawal('e1'), swap('e2')])
  assert.deepEqual(again.states(), new Outcome([swap('e2')]).states())
})

test('a withdrawn cancellation posts the shares of packaging and transportation again', () => {
  const order = new Outcome([named(cancelled('2024-12-01'), 'e1')])
  assert.deepEqual(order.shares('S-1'), [0n, 0n])
  order.tell(withdrawal('e1'))
  assert.deepEqual(order.shares('S-1'), [3n, 5n])
  const shipped = new Outcome([named(cancelled('2024-12-01', true), 'e1'), withdrawal('e1')])
  assert.deepEqual(shipped.states(), new Outcome().states())
})

test('what is not an event of the order, was withdrawn already, or is a withdrawal, is refused by name', () => {
  const order = new Outcome([named(returned('2025-03-01'), 'e1'), withdrawal('e1')])
  assert.equal(order.tell(withdrawal('e7')), '"e7" is not an event of this order')
  assert.equal(order.tell(withdrawal('e1', 'w2')), '"e1" was already withdrawn')
  assert.equal(
    order.tell(withdrawal('w-e1')),
    '"w-e1" is a withdrawal; send the event that it withdrew again, with another event_id',
  )
  const undone = new Outcome([{ type: 'reversed', eventId: 'r', serialNumber: null }])
  assert.equal(undone.tell(withdrawal('r')), 'The import that stored the order was undone')
})

test('an order has at most a hundred withdrawals, as each replays all of its events', () => {
  const order = new Outcome()
  for (let no = 1; no <= 100; no += 1) {
    assert.equal(order.tell(named(returned('2025-03-01'), `e${no}`)), null)
    assert.equal(order.tell(withdrawal(`e${no}`)), null)
  }
  order.tell(named(returned('2025-03-01'), 'last'))
  assert.equal(order.tell(withdrawal('last')), 'The order already has 100 withdrawals, the maximum')
})

test('an order without devices counts again after the withdrawal of its cancellation', () => {
  const posted = { reason: 'order' as const, eventId: null, ...SHARED }
  const replay = new DevicelessOrderReplay({ ...SENT, posted })
  for (const event of [named(cancelled('2024-12-01'), 'e1', null), withdrawal('e1')]) {
    const decision = replay.apply(event)
    assert.ok(decision.ok)
    const [sign, inForce] = event.type === 'withdrawn' ? [1n, { reason: 'order', eventId: null }] : [-1n, undefined]
    assert.deepEqual(
      [decision.change.packaging, decision.change.transportation, decision.change.inForce],
      [sign * 3n, sign * 5n, inForce],
    )
  }
  assert.ok(replay.apply(named(cancelled('2024-12-01'), 'e2', null)).ok)
})

const anyEvent = fc.oneof(
  fc.integer({ min: -40, max: 800 }).map((days) => returned(daysLater(START, days))),
  fc.integer({ min: 1, max: 40 }).map((months) => extended(months)),
  fc
    .tuple(fc.integer({ min: -40, max: 5 }), fc.boolean())
    .map(([days, sent]) => cancelled(daysLater(START, days), sent)),
  fc
    .tuple(fc.integer({ min: -5, max: 400 }), fc.nat(2))
    .map(([days, to]) => swapped(daysLater(START, days), `S-${7 + to}`)),
)
const anySerial = fc.constantFrom(null, 'S-1', 'S-1', 'S-2', 'S-7', 'S-8')
const anyHistory = fc.array(fc.tuple(anyEvent, anySerial, fc.nat(3), fc.nat(20)), { maxLength: 12 })

test('after any history, an order stands as if only the events that count had been recorded', () => {
  let withdrawals = 0
  fc.assert(
    fc.property(anyHistory, (history) => {
      const order = new Outcome()
      let counted: OrderEvent[] = []
      for (const [at, [event, serial, kind, pick]] of history.entries()) {
        // A swap is recorded with the device that it replaced.
        const told = named(event, `e${at}`, event.type === 'swapped' ? (serial ?? 'S-1') : serial)
        if (kind > 0 || counted.length === 0) {
          if (order.tell(told) === null) counted.push(told)
          continue
        }
        const { eventId } = counted[pick % counted.length]!
        if (order.tell(withdrawal(eventId, `w${at}`)) !== null) continue
        counted = counted.filter((one) => one.eventId !== eventId)
        withdrawals += 1
      }
      assert.deepEqual(order.states(), new Outcome(counted).states())
    }),
    { numRuns: 500 },
  )
  assert.ok(withdrawals > 100, `${withdrawals} withdrawals`)
})
