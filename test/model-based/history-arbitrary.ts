// Random histories: a few serials, orders that crowd on a few days, and events of which many cannot have happened.
import fc from 'fast-check'
import type {
  CorrectionFact,
  DeviceEventFact,
  Fact,
  IdentificationFact,
  OrderEventFact,
  OrderFact,
  WithdrawalFact,
} from './history-model.ts'
import { daysLater, monthsLater } from './history-numbers.ts'

/** A fact told; or an earlier step told again, with the same content or with other content under the same id. */
export type Step =
  | { readonly kind: 'tell'; readonly fact: Fact }
  | { readonly kind: 'again' | 'otherwise'; readonly fact: Fact }

export interface History {
  readonly isCapped: boolean
  readonly steps: readonly Step[]
  /** Numbers by which the orders are put into another sequence. */
  readonly resequencing: readonly number[]
}

/** Month ends, leap days and plain days, close enough to each other that rentals meet. */
const DAYS = [
  ...['2023-12-31', '2024-01-01', '2024-01-29', '2024-01-30', '2024-01-31', '2024-02-28', '2024-02-29', '2024-03-01'],
  ...['2024-03-31', '2024-06-15', '2024-08-31', '2024-12-31', '2025-01-01', '2025-01-31', '2025-02-28', '2025-03-01'],
  ...['2026-02-28', '2027-11-30', '2028-02-29', '2028-06-15'],
]

const at = <Item>(items: readonly Item[], index: number): Item => items[index % items.length]!
const index = fc.nat({ max: 999 })
const moment = fc.nat({ max: 99 })

const tenure = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 14 }) },
  { weight: 2, arbitrary: fc.constantFrom(0, 1, 2, 3, 12, 24, 36, 48) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 70 }) },
)

/** A day near the term of an order: so many months and days after its start. */
const away = fc.record({
  order: index,
  months: fc.oneof(fc.constant(0), fc.constant('end' as const), fc.integer({ min: 0, max: 15 })),
  days: fc.constantFrom(0, 0, 0, 0, -1, 1, -2, 14, 31),
})
type Away = { readonly order: number; readonly months: number | 'end'; readonly days: number }

const rawOrder = fc.record({
  arrival: moment,
  customer: fc.constantFrom('c0', 'c1'),
  day: index,
  devices: fc.array(fc.record({ serial: index, model: index, tenure }), { minLength: 1, maxLength: 3 }),
  together: fc.boolean(),
  transports: fc.array(
    fc.record({ kilograms: fc.integer({ min: 0, max: 40 }), kilometres: fc.integer({ min: 0, max: 2000 }) }),
    { maxLength: 2 },
  ),
  packagings: fc.array(fc.record({ kilograms: fc.integer({ min: 1, max: 9 }) }), { maxLength: 1 }),
})

const rawOrderEvent = fc.record({
  arrival: moment,
  order: index,
  serial: fc.option(index),
  away,
  type: fc.constantFrom('returned', 'returned', 'extended', 'cancelled', 'swapped', 'swapped'),
  more: fc.integer({ min: -2, max: 20 }),
  dispatched: fc.boolean(),
  by: index,
  named: fc.option(index, { freq: 1 }),
})

const rawDeviceEvent = fc.record({
  arrival: moment,
  serial: index,
  away,
  type: fc.constantFrom('refurbished', 'refurbished', 'refurbished', 'retired', 'lost'),
  burden: fc.constantFrom('0', '8', '12.5', '0.000001', '33.333333', null, null),
  added: fc.constantFrom(0, 0, 6, 12, 24),
})

const rawIdentification = fc.record({ arrival: moment, serial: index, model: index })

const rawCorrection = fc.record({ arrival: moment, of: index, as: index, change: fc.nat(99) })

const rawWithdrawal = fc.record({ arrival: moment, of: index, astray: fc.nat(19) })

