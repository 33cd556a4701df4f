// What a scenario changes: the content of orders, the models of devices, the electricity of rentals. Nothing of it is
// stored. METHODOLOGY.md#scenarios
import type { OrderEvent } from '../order-events.ts'
import type { RecordedEvent } from '../order-replay.ts'
import type { Item, Order, Packaging, Transportation } from '../order.ts'
import type { Rational } from '../numbers/rational.ts'
import type { DeviceType, ReferenceData, TransportMode } from '../reference/reference-data.ts'
import { productsOf } from '../resolve-order.ts'
import { distanceBases } from '../transport.ts'

/** The longest tenure that an order may have, in months. */
export const TENURE_MONTHS_MAX = 1200

interface Limited {
  /** Null for devices of all types. */
  readonly deviceType: DeviceType | null
}

/** Each rental has so many months more. */
export interface TenureChange extends Limited {
  readonly type: 'tenure'
  readonly months: number
}

/** Legs of a mode or with an id go by another transport. Exactly one of `mode` and `from` is stated. */
export interface TransportationChange extends Limited {
  readonly type: 'transportation'
  readonly mode: TransportMode | null
  readonly from: string | null
  readonly to: string
}

/** A packaging, or all, is replaced by another one of the same weight. */
export interface PackagingChange extends Limited {
  readonly type: 'packaging'
  /** Null for all. */
  readonly from: string | null
  readonly to: string
}

/** Devices that are charged by a model are charged by another one. */
export interface ModelChange extends Limited {
  readonly type: 'model'
  readonly from: string
  readonly to: string
}

/** Electricity has another factor. */
export interface ElectricityChange extends Limited {
  readonly type: 'electricity'
  /** Null for all countries. */
  readonly country: string | null
  /** kg CO2e per kWh, 0 or more. */
  readonly factor: Rational
}

/** Changes of what an order says. */
export type ContentChange = TenureChange | TransportationChange | PackagingChange
export type ScenarioChange = ContentChange | ModelChange | ElectricityChange
export const CHANGE_TYPES = [
  'tenure',
  'transportation',
  'packaging',
  'model',
  'electricity',
] as const satisfies readonly ScenarioChange['type'][]

/** Why a change leaves an order as it is. */
export const UNCHANGED_REASONS = [
  'no_devices',
  'other_device_type',
  'no_such_leg',
  'no_such_packaging',
  'no_such_model',
  'not_in_release',
  'wrong_distance_basis',
  'tenure_too_long',
  'extended_together',
  'event_contradicts',
  'orders_outside_scope',
  'other_country',
  'electricity_unknown',
] as const
export type UnchangedReason = (typeof UNCHANGED_REASONS)[number]

/** The content of an order with its events, in the order in which they were recorded. */
export interface OrderContent {
  readonly order: Order
  readonly events: readonly RecordedEvent[]
}

export type ContentResult = { readonly content: OrderContent } | { readonly unchanged: UnchangedReason }

/** The type of a device, by which it is charged; null if that is not known. @param serialNumber of the order as sent */
type TypeOf = (serialNumber: string) => DeviceType | null

/**
 * What a change makes of an order.
 * @param referenceData of the order's release: what it lacks cannot be in the order
 */
export function changeContent(
  content: OrderContent,
  change: ContentChange,
  typeOf: TypeOf,
  referenceData: ReferenceData,
): ContentResult {
  switch (change.type) {
    case 'tenure':
      return withTenure(content, change, typeOf)
    case 'transportation':
      return withTransport(content, change, typeOf, referenceData)
    case 'packaging':
      return withPackaging(content, change, typeOf, referenceData)
  }
}

