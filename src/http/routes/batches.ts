// POST /api/customer-orders/batch and /api/events/batch: many orders or events in one request, each stored or rejected
// on its own.
import { JOB_BYTES } from '../../concurrency/batcher.ts'
import { runCooperatively } from '../../concurrency/cooperative.ts'
import { DB_BATCH_BYTES_MAX } from '../../config.ts'
import { BATCH_ITEMS_MAX, EventBatchParams, OrderBatchParams } from '../../contract/batch-schema.ts'
import { ApiError, invalidRequest } from '../../contract/errors.ts'
import { schemaRef } from '../../contract/named-schema.ts'
import { ITEMS_MAX } from '../../contract/order-schema.ts'
import { parseBatchEvent, type EventToRecord } from '../../contract/parse-batch.ts'
import { parseOrder } from '../../contract/parse-order.ts'
import { dayLimitsAt } from '../../contract/day-limits.ts'
import type { OrderKey } from '../../engine/device-timeline.ts'
import type { Problem } from '../../engine/order.ts'
import { EMISSION_UNIT, sumMilligrams } from '../../engine/numbers/emission.ts'
import { mapResumable } from '../../engine/numbers/steps.ts'
import { serialNumbersOf } from '../../engine/resolve-order.ts'
import { assertSameEvent, assertSameOrder } from '../../ledger/idempotency.ts'
import type { ParsedOrder } from '../../ledger/order-posting.ts'
import { serialNumbersOfOrder } from '../../ledger/order-state.ts'
import { deviceKey, eventUnderStoredIds, keyOfOrder, keysOfEvents, recordEvent } from '../../ledger/record-events.ts'
import { underStoredKey } from '../../ledger/stored-ids.ts'
import { warningsOfEvent, withoutKnownDevice } from '../../ledger/event-warnings.ts'
import { defaultWarnings, eventIn } from '../../ledger/refurbishment-default.ts'
import { refusalByWarnings, withLedgerWarnings } from '../../ledger/stored-warnings.ts'
import type { Caller } from '../../postgres/accounts.ts'
import { strictnessError, warningsView } from '../views/warnings.ts'
import { toRecord } from '../../ledger/record-order.ts'
import { IGNORED_HEADER } from '../parameters.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { EventBatchResponse, OrderBatchResponse } from '../schemas/batch.ts'
import { EXAMPLE_ORDER } from '../schemas/examples.ts'
import { kilogramsView } from '../views/emission.ts'
import { deviceNotFound } from './devices.ts'
import type { EventsContext } from './events.ts'
import { orderNotFound, type OrdersContext } from './orders.ts'
import {
  createProcessor,
  type BatchKind,
  type Parsed,
  type ProcessBatch,
  type ProcessingContext,
} from './process-batch.ts'

export interface BatchesContext
  extends Omit<OrdersContext, 'examples'>, Pick<EventsContext, 'events' | 'validatorOf'>, ProcessingContext {}

/** Orders of a batch that are recorded concurrently fill one database batch: the other one remains for requests. */
const ORDER_BYTES_MAX = DB_BATCH_BYTES_MAX
/** Memory in bytes of an order to record for each of its items, measured. */
const BYTES_PER_ITEM = 2_000
/** Twice as many as have a transaction of their own at a time, so that none waits for the next event. */
const EVENTS_MAX = 12

export const batchOperations = (context: BatchesContext): readonly RouteDefinition[] => {
  const process = createProcessor(context)
  return [orderBatchOperation(context, process), eventBatchOperation(context, process)]
}

const DESCRIPTION =
  'Each is stored or rejected on its own, as by a single request: the response is 200 with a result for each, in the ' +
  'sequence of the request. If the service cannot store anything at present, the response is 503, and some may be ' +
  'stored: send the same batch again, which stores the others. The batch counts as many requests as it has items, ' +
  'and its body is at most 1 MiB.'
const FAILURES = ['invalid_request', 'too_large', 'unsupported_media_type'] as const

