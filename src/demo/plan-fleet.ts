// Plans 26 months of a fictional rental company up to a given day: the same day gives the same orders and events.
import { addMonths } from '../engine/numbers/calendar.ts'
import type { OrderKey } from '../engine/device-timeline.ts'
import type { DeviceType, ReferenceData } from '../engine/reference/reference-data.ts'
import type { WireItem } from '../contract/order-schema.ts'
import { createRandom, type Random } from './draw.ts'
import { createFleetTimeline, type DatedFleetEvent, type FleetTimeline } from './fleet-facts.ts'
import { RANDOM_CUSTOMERS, deliveryItems } from './fleet-customers.ts'
import { FLEET_SHARES, fleetProducts, type FleetProduct } from './fleet-products.ts'
import { createStock, type Stock, type StockDevice } from './fleet-stock.ts'

export interface FleetPlan {
  /** Models by the account's own product id. */
  readonly mappings: ReadonlyMap<string, string>
  readonly facts: readonly DatedFleetEvent[]
}

const SEED = 'a rental company'
const DAY_MS = 86_400_000
/** So that each month of the last year has the same month a year before, and those before it rentals to return. */
const DAYS = 792
const ORDERS = 1000
const LONG_SHARE = 0.1
const CANCELLED_SHARE = 0.03
const EXTENDED_SHARE = 0.07
const SWAPPED_SHARE = 0.06
const TOGETHER_SHARE = 0.7
const REFURBISHED_SHARE = 0.3
const RETIRED_SHARE = 0.012
const LOST_SHARE = 0.006
const TYPES: readonly DeviceType[] = FLEET_SHARES.flatMap(({ type, devices }) =>
  Array.from({ length: devices / 5 }, () => type),
)

interface Plan {
  readonly draw: Random
  readonly stock: Stock
  readonly log: FleetTimeline
  /** Converts a day of the plan to a calendar date. */
  readonly date: (day: number) => string
  readonly dayOf: (date: string) => number
}

/** @param today the last day with events, as YYYY-MM-DD; tenures may begin or end after it */
export function planFleet(referenceData: ReferenceData, today: string): FleetPlan {
  const first = Date.parse(today) - DAYS * DAY_MS
  const draw = createRandom(SEED)
  const products = fleetProducts(referenceData)
  const plan: Plan = {
    draw,
    stock: createStock(products, draw),
    log: createFleetTimeline(DAYS),
    date: (day) => new Date(first + day * DAY_MS).toISOString().slice(0, 10),
    dayOf: (date) => (Date.parse(date) - first) / DAY_MS,
  }
  for (let number = 1; number <= ORDERS; number += 1) planOrder(referenceData, plan, number)
  const mapped = [...products.values()].flat().filter(({ mappedTo }) => mappedTo !== null)
  const mappings = new Map(mapped.map(({ named, mappedTo }) => [named.product_id, mappedTo!]))
  return { mappings, facts: plan.log.facts() }
}

function planOrder(referenceData: ReferenceData, plan: Plan, number: number): void {
  const { draw, stock, date } = plan
  const day = Math.floor(((number - 1) * (DAYS + 1)) / ORDERS)
  const customer = draw.oneOf(RANDOM_CUSTOMERS)
  const isLong = draw.chance(LONG_SHARE)
  const months = draw.oneOf(isLong ? [12, 24, 36] : [1, 1, 2, 2, 2, 3, 3, 4, 6])
  const start = day + 2 + draw.below(8)
  const wanted = Array.from({ length: draw.oneOf(isLong ? [2, 3, 4] : [1, 1, 1, 2, 2, 3]) }, () => draw.oneOf(TYPES))
  const devices: StockDevice[] = []
  for (const type of wanted) {
    const device = stock.take(type, day)
    if (!device) continue
    // Until the day of its return is planned.
    device.freeFrom = Infinity
    device.rentals += 1
    devices.push(device)
  }
  const order: OrderKey = {
    customerId: customer.id,
    orderId: `R-${date(day).slice(2, 4)}${String(number).padStart(4, '0')}`,
  }
  const goodsKg = devices.reduce((sum, { product }) => sum + product.weightKg, 0)
  const rented = devices.map(({ serial, product }) => productItem(product, serial, months))
  plan.log.order(
    day,
    {
      customer_id: order.customerId,
      order_id: order.orderId,
      order_date: date(day),
      tenure_start_date: date(start),
      country: customer.country,
      metadata: { site: customer.site, cost_centre: String(4100 + draw.below(4) * 10) },
      items: [...rented, ...deliveryItems(referenceData, customer, goodsKg, draw)],
    },
    devices.map(({ serial }) => serial),
  )
  if (devices.length > 0) planTenure(plan, { order, day, start, months, devices })
}

