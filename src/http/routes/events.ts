// POST …/events: records what happened to an order or a device. Sending an event again changes nothing.
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Problem } from '../../engine/order.ts'
import type { EventStore } from '../../ledger/store.ts'
import type { Mappings } from '../../postgres/product-mappings.ts'
import { callerOf } from '../plugins/authentication.ts'
import { schemaRef, type NamedSchema } from '../../contract/named-schema.ts'
import {
  sendDeviceRecords,
  sendLedger,
  canBeStored as isStorableSerial,
  serialNumberOf,
  deviceNotFound,
  type DevicesContext,
} from './devices.ts'
import type { ReleaseFor } from '../../ledger/account-release.ts'
import { assertSameEvent } from '../../ledger/idempotency.ts'
import { underStoredEventId } from '../../ledger/stored-ids.ts'
import {
  DEVICE_EVENTS,
  DeviceEventParams,
  ORDER_EVENTS,
  OrderEventParams,
  type WireDeviceEvent,
  type WireOrderEvent,
} from '../../contract/event-schema.ts'
import { invalidRequest } from '../../contract/errors.ts'
import type { RouteDefinition } from '../route-definition.ts'
import type { DeviceRequest } from '../views/device-response.ts'
import type { OrderRequest } from '../views/order-response.ts'
import {
  ETAG_HEADER,
  ORDER_PARAMETERS,
  ORDER_PATH,
  isStorableOrderKey,
  orderKeyOfPath,
  sendOrder,
  sendOrderRecords,
  orderNotFound,
  type OrderLookupContext,
} from './orders.ts'
import { recordDeviceEvent, recordOrderEvent, type EventOutcome } from '../../ledger/record-event.ts'
import { previewDeviceEvent, previewOrderEvent, type PreviewOutcome } from '../../ledger/preview-event.ts'
import { EventPreview } from '../schemas/event-preview.ts'
import { eventPreviewView } from '../views/event-preview.ts'
import { IGNORED_HEADER, flag, isSet, parseQuery, setIgnoredHeader } from '../parameters.ts'
import { dayLimitsAt, type DayLimits } from '../../contract/day-limits.ts'
import { parseEvent } from '../../contract/parse-event.ts'
import { warningsOfEvent, withoutKnownDevice } from '../../ledger/event-warnings.ts'
import { defaultWarnings, eventIn } from '../../ledger/refurbishment-default.ts'
import { WARNINGS_HEADER, refuseIfStrict, setWarningsHeader, warningsView } from '../views/warnings.ts'
import { DeviceOrderEmissionsResponse, OrderState } from '../schemas/order-response.ts'
import type { Validate } from '../../contract/validation.ts'

export interface EventsContext extends Omit<OrderLookupContext, 'examples'>, Pick<DevicesContext, 'askDevice'> {
  readonly releaseFor: ReleaseFor
  readonly events: EventStore
  readonly mappings: Mappings
  readonly validatorOf: (schema: NamedSchema) => Validate
  readonly examples: { readonly state: unknown; readonly ledger: unknown }
}

const QUERY = {
  preview: flag(
    'Decide the event as if it were recorded, with the same errors, but record nothing: the response is an ' +
      'EventPreview.',
  ),
}

const PREVIEW =
  ' With `preview=true`, nothing is recorded: the response is an EventPreview with the orders, customers, years and ' +
  'kilograms that recording the event now would move.'

const HEADERS = {
  'Dataset-Release': 'Releases of the datasets that the figures were estimated with; absent with `preview=true`.',
  'Idempotent-Replayed': '"true" if the event was already recorded.',
  ...IGNORED_HEADER,
  ...WARNINGS_HEADER,
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
  swapped_for_another_product: {
    event_id: 'event-4721',
    type: 'swapped',
    serial_number: 'C02XL0AAJGH5',
    date: '2025-02-01',
    new_serial_number: 'C02XL0BBJGH6',
    weight_kg: 1.51,
    product_name: 'MacBook Air 15 M3 256GB',
    brand: 'Apple',
  },
  cancelled: { event_id: 'event-4715', type: 'cancelled', date: '2024-12-20' },
  withdrawn: { event_id: 'event-4718', type: 'withdrawn', withdraws: 'event-4711', reason: 'Wrong year' },
}
const OTHER_DEVICE_EVENTS = {
  retired: { event_id: 'event-4716', type: 'retired', date: '2028-01-15' },
  lost: { event_id: 'event-4717', type: 'lost', date: '2028-01-15' },
  identified: {
    event_id: 'event-4720',
    type: 'identified',
    model_id: 'apple-macbook-air-13-m3-256gb',
    reason: 'Wrong product name',
  },
  withdrawn: { event_id: 'event-4719', type: 'withdrawn', withdraws: 'event-4712', reason: 'Wrong device' },
}

const orPreview = (schema: NamedSchema) => Type.Unsafe({ anyOf: [schemaRef(schema), schemaRef(EventPreview)] })