function orderBatchOperation(context: BatchesContext, process: ProcessBatch): RouteDefinition {
  const kind = orderBatch(context)
  return {
    id: 'createOrders',
    method: 'POST',
    path: '/api/customer-orders/batch',
    summary: 'Create many orders',
    description:
      `Estimates and stores up to ${BATCH_ITEMS_MAX} orders. ${DESCRIPTION} Orders with a common device are recorded ` +
      'in their sequence.',
    tag: 'Orders',
    scope: 'orders:write',
    query: {},
    body: { schema: OrderBatchParams, example: { orders: [EXAMPLE_ORDER] } },
    answer: {
      description: 'A result for each order.',
      schema: schemaRef(OrderBatchResponse),
      example: {
        emission_unit: EMISSION_UNIT,
        results: [
          {
            customer_id: EXAMPLE_ORDER.customer_id,
            order_id: EXAMPLE_ORDER.order_id,
            status: 200,
            idempotent_replayed: false,
            total_emission: 8.840348,
          },
        ],
      },
      headers: {
        'Dataset-Release': 'Releases of the datasets that the orders were estimated with.',
        ...IGNORED_HEADER,
      },
    },
    failures: FAILURES,
    handle: async (request, reply) => {
      const { results, releaseIds } = await process(kind, request, reply)
      const releases = await Promise.all([...releaseIds].map(context.referenceDataOf))
      if (releases.length > 0) void reply.header('dataset-release', releases.map(({ release }) => release).join(', '))
      return reply.send({ emission_unit: EMISSION_UNIT, results })
    },
  }
}

function eventBatchOperation(context: BatchesContext, process: ProcessBatch): RouteDefinition {
  const kind = eventBatch(context)
  const { customer_id, order_id } = EXAMPLE_ORDER
  return {
    id: 'createEvents',
    method: 'POST',
    path: '/api/events/batch',
    summary: 'Record many events',
    description:
      `Records up to ${BATCH_ITEMS_MAX} events of orders and devices. An event with customer_id and order_id is an ` +
      'event of that order; an event without them is an event of the device of its serial_number. ' +
      `${DESCRIPTION} Events of the same order or device are recorded in their sequence.`,
    tag: 'Orders',
    scope: 'orders:write',
    query: {},
    body: {
      schema: EventBatchParams,
      example: {
        events: [
          { customer_id, order_id, event_id: 'event-4711', type: 'returned', date: '2025-02-16' },
          { serial_number: 'C02XL0AAJGH5', event_id: 'event-4716', type: 'retired', date: '2028-01-15' },
        ],
      },
    },
    answer: {
      description: 'A result for each event.',
      schema: schemaRef(EventBatchResponse),
      example: {
        results: [
          { event_id: 'event-4711', status: 200, idempotent_replayed: false },
          { event_id: 'event-4716', status: 200, idempotent_replayed: false },
        ],
      },
      headers: IGNORED_HEADER,
    },
    failures: FAILURES,
    handle: async (request, reply) => {
      const { results } = await process(kind, request, reply)
      return reply.send({ results })
    },
  }
}

/** An order of a batch, with what is probably wrong in it. */
interface BatchOrder extends ParsedOrder {
  /** The key as it was sent; null if it is the key of the order. */
  readonly keyAsSent: OrderKey | null
  readonly warnings: readonly Problem[]
}

function orderBatch(context: BatchesContext): BatchKind<BatchOrder> {
  const { mappings, matchAhead, validateOrder, releaseFor, storedIds, now } = context
  return {
    name: 'orders',
    ids: ['customer_id', 'order_id'],
    parse: async (caller, orders, signal) => {
      const { accountId, isCapped, isStrict, recordedBy } = caller
      const mappingOf = await mappings.of(caller)
      const release = await releaseFor(caller)
      const { referenceData, releaseId } = release
      const items = orders.flatMap(itemsOf)
      for (let at = 0; at < items.length; at += ITEMS_MAX)
        await matchAhead(accountId, { items: items.slice(at, at + ITEMS_MAX) }, mappingOf, release, () => signal)
      const limits = dayLimitsAt(now(), caller.daysAheadMax)
      const parse = (body: unknown): Parsed<BatchOrder> => {
        const read = parseOrder(body, validateOrder, referenceData, mappingOf, limits)
        if (!read.ok) return invalidRequest(read.problems)
        const { wire, items: resolved, keyAsSent, warnings, ignored } = read
        const error = strictnessError(caller, warnings)
        const sent = { wire, items: resolved, releaseId, isCapped, isStrict, recordedBy, keyAsSent, warnings }
        return error ?? { sent, ignored }
      }
      const parsed = await runCooperatively(mapResumable(orders, parse), signal)
      return underStoredIds(parsed, async (sent) => ({
        ...sent,
        wire: await underStoredKey(storedIds, accountId, sent),
      }))
    },
    keysOf: (_, all) => Promise.resolve(new Map(all.map((order) => [order, keysOfOrder(order)]))),
    weightOf: ({ items }) => JOB_BYTES + BYTES_PER_ITEM * items.length,
    weightMax: ORDER_BYTES_MAX,
    record: async ({ accountId }, order) => {
      const sent = toRecord(accountId, order)
      const recorded = await context.recordOrder(sent)
      if (recorded.outcome === 'refused') throw refusalByWarnings(recorded.warnings)
      const isReplayed = recorded.outcome === 'already-exists'
      if (isReplayed) assertSameOrder(recorded.stored, sent)
      const answered = isReplayed ? recorded.stored : recorded.posting.order
      const total = kilogramsView(sumMilligrams(answered.lineEmissions))
      const members = { total_emission: total, ...warningsView(withLedgerWarnings(order.warnings, answered)) }
      return { isReplayed, members, releaseId: answered.releaseId }
    },
  }
}

