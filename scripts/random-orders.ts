// Random orders and events as clients would send them, the same for the same seed: all kinds, many on known devices.
import { DEVICE_TYPES, type ReferenceData } from '../src/engine/reference/reference-data.ts'
import type { WireDeviceEvent, WireOrderEvent } from '../src/contract/event-schema.ts'
import type { WireItem, WireOrder } from '../src/contract/order-schema.ts'

export interface RandomOrders {
  readonly order: () => WireOrder
  /** Something that may have happened to an order; some of it contradicts what is known. */
  readonly orderEvent: (order: WireOrder) => WireOrderEvent
  readonly deviceEvent: () => { readonly serialNumber: string; readonly event: WireDeviceEvent }
}

export type Random = () => number

/** A small generator with a seed (mulberry32): numbers from 0 to below 1. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const pick = <Value>(random: Random, values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)]!

/** How often a device was rented before, and how many devices are remembered for that. */
const KNOWN_SHARE = 0.1
const KNOWN_MAX = 5_000
const CUSTOMERS = 500
const FIRST_YEAR = 2018
const YEARS = 12

/** Of every five one that says that it is no device. */
const unknownProduct = (number: number): string => `${number % 5 === 0 ? 'sleeve' : 'product'}-${number}`

export function createRandomOrders(referenceData: ReferenceData, seed: number): RandomOrders {
  const random = randomFrom(seed)
  const names = namesOf(referenceData)
  const known: string[] = []
  let numbers = 0
  const below = (limit: number) => Math.floor(random() * limit)
  const oneOf = <Value>(values: readonly Value[]): Value => pick(random, values)
  const chance = (share: number) => random() < share
  const number = () => `${seed}-${(numbers += 1)}`
  const day = () => new Date(Date.UTC(FIRST_YEAR + below(YEARS), below(12), 1 + below(31))).toISOString().slice(0, 10)
  const weight = (max: number) => 0.01 + below(max * 100) / 100

  const freshSerial = () => {
    const serial = `SN-${number()}`
    if (known.length < KNOWN_MAX) known.push(serial)
    else known[below(KNOWN_MAX)] = serial
    return serial
  }
  const serial = () => (known.length > 0 && chance(KNOWN_SHARE) ? oneOf(known) : freshSerial())
  const product = (): WireItem => ({
    type: 'product',
    config: {
      product_id: chance(0.8) ? oneOf(names.products) : unknownProduct(below(1000)),
      serial_number: serial(),
      tenure_months: chance(0.02) ? below(600) : below(48),
      weight_kg: weight(20),
      ...(chance(0.3) && { brand: 'Any brand' }),
      ...(chance(0.7) && { device_type: oneOf(names.types) }),
      ...(chance(0.05) && { model_id: oneOf(names.models) }),
      ...(chance(0.1) && { country: oneOf(names.countries) }),
    },
  })
  const transportation = (): WireItem => {
    const { id, mode } = oneOf(names.transports)
    const config = { transportation_id: id, transportation_mode: mode, distance_km: below(20_000) / 10 }
    return {
      type: 'transportation',
      config: { ...config, weight_kg: weight(30), ...(chance(0.3) && { distance_basis: 'actual' as const }) },
    }
  }
  const packaging = (): WireItem => ({
    type: 'packaging',
    config: { packaging_id: oneOf(names.packagings), weight_kg: weight(3) },
  })
  const some = (make: () => WireItem, count: number) => Array.from({ length: count }, make)
  const items = () => {
    if (chance(0.02)) return []
    const products = chance(0.05) ? 0 : chance(0.75) ? 1 : chance(0.98) ? 2 + below(3) : 20 + below(20)
    const all = [...some(product, products), ...some(transportation, below(3)), ...some(packaging, below(2))]
    return chance(0.2) ? all.toReversed() : all
  }

  const order = (): WireOrder => {
    const start = day()
    return {
      customer_id: `customer-${below(CUSTOMERS)}`,
      order_id: `order-${number()}`,
      order_date: start,
      tenure_start_date: start,
      ...(chance(0.6) && { country: oneOf(names.countries) }),
      ...(chance(0.1) && { metadata: { cost_centre: String(below(100)) } }),
      items: withOwnSerials(items()),
    }
  }
  const orderEvent = (of: WireOrder): WireOrderEvent => {
    const event_id = `event-${number()}`
    const products = serialsOf(of)
    const device = products.length > 0 && chance(0.5) ? { serial_number: oneOf(products) } : {}
    const later = addDays(of.tenure_start_date, below(600))
    const kind = random()
    if (kind < 0.4) return { event_id, type: 'returned', ...device, date: later }
    if (kind < 0.6) return { event_id, type: 'extended', ...device, tenure_months: 1 + below(72) }
    if (kind < 0.8) {
      const date = addDays(of.tenure_start_date, -1 - below(30))
      return { event_id, type: 'cancelled', ...device, date, dispatched: chance(0.5) }
    }
    return { event_id, type: 'swapped', ...device, date: later, new_serial_number: serial(), weight_kg: weight(20) }
  }
  const deviceEvent = () => {
    const event_id = `event-${number()}`
    const kind = random()
    const event: WireDeviceEvent =
      kind < 0.7
        ? {
            event_id,
            type: 'refurbished',
            date: day(),
            emission_kg: below(3000) / 100,
            lifetime_months_added: below(24),
          }
        : { event_id, type: kind < 0.85 ? 'retired' : 'lost', date: day() }
    return { serialNumber: oneOf(known), event }
  }
  return { order, orderEvent, deviceEvent }
}

const namesOf = (referenceData: ReferenceData) => ({
  models: [...referenceData.models.keys()],
  products: [...referenceData.models.keys(), ...referenceData.aliases.keys()],
  types: [...DEVICE_TYPES],
  transports: [...referenceData.transports.values()],
  packagings: [...referenceData.packagings.keys()],
  countries: [...referenceData.grid.keys()],
})

const serialsOf = ({ items = [] }: WireOrder): readonly string[] =>
  items.flatMap(({ config }) => ('serial_number' in config ? [config.serial_number] : []))

/** A device stands once in an order. */
function withOwnSerials(items: readonly WireItem[]): WireItem[] {
  const there = new Set<string>()
  return items.filter(({ config }) => {
    if (!('serial_number' in config)) return true
    const isNew = !there.has(config.serial_number)
    there.add(config.serial_number)
    return isNew
  })
}

const DAY_MS = 86_400_000
const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
