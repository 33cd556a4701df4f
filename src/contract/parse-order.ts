// Parses a request body into an order: validates its shape, resolves names and reports all errors together.
import type { OrderKey } from '../engine/device-timeline.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import type { MappingOf } from '../engine/reference/product-match.ts'
import { escapePointer, type Item, type Order, type Problem } from '../engine/order.ts'
import { rationalOfNumber } from '../engine/numbers/rational.ts'
import { ORDER_MESSAGES } from '../engine/messages.ts'
import { PROBLEMS_MAX, validateCountry, validateItems } from '../engine/validate-order.ts'
import { resolveOrder, type ResolvedItem } from '../engine/resolve-order.ts'
import {
  FIRST_DAY,
  LAST_DAY,
  OrderParams,
  PackagingConfig,
  ProductConfig,
  TransportationConfig,
  type WireItem,
  type WireOrder,
} from './order-schema.ts'
import { tenureStartProblems, type DayLimits } from './day-limits.ts'
import { REQUEST_MESSAGES, missingValue } from './messages.ts'
import { NULLS_OF_ORDER, withoutNulls } from './null-members.ts'
import { warningsOf } from './order-warnings.ts'
import { isPlaceholderSerialNumber } from './placeholder-serial.ts'
import type { ValidationResult, Validate } from './validation.ts'

export type ParsedOrderResult =
  | {
      readonly ok: true
      readonly wire: WireOrder
      readonly items: readonly ResolvedItem[]
      readonly ignored: readonly string[]
      /** The key as it was sent, if white space was trimmed from it or it was normalised; else null. */
      readonly keyAsSent: OrderKey | null
      readonly warnings: readonly Problem[]
    }
  | {
      readonly ok: false
      readonly problems: readonly Problem[]
      /** The order if the shape of its items is valid, even if other parts are not; else null. */
      readonly order: Order | null
      readonly shape: ValidationResult
    }

/** The members that each item type may have, in the order in which they are stored. */
const CONFIG_MEMBERS = {
  product: Object.keys(ProductConfig.properties),
  transportation: Object.keys(TransportationConfig.properties),
  packaging: Object.keys(PackagingConfig.properties),
}
const ORDER_MEMBERS = Object.keys(OrderParams.properties)
const ITEM_TYPES: readonly unknown[] = Object.keys(CONFIG_MEMBERS)
const ITEM_MEMBERS = ['type', 'config']
const NONE: readonly string[] = []

/**
 * Parses an order from a decoded body. Errors of shape and of names are reported together.
 * @param mappingOf product mappings of the account
 * @param limits the last days that the account may send; null if it has no limits
 * @param moreMembers known members of the body that do not belong to the order
 */
export function parseOrder(
  body: unknown,
  validate: Validate,
  referenceData: ReferenceData,
  mappingOf: MappingOf,
  limits: DayLimits | null,
  moreMembers: readonly string[] = [],
): ParsedOrderResult {
  const shape = validate(body)
  if (shape.faulty.size > 0) {
    const bare = withoutNulls(body, NULLS_OF_ORDER)
    if (bare !== body) return parseOrder(bare, validate, referenceData, mappingOf, limits, moreMembers)
  }
  const isSound =
    shape.faulty.size === 0 || [...shape.faulty].every((path) => moreMembers.some((name) => isWithin(path, name)))
  if (!isSound)
    return {
      ok: false,
      problems: allProblems(body, shape, referenceData, limits),
      order: orderOfSound(body, shape),
      shape,
    }
  const wire = normaliseOrder(body as WireOrder)
  const order = toEngineOrder(wire)
  const resolved = resolveOrder(order, referenceData, mappingOf)
  const meaning = [...misnamedItems(body as WireOrder), ...dayProblems(wire, limits), ...identifierProblems(wire)]
  const problems = [...shape.problems, ...meaning, ...(resolved.ok ? [] : resolved.problems)]
  if (!resolved.ok || problems.length > 0) return { ok: false, problems: cut(problems), order, shape }
  const { items } = resolved
  return {
    ok: true,
    wire,
    items,
    ignored: ignoredMembers(body as WireOrder, moreMembers),
    ...identifiersAsSent(body as WireOrder, wire, items),
  }
}

function identifiersAsSent(body: WireOrder, wire: WireOrder, items: readonly ResolvedItem[]) {
  const { customer_id: customerId, order_id: orderId } = body
  const isAsSent = customerId === wire.customer_id && orderId === wire.order_id
  return { keyAsSent: isAsSent ? null : { customerId, orderId }, warnings: warningsOf(body, wire, items) }
}

const isWithin = (path: string, name: string): boolean => path === `/${name}` || path.startsWith(`/${name}/`)

const cut = (problems: readonly Problem[]): readonly Problem[] => problems.slice(0, PROBLEMS_MAX)