/**
 * The items with the ids under which they are stored, before their sequence is decided by these. One at a time: only
 * ids with white space are looked up.
 */
async function underStoredIds<Sent>(
  parsed: readonly Parsed<Sent>[],
  stored: (sent: Sent) => Promise<Sent>,
): Promise<readonly Parsed<Sent>[]> {
  const all: Parsed<Sent>[] = []
  for (const one of parsed) all.push(one instanceof ApiError ? one : { ...one, sent: await stored(one.sent) })
  return all
}

const keysOfOrder = ({ wire, items }: ParsedOrder): readonly string[] => [
  keyOfOrder({ customerId: wire.customer_id, orderId: wire.order_id }),
  ...serialNumbersOf(items).map(deviceKey),
]

/** The items of an order before validation. */
function itemsOf(order: unknown): readonly unknown[] {
  const { items } = (order ?? {}) as { readonly items?: unknown }
  return Array.isArray(items) ? items : []
}

function eventBatch(context: BatchesContext): BatchKind<EventToRecord> {
  const { events, mappings, releaseFor, referenceDataOf, orderReader, validatorOf, storedIds, now } = context
  const parseFor = async (caller: Caller) => {
    const matching = { ...(await releaseFor(caller)), mappingOf: await mappings.of(caller) }
    const limits = dayLimitsAt(now(), caller.daysAheadMax)
    return (body: unknown): Parsed<EventToRecord> => {
      const read = parseBatchEvent(body, validatorOf, limits)
      if (!read.ok) return invalidRequest(read.problems)
      return { sent: { ...read, warnings: warningsOfEvent(read, matching) }, ignored: read.ignored }
    }
  }
  const underStored = async ({ accountId }: Caller, one: EventToRecord): Promise<EventToRecord> => {
    const sent = await eventUnderStoredIds(storedIds, accountId, one)
    if (sent.of === 'device') return sent
    return { ...sent, warnings: await withoutKnownDevice(events, accountId, sent.order, sent.event, sent.warnings) }
  }
  return {
    name: 'events',
    ids: ['event_id'],
    parse: async (caller, items, signal) => {
      const parsed = await runCooperatively(mapResumable(items, await parseFor(caller)), signal)
      const stored = await underStoredIds(parsed, (sent) => underStored(caller, sent))
      return stored.map((one) => (one instanceof ApiError ? one : (strictnessError(caller, one.sent.warnings) ?? one)))
    },
    keysOf: ({ accountId }, all) =>
      keysOfEvents(all, (orders) => orderReader.devicesOfOrders(accountId, orders, serialNumbersOfOrder)),
    weightOf: () => 1,
    weightMax: EVENTS_MAX,
    record: async (caller, sent) => {
      const matching = { ...(await releaseFor(caller)), mappingOf: await mappings.of(caller) }
      const recorded = await recordEvent(events, caller, sent, { ...matching, referenceDataOf })
      if (recorded.outcome === 'not-found')
        throw sent.of === 'order' ? orderNotFound(sent.order) : deviceNotFound(sent.serialNumber)
      const isReplayed = recorded.outcome === 'replayed'
      if (isReplayed) assertSameEvent(recorded.stored, recorded.event)
      return { isReplayed, members: warningsView([...sent.warnings, ...defaultWarnings(eventIn(recorded))]) }
    },
  }
}
