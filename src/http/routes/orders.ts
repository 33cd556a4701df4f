// /api/customer-orders: POST records an order once and returns its emissions; GET returns its current or past state.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OrderKey } from '../../engine/device-timeline.ts'
import type { Problem } from '../../engine/order.ts'
import type { ReleaseFor } from '../../ledger/account-release.ts'
import { assertSameOrder } from '../../ledger/idempotency.ts'
import { tagOf } from '../../ledger/correct-order.ts'
import { serialNumbersOfOrder } from '../../ledger/order-state.ts'
import type { PrematchProducts } from '../../ledger/prematch.ts'
import { toRecord, type ExistingOrder, type RecordOrder } from '../../ledger/record-order.ts'
import { refusalByWarnings, withLedgerWarnings } from '../../ledger/stored-warnings.ts'
import { orderKeyInUse, underStoredKey, type StoredIds } from '../../ledger/stored-ids.ts'
import type { OrderRecords } from '../../ledger/records.ts'
import type { OrderReader } from '../../postgres/order-reader.ts'
import type { Mappings } from '../../postgres/product-mappings.ts'
import { ApiError, invalidRequest } from '../../contract/errors.ts'
import {
  IGNORED_HEADER,
  INCLUDE_PARAMETER,
  KNOWN_AT_PARAMETER,
  oneOf,
  parseInclude,
  parseQuery,
  parseTime,
  setIgnoredHeader,
  type Include,
} from '../parameters.ts'
import { callerOf } from '../plugins/authentication.ts'
import { isNotModified, sendNotModified } from '../plugins/conditional-requests.ts'
import { abortOnDisconnect } from '../plugins/client-abort.ts'
import type { Validate } from '../../contract/validation.ts'
import { dayLimitsAt } from '../../contract/day-limits.ts'
import { parseOrder } from '../../contract/parse-order.ts'
import { schemaRef } from '../../contract/named-schema.ts'
import { OrderResponse, OrderState } from '../schemas/order-response.ts'
import { OrderParams } from '../../contract/order-schema.ts'
import { yieldToBatch } from '../plugins/request-queue.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { sendStreamedResponse, type StreamedResponse } from '../streamed-response.ts'
import { JSON_TYPE } from '../../strict-json/json-number.ts'
import { buildOrderResponse, type OrderRequest, type OrderResponseContext } from '../views/order-response.ts'
import { WARNINGS_HEADER, refuseIfStrict, setWarningsHeader, withWarnings } from '../views/warnings.ts'
import { orderView, type OrderToShow } from '../views/order.ts'
import { ROUTE_MESSAGES } from '../messages.ts'

export interface OrderLookupContext extends OrderResponseContext {
  readonly orderReader: OrderReader
  readonly storedIds: StoredIds
  /** Computes the answer for an order of a device with a long ledger in a worker. @throws ApiError */
  readonly askOrder: (ask: OrderRequest, signal: AbortSignal) => Promise<StreamedResponse>
  readonly examples: { readonly state: unknown }
}

const QUERY = {
  include: oneOf(
    'Members to add: `calculation` (how each line was calculated), `metadata` (your own metadata), `entries` (all ' +
      'posted entries), `events` (all recorded events).',
    ['calculation', 'metadata', 'entries', 'events'],
  ),
  known_at: KNOWN_AT_PARAMETER,
}

export const ETAG_HEADER = {
  ETag: 'Identifies the state of the order, for corrections and for If-None-Match; absent with `known_at`.',
}

export const ORDER_PATH = '/api/customer-orders/{customer_id}/{order_id}'
export const ORDER_PARAMETERS = {
  customer_id: { description: 'Your own customer identifier.', example: 'customer-17' },
  order_id: { description: 'Your own order identifier.', example: 'order-2024-1212' },
}

export const orderLookupOperations = (context: OrderLookupContext): readonly RouteDefinition[] => [
  {
    id: 'getOrder',
    method: 'GET',
    path: ORDER_PATH,
    summary: 'Get an order',
    description:
      'Returns the current state of the order after all its events or, with known_at, the state known at that time. ' +
      'The ETag identifies the current state: with it in `If-None-Match`, the response is 304 as long as nothing has ' +
      'changed; in `If-Match`, it guards a correction.',
    tag: 'Orders',
    scope: 'orders:read',
    pathParameters: ORDER_PARAMETERS,
    query: QUERY,
    answer: {
      description: 'The order with its emissions.',
      hasTag: true,
      schema: schemaRef(OrderState),
      example: context.examples.state,
      headers: {
        'Dataset-Release': 'Release of the datasets that the order was estimated with.',
        ...ETAG_HEADER,
      },
    },
    failures: ['invalid_request', 'not_found'],
    handle: (request, reply) => getOrder(context, request, reply),
  },
]

