// Parses the body of a batch into its items, and an event of a batch into what it concerns and the event itself.
import type { OrderKey } from '../engine/device-timeline.ts'
import { escapePointer, type Problem } from '../engine/order.ts'
import {
  BATCH_ITEMS_MAX,
  EVENTS_OF_DEVICES,
  EVENTS_OF_ORDERS,
  type EventOfDevice,
  type EventOfOrder,
} from './batch-schema.ts'
import type { WireDeviceEvent, WireOrderEvent } from './event-schema.ts'
import type { DayLimits } from './day-limits.ts'
import { EXPECTED, REQUEST_MESSAGES, missingValue, wrongValue } from './messages.ts'
import type { NamedSchema } from './named-schema.ts'
import { parseEvent } from './parse-event.ts'
import { misnamedMember, type Validate } from './validation.ts'

export type ParsedBatch =
  | { readonly ok: true; readonly items: readonly unknown[]; readonly ignored: readonly string[] }
  | { readonly ok: false; readonly problems: readonly Problem[] }

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Parses a body that has its items in one member. The items are not validated.
 * @param name the member
 */
export function parseBatch(body: unknown, name: string): ParsedBatch {
  if (!isObject(body)) return fault('', wrongValue(EXPECTED.expected_object(), body))
  const items = Object.hasOwn(body, name) ? body[name] : undefined
  const expected = EXPECTED.expected_array({ max: BATCH_ITEMS_MAX })
  const path = `/${name}`
  if (items === undefined) return fault(path, missingValue(expected, misnamedMember(name, body, [name])))
  if (!Array.isArray(items)) return fault(path, wrongValue(expected, items))
  const count = items.length
  if (count > BATCH_ITEMS_MAX) return fault(path, REQUEST_MESSAGES.too_many_elements({ max: BATCH_ITEMS_MAX, count }))
  const others = Object.keys(body).filter((member) => member !== name)
  return { ok: true, items, ignored: others.map((member) => `/${escapePointer(member)}`) }
}

const fault = (path: string, message: Omit<Problem, 'path'>): ParsedBatch => ({
  ok: false,
  problems: [{ path, ...message }],
})

export type ParsedBatchEvent =
  | ({ readonly ok: true; readonly of: 'order'; readonly order: OrderKey; readonly event: WireOrderEvent } & Parsed)
  | ({
      readonly ok: true
      readonly of: 'device'
      readonly serialNumber: string
      readonly event: WireDeviceEvent
    } & Parsed)
  | { readonly ok: false; readonly problems: readonly Problem[] }

export type EventToRecord = Extract<ParsedBatchEvent, { readonly ok: true }>

interface Parsed {
  /** JSON pointers of unknown members. */
  readonly ignored: readonly string[]
  /** The event's id as it was sent; the event has it trimmed and normalised. */
  readonly idAsSent: string
  readonly warnings: readonly Problem[]
}

const EVENTS = { ...EVENTS_OF_ORDERS, ...EVENTS_OF_DEVICES }

/**
 * Parses an event of a batch. It is an event of an order if it has a `customer_id` or an `order_id`, and otherwise of
 * the device of its `serial_number`. The ids of an order are left as they were sent.
 */
export function parseBatchEvent(
  body: unknown,
  validatorOf: (schema: NamedSchema) => Validate,
  limits: DayLimits | null,
): ParsedBatchEvent {
  const namesOrder = isObject(body) && (has(body, 'customer_id') || has(body, 'order_id'))
  if (namesOrder && isOfDevicesOnly(body['type']))
    return { ok: false, problems: [{ path: '/type', ...REQUEST_MESSAGES.event_of_device({ type: body['type'] }) }] }
  const kinds = namesOrder ? EVENTS_OF_ORDERS : EVENTS
  const read = parseEvent<EventOfOrder | EventOfDevice>(body, kinds, validatorOf, limits)
  if (!read.ok) return read
  const { ignored, idAsSent, warnings } = read
  const common = { ignored, idAsSent, warnings }
  if ('order_id' in read.event) {
    const { customer_id: customerId, order_id: orderId, ...event } = read.event
    return { ok: true, of: 'order', order: { customerId, orderId }, event, ...common }
  }
  const { serial_number: serialNumber, ...event } = read.event
  return { ok: true, of: 'device', serialNumber, event, ...common }
}

const has = (body: Members, name: string): boolean => Object.hasOwn(body, name) && body[name] != null

const isOfDevicesOnly = (type: unknown): type is string =>
  typeof type === 'string' && Object.hasOwn(EVENTS_OF_DEVICES, type) && !Object.hasOwn(EVENTS_OF_ORDERS, type)