export const eventOperations = (context: EventsContext): readonly RouteDefinition[] => [
  {
    id: 'createOrderEvent',
    method: 'POST',
    path: `${ORDER_PATH}/events`,
    summary: 'Record an event of an order',
    description:
      'Records that an order was returned, extended, cancelled or swapped, or withdraws an earlier event of it. The ' +
      'changes are posted as further entries. Idempotent: the same event_id with the same content changes nothing. ' +
      'An event that contradicts what is known is a conflict and changes nothing.' +
      PREVIEW,
    tag: 'Orders',
    scope: 'orders:write',
    pathParameters: ORDER_PARAMETERS,
    query: QUERY,
    body: {
      schema: OrderEventParams,
      example: { event_id: 'event-4711', type: 'returned', date: '2025-02-16' },
      others: OTHER_ORDER_EVENTS,
    },
    answer: {
      description: 'The order in its current state, or the preview of the event.',
      schema: orPreview(OrderState),
      example: context.examples.state,
      headers: { ...HEADERS, ...ETAG_HEADER },
    },
    failures: FAILURES,
    handle: (request, reply) => createOrderEvent(context, request, reply),
  },
  {
    id: 'createDeviceEvent',
    method: 'POST',
    path: '/api/devices/{serial}/events',
    summary: 'Record an event of a device',
    description:
      'Records that a device was refurbished, retired or lost, identifies it as another model, or withdraws an ' +
      'earlier event of it. The changes to its orders are posted as further entries. Idempotent: the same event_id ' +
      'with the same content changes nothing.' +
      PREVIEW,
    tag: 'Devices',
    scope: 'orders:write',
    pathParameters: { serial: { description: 'Serial number of the device.', example: 'C02XL0AAJGH5' } },
    query: QUERY,
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
      description: 'The ledger of the device, or the preview of the event.',
      schema: orPreview(DeviceOrderEmissionsResponse),
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
  const isPreview = isSet(parseQuery(request.query, QUERY), 'preview')
  const order = await orderKeyOfPath(context.storedIds, request)
  const read = parseEvent<WireOrderEvent>(request.body, ORDER_EVENTS, context.validatorOf, limitsOf(context, request))
  if (!read.ok) throw invalidRequest(read.problems)
  if (!isStorableOrderKey(order)) throw orderNotFound(order)
  setIgnoredHeader(reply, read.ignored)
  const caller = callerOf(request)
  const { events, referenceDataOf, mappings, releaseFor } = context
  const matching = { ...(await releaseFor(caller)), mappingOf: await mappings.of(caller) }
  const all = warningsOfEvent(read, matching)
  const warnings = await withoutKnownDevice(events, caller.accountId, order, read.event, all)
  refuseIfStrict(caller, warnings)
  const event = await underStoredEventId(context.storedIds, caller.accountId, read)
  const references = { referenceDataOf, matching }
  if (isPreview) {
    const preview = await previewOrderEvent(events, caller, order, event, references)
    if (preview.outcome === 'not-found') throw orderNotFound(order)
    return sendPreview(event, preview, warnings, reply)
  }
  const recorded = await recordOrderEvent(events, caller, order, event, references)
  if (recorded.outcome === 'not-found') throw orderNotFound(order)
  noteReplay(recorded, reply)
  setWarningsHeader(reply, warnings)
  const { accountId } = caller
  const ask: OrderRequest = { of: 'standing', accountId, key: order, knownAt: null, include: new Set(), warnings }
  if (recorded.outcome === 'posted' && recorded.records) return sendOrderRecords(context, ask, recorded.records, reply)
  return sendOrder(context, ask, reply)
}

async function createDeviceEvent(
  context: EventsContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const isPreview = isSet(parseQuery(request.query, QUERY), 'preview')
  const serialNumber = serialNumberOf((request.params as { readonly serial: string }).serial)
  const read = parseEvent<WireDeviceEvent>(request.body, DEVICE_EVENTS, context.validatorOf, limitsOf(context, request))
  if (!read.ok) throw invalidRequest(read.problems)
  setIgnoredHeader(reply, read.ignored)
  if (!isStorableSerial(serialNumber)) throw deviceNotFound(serialNumber)
  const caller = callerOf(request)
  const release = await context.releaseFor(caller)
  const warnings = warningsOfEvent(read, { ...release, mappingOf: await context.mappings.of(caller) })
  refuseIfStrict(caller, warnings)
  const { accountId } = caller
  const event = await underStoredEventId(context.storedIds, accountId, read)
  const { events, referenceDataOf } = context
  if (isPreview) {
    const preview = await previewDeviceEvent(events, caller, serialNumber, event, release, referenceDataOf)
    if (preview.outcome === 'not-found') throw deviceNotFound(serialNumber)
    return sendPreview(event, preview, [...warnings, ...defaultWarnings(eventIn(preview))], reply)
  }
  const recorded = await recordDeviceEvent(events, caller, serialNumber, event, release, referenceDataOf)
  if (recorded.outcome === 'not-found') throw deviceNotFound(serialNumber)
  noteReplay(recorded, reply)
  const told = [...warnings, ...defaultWarnings(eventIn(recorded))]
  setWarningsHeader(reply, told)
  const ask: DeviceRequest = { accountId, serialNumber, knownAt: null, include: new Set(), warnings: told }
  if (recorded.outcome === 'posted' && recorded.records) return sendDeviceRecords(context, ask, recorded.records, reply)
  return sendLedger(context, ask, reply)
}

const limitsOf = ({ now }: EventsContext, request: FastifyRequest): DayLimits | null =>
  dayLimitsAt(now(), callerOf(request).daysAheadMax)

/** @throws ApiError where the event_id belongs to an event with other content */
function sendPreview(
  event: WireOrderEvent | WireDeviceEvent,
  outcome: Exclude<PreviewOutcome, { readonly outcome: 'not-found' }>,
  warnings: readonly Problem[],
  reply: FastifyReply,
): FastifyReply {
  noteReplay(outcome, reply)
  setWarningsHeader(reply, warnings)
  return reply.send({
    ...eventPreviewView(event.event_id, outcome.outcome === 'previewed' ? outcome.preview : null),
    ...warningsView(warnings),
  })
}

/** @throws ApiError where the event_id belongs to an event with other content */
function noteReplay(recorded: EventOutcome<unknown> | PreviewOutcome, reply: FastifyReply): void {
  if (recorded.outcome !== 'replayed') return
  assertSameEvent(recorded.stored, recorded.event)
  void reply.header('idempotent-replayed', 'true')
}
