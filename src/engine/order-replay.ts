// Replays the events of an order: what each event changes, and what changes when an event is withdrawn.
import { NO_EMISSIONS, inForceAfter, isInOrder, type InForce, type PostedRental } from './ledger-history.ts'
import type { OrderKey, RentalTerms } from './device-timeline.ts'
import { EVENT_MESSAGES } from './messages.ts'
import { ZERO, toFractionText } from './numbers/rational.ts'
import {
  addShared,
  decideDevicelessOrderEvent,
  decideOrderEvent,
  isRejection,
  rejection,
  sharedIn,
  type DevicelessChange,
  type DevicelessDecision,
  type EventDecision,
  type EventRejection,
  type OrderDevice,
  type OrderEvent,
  type Shared,
} from './order-events.ts'
import { messageOf } from './order.ts'
import { sentIdOf } from './order-revision.ts'
import type { TermsChange } from './post-entries.ts'
import { closestMatches, withSuggestions } from './reference/suggestions.ts'

/** An earlier event of the order does not count any more. */
export interface OrderEventWithdrawal {
  readonly type: 'withdrawn'
  readonly eventId: string
  /** The id of the event. */
  readonly withdraws: string
}

export type RecordedEvent = OrderEvent | OrderEventWithdrawal

/** The order as it was sent. */
export interface SentOrder extends OrderKey {
  readonly tenureStartDate: string
  /** What it posted to each of its devices, by serial number. */
  readonly devices: ReadonlyMap<string, TermsChange>
}

/** An order without devices as it was sent, with what it posted to itself. */
export interface SentDevicelessOrder extends OrderKey {
  readonly tenureStartDate: string
  readonly posted: DevicelessChange | null
}

/** Far above what occurs in practice. Each withdrawal replays all events of the order. */
export const WITHDRAWALS_MAX = 100

/** The events of an order that count, and those that were withdrawn. */
class CountedEvents {
  #counted: OrderEvent[] = []
  readonly #withdrawn = new Set<string>()
  readonly #withdrawals = new Set<string>()

  add(event: OrderEvent): void {
    this.#counted.push(event)
  }