/** The key of the order that the path names: normalised, unless an earlier version stored the order as it is sent. */
export function orderKeyOfPath(storedIds: StoredIds, request: FastifyRequest): Promise<OrderKey> {
  const { customer_id, order_id } = request.params as { readonly customer_id: string; readonly order_id: string }
  return orderKeyInUse(storedIds, callerOf(request).accountId, { customerId: customer_id, orderId: order_id })
}

export function orderNotFound({ customerId, orderId }: OrderKey, knownAt: Date | null = null): ApiError {
  const order = { order_id: orderId.slice(0, 80), customer_id: customerId.slice(0, 80) }
  const why = knownAt
    ? ROUTE_MESSAGES.order_unknown_then({ ...order, time: knownAt.toISOString() })
    : ROUTE_MESSAGES.order_unknown(order)
  return new ApiError('not_found', why)
}

async function getOrder(
  context: OrderLookupContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const query = parseQuery(request.query, QUERY)
  const include = new Set(query['include']) as Include
  const ask = { ...(await askOf(context, request, parseTime(query['known_at']))), of: 'standing', include } as const
  const { key, knownAt } = ask
  if (request.headers['if-none-match'] === undefined || knownAt !== null) return sendOrder(context, ask, reply)
  const records = await readOrder(context, ask)
  if (!records) throw orderNotFound(key)
  if (records !== 'long') {
    const etag = `"${tagOf(records, context.version)}"`
    if (isNotModified(request, etag)) return sendNotModified(reply.header('etag', etag))
    return sendOrderRecords(context, ask, records, reply)
  }
  const answer = await context.askOrder(ask, abortOnDisconnect(reply.raw))
  const { etag } = answer.head.headers
  if (etag === undefined || !isNotModified(request, etag)) return sendStreamedResponse(answer, reply)
  await answer.pieces.return(undefined)
  return sendNotModified(reply.header('etag', etag))
}

/** The order that the path names, as it was known at a given time. */
export const askOf = async (
  { storedIds }: Pick<OrderLookupContext, 'storedIds'>,
  request: FastifyRequest,
  knownAt: Date | null,
): Promise<Pick<OrderRequest, 'accountId' | 'key' | 'knownAt'>> => ({
  accountId: callerOf(request).accountId,
  key: await orderKeyOfPath(storedIds, request),
  knownAt,
})

/** No client sends ids with control characters. PostgreSQL does not accept a NUL, and U+001F is in ids of revisions. */
export const isStorableOrderKey = ({ customerId, orderId }: OrderKey): boolean =>
  !/[\0\u001f]/.test(`${customerId}${orderId}`)

const readOrder = async (
  { orderReader }: Pick<OrderLookupContext, 'orderReader'>,
  { accountId, key, knownAt }: Pick<OrderRequest, 'accountId' | 'key' | 'knownAt'>,
): Promise<OrderRecords | 'long' | null> =>
  isStorableOrderKey(key) ? orderReader.orderRecords(accountId, key, serialNumbersOfOrder, knownAt) : null

/** @throws ApiError where there is no such order, or was none at that time */
export async function sendOrder(
  context: Omit<OrderLookupContext, 'examples'>,
  ask: OrderRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { key, knownAt } = ask
  const records = await readOrder(context, ask)
  if (!records) throw orderNotFound(key, knownAt)
  if (records === 'long') return sendStreamedResponse(await context.askOrder(ask, abortOnDisconnect(reply.raw)), reply)
  return sendOrderRecords(context, ask, records, reply)
}

/** Sends an order whose records are already loaded. */
export async function sendOrderRecords(
  context: OrderResponseContext,
  ask: OrderRequest,
  records: OrderRecords,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { headers, text } = await buildOrderResponse(context, ask, records)
  return reply.headers(headers).send(text)
}

export interface OrdersContext extends OrderResponseContext, Pick<OrderLookupContext, 'askOrder' | 'storedIds'> {
  readonly recordOrder: RecordOrder
  readonly orderReader: OrderReader
  readonly mappings: Mappings
  readonly matchAhead: PrematchProducts
  readonly releaseFor: ReleaseFor
  readonly validateOrder: Validate
  readonly examples: { readonly order: unknown; readonly answer: unknown }
}