const raw = fc.record({
  isCapped: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  serials: fc.integer({ min: 1, max: 4 }),
  models: fc.array(index, { minLength: 5, maxLength: 5 }),
  days: fc.array(fc.constantFrom(...DAYS), { minLength: 1, maxLength: 4 }),
  orders: fc.array(rawOrder, { minLength: 2, maxLength: 6 }),
  orderEvents: fc.array(rawOrderEvent, { maxLength: 6 }),
  deviceEvents: fc.array(rawDeviceEvent, { maxLength: 3 }),
  identifications: fc.array(rawIdentification, { maxLength: 2 }),
  corrections: fc.array(rawCorrection, { maxLength: 3 }),
  withdrawals: fc.array(rawWithdrawal, { minLength: 1, maxLength: 5 }),
  repeats: fc.array(fc.record({ of: index, kind: fc.constantFrom('again' as const, 'otherwise' as const) }), {
    maxLength: 2,
  }),
  resequencing: fc.array(index, { minLength: 6, maxLength: 6 }),
})
type Raw = typeof raw extends fc.Arbitrary<infer Value> ? Value : never

/** @param models what the catalogue calls them */
export const historyArbitrary = (models: readonly string[]): fc.Arbitrary<History> =>
  raw.map((drawn) => {
    const orders = drawn.orders.map((order, position) => orderOf(drawn, order, position, models))
    const identifications = drawn.identifications.map(({ serial, model }, position): IdentificationFact => ({
      kind: 'identification',
      id: `i${position}`,
      serial: serialOf(drawn, serial),
      model: at(models, model),
    }))
    const facts: { fact: Exclude<Fact, WithdrawalFact | CorrectionFact>; arrival: number }[] = [
      ...orders.map((fact, position) => ({ fact, arrival: drawn.orders[position]!.arrival })),
      // Events come a little later than orders, so that not all of them are about orders that nobody knows.
      ...drawn.orderEvents.map((event, position) => ({
        fact: orderEventOf(drawn, event, position, orders, models),
        arrival: event.arrival + 40,
      })),
      ...drawn.deviceEvents.map((event, position) => ({
        fact: deviceEventOf(drawn, event, position, orders),
        arrival: event.arrival + 30,
      })),
      ...identifications.map((fact, position) => ({
        fact,
        arrival: drawn.identifications[position]!.arrival + 40,
      })),
    ]
    const events = facts.flatMap(({ fact }) => (fact.kind === 'order' ? [] : [fact]))
    const withdrawals = drawn.withdrawals.map((one, position) => ({
      fact: withdrawalOf(one, position, events, orders),
      arrival: one.arrival + 60,
    }))
    const corrections = drawn.corrections.map((one, position) => ({
      fact: correctionOf(one, position, orders),
      arrival: one.arrival + 50,
    }))
    const told = [...facts, ...withdrawals, ...corrections].toSorted((a, b) => a.arrival - b.arrival)
    const steps: Step[] = told.map(({ fact }): Step => ({ kind: 'tell', fact }))
    for (const { of, kind } of drawn.repeats) {
      const position = of % steps.length
      // Told again after another correction of the order, it would be a new one.
      if (steps[position]!.fact.kind === 'correction') continue
      steps.splice((position + 1 + of) % (steps.length + 1), 0, { kind, fact: steps[position]!.fact })
    }
    return { isCapped: drawn.isCapped, steps, resequencing: drawn.resequencing }
  })

const serialOf = (drawn: Raw, number: number): string => `s${number % drawn.serials}`

function orderOf(drawn: Raw, order: Raw['orders'][number], position: number, models: readonly string[]): OrderFact {
  const bySerial = new Map(
    order.devices.map((device) => {
      const number = device.serial % drawn.serials
      // A device is nearly always said to be of the same model; of another one, it keeps what it was first.
      const model = at(models, device.model % 10 === 0 ? device.model : drawn.models[number]!)
      const months = order.together ? order.devices[0]!.tenure : device.tenure
      return [serialOf(drawn, number), { serial: serialOf(drawn, number), model, tenure: months }]
    }),
  )
  // Two customers use the same order ids.
  const orderId = `o${position >> 1}`
  const customer = drawn.orders[position ^ 1]?.customer === order.customer ? `c${position & 1}` : order.customer
  return {
    kind: 'order',
    order: `${customer}/${orderId}`,
    orderId,
    customer,
    start: at(drawn.days, order.day),
    devices: [...bySerial.values()],
    transports: order.transports,
    packagings: order.packagings,
  }
}