  /** The events that count without a withdrawn one, or why it cannot be withdrawn. */
  without({ withdraws }: OrderEventWithdrawal): readonly OrderEvent[] | EventRejection {
    const path = '/withdraws'
    const id = { event_id: sentIdOf(withdraws) }
    if (this.#withdrawn.has(withdraws)) return rejection(path, EVENT_MESSAGES.event_withdrawn(id))
    if (this.#withdrawals.has(withdraws)) return rejection(path, EVENT_MESSAGES.withdrawal_final(id))
    if (this.#counted.some(({ type }) => type === 'reversed')) {
      return rejection('/type', EVENT_MESSAGES.import_undone())
    }
    if (this.#withdrawals.size >= WITHDRAWALS_MAX) {
      return rejection('/type', EVENT_MESSAGES.withdrawals_exhausted({ max: WITHDRAWALS_MAX }))
    }
    if (!this.#counted.some((event) => event.eventId === withdraws)) return this.#unknown(withdraws)
    return this.#counted.filter(({ eventId }) => eventId !== withdraws)
  }

  #unknown(withdraws: string): EventRejection {
    const unknown = rejection('/withdraws', EVENT_MESSAGES.event_not_of_order({ event_id: sentIdOf(withdraws) }), true)
    const ids = this.#counted.map(({ eventId }) => sentIdOf(eventId))
    return { ...unknown, problem: withSuggestions(unknown.problem, closestMatches(withdraws, ids)) }
  }

  withdraw({ withdraws, eventId }: OrderEventWithdrawal, remaining: readonly OrderEvent[]): void {
    this.#withdrawn.add(withdraws)
    this.#withdrawals.add(eventId)
    this.#counted = [...remaining]
  }
}

/** A later event cannot have happened without the one that is to be withdrawn. */
const needed = ({ eventId }: OrderEvent, { problem }: EventRejection): EventRejection =>
  rejection('/withdraws', EVENT_MESSAGES.event_needed({ event_id: sentIdOf(eventId), problem: messageOf(problem) }))

/** The state of a rental in the order alone, and the event that set its terms. */
interface OwnRental {
  readonly rental: PostedRental
  readonly eventId: string | null
}

/**
 * An order on its own, after some of its events. Other orders and events of its devices can forbid an event, but they
 * do not change its result. So the terms that a withdrawal results in are those of the remaining events, replayed here.
 * METHODOLOGY.md#withdrawals
 */
export class OrderReplay {
  readonly #order: SentOrder
  readonly #events = new CountedEvents()
  readonly #rentals = new Map<string, OwnRental>()

  constructor(order: SentOrder) {
    this.#order = order
    for (const [serialNumber, change] of order.devices) this.#set(serialNumber, change)
  }

  /** What the next event changes, by serial number, or why it cannot have happened; then nothing changes. */
  apply(event: RecordedEvent): EventDecision {
    const decision = event.type === 'withdrawn' ? this.#withdraw(event) : this.#decide(event)
    if (!decision.ok) return decision
    if (event.type !== 'withdrawn') this.#events.add(event)
    for (const [serialNumber, change] of decision.changes) this.#set(serialNumber, change)
    return decision
  }

  #decide(event: OrderEvent): EventDecision {
    const devices = [...this.#rentals].flatMap(([serialNumber, { rental }]): OrderDevice[] =>
      isInOrder(rental) ? [{ serialNumber, rental, endWith: endAsAgreed }] : [],
    )
    return decideOrderEvent(event, { ...this.#order, devices }, null)
  }

  #withdraw(withdrawal: OrderEventWithdrawal): EventDecision {
    const remaining = this.#events.without(withdrawal)
    if (isRejection(remaining)) return remaining
    const replay = new OrderReplay(this.#order)
    for (const event of remaining) {
      const decision = replay.apply(event)
      if (!decision.ok) return needed(event, decision)
    }
    this.#events.withdraw(withdrawal, remaining)
    const changes = [...this.#rentals].flatMap(([serialNumber, before]) => {
      const change = changeBetween(before, replay.#rentals.get(serialNumber), withdrawal.eventId)
      return change ? [[serialNumber, change] as const] : []
    })
    return { ok: true, changes: new Map(changes) }
  }

  #set(serialNumber: string, change: TermsChange): void {
    const { customerId, orderId, terms, country, releaseId } = change
    const { reason, eventId } = inForceAfter(change)
    const posted = addShared(this.#rentals.get(serialNumber)?.rental.posted ?? NO_EMISSIONS, change.shared)
    const rental = { customerId, orderId, terms, country, releaseId, reason, posted: { ...NO_EMISSIONS, ...posted } }
    this.#rentals.set(serialNumber, { rental, eventId })
  }
}

const endAsAgreed = ({ end }: RentalTerms) => ({ end, endedBy: null })

/** The change from one state of a rental to another; null if they are equal. */
function changeBetween(before: OwnRental, after: OwnRental | undefined, eventId: string): TermsChange | null {
  const { customerId, orderId, country, releaseId, terms, posted } = before.rental
  const inForce: InForce | null = after ? { reason: after.rental.reason, eventId: after.eventId } : null
  const change: TermsChange = {
    customerId,
    orderId,
    terms: after?.rental.terms ?? { start: terms.start, end: terms.start, months: ZERO },
    reason: 'withdrawal',
    country,
    releaseId,
    eventId,
    inForce,
    shared: difference(after?.rental.posted ?? NO_EMISSIONS, posted),
  }
  return isSameState(before, after, change) ? null : change
}

const difference = (a: Shared, b: Shared): Shared => ({
  packaging: a.packaging - b.packaging,
  transportation: a.transportation - b.transportation,
})

const isSameState = (before: OwnRental, after: OwnRental | undefined, { shared }: TermsChange): boolean =>
  (after ? after.rental.reason : 'withdrawal') === before.rental.reason &&
  (!after || (after.eventId === before.eventId && isSameTerms(after.rental.terms, before.rental.terms))) &&
  shared.packaging === 0n &&
  shared.transportation === 0n

const isSameTerms = (a: RentalTerms, b: RentalTerms): boolean =>
  a.start === b.start && a.end === b.end && toFractionText(a.months) === toFractionText(b.months)

/** The same for an order without devices, whose events only cancel it. METHODOLOGY.md#withdrawals */
export class DevicelessOrderReplay {
  readonly #order: SentDevicelessOrder
  readonly #events = new CountedEvents()
  readonly #posted: DevicelessChange[]

  constructor(order: SentDevicelessOrder) {
    this.#order = order
    this.#posted = order.posted ? [order.posted] : []
  }

  /** What the next event changes, or why it cannot have happened; then nothing changes. */
  apply(event: RecordedEvent): DevicelessDecision {
    const decision =
      event.type === 'withdrawn'
        ? this.#withdraw(event)
        : decideDevicelessOrderEvent(event, { ...this.#order, posted: this.#posted })
    if (!decision.ok) return decision
    if (event.type !== 'withdrawn') this.#events.add(event)
    this.#posted.push(decision.change)
    return decision
  }

  #withdraw(withdrawal: OrderEventWithdrawal): DevicelessDecision {
    const remaining = this.#events.without(withdrawal)
    if (isRejection(remaining)) return remaining
    const replay = new DevicelessOrderReplay(this.#order)
    for (const event of remaining) {
      const decision = replay.apply(event)
      if (!decision.ok) return needed(event, decision)
    }
    this.#events.withdraw(withdrawal, remaining)
    const latest = replay.#posted.at(-1)
    const inForce = latest ? inForceAfter(latest) : SENT
    const shared = difference(sharedIn(replay.#posted), sharedIn(this.#posted))
    return { ok: true, change: { reason: 'withdrawal', eventId: withdrawal.eventId, inForce, ...shared } }
  }
}

/** An order without items has no entry of its own. */
const SENT: InForce = { reason: 'order', eventId: null }
