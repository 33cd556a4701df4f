// From a request body to an order: its shape checked, its names found, all faults told at once.
import type { ValidateFunction } from 'ajv'
import type { FactorBook } from '../engine/factor-book.ts'
import type { Item, Order, Problem } from '../engine/order.ts'
import { parseDecimal, type Ratio } from '../engine/ratio.ts'
import { PROBLEMS_MAX, countryProblems, problemsOfItems } from '../engine/resolve.ts'
import {
  FIRST_DAY, LAST_DAY, OrderParams, PackagingConfig, ProductConfig, TransportationConfig,
  type WireItem, type WireOrder,
} from './order-schema.ts'
import { problemsOf } from './validate.ts'

export type ReadOrder =
  | { readonly ok: true, readonly wire: WireOrder, readonly order: Order, readonly ignored: readonly string[] }
  | { readonly ok: false, readonly problems: readonly Problem[] }

const CONFIGS = { product: ProductConfig, transportation: TransportationConfig, packaging: PackagingConfig }

/** Reads an order from a parsed body. What of it is faulty is answered together, from its shape to its names. */
export function readOrder(body: unknown, validate: ValidateFunction, book: FactorBook): ReadOrder {
  const shape = validate(body) ? [] : problemsOf(validate.errors ?? [])
  if (shape.length > 0 && !isObject(body)) return { ok: false, problems: shape }
  const faulty = new Set(shape.map(({ path }) => path.split('/', 3).join('/')))
  const problems = [...shape, ...meaningProblems(body as WireOrder, book, (path) => !faulty.has(path))]
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, PROBLEMS_MAX) }
  const wire = canonicalOrder(body as WireOrder)
  return { ok: true, wire, order: toOrder(wire), ignored: ignoredMembers(body as WireOrder) }
}

/** What a schema cannot see: days out of range, names that nobody knows, serial numbers that stand twice. */
function meaningProblems(body: WireOrder, book: FactorBook, isSound: (path: string) => boolean): readonly Problem[] {
  const dates = (['order_date', 'tenure_start_date'] as const)
    .filter((name) => isSound(`/${name}`) && (body[name] < FIRST_DAY || body[name] > LAST_DAY))
    .map((name) => ({ path: `/${name}`, message: `Must be from ${FIRST_DAY} to ${LAST_DAY}; it is ${body[name]}` }))
  const country = isSound('/country') ? countryProblems(body.country ?? null, book, '/country') : []
  return [...dates, ...country, ...problemsOfItems(soundItems(body, isSound), book)]
}

/** The items whose shape is right, each at its own position, so that their names are checked beside the others' faults. */
function soundItems(body: WireOrder, isSound: (path: string) => boolean): ReadonlyMap<number, Item> {
  const items = new Map<number, Item>()
  if (!isSound('/items') || !body.items) return items
  for (const [position, item] of body.items.entries()) {
    if (isSound(`/items/${position}`)) items.set(position, toItem(canonicalItem(item)))
  }
  return items
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The order in the one form that is stored and compared: known members only, in the schema's sequence, serial numbers
 * normalised. Two bodies with the same content have the same canonical order.
 */
export function canonicalOrder(body: WireOrder): WireOrder {
  const { items, metadata, ...members } = pick(body, OrderParams.properties)
  const sorted = metadata && Object.fromEntries(Object.entries(metadata).sort(([a], [b]) => a < b ? -1 : 1))
  return { ...members, ...sorted && { metadata: sorted }, items: (items ?? []).map(canonicalItem) } as WireOrder
}

function canonicalItem(item: WireItem): WireItem {
  const config = pick(item.config, CONFIGS[item.type].properties)
  if ('serial_number' in config) config.serial_number = normalSerial(config.serial_number)
  if ('transportation_mode' in config) config.transportation_mode = config.transportation_mode.toLowerCase()
  return { type: item.type, config } as WireItem
}

/** Serial numbers are typed, scanned and pasted; the same one must be the same device. */
export const normalSerial = (serialNumber: string): string => serialNumber.normalize('NFC').trim()

/** Own members only, so that a body's `__proto__` or `constructor` is as unknown as any other stranger. */
function pick<Value extends object>(value: Value, properties: object): Value {
  const picked: Record<string, unknown> = {}
  for (const name in properties) {
    if (Object.hasOwn(value, name)) picked[name] = value[name as keyof Value]
  }
  return picked as Value
}

/** JSON pointers of the members that nobody asked for, so that a misspelled one is seen. */
function ignoredMembers(body: WireOrder): readonly string[] {
  const strangers = (value: object, properties: object, path: string) =>
    Object.keys(value).filter((name) => !Object.hasOwn(properties, name)).map((name) => `${path}/${name}`)
  return [
    ...strangers(body, OrderParams.properties, ''),
    ...(body.items ?? []).flatMap((item, position) => [
      ...strangers(item, { type: true, config: true }, `/items/${position}`),
      ...strangers(item.config, CONFIGS[item.type].properties, `/items/${position}/config`),
    ]),
  ]
}

/** A canonical order in the engine's exact units. A JSON number that was accepted is the decimal that it prints as. */
export function toOrder(wire: WireOrder): Order {
  return {
    customerId: wire.customer_id,
    orderId: wire.order_id,
    orderDate: wire.order_date,
    tenureStartDate: wire.tenure_start_date,
    country: wire.country ?? null,
    items: (wire.items ?? []).map(toItem),
  }
}

const exact = (number: number): Ratio => parseDecimal(String(number))

function toItem({ type, config }: WireItem): Item {
  switch (type) {
    case 'product': return {
      type,
      productId: config.product_id,
      serialNumber: config.serial_number,
      tenureMonths: config.tenure_months,
      weightKg: exact(config.weight_kg),
      deviceType: config.device_type ?? null,
      modelId: config.model_id ?? null,
      country: config.country ?? null,
    }
    case 'transportation': return {
      type,
      transportationId: config.transportation_id,
      transportationMode: config.transportation_mode,
      distanceKm: exact(config.distance_km),
      weightKg: exact(config.weight_kg),
      distanceBasis: config.distance_basis ?? null,
    }
    case 'packaging': return { type, packagingId: config.packaging_id, weightKg: exact(config.weight_kg) }
  }
}
