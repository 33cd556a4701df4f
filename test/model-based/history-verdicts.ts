// Which facts the reference model takes, and what they change in it; which it refuses, by the methodology's text alone.
import { isDeepStrictEqual } from 'node:util'
import {
  emptyModel,
  endOf,
  monthsLeftAfter,
  type CorrectionFact,
  type Device,
  type DeviceEventFact,
  type Fact,
  type IdentificationFact,
  type Model,
  type Naming,
  type OrderEventFact,
  type OrderFact,
  type Rental,
  type Verdict,
  type WithdrawalFact,
} from './history-model.ts'
import { ZERO, fraction, isLess, least, minus, monthsBetween, monthsLater, plus } from './history-numbers.ts'

/** Takes a fact that was not told before. A fact that is refused changes nothing. */
export function tell(model: Model, fact: Fact): Verdict {
  if (fact.kind === 'order') return order(model, fact)
  if (fact.kind === 'correction') return correct(model, fact)
  if (fact.kind === 'withdrawal')
    return 'order' in fact ? withdrawFromOrder(model, fact) : withdrawFromDevice(model, fact)
  if (fact.kind === 'identification') return identify(model, fact)
  return fact.kind === 'order-event' ? orderEvent(model, fact) : deviceEvent(model, fact)
}

/** A device as it was named last. */
function named(model: Model, names: readonly Naming[], isCapped: boolean) {
  const { model: last } = names.at(-1)!
  return { figures: model.catalogue[last]!, model: last, named: names, isCapped }
}

function identify(model: Model, { serial, id, model: name }: IdentificationFact): Verdict {
  const device = model.devices.get(serial)
  if (!device) return 'unknown'
  if (device.model === name) return 'contradiction'
  model.devices.set(serial, named(model, [...device.named, { id, by: null, model: name }], device.isCapped))
  return 'accepted'
}

/** What is left of the order's events has to be possible for the order on its own. */
function withdrawFromOrder(model: Model, fact: WithdrawalFact & { readonly order: string }): Verdict {
  const known = model.orders.get(fact.order)
  if (!known) return 'unknown'
  if (model.closed.get(fact.withdraws) === fact.order) return 'contradiction'
  const counted = model.orderEvents.filter((event) => event.order === fact.order)
  if (!counted.some(({ id }) => id === fact.withdraws)) return 'malformed'
  const alone = emptyModel(model.catalogue, model.isCapped)
  const left = counted.filter(({ id }) => id !== fact.withdraws)
  if ([known, ...left].some((one) => tell(alone, one) !== 'accepted')) return 'contradiction'
  replace(model.rentals, ({ order: key }) => key === fact.order, alone.rentals)
  drop(model, fact.order, model.rentals)
  replace(model.orderEvents, ({ id }) => id === fact.withdraws, [])
  model.closed.set(fact.withdraws, fact.order).set(fact.id, fact.order)
  return 'accepted'
}

function replace<Item>(items: Item[], isReplaced: (item: Item) => boolean, by: readonly Item[]): void {
  items.splice(0, items.length, ...items.filter((item) => !isReplaced(item)), ...by)
}

/** A later refurbishment must not lose the months over which its emission is spread. */
function withdrawFromDevice(model: Model, fact: WithdrawalFact & { readonly serial: string }): Verdict {
  const { serial, withdraws } = fact
  const device = model.devices.get(serial)
  if (!device) return 'unknown'
  if (model.closed.get(withdraws) === serial) return 'contradiction'
  if (device.named.some((one) => one.id === withdraws)) {
    const left = device.named.filter((one) => one.id !== withdraws)
    model.devices.set(serial, named(model, left, device.isCapped))
    model.closed.set(withdraws, serial).set(fact.id, serial)
    return 'accepted'
  }
  const all = [...model.happenings]
  const withdrawn = all.find((event) => event.serial === serial && event.id === withdraws)
  if (!withdrawn) return 'malformed'
  const others = all.filter((event) => event.serial === serial && event.type === 'refurbished' && event !== withdrawn)
  const alive = others.filter((event) => isLess(ZERO, monthsLeftAfter(model, event)))
  replace(model.happenings, (event) => event === withdrawn, [])
  const { isCapped } = model.devices.get(serial)!
  if (isCapped && alive.some((event) => !isLess(ZERO, monthsLeftAfter(model, event)))) {
    replace(model.happenings, () => true, all)
    return 'contradiction'
  }
  model.closed.set(withdraws, serial).set(fact.id, serial)
  return 'accepted'
}

