// POST …/events: what happened to an order or a device after it was made; told again, it changes nothing.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Events, NewEvent, PostedEvent } from '../../postgres/orders/events.ts'
import type { StoredEvent } from '../../postgres/orders/order-record.ts'
import { callerOf } from '../serving/authenticate.ts'
import { ref, type Component } from '../requests/component.ts'
import {
  answerLedger,
  isStorable as isStorableSerial,
  serialOf,
  unknownDevice,
  type DevicesContext,
} from '../devices/devices.ts'
import { conflict, differencesOf } from '../wire/differences.ts'
import {
  DEVICE_EVENTS,
  DeviceEventParams,
  ORDER_EVENTS,
  OrderEventParams,
  type WireDeviceEvent,
  type WireOrderEvent,
} from '../wire/event-schema.ts'
import { invalid } from '../requests/failure.ts'
import type { Operation } from '../serving/operation.ts'
import type { OrderAsk } from './order-answer.ts'
import {
  ORDER_PARAMETERS,
  ORDER_PATH,
  isStorable,
  orderKeyOf,
  sendOrder,
  unknownOrder,
  type OrderLookupContext,
} from './order-lookup.ts'
import { deviceEventToPost, orderEventToPost } from './post-event.ts'
import { readQuery } from '../requests/query.ts'
import { readEvent } from '../wire/read-event.ts'
import { noteIgnored, IGNORED } from '../requests/request-manners.ts'
import { DeviceOrderEmissionsResponse, OrderState } from '../wire/ledger-schema.ts'
import type { Validate } from '../requests/validate.ts'

export interface EventsContext extends Omit<OrderLookupContext, 'examples'>, Pick<DevicesContext, 'askDevice'> {
  readonly events: Events
  readonly validatorOf: (schema: Component) => Validate
  readonly examples: { readonly state: unknown; readonly ledger: unknown }
}

const HEADERS = {
  'Dataset-Release': 'Releases of the datasets that the figures were estimated with.',
  'Idempotent-Replayed': '"true" where the event was told before.',
  ...IGNORED,
}
const FAILURES = ['invalid_request', 'not_found', 'conflict', 'too_large', 'unsupported_media_type'] as const

const OTHER_ORDER_EVENTS = {
  extended: { event_id: 'event-4713', type: 'extended', tenure_months: 6 },
  swapped: {
    event_id: 'event-4714',
    type: 'swapped',
    serial_number: 'C02XL0AAJGH5',
    date: '2025-02-01',
    new_serial_number: 'C02XL0BBJGH6',
    weight_kg: 1.24,
  },
  cancelled: { event_id: 'event-4715', type: 'cancelled', date: '2024-12-20' },
}
const OTHER_DEVICE_EVENTS = {
  retired: { event_id: 'event-4716', type: 'retired', date: '2028-01-15' },
  lost: { event_id: 'event-4717', type: 'lost', date: '2028-01-15' },
}

export const eventOperations = (context: EventsContext): readonly Operation[] => [
  {
    id: 'createOrderEvent',
    method: 'POST',
    path: `${ORDER_PATH}/events`,
    summary: 'Tell what happened to an order',
    description:
      'Returned, extended, cancelled or swapped: what changes is posted as further entries. The same event_id with ' +
      'the same content changes nothing. An event that contradicts what is known is a conflict and changes nothing; ' +
      'one that was told cannot be taken back, so tell what has happened, and not what is planned.',
    tag: 'Orders',
    scope: 'orders:write',
    pathParameters: ORDER_PARAMETERS,
    query: {},
    body: {
      schema: OrderEventParams,
      example: { event_id: 'event-4711', type: 'returned', date: '2025-02-16' },
      others: OTHER_ORDER_EVENTS,
    },
    answer: {
      description: 'The order as it stands.',
      schema: ref(OrderState),
      example: context.examples.state,
      headers: HEADERS,
    },
    failures: FAILURES,
    handle: (request, reply) => createOrderEvent(context, request, reply),
  },
  {
    id: 'createDeviceEvent',
    method: 'POST',
    path: '/api/devices/{serial}/events',
    summary: 'Tell what happened to a device',
    description:
      'Refurbished, retired or lost: what changes for its orders is posted as further entries. The same event_id ' +
      'with the same content changes nothing; what was told cannot be taken back.',
    tag: 'Devices',
    scope: 'orders:write',
    pathParameters: { serial: { description: 'Serial number of the device.', example: 'C02XL0AAJGH5' } },
    query: {},
    body: {
      schema: DeviceEventParams,
      example: {
        event_id: 'event-4712',
        type: 'refurbished',
        date: '2027-01-15',
        emission_kg: 8,
        lifetime_months_added: 12,
      },
      others: OTHER_DEVICE_EVENTS,
    },
    answer: {
      description: 'The ledger of the device.',
      schema: ref(DeviceOrderEmissionsResponse),
      example: context.examples.ledger,
      headers: HEADERS,
    },
    failures: FAILURES,
    handle: (request, reply) => createDeviceEvent(context, request, reply),
  },
]

async function createOrderEvent(
  context: EventsContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  readQuery(request.query, {})
  const order = orderKeyOf(request)
  const read = readEvent<WireOrderEvent>(request.body, ORDER_EVENTS, context.validatorOf)
  if (!read.ok) throw invalid(read.problems)
  if (!isStorable(order)) throw unknownOrder(order)
  noteIgnored(reply, read.ignored)
  const caller = callerOf(request)
  const told = orderEventToPost(caller, order, read.event, context.bookOf)
  const posted = await context.events.postOrderEvent(told)
  if (posted.outcome === 'unknown') throw unknownOrder(order)
  noteReplay(posted, told.event, reply)
  const { accountId } = caller
  const ask: OrderAsk = { of: 'standing', accountId, key: order, knownAt: null, include: new Set() }
  return sendOrder(context, ask, reply)
}

async function createDeviceEvent(
  context: EventsContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  readQuery(request.query, {})
  const serialNumber = serialOf((request.params as { readonly serial: string }).serial)
  const read = readEvent<WireDeviceEvent>(request.body, DEVICE_EVENTS, context.validatorOf)
  if (!read.ok) throw invalid(read.problems)
  noteIgnored(reply, read.ignored)
  if (!isStorableSerial(serialNumber)) throw unknownDevice(serialNumber)
  const { accountId } = callerOf(request)
  const told = deviceEventToPost(accountId, serialNumber, read.event, context.bookOf)
  const posted = await context.events.postDeviceEvent(told)
  if (posted.outcome === 'unknown') throw unknownDevice(serialNumber)
  noteReplay(posted, told.event, reply)
  return answerLedger(context, { accountId, serialNumber, knownAt: null, include: new Set() }, reply)
}

/** @throws Failure where the id was taken by another event */
function noteReplay(posted: PostedEvent, event: NewEvent, reply: FastifyReply): void {
  if (posted.outcome !== 'there-before') return
  const differences = differencesOf(contentOf(posted.stored), contentOf(event))
  if (differences.length > 0) throw conflict('This event_id is taken by an event with other content', differences)
  void reply.header('idempotent-replayed', 'true')
}

/** What makes an event: its content, and the order or device that it was told of. */
const contentOf = ({ content, order, serialNumber }: NewEvent | StoredEvent) => ({
  ...(JSON.parse(content) as object),
  ...(order ? { customer_id: order.customerId, order_id: order.orderId } : { serial_number: serialNumber }),
})