export const orderOperations = (context: OrdersContext): readonly RouteDefinition[] => [
  {
    id: 'createOrder',
    method: 'POST',
    path: '/api/customer-orders',
    summary: 'Create an order and estimate its emissions',
    description:
      'Stores the order and returns its emissions. Idempotent: sending the same order again returns the first ' +
      'response with `Idempotent-Replayed: true`. The same customer_id and order_id with other content is a ' +
      'conflict, unless the import that stored the order was undone: then the order is stored anew. `warnings` has ' +
      'what is probably wrong in the order, and what the ledgers of its devices say, such as that a device was ' +
      'retired, is still rented, or is another model. For a strict account, the order is refused instead: with 400 ' +
      'for the former, with 409 (`order_refused`) for the latter.',
    tag: 'Orders',
    scope: 'orders:write',
    query: INCLUDE_PARAMETER,
    body: { schema: OrderParams, example: context.examples.order },
    answer: {
      description: 'The order with its emissions.',
      schema: schemaRef(OrderResponse),
      example: context.examples.answer,
      headers: {
        'Dataset-Release': 'Release of the datasets that the order was estimated with.',
        'Idempotent-Replayed': '"true" if the order was already stored.',
        'Order-Corrected': '"true" if the content of the order was corrected since: this is what was answered before.',
        ...IGNORED_HEADER,
        ...WARNINGS_HEADER,
      },
    },
    failures: ['invalid_request', 'conflict', 'too_large', 'unsupported_media_type'],
    handle: (request, reply) => createOrder(context, request, reply),
  },
]

async function createOrder(
  context: OrdersContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const include = parseInclude(request)
  const caller = callerOf(request)
  // Usually not a promise: nothing is awaited then, so that no turn of the event loop passes in between.
  const known = context.mappings.of(caller)
  const mappingOf = known instanceof Promise ? await known : known
  const chosen = context.releaseFor(caller)
  const release = chosen instanceof Promise ? await chosen : chosen
  await yieldToBatch
  const abort = () => abortOnDisconnect(reply.raw)
  const matching = context.matchAhead(caller.accountId, request.body, mappingOf, release, abort)
  if (matching) await matching
  const limits = dayLimitsAt(context.now(), caller.daysAheadMax)
  const read = parseOrder(request.body ?? {}, context.validateOrder, release.referenceData, mappingOf, limits)
  if (!read.ok) throw invalidRequest(read.problems)
  setIgnoredHeader(reply, read.ignored)
  refuseIfStrict(caller, read.warnings)

  const { accountId, isCapped, isStrict, recordedBy } = caller
  const wire = read.keyAsSent === null ? read.wire : await underStoredKey(context.storedIds, accountId, read)
  const order = { wire, items: read.items, releaseId: release.releaseId, isCapped, isStrict, recordedBy }
  await yieldToBatch
  const sent = toRecord(accountId, order)
  await yieldToBatch
  const recorded = await context.recordOrder(sent)
  if (recorded.outcome === 'refused') throw refusalByWarnings(recorded.warnings)
  if (recorded.outcome === 'already-exists') {
    assertSameOrder(recorded.stored, sent)
    const warnings = withLedgerWarnings(read.warnings, recorded.stored)
    setWarningsHeader(reply, warnings)
    return replay(context, { accountId, include, warnings }, recorded, reply)
  }
  const { posting, createdAt } = recorded
  const warnings = withLedgerWarnings(read.warnings, posting.order)
  setWarningsHeader(reply, warnings)
  const created = { ...posting.order, createdAt, status: 'created' as const }
  return answer(
    reply,
    { accountId, order: created, items: posting.footprint.items, referenceData: release.referenceData },
    include,
    warnings,
  )
}

/** Sends the first answer again, regardless of what has happened to the order since. */
async function replay(
  context: OrdersContext,
  asked: Pick<OrderRequest, 'accountId' | 'include' | 'warnings'>,
  { stored, ledgers: known, isCorrected }: ExistingOrder,
  reply: FastifyReply,
): Promise<FastifyReply> {
  void reply.header('idempotent-replayed', 'true')
  if (isCorrected) void reply.header('order-corrected', 'true')
  const ledgers =
    known ?? (await context.orderReader.ledgersAtCreation(asked.accountId, stored, serialNumbersOfOrder(stored, [])))
  const { customerId, orderId } = stored
  const ask = { ...asked, of: 'creation', key: { customerId, orderId }, knownAt: null } as const
  if (ledgers === 'long') return sendStreamedResponse(await context.askOrder(ask, abortOnDisconnect(reply.raw)), reply)
  const records = { order: stored, ledgers, events: [], entries: [] }
  return sendOrderRecords(context, ask, records, reply)
}

async function answer(
  reply: FastifyReply,
  answered: OrderToShow,
  include: Include,
  warnings: readonly Problem[],
): Promise<FastifyReply> {
  const text = withWarnings(orderView(answered, include), warnings)
  await yieldToBatch
  return reply.header('dataset-release', answered.referenceData.release).type(JSON_TYPE).send(text)
}