function dayOf({ order, months, days }: Away, orders: readonly OrderFact[]): string {
  const { start, devices } = at(orders, order)
  return daysLater(monthsLater(start, months === 'end' ? devices[0]!.tenure : months), days)
}

function orderEventOf(
  drawn: Raw,
  event: Raw['orderEvents'][number],
  position: number,
  orders: readonly OrderFact[],
  models: readonly string[],
): OrderEventFact {
  const order = at(orders, event.order)
  const device = at(order.devices, event.serial ?? 0)
  // Mostly a day near its own order's term.
  const date = dayOf(event.away.order % 3 ? { ...event.away, order: event.order } : event.away, orders)
  const serial = event.serial === null ? {} : { serial: event.serial % 20 ? device.serial : 's8' }
  const common = { kind: 'order-event' as const, id: `e${position}`, order: order.order, ...serial }
  switch (event.type) {
    case 'returned':
      return { ...common, type: 'returned', date }
    case 'extended':
      return { ...common, type: 'extended', tenure: Math.max(1, device.tenure + event.more) }
    case 'cancelled':
      return {
        ...common,
        type: 'cancelled',
        date: daysLater(order.start, event.more - 15),
        dispatched: event.dispatched,
      }
    default: {
      const by = event.by % 3 ? `s9${event.by % 2}` : serialOf(drawn, event.by)
      return { ...common, type: 'swapped', date, by, ...(event.named !== null && { model: at(models, event.named) }) }
    }
  }
}

/** The order with what another one says, in part: its start, its devices, what goes with them. */
function correctionOf(
  { of, as, change }: Raw['corrections'][number],
  position: number,
  orders: readonly OrderFact[],
): CorrectionFact {
  const [order, other] = [at(orders, of), at(orders, as)]
  const devices = change % 3 === 0 ? other.devices : order.devices
  const right = {
    ...order,
    start: change % 2 ? other.start : order.start,
    devices: devices.map((device) => ({ ...device, tenure: device.tenure + (change % 4) })),
    transports: other.transports,
    packagings: change % 5 ? order.packagings : other.packagings,
  }
  return { kind: 'correction', id: `k${position}`, order: order.order, right }
}

/** Mostly of an event that there is, where it was told; now and then elsewhere, or of what is no event. */
function withdrawalOf(
  { of, astray }: Raw['withdrawals'][number],
  position: number,
  events: readonly (OrderEventFact | DeviceEventFact | IdentificationFact)[],
  orders: readonly OrderFact[],
): WithdrawalFact {
  const event = events[of % Math.max(1, events.length)]
  const common = {
    kind: 'withdrawal' as const,
    id: `w${position}`,
    withdraws: astray === 0 ? 'w0' : (event?.id ?? 'e0'),
  }
  if (!event || astray === 1) return { ...common, order: at(orders, of).order }
  return event.kind === 'order-event' ? { ...common, order: event.order } : { ...common, serial: event.serial }
}

function deviceEventOf(
  drawn: Raw,
  { serial, away: day, type, burden, added }: Raw['deviceEvents'][number],
  position: number,
  orders: readonly OrderFact[],
): DeviceEventFact {
  const common = { kind: 'device-event' as const, id: `d${position}`, serial: serialOf(drawn, serial) }
  const date = dayOf(day, orders)
  if (type === 'refurbished') return { ...common, type: 'refurbished', date, burden, added }
  return { ...common, type: type === 'lost' ? 'lost' : 'retired', date }
}
