// What ledgers should say, by the methodology's text alone: slow, plain, and without a line of the engine.
import {
  ZERO,
  fraction,
  isLess,
  least,
  milligramsOf,
  minus,
  monthsBetween,
  over,
  plus,
  rounded,
  times,
  type Fraction,
} from './history-numbers.ts'

/** What a model of device emits, in milligrams, over so many months. */
export interface Figures {
  readonly embodied: Fraction
  readonly use: Fraction
  readonly lifetime: number
  /** What its refurbishment emits if nobody says it, in kilograms; null where that has to be said. */
  readonly refurbishment: string | null
}

export interface OrderFact {
  readonly kind: 'order'
  /** What the history calls it: the customer and the order id, which two customers may share. */
  readonly order: string
  readonly orderId: string
  readonly customer: string
  readonly start: string
  readonly devices: readonly { readonly serial: string; readonly model: string; readonly tenure: number }[]
  readonly transports: readonly { readonly kilograms: number; readonly kilometres: number }[]
  readonly packagings: readonly { readonly kilograms: number }[]
}

interface Told {
  readonly id: string
}

export type OrderEventFact = { readonly kind: 'order-event'; readonly order: string; readonly serial?: string } & Told &
  (
    | { readonly type: 'returned'; readonly date: string }
    | { readonly type: 'extended'; readonly tenure: number }
    | { readonly type: 'cancelled'; readonly date: string; readonly dispatched: boolean }
    | {
        readonly type: 'swapped'
        readonly date: string
        readonly by: string
        /** What it is by the words of the swap; without them, it is what the old device was. */
        readonly model?: string
      }
  )

export type DeviceEventFact = { readonly kind: 'device-event'; readonly serial: string; readonly date: string } & Told &
  (
    | {
        readonly type: 'refurbished'
        /** Null if the event does not say it. */
        readonly burden: string | null
        readonly added: number
      }
    | { readonly type: 'retired' }
    | { readonly type: 'lost' }
  )

/** A device is another model than was known, from its first day on. */
export type IdentificationFact = {
  readonly kind: 'identification'
  readonly serial: string
  readonly model: string
} & Told

/** An event of an order or of a device that does not count any more. */
export type WithdrawalFact = { readonly kind: 'withdrawal'; readonly withdraws: string } & Told &
  ({ readonly order: string } | { readonly serial: string })

/** The content of an order was wrong: all of it, as it should have been. */
export type CorrectionFact = { readonly kind: 'correction'; readonly order: string; readonly right: OrderFact } & Told

export type Fact = OrderFact | OrderEventFact | DeviceEventFact | IdentificationFact | WithdrawalFact | CorrectionFact

/** 200; 409; 400; 404. */
export type Verdict = 'accepted' | 'contradiction' | 'malformed' | 'unknown'

/** A device in an order: its terms as they are now, before what other facts about the device do to them. */
export interface Rental {
  readonly order: string
  readonly orderId: string
  readonly customer: string
  readonly serial: string
  readonly start: string
  end: string
  months: Fraction
  /** How many months in all the order has, and how many of them other devices had before a swap. */
  tenure: Fraction
  readonly before: Fraction
  state: 'running' | 'returned' | 'cancelled' | 'swapped'
  /** False once it was cancelled before it went out: then its shares of packaging and transportation are taken back. */
  isShipped: boolean
}

export interface Posted {
  readonly embodied: bigint
  readonly use: bigint
  readonly isShipped: boolean
}

export interface SerialRun {
  readonly whole: bigint
  readonly given: bigint
  readonly left: bigint
  readonly residual: bigint
  /** Milligrams by order. */
  readonly posted: ReadonlyMap<string, Posted>
}

export interface Device {
  readonly figures: Figures
  readonly model: string
  /** What its first order said, and what it was called since. */
  readonly named: readonly Naming[]
  readonly isCapped: boolean
}

/** By an event that identified the device, or by an order. */
export interface Naming {
  readonly id: string | null
  readonly by: string | null
  readonly model: string
}

export interface Model {
  readonly rentals: Rental[]
  readonly orders: Map<string, OrderFact>
  readonly devices: Map<string, Device>
  /** The orders that took a device up and that no correction took it from, by serial number, in that sequence. */
  readonly takers: Map<string, Set<string>>
  /** With what the refurbishments count. */
  readonly happenings: DeviceEventFact[]
  /** The events of orders that count, in the order in which they were told. */
  readonly orderEvents: OrderEventFact[]
  /** The ids of withdrawn events and of withdrawals, with the order or device that they are of. */
  readonly closed: Map<string, string>
  readonly catalogue: Readonly<Record<string, Figures>>
  readonly isCapped: boolean
}

export const emptyModel = (catalogue: Readonly<Record<string, Figures>>, isCapped: boolean): Model => ({
  rentals: [],
  orders: new Map(),
  devices: new Map(),
  takers: new Map(),
  happenings: [],
  orderEvents: [],
  closed: new Map(),
  catalogue,
  isCapped,
})