function withTenure({ order, events }: OrderContent, change: TenureChange, typeOf: TypeOf): ContentResult {
  const products = productsOf(order)
  if (products.length === 0) return { unchanged: 'no_devices' }
  const longer = new Set(
    products.flatMap(({ serialNumber }) => (isOfType(typeOf(serialNumber), change) ? serialNumber : [])),
  )
  if (longer.size === 0) return { unchanged: 'other_device_type' }
  const isForSome = longer.size < products.length
  if (isForSome && events.some((event) => isExtension(event) && event.serialNumber === null))
    return { unchanged: 'extended_together' }
  const items = order.items.map((item) =>
    item.type === 'product' && longer.has(item.serialNumber)
      ? { ...item, tenureMonths: item.tenureMonths + change.months }
      : item,
  )
  const sentFor = devicesSentFor(events)
  const isLonger = (serial: string | null) => serial === null || longer.has(sentFor.get(serial) ?? serial)
  const later = events.map((event) =>
    isExtension(event) && isLonger(event.serialNumber)
      ? { ...event, tenureMonths: event.tenureMonths + change.months }
      : event,
  )
  const months = [
    ...items.flatMap((item) => (item.type === 'product' ? item.tenureMonths : [])),
    ...later.filter(isExtension).map(({ tenureMonths }) => tenureMonths),
  ]
  if (Math.max(...months) > TENURE_MONTHS_MAX) return { unchanged: 'tenure_too_long' }
  return { content: { order: { ...order, items }, events: later } }
}

/** For each device that a swap brought in, the device of the order as sent that it stands for. */
function devicesSentFor(events: readonly RecordedEvent[]): ReadonlyMap<string, string> {
  const sentFor = new Map<string, string>()
  for (const event of events) {
    if (event.type !== 'swapped' || event.serialNumber === null) continue
    sentFor.set(event.newSerialNumber, sentFor.get(event.serialNumber) ?? event.serialNumber)
  }
  return sentFor
}

const isExtension = (event: RecordedEvent): event is Extract<OrderEvent, { readonly type: 'extended' }> =>
  event.type === 'extended'

function withTransport(
  { order, events }: OrderContent,
  change: TransportationChange,
  typeOf: TypeOf,
  { transports }: ReferenceData,
): ContentResult {
  const isMeant = (item: Item): item is Transportation =>
    item.type === 'transportation' &&
    item.transportationId !== change.to &&
    (change.from === null || item.transportationId === change.from) &&
    (change.mode === null || transports.get(item.transportationId)?.mode === change.mode)
  if (!order.items.some(isMeant)) return { unchanged: 'no_such_leg' }
  if (!hasOnlyType(order, change, typeOf)) return { unchanged: 'other_device_type' }
  const factor = transports.get(change.to)
  if (!factor) return { unchanged: 'not_in_release' }
  const bases = distanceBases(factor.mode)
  const isWrong = ({ distanceBasis }: Transportation) => distanceBasis !== null && !bases.includes(distanceBasis)
  if (order.items.some((item) => isMeant(item) && isWrong(item))) return { unchanged: 'wrong_distance_basis' }
  const items = order.items.map((item) =>
    isMeant(item) ? { ...item, transportationId: change.to, transportationMode: factor.mode } : item,
  )
  return { content: { order: { ...order, items }, events } }
}

function withPackaging(
  { order, events }: OrderContent,
  change: PackagingChange,
  typeOf: TypeOf,
  { packagings }: ReferenceData,
): ContentResult {
  const isMeant = (item: Item): item is Packaging =>
    item.type === 'packaging' &&
    item.packagingId !== change.to &&
    (change.from === null || item.packagingId === change.from)
  if (!order.items.some(isMeant)) return { unchanged: 'no_such_packaging' }
  if (!hasOnlyType(order, change, typeOf)) return { unchanged: 'other_device_type' }
  if (!packagings.has(change.to)) return { unchanged: 'not_in_release' }
  const items = order.items.map((item) => (isMeant(item) ? { ...item, packagingId: change.to } : item))
  return { content: { order: { ...order, items }, events } }
}

/** True if a change that is limited to a type concerns a device of the given one. */
export const isOfType = (type: DeviceType | null, { deviceType }: Limited): boolean =>
  deviceType === null || type === deviceType

/** Legs and packaging belong to the whole order: a limit to a type is met by orders that have no other devices. */
function hasOnlyType(order: Order, change: Limited, typeOf: TypeOf): boolean {
  if (change.deviceType === null) return true
  const products = productsOf(order)
  return products.length > 0 && products.every(({ serialNumber }) => isOfType(typeOf(serialNumber), change))
}