const productItem = ({ named, weightKg }: FleetProduct, serial: string, months: number): WireItem => ({
  type: 'product',
  config: { ...named, serial_number: serial, tenure_months: months, weight_kg: weightKg },
})

interface Tenure {
  readonly order: OrderKey
  readonly day: number
  readonly start: number
  readonly months: number
  readonly devices: readonly StockDevice[]
}

const serialsOf = (devices: readonly StockDevice[]): readonly string[] => devices.map(({ serial }) => serial)

function planTenure(plan: Plan, { order, day, start, months, devices }: Tenure): void {
  const { draw, log, date, dayOf } = plan
  const cancelled = day + 1
  if (draw.chance(CANCELLED_SHARE) && cancelled < start && cancelled <= DAYS) {
    const event = { type: 'cancelled' as const, date: date(cancelled), dispatched: draw.chance(0.3) }
    log.orderEvent(cancelled, order, event, serialsOf(devices))
    for (const device of devices) device.freeFrom = cancelled + 2
    return
  }
  const endAfter = (count: number): number => dayOf(addMonths(date(start), count))
  let [end, earliest] = [endAfter(months), start + 1]
  const recordedOn = end - 7
  if (draw.chance(EXTENDED_SHARE)) {
    const longer = months + 1 + draw.below(3)
    log.orderEvent(recordedOn, order, { type: 'extended', tenure_months: longer }, serialsOf(devices))
    ;[end, earliest] = [endAfter(longer), recordedOn + 1]
  }
  const isSwapped = draw.chance(SWAPPED_SHARE)
  const held = isSwapped ? planSwap(plan, order, devices, start, recordedOn) : devices
  planReturn(plan, order, held, isSwapped ? recordedOn : earliest, end)
}

/** One device fails and is replaced by another; the failed one is repaired or decommissioned. */
function planSwap(plan: Plan, order: OrderKey, devices: readonly StockDevice[], start: number, before: number) {
  const { draw, log, stock, date } = plan
  const day = start + 4 + draw.below(Math.max(1, before - start - 6))
  if (day > DAYS) return devices
  const failed = draw.oneOf(devices)
  const replacement = stock.replace(failed)
  replacement.freeFrom = Infinity
  replacement.rentals += 1
  log.orderEvent(
    day,
    order,
    {
      type: 'swapped',
      serial_number: failed.serial,
      date: date(day),
      new_serial_number: replacement.serial,
      weight_kg: replacement.product.weightKg,
    },
    [...serialsOf(devices), replacement.serial],
  )
  afterwards(plan, failed, day + 1, true)
  return [...devices.filter((device) => device !== failed), replacement]
}

/** Devices are returned on the agreed day, before it or after it, all together or one by one. */
function planReturn(plan: Plan, order: OrderKey, devices: readonly StockDevice[], earliest: number, end: number): void {
  const { draw, log, date } = plan
  const dayOfReturn = (): number => {
    const kind = draw.below(100)
    if (kind < 60) return end
    return kind < 85 ? end - draw.below(Math.ceil((end - earliest) / 4)) : end + 1 + draw.below(9)
  }
  const together = devices.length === 1 || draw.chance(TOGETHER_SHARE)
  const days = together ? devices.map(() => 0).fill(dayOfReturn()) : devices.map(dayOfReturn)
  if (together) log.orderEvent(days[0]!, order, { type: 'returned', date: date(days[0]!) }, serialsOf(devices))
  for (const [at, device] of devices.entries()) {
    const day = days[at]!
    const event = { type: 'returned' as const, serial_number: device.serial, date: date(day) }
    if (!together) log.orderEvent(day, order, event, [device.serial])
    afterwards(plan, device, day + 1, false)
  }
}

/** What happens to a device after its return. */
function afterwards({ draw, log, date }: Plan, device: StockDevice, day: number, hasFailed: boolean): void {
  const { serial, product } = device
  const [isGone, isLost] = [draw.chance(hasFailed ? 0.3 : RETIRED_SHARE), draw.chance(LOST_SHARE)]
  if (isGone || isLost) {
    log.deviceEvent(day + 1, serial, { type: isGone ? 'retired' : 'lost', date: date(day + 1) })
    device.freeFrom = Infinity
    return
  }
  const isRefurbished = hasFailed || draw.chance(REFURBISHED_SHARE)
  device.freeFrom = day + (isRefurbished ? 9 : 2)
  if (!isRefurbished) return
  const emission = Math.round((1 + product.weightKg * 2 + draw.below(30) / 10) * 10) / 10
  const months = draw.oneOf([6, 12])
  const event = {
    type: 'refurbished' as const,
    date: date(day + 7),
    emission_kg: emission,
    lifetime_months_added: months,
  }
  log.deviceEvent(day + 7, serial, event)
}