interface Anew {
  readonly by: string
  readonly to: string
  /** Before a correction. */
  readonly isHeld: boolean
}

/** The order that names a device: the one that did last or, once it does not have it, the first one that has. */
function namer(model: Model, serial: string, held: string | null): string | null {
  const { by } = model.devices.get(serial)!.named.at(-1)!
  const having = new Set(model.rentals.filter((rental) => rental.serial === serial).map(({ order: key }) => key))
  if (held !== null) having.add(held)
  const first = [...(model.takers.get(serial) ?? [])].find((key) => having.has(key))
  if (by === null || first === undefined || having.has(by)) return by
  return first === held || model.orders.get(first)!.devices.some((device) => device.serial === serial) ? first : by
}

/** The order that named a device first may name it otherwise; so may any, where nobody rents it any more. */
function nameAnew(
  model: Model,
  serial: string,
  { named: names, isCapped, model: before }: Device,
  { by, to, isHeld }: Anew,
) {
  const { id } = names.at(-1)!
  const isRented = isHeld || model.rentals.some((rental) => rental.serial === serial)
  const isNaming = namer(model, serial, isHeld ? by : null) === by
  if (id !== null || (!isNaming && isRented)) return
  const earlier = to === before ? names.slice(0, -1) : names
  model.devices.set(serial, named(model, [...earlier, { id: null, by, model: to }], isCapped))
}

const take = ({ takers }: Model, serial: string, order: string): void =>
  void takers.set(serial, (takers.get(serial) ?? new Set()).add(order))

/** An order that takes a device up again that it had dropped comes last, and does not name it any more. */
function drop(model: Model, order: string, rentals: readonly Rental[]): void {
  const has = (key: string, serial: string) =>
    rentals.some((rental) => rental.order === key && rental.serial === serial)
  for (const [serial, keys] of model.takers) {
    if (has(order, serial) || !keys.delete(order)) continue
    const { named: names, isCapped } = model.devices.get(serial)!
    const last = names.at(-1)!
    const first = [...keys].find((key) => has(key, serial))
    const isOwn = first !== undefined && model.orders.get(first)!.devices.some((device) => device.serial === serial)
    if (last.id === null && last.by === order && isOwn)
      model.devices.set(serial, named(model, [...names.slice(0, -1), { ...last, by: first }], isCapped))
  }
}

/** A device that the order named and has no more is what the first order says that has it, unless by a swap. */
function nameLeft(model: Model, serial: string, left: string): void {
  const { named: names, isCapped, model: before } = model.devices.get(serial)!
  const { id } = names.at(-1)!
  const having = new Set(model.rentals.filter((rental) => rental.serial === serial).map(({ order: key }) => key))
  const first = [...(model.takers.get(serial) ?? [])].find((key) => having.has(key))
  if (id !== null || having.has(left) || first === undefined) return
  const to = model.orders.get(first)!.devices.find((device) => device.serial === serial)?.model
  if (to === undefined) return
  const earlier = to === before ? names.slice(0, -1) : names
  model.devices.set(serial, named(model, [...earlier, { id: null, by: first, model: to }], isCapped))
}

const NONE: ReadonlySet<string> = new Set()

