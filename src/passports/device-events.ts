// What happened to a device as events of EPCIS: from the entries of its ledger and the events of its orders.
import { orderKey, type OrderKey } from '../engine/device-timeline.ts'
import type { Resumable } from '../engine/numbers/steps.ts'
import { eventIdOf, nextRevisionId } from '../engine/order-revision.ts'
import type { RecordedOrderEvent, WireDeviceEvent } from '../contract/event-schema.ts'
import { eventContent } from '../ledger/codec.ts'
import { withdrawalsOf } from '../ledger/counted-events.ts'
import type { DeviceHistory, StoredEntry, StoredEvent } from '../ledger/records.ts'
import { compareNames } from '../strict-json/exact-tree.ts'
import { withEventId, type EpcisEvent, type ErrorDeclaration } from './epcis.ts'
import type { PassportNames } from './names.ts'

/** An event, and when it was taken back; null for one that counts. */
interface Happening {
  /** The happening of the next revision of its order that has the same part replaces it when the order is corrected. */
  readonly part: string
  readonly event: EpcisEvent
  readonly takenBack: { readonly at: Date; readonly by: 'withdrawal' | 'correction' } | null
}

type Content = Omit<EpcisEvent, 'eventID' | 'type' | 'eventTimeZoneOffset' | 'epcList' | 'action'> &
  Partial<Pick<EpcisEvent, 'type' | 'action'>>

/** Days have no time: an event of a day is at its beginning in UTC. */
const beginningOf = (day: string): string => `${day}T00:00:00.000Z`

/**
 * Sorted by time. What is to happen after `now` is left out, and so is what was taken back before its day had come. An
 * event that was taken back has an error declaration.
 */
export function* eventsOfDevice(
  history: DeviceHistory,
  names: PassportNames,
  now: Date,
): Resumable<readonly EpcisEvent[]> {
  const until = now.toISOString()
  const isToldOf = ({ event: { eventTime }, takenBack }: Happening): boolean =>
    eventTime <= until && (takenBack === null || takenBack.at.toISOString() >= eventTime)
  const entriesOfRentals = Map.groupBy(history.ledger.entries.filter(isOfRental), orderKey)
  const rentals = new Map<string, readonly Happening[]>()
  for (const [key, entries] of entriesOfRentals) {
    rentals.set(key, happeningsOfRental(entries, history.orderEvents.get(key) ?? [], names).filter(isToldOf))
    yield
  }
  const declared = [...entriesOfRentals].flatMap(([key, [entry]]) => {
    const next = rentals.get(nextKeyOf(entry!)) ?? []
    return rentals.get(key)!.map((one) => withDeclaration(one, next))
  })
  const ofDevice = happeningsOfDevice(history.ledger.entries, names).filter(isToldOf)
  const events = new Map<string, EpcisEvent>()
  for (const event of [...declared, ...ofDevice.map((one) => withDeclaration(one, []))]) {
    // One that a correction leaves as it is, or that was recorded again, counts, or was taken back with the last one.
    const known = events.get(event.eventID)
    if (!event.errorDeclaration || !known || known.errorDeclaration) events.set(event.eventID, event)
  }
  const places = new Map([...events.keys()].map((id, at) => [id, at]))
  return [...events.values()].toSorted(
    (a, b) => compareNames(a.eventTime, b.eventTime) || places.get(a.eventID)! - places.get(b.eventID)!,
  )
}

const isOfRental = ({ orderId, terms }: StoredEntry): boolean => orderId !== '' && terms !== null

const nextKeyOf = ({ customerId, orderId }: OrderKey): string =>
  orderKey({ customerId, orderId: nextRevisionId(orderId) ?? '' })

/** @param next what happened by the next revision of the order */
function withDeclaration({ part, event, takenBack }: Happening, next: readonly Happening[]): EpcisEvent {
  if (!takenBack) return event
  const correctiveEventIDs =
    takenBack.by === 'correction' ? next.filter((one) => one.part === part).map((one) => one.event.eventID) : []
  const declaration: ErrorDeclaration = {
    declarationTime: takenBack.at.toISOString(),
    ...(correctiveEventIDs.length > 0 ? { reason: 'incorrect_data', correctiveEventIDs } : { reason: 'did_not_occur' }),
  }
  return { ...event, errorDeclaration: declaration }
}

const complete = (
  { type = 'ObjectEvent', eventTime, action = 'OBSERVE', ...content }: Content,
  names: PassportNames,
): EpcisEvent =>
  withEventId({ type, eventTime, eventTimeZoneOffset: '+00:00', epcList: [names.product], action, ...content })

