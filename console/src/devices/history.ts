// A device's life as the page tells it: rentals and what lay between them, with sums that close to the milligram.
import type { Schemas } from '../api/client.ts'
import { sumOfKilograms, toMilligrams } from '../emissions/kilograms.ts'

export type Ledger = Schemas['DeviceOrderEmissionsResponse']
export type DeviceHistory = NonNullable<Ledger['history']>
export type HistoryEvent = DeviceHistory['events'][number]
export type Entry = NonNullable<Ledger['entries']>[number]
export type OwnEvent = Schemas['RecordedDeviceEvent']
export type Rented = HistoryEvent &
  Required<Pick<HistoryEvent, 'from' | 'to' | 'customer_id' | 'order_id' | 'embodied_emission'>>

export const isRented = (event: HistoryEvent): event is Rented => event.type === 'rented'

/** A stretch of time in which nobody rented the device. */
export interface Idle {
  readonly from: string
  readonly to: string
}

/** What the device cost to make and to renew, and where all of that went. */
export interface Balance {
  readonly initial: number
  readonly refurbished: number
  readonly allocated: number
  /** What its owner keeps of a device that was retired or lost. */
  readonly writtenOff: number
  readonly remaining: number
  readonly closes: boolean
}

/** The embodied total is rounded once, as a sum; the initial footprint is that total without the refurbishments. */
export function balanceOf({ events, balance }: DeviceHistory): Balance {
  const refurbished = sumOfKilograms(events.map(({ emission_added: added = 0 }) => added))
  const { allocated, unallocated: writtenOff, remaining, embodied_total: embodiedTotal } = balance
  const shares = sumOfKilograms(events.filter(isRented).map(({ embodied_emission: share }) => share))
  const isSame = (one: number, other: number) => toMilligrams(one) === toMilligrams(other)
  return {
    initial: sumOfKilograms([embodiedTotal, -refurbished]),
    refurbished,
    allocated,
    writtenOff,
    remaining,
    closes: isSame(embodiedTotal, sumOfKilograms([allocated, writtenOff, remaining])) && isSame(shares, allocated),
  }
}

/** The position of a day in months, as METHODOLOGY.md#months counts. */
function monthPosition(iso: string): number {
  const [year, month, day] = iso.split('-').map(Number) as [number, number, number]
  return 12 * year + month - 1 + (day - 1) / new Date(Date.UTC(year, month, 0)).getUTCDate()
}

const HUNDREDTHS = 100
export const monthsBetween = (from: string, to: string): number =>
  Math.round((monthPosition(to) - monthPosition(from)) * HUNDREDTHS) / HUNDREDTHS

const ENDS: readonly HistoryEvent['type'][] = ['retired', 'lost']
const endOf = ({ events }: DeviceHistory): HistoryEvent | undefined => events.find(({ type }) => ENDS.includes(type))

/** @param today until when a device that is in use counts as idle: what is agreed for later may still change */
export function idleTimesOf(history: DeviceHistory, today: string): readonly Idle[] {
  const rentals = history.events.filter(isRented).filter(({ from, to }) => to > from)
  const until = endOf(history)?.date ?? today
  const starts = [...rentals.slice(1).map(({ from }) => from), until]
  return rentals
    .map(({ to }, at) => ({ from: to, to: earlier(starts[at]!, until) }))
    .filter(({ from, to }) => to > from)
}

const earlier = (one: string, other: string): string => (one < other ? one : other)

/** Months of rental that are over on a day. */
export const monthsOut = ({ events }: DeviceHistory, today: string): number =>
  events
    .filter(isRented)
    .filter(({ from }) => from < today)
    .reduce((sum, { from, to }) => sum + monthsBetween(from, earlier(to, today)), 0)

/** What the device is doing on a day. */
export type DeviceState =
  | { readonly state: 'rented'; readonly rental: Rented }
  | { readonly state: 'retired' | 'lost'; readonly date: string }
  | { readonly state: 'idle'; readonly since: string | null }
  | { readonly state: 'booked'; readonly rental: Rented }

export function stateOf(history: DeviceHistory, today: string): DeviceState {
  const end = endOf(history)
  if (end) return { state: end.type as 'retired' | 'lost', date: end.date! }
  const rentals = history.events.filter(isRented).filter(({ from, to }) => to > from)
  const running = rentals.find(({ from, to }) => from <= today && today < to)
  if (running) return { state: 'rented', rental: running }
  const past = rentals.filter(({ to }) => to <= today).at(-1)
  const next = rentals.find(({ from }) => from > today)
  return next && !past ? { state: 'booked', rental: next } : { state: 'idle', since: past?.to ?? null }
}

export interface RecordedEvent {
  readonly id: string
  readonly at: string
  readonly reason: Entry['reason']
  readonly order: { readonly customer_id: string; readonly order_id: string } | null
  readonly entries: readonly Entry[]
  /** As it was recorded; undefined for an event of an order. */
  readonly own: OwnEvent | undefined
}

/** What was told of the device or its orders, each with the entries that it led to. */
export function eventsOf(entries: readonly Entry[], events: readonly OwnEvent[]): readonly RecordedEvent[] {
  const ownById = new Map(events.map((one) => [one.event.event_id, one]))
  const byId = Map.groupBy(entries, ({ cause }) => cause?.event_id ?? '')
  byId.delete('')
  return [...byId].map(([id, own]) => {
    const first = own[0]!
    const { customer_id: customer, order_id: order } = { ...first, ...first.cause }
    return {
      id,
      at: first.posted_at,
      reason: first.reason,
      order: customer !== undefined && order !== undefined ? { customer_id: customer, order_id: order } : null,
      entries: own,
      own: ownById.get(id),
    }
  })
}