/** As if the order had been told so at first: its events have to be possible for the order on its own. */
function correct(model: Model, { order: key, right }: CorrectionFact): Verdict {
  const known = model.orders.get(key)
  if (!known) return 'unknown'
  if (isDeepStrictEqual(known, right)) return 'accepted'
  const events = model.orderEvents.filter((event) => event.order === key)
  const trial: Model = {
    ...model,
    rentals: model.rentals.filter((rental) => rental.order !== key).map((rental) => ({ ...rental })),
    orders: new Map(model.orders),
    devices: new Map(model.devices),
    happenings: [...model.happenings],
    orderEvents: model.orderEvents.filter((event) => event.order !== key),
  }
  const alone = emptyModel(model.catalogue, model.isCapped)
  if ([right, ...events].some((one) => tell(alone, one) !== 'accepted')) return 'contradiction'
  const heldBefore = new Set(model.rentals.filter((rental) => rental.order === key).map(({ serial }) => serial))
  order(trial, right, heldBefore)
  for (const event of events) {
    if (event.type === 'swapped' && !trial.devices.has(event.by)) {
      const { model: replaced } = trial.devices.get(event.serial!)!
      trial.devices.set(event.by, named(trial, [{ id: null, by: key, model: replaced }], trial.isCapped))
    }
  }
  replace(trial.rentals, (rental) => rental.order === key, alone.rentals)
  for (const serial of heldBefore) if (namer(model, serial, null) === key) nameLeft(trial, serial, key)
  drop(trial, key, trial.rentals)
  trial.orderEvents.push(...alone.orderEvents)
  for (const [id, of] of model.closed) if (of === key) model.closed.delete(id)
  replace(model.rentals, () => true, trial.rentals)
  replace(model.orderEvents, () => true, trial.orderEvents)
  for (const [order, content] of trial.orders) model.orders.set(order, content)
  for (const [serial, device] of trial.devices) model.devices.set(serial, device)
  return 'accepted'
}

/** @param heldBefore devices of the order before a correction */
function order(model: Model, fact: OrderFact, heldBefore: ReadonlySet<string> = NONE): Verdict {
  model.orders.set(fact.order, fact)
  for (const { serial, model: name, tenure } of fact.devices) {
    const device = model.devices.get(serial)
    if (!device) model.devices.set(serial, named(model, [{ id: null, by: fact.order, model: name }], model.isCapped))
    else nameAnew(model, serial, device, { by: fact.order, to: name, isHeld: heldBefore.has(serial) })
    take(model, serial, fact.order)
    model.rentals.push({
      order: fact.order,
      orderId: fact.orderId,
      customer: fact.customer,
      serial,
      start: fact.start,
      end: monthsLater(fact.start, tenure),
      months: fraction(tenure),
      tenure: fraction(tenure),
      before: ZERO,
      state: 'running',
      isShipped: true,
    })
  }
  return 'accepted'
}

function orderEvent(model: Model, fact: OrderEventFact): Verdict {
  const known = model.orders.get(fact.order)
  if (!known) return 'unknown'
  const own = model.rentals.filter((rental) => rental.order === fact.order)
  const concerned = own.filter(
    ({ serial, state }) => serial === fact.serial || (fact.serial === undefined && state === 'running'),
  )
  if (concerned.length === 0) return fact.serial === undefined ? 'contradiction' : 'malformed'
  if (fact.type === 'swapped' && concerned.length > 1) return 'malformed'
  if (concerned.some((rental) => rental.state !== 'running' || contradicts(model, rental, fact, known))) {
    return 'contradiction'
  }
  // Who has held one of its devices cannot cancel the order any more.
  const isWhole = fact.serial === undefined
  const hasBegun = own.some(({ state }) => state === 'returned' || state === 'swapped')
  if (fact.type === 'cancelled' && isWhole && hasBegun) return 'contradiction'
  for (const rental of concerned) change(model, rental, fact, known)
  // A swap stays a swap of the device that it replaced.
  model.orderEvents.push(fact.type === 'swapped' ? { ...fact, serial: concerned[0]!.serial } : fact)
  return 'accepted'
}

function contradicts(model: Model, rental: Rental, fact: OrderEventFact, known: OrderFact): boolean {
  switch (fact.type) {
    case 'returned':
      return fact.date < rental.start || reachOf(model, rental, fact.date) < fact.date
    case 'extended': {
      const end = monthsLater(known.start, fact.tenure)
      return end <= rental.end || reachOf(model, rental, end) <= rental.end
    }
    case 'cancelled':
      return fact.date >= known.start || rental.start > known.start
    case 'swapped':
      return (
        fact.date < rental.start || fact.date >= endOf(model, rental) || isTaken(model, fact.by, fact.date, fact.order)
      )
  }
}