/** @param entries of one revision of an order on the device. @param events of that revision */
function happeningsOfRental(
  entries: readonly StoredEntry[],
  events: readonly StoredEvent[],
  names: PassportNames,
): readonly Happening[] {
  const [order] = entries as [StoredEntry]
  const parties = partiesOf(order, names)
  const byId = new Map(events.map((event) => [event.eventId, event]))
  const withdrawals = withdrawalsOf(events)
  const ended = endOfRevision(events)
  const takenBack = (eventId: string): Happening['takenBack'] => {
    const withdrawal = byId.get(withdrawals.get(eventId) ?? '')
    return withdrawal ? { at: withdrawal.postedAt, by: 'withdrawal' } : ended
  }
  const cancelled = events.find((one) => eventContent(one).type === 'cancelled' && takenBack(one.eventId) === null)
  const isCancelled = cancelled && entries.some((entry) => idOf(entry) === cancelled.eventId)
  const notBegun = isCancelled ? ({ at: cancelled.postedAt, by: 'withdrawal' } as const) : ended
  return entries.flatMap((entry): readonly Happening[] => {
    if (entry.reason === 'order' && entry.terms) {
      const eventTime = beginningOf(entry.terms.start)
      const isShipped = isCancelled && hasLeft(cancelled)
      return [
        { part: 'shipping', content: shipping(parties), takenBack: isShipped ? ended : notBegun },
        { part: 'receiving', content: begun(parties), takenBack: notBegun },
      ].map(({ content, ...one }) => ({ ...one, event: complete({ ...content, eventTime }, names) }))
    }
    const told = byId.get(idOf(entry))
    const content = told && contentOf(entry, told, parties)
    if (!content) return []
    return [{ part: told.eventId, event: complete(content, names), takenBack: takenBack(told.eventId) }]
  })
}

const idOf = ({ eventId }: StoredEntry): string => (eventId === null ? '' : eventIdOf(eventId))

const hasLeft = (cancelled: StoredEvent): boolean => {
  const wire = eventContent(cancelled)
  return wire.type === 'cancelled' && wire.dispatched === true
}

/** The correction of the order, or the reversal of its import, that ended a revision. */
function endOfRevision(events: readonly StoredEvent[]): Happening['takenBack'] {
  for (const event of events) {
    const { type } = eventContent(event)
    if (type === 'corrected') return { at: event.postedAt, by: 'correction' }
    if (type === 'reversed') return { at: event.postedAt, by: 'withdrawal' }
  }
  return null
}

type Parties = ReturnType<typeof partiesOf>

/**
 * An event has a source or a destination, not both: implementations of the hash disagree on which of them comes first.
 */
function partiesOf(order: OrderKey, names: PassportNames) {
  const customer = names.customer(order.customerId)
  return {
    order: { bizTransactionList: [{ type: 'po', bizTransaction: names.order(order) }] },
    fromCustomer: { sourceList: [{ type: 'possessing_party', source: customer }] },
    toCustomer: { destinationList: [{ type: 'possessing_party', destination: customer }] },
    /** The device stays the lessor’s. */
    heldByCustomer: {
      destinationList: [
        { type: 'owning_party', destination: names.lessor },
        { type: 'possessing_party', destination: customer },
      ],
    },
  } as const
}

const shipping = ({ order, toCustomer }: Parties) =>
  ({ bizStep: 'shipping', disposition: 'in_transit', ...order, ...toCustomer }) as const
const begun = ({ order, heldByCustomer }: Parties) =>
  ({ bizStep: 'receiving', disposition: 'active', ...order, ...heldByCustomer }) as const

/** What an event of an order was for the device; null if the device did not take part in it. */
function contentOf(entry: StoredEntry, told: StoredEvent, parties: Parties): Content | null {
  const wire: RecordedOrderEvent = eventContent(told)
  const { order, fromCustomer, heldByCustomer } = parties
  switch (wire.type) {
    case 'returned': {
      const eventTime = beginningOf(wire.date)
      return { eventTime, bizStep: 'receiving', disposition: 'returned', ...order, ...fromCustomer }
    }
    case 'extended':
      // Its day is not told: it was known when it was recorded.
      return { type: 'TransactionEvent', eventTime: told.postedAt.toISOString(), disposition: 'active', ...order }
    case 'swapped': {
      const eventTime = beginningOf(wire.date)
      if (entry.reason === 'swapped_in')
        return { eventTime, bizStep: 'replacing', disposition: 'active', ...order, ...heldByCustomer }
      return { eventTime, bizStep: 'replacing', disposition: 'returned', ...order, ...fromCustomer }
    }
    default:
      return null
  }
}

/** The events of the device itself. */
function happeningsOfDevice(entries: readonly StoredEntry[], names: PassportNames): readonly Happening[] {
  const told = entries.flatMap(({ eventId, eventContent: content, postedAt }) =>
    eventId !== null && content !== null
      ? [{ eventId, postedAt, content, wire: JSON.parse(content) as WireDeviceEvent }]
      : [],
  )
  const byId = new Map(told.map((one) => [one.eventId, one]))
  const withdrawals = withdrawalsOf(told)
  return told.flatMap(({ eventId, wire }): readonly Happening[] => {
    const content = contentOfDeviceEvent(wire)
    if (!content) return []
    const withdrawal = byId.get(withdrawals.get(eventId) ?? '')
    const takenBack = withdrawal ? ({ at: withdrawal.postedAt, by: 'withdrawal' } as const) : null
    return [{ part: eventId, event: complete(content, names), takenBack }]
  })
}

/** Null for what happened to the record of the device alone. */
function contentOfDeviceEvent(wire: WireDeviceEvent): Content | null {
  switch (wire.type) {
    case 'refurbished':
      return { eventTime: beginningOf(wire.date), bizStep: 'repairing' }
    case 'retired':
      return {
        eventTime: beginningOf(wire.date),
        action: 'DELETE',
        bizStep: 'decommissioning',
        disposition: 'inactive',
      }
    case 'lost':
      return { eventTime: beginningOf(wire.date), disposition: 'unknown' }
    case 'identified':
    case 'withdrawn':
      return null
  }
}