function orderOfSound(body: unknown, { faulty }: ValidationResult): Order | null {
  const isFaulty = faulty.has('') || [...faulty].some((path) => isWithin(path, 'items'))
  // Without ids, which may be invalid, and metadata, which may also be very large.
  const rest = { customer_id: '', order_id: '', metadata: {} }
  return isFaulty ? null : toEngineOrder(normaliseOrder({ ...(body as WireOrder), ...rest }))
}

/** Errors of the shape, and errors of meaning in the parts of the body whose shape is valid. */
function allProblems(
  body: unknown,
  { problems, faulty }: ValidationResult,
  referenceData: ReferenceData,
  limits: DayLimits | null,
): readonly Problem[] {
  if (!isObject(body)) return problems
  const order = body as WireOrder
  const meaning = [
    ...misnamedItems(order),
    ...dayProblems(order, limits, faulty),
    ...identifierProblems(order, faulty),
    ...(faulty.has('/country') ? [] : validateCountry(order.country ?? null, referenceData, '/country')),
    ...validateItems(soundItems(order, faulty), referenceData),
  ]
  return cut([...problems, ...meaning.filter(({ path }) => !faulty.has(path))])
}

const NOWHERE: ReadonlySet<string> = new Set()

/** Dates outside the accepted range. The schema only checks that a day exists. */
function dayProblems(order: WireOrder, limits: DayLimits | null, faulty = NOWHERE): readonly Problem[] {
  const outOfRange = (['order_date', 'tenure_start_date'] as const)
    .filter((name) => !faulty.has(`/${name}`) && (order[name] < FIRST_DAY || order[name] > LAST_DAY))
    .map((name) => ({
      path: `/${name}`,
      ...ORDER_MESSAGES.day_out_of_range({ first: FIRST_DAY, last: LAST_DAY, sent: order[name] }),
    }))
  return outOfRange.length > 0 ? outOfRange : tenureStartProblems(order.tenure_start_date, limits)
}

/** Ids of white space only, and placeholders for serial numbers, among the members with a valid shape. */
function identifierProblems(order: WireOrder, faulty = NOWHERE): readonly Problem[] {
  const problems: Problem[] = []
  for (const name of ['customer_id', 'order_id'] as const)
    if (!faulty.has(`/${name}`) && isBlank(order[name])) problems.push({ path: `/${name}`, ...ORDER_MESSAGES.blank() })
  if (!Array.isArray(order.items)) return problems
  for (const [position, item] of order.items.entries()) {
    if (!isObject(item) || item.type !== 'product' || !isObject(item.config)) continue
    const path = `/items/${position}/config`
    const { product_id: productId, serial_number: serialNumber } = item.config
    if (isBlank(productId)) problems.push({ path: `${path}/product_id`, ...ORDER_MESSAGES.blank() })
    if (typeof serialNumber === 'string' && serialNumber.trim() !== '' && isPlaceholderSerialNumber(serialNumber))
      problems.push(placeholderSerialNumber(`${path}/serial_number`, serialNumber))
    if (problems.length >= PROBLEMS_MAX) break
  }
  return problems
}

/** True for a text of white space only. */
const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === ''

/** A serial number that stands for a missing one is refused. */
export const placeholderSerialNumber = (path: string, sent: string): Problem => ({
  path,
  ...REQUEST_MESSAGES.placeholder_serial_number({ sent }),
})

/**
 * Rejects items under a misspelt member name. Items are optional and unknown members are ignored, so such an order
 * would otherwise be stored permanently as an empty order.
 */
function misnamedItems(body: WireOrder): readonly Problem[] {
  if (Object.hasOwn(body, 'items')) return []
  const name = Object.entries(body).find(([, value]) => holdsItems(value))?.[0]
  return name === undefined ? [] : [{ path: '/items', ...missingValue(null, name) }]
}

function holdsItems(value: unknown): boolean {
  const first: unknown = Array.isArray(value) ? value[0] : undefined
  return isObject(first) && 'type' in first && ITEM_TYPES.includes(first.type)
}

/** Placeholders for required members with an invalid shape, so that the other members can still be checked. */
const NEUTRAL = {
  // The serial number is generated per item with a control character, so that it never equals another serial number.
  product: { product_id: '', tenure_months: 0, weight_kg: 0 },
  transportation: { transportation_id: '', transportation_mode: '', distance_km: 0, weight_kg: 0 },
  packaging: { packaging_id: '', weight_kg: 0 },
}