/** The day on which a rental would really end if it were planned up to this one. */
function reachOf(model: Model, rental: Rental, day: string): string {
  const { end } = rental
  rental.end = day
  const reached = endOf(model, rental)
  rental.end = end
  return reached
}

/** Rented on that day, gone by then, or in the order already. */
const isTaken = (model: Model, serial: string, day: string, order: string): boolean =>
  model.rentals.some(
    (rental) =>
      rental.serial === serial && (rental.order === order || (rental.start <= day && day < endOf(model, rental))),
  ) || model.happenings.some((event) => event.serial === serial && event.type !== 'refurbished' && event.date <= day)

function change(model: Model, rental: Rental, fact: OrderEventFact, known: OrderFact): void {
  switch (fact.type) {
    case 'returned':
      rental.months =
        fact.date <= rental.end
          ? fact.date < rental.end
            ? least(rental.months, monthsBetween(rental.start, fact.date))
            : rental.months
          : plus(rental.months, monthsBetween(rental.end, fact.date))
      rental.end = fact.date
      rental.state = 'returned'
      return
    case 'extended':
      rental.tenure = fraction(fact.tenure)
      rental.months = minus(rental.tenure, rental.before)
      rental.end = monthsLater(known.start, fact.tenure)
      return
    case 'cancelled':
      rental.months = ZERO
      rental.end = rental.start
      rental.state = 'cancelled'
      rental.isShipped = fact.dispatched
      return
    case 'swapped':
      swap(model, rental, fact)
  }
}

function swap(model: Model, rental: Rental, fact: Extract<OrderEventFact, { type: 'swapped' }>): void {
  const { end, tenure } = rental
  rental.months = least(rental.months, monthsBetween(rental.start, fact.date))
  rental.end = fact.date
  rental.state = 'swapped'
  const before = plus(rental.before, rental.months)
  const replaced = model.devices.get(rental.serial)!
  const known = model.devices.get(fact.by)
  if (!known) {
    const name = fact.model ?? replaced.model
    model.devices.set(fact.by, named(model, [{ id: null, by: rental.order, model: name }], model.isCapped))
  } else if (fact.model !== undefined)
    nameAnew(model, fact.by, known, { by: rental.order, to: fact.model, isHeld: false })
  take(model, fact.by, rental.order)
  const { order, orderId, customer } = rental
  const months = minus(tenure, before)
  const common = { order, orderId, customer, isShipped: true, state: 'running' as const }
  model.rentals.push({ ...common, serial: fact.by, start: fact.date, end, months, tenure, before })
}

function deviceEvent(model: Model, fact: DeviceEventFact): Verdict {
  const device = model.devices.get(fact.serial)
  if (!device) return 'unknown'
  if (fact.type === 'refurbished' && fact.burden === null) {
    // By what the device is when it is told, whatever it is called later.
    const { refurbishment: burden } = device.figures
    return burden === null ? 'malformed' : deviceEvent(model, { ...fact, burden })
  }
  const own = model.happenings.filter(({ serial }) => serial === fact.serial)
  const end = own.find(({ type }) => type !== 'refurbished')
  if (end && (fact.type !== 'refurbished' || end.date <= fact.date)) return 'contradiction'
  if (fact.type === 'refurbished') {
    model.happenings.push(fact)
    // Without a cap no device is spent.
    const { isCapped } = model.devices.get(fact.serial)!
    if (!isCapped || isLess(ZERO, monthsLeftAfter(model, fact))) return 'accepted'
    model.happenings.pop()
    return 'contradiction'
  }
  const isUsedLater =
    own.some(({ date }) => date > fact.date) ||
    model.rentals.some(({ serial, start, end }) => serial === fact.serial && start < end && start >= fact.date)
  if (isUsedLater) return 'contradiction'
  model.happenings.push(fact)
  return 'accepted'
}