/** In the sequence in which the device goes round: by tenure start, then order, then customer. */
const rentalsOf = ({ rentals }: Model, serial: string): readonly Rental[] =>
  rentals
    .filter((rental) => rental.serial === serial)
    .toSorted((a, b) => compare(a.start, b.start) || compare(a.orderId, b.orderId) || compare(a.customer, b.customer))

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The day on which a rental really ends: as planned, or where another one, a refurbishment or a retirement comes. */
export function endOf(model: Model, rental: Rental): string {
  const all = rentalsOf(model, rental.serial)
  let end = rental.end
  for (const other of all.slice(all.indexOf(rental) + 1)) {
    const takesTime = other.start < other.end
    if (takesTime && other.start < end) end = other.start
  }
  for (const { serial, date } of model.happenings) {
    if (serial === rental.serial && rental.start < date && date < end) end = date
  }
  return end
}

function monthsOf(model: Model, rental: Rental): Fraction {
  const end = endOf(model, rental)
  return end === rental.end ? rental.months : least(rental.months, monthsBetween(rental.start, end))
}

/** Where a device stands before the rentals and events of a day, or after all. */
interface Standing {
  pool: Fraction
  /** Per month, where nothing caps what a device gives. */
  rate: Fraction
  life: Fraction
  spent: Fraction
  given: Fraction
  isGone: boolean
}

export function runSerial(model: Model, serial: string): SerialRun {
  const posted = new Map<string, Posted>()
  const { standing, whole } = walk(model, serial, (rental, embodied, use) => {
    posted.set(rental.order, { embodied, use, isShipped: rental.isShipped })
  })
  const left = rounded(standing.given)
  return {
    whole: rounded(whole),
    given: left,
    residual: standing.isGone ? rounded(whole) - left : 0n,
    left: standing.isGone ? 0n : rounded(whole) - left,
    posted,
  }
}

type Charge = (rental: Rental, embodied: bigint, use: bigint) => void

/** Goes through rentals and events in turn; on one day events come before the rental that starts. */
function walk(model: Model, serial: string, charge: Charge, until = '9999-12-31', last: DeviceEventFact | null = null) {
  const { figures, isCapped } = model.devices.get(serial)!
  const standing: Standing = {
    pool: figures.embodied,
    rate: over(figures.embodied, fraction(figures.lifetime)),
    life: fraction(figures.lifetime),
    spent: ZERO,
    given: ZERO,
    isGone: false,
  }
  let whole = figures.embodied
  const events = model.happenings
    .filter((event) => event.serial === serial)
    .map((event) => ({ day: event.date, rank: event.type === 'refurbished' ? 0 : 1, event, rental: null }))
  const rentals = rentalsOf(model, serial).map((rental) => ({ day: rental.start, rank: 2, event: null, rental }))
  const turns = [...events, ...rentals].sort((a, b) => compare(a.day, b.day) || a.rank - b.rank)
  for (const { event, rental } of turns.filter(({ day }) => day < until)) {
    if (event?.type === 'refurbished') {
      const burden = milligramsOf(event.burden!)
      whole = plus(whole, burden)
      refurbish(standing, burden, event.added)
    } else if (event) {
      standing.isGone = true
      standing.pool = ZERO
      standing.rate = ZERO
    } else if (rental) {
      const months = monthsOf(model, rental)
      const before = rounded(standing.given)
      give(standing, months, isCapped)
      const use = over(times(figures.use, months), fraction(figures.lifetime))
      charge(rental, rounded(standing.given) - before, rounded(use))
    }
    if (event && event === last) break
  }
  return { standing, whole }
}

function refurbish(standing: Standing, burden: Fraction, added: number): void {
  standing.pool = plus(standing.pool, burden)
  standing.life = plus(standing.life, fraction(added))
  // Without a cap a month costs the same share of the whole, however many were given before.
  standing.rate = over(plus(standing.given, standing.pool), standing.life)
}

function give(standing: Standing, months: Fraction, isCapped: boolean): void {
  const left = minus(standing.life, standing.spent)
  let allocated = months
  let share = ZERO
  if (!isCapped) share = times(standing.rate, months)
  else if (months.over > 0n && isLess(ZERO, left)) {
    allocated = least(months, left)
    share = times(over(standing.pool, left), allocated)
  } else if (months.over > 0n) {
    allocated = ZERO
    share = standing.pool
  }
  standing.given = plus(standing.given, share)
  standing.pool = minus(standing.pool, share)
  standing.spent = plus(standing.spent, allocated)
}

/** The months that a device has left right after one of its events. */
export function monthsLeftAfter(model: Model, event: DeviceEventFact): Fraction {
  const { standing } = walk(model, event.serial, () => {}, '9999-12-31', event)
  return minus(standing.life, standing.spent)
}