/** Items of a known type by their position, each with its members that have a valid shape. */
function soundItems({ items }: WireOrder, faulty: ReadonlySet<string>): ReadonlyMap<number, Item> {
  const sound = new Map<number, Item>()
  if (!Array.isArray(items) || faulty.has('/items')) return sound
  for (const [position, item] of items.entries()) {
    const path = `/items/${position}`
    if (!isObject(item) || faulty.has(`${path}/type`) || !isObject(item.config)) continue
    const members = Object.entries(item.config).filter(([name]) => !faulty.has(`${path}/config/${name}`))
    const neutral = { ...NEUTRAL[item.type], ...(item.type === 'product' && { serial_number: `\0${position}` }) }
    const config = { ...neutral, ...Object.fromEntries(members) }
    sound.set(position, toItem(canonicalItem({ type: item.type, config } as WireItem)))
  }
  return sound
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The canonical order, which is stored and compared: known members only, in schema order, with normalised ids and
 * serial numbers. Two bodies with the same content have the same canonical order.
 */
export function normaliseOrder(body: WireOrder): WireOrder {
  const order = pick(body, ORDER_MEMBERS)
  order.customer_id = normaliseId(order.customer_id)
  order.order_id = normaliseId(order.order_id)
  if (order.metadata)
    order.metadata = Object.fromEntries(Object.entries(order.metadata).sort(([a], [b]) => (a < b ? -1 : 1)))
  if (order.metadata && Object.keys(order.metadata).length === 0) delete order.metadata
  order.items = (order.items ?? []).map(canonicalItem)
  return order
}

function canonicalItem(item: WireItem): WireItem {
  const config = pick(item.config, CONFIG_MEMBERS[item.type])
  if ('product_id' in config) config.product_id = normaliseId(config.product_id)
  if ('serial_number' in config) config.serial_number = normaliseSerialNumber(config.serial_number)
  if ('transportation_mode' in config) config.transportation_mode = config.transportation_mode.toLowerCase()
  return { type: item.type, config } as WireItem
}

/** Ids are typed, scanned and pasted; variants of the same one must identify the same thing. */
export const normaliseId = (id: string): string => id.normalize('NFC').trim()

export const normaliseSerialNumber = normaliseId

/**
 * A copy with only the known members, in schema order. Only own members are copied, so that `__proto__` or
 * `constructor` in a body is ignored like any other unknown member.
 */
function pick<Value extends object>(value: Value, members: readonly string[]): Value {
  if (isInSequence(value, members)) return { ...value }
  const picked: Record<string, unknown> = {}
  for (const name of members) {
    if (Object.hasOwn(value, name)) picked[name] = value[name as keyof Value]
  }
  return picked as Value
}

/** True if the value has only known members in schema order, as in nearly all requests; then nothing needs picking. */
function isInSequence(value: object, members: readonly string[]): boolean {
  let at = 0
  for (const name in value) {
    at = members.indexOf(name, at) + 1
    if (at === 0) return false
  }
  return true
}

/** JSON pointers of unknown members, reported so that the client can notice misspelt ones. */
function ignoredMembers(body: WireOrder, moreMembers: readonly string[]): readonly string[] {
  const known = moreMembers.length === 0 ? ORDER_MEMBERS : [...ORDER_MEMBERS, ...moreMembers]
  const ignored = unknownMembers(body, known).map((name) => `/${name}`)
  for (const [position, item] of (body.items ?? []).entries()) {
    for (const name of unknownMembers(item, ITEM_MEMBERS)) ignored.push(`/items/${position}/${name}`)
    for (const name of unknownMembers(item.config, CONFIG_MEMBERS[item.type]))
      ignored.push(`/items/${position}/config/${name}`)
  }
  return ignored
}

export function unknownMembers(value: object, members: readonly string[]): readonly string[] {
  // Fast path, because this runs for every order and item, and nearly none has unknown members.
  if (isInSequence(value, members)) return NONE
  return Object.keys(value)
    .filter((name) => !members.includes(name))
    .map(escapePointer)
}

/** Converts a canonical order to the engine's exact units. A JSON number is the decimal that it prints as. */
export function toEngineOrder(wire: WireOrder): Order {
  return {
    customerId: wire.customer_id,
    orderId: wire.order_id,
    orderDate: wire.order_date,
    tenureStartDate: wire.tenure_start_date,
    country: wire.country ?? null,
    items: (wire.items ?? []).map(toItem),
  }
}

function toItem({ type, config }: WireItem): Item {
  switch (type) {
    case 'product':
      return {
        type,
        productId: config.product_id,
        serialNumber: config.serial_number,
        tenureMonths: config.tenure_months,
        weightKg: rationalOfNumber(config.weight_kg),
        deviceType: config.device_type ?? null,
        modelId: config.model_id ?? null,
        productName: config.product_name ?? null,
        brand: config.brand ?? null,
        country: config.country ?? null,
      }
    case 'transportation':
      return {
        type,
        transportationId: config.transportation_id,
        transportationMode: config.transportation_mode,
        distanceKm: rationalOfNumber(config.distance_km),
        weightKg: rationalOfNumber(config.weight_kg),
        distanceBasis: config.distance_basis ?? null,
      }
    case 'packaging':
      return { type, packagingId: config.packaging_id, weightKg: rationalOfNumber(config.weight_kg) }
  }
}
