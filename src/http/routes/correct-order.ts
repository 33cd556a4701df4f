// PUT /api/customer-orders/…: corrects the whole content of an order, unless somebody else has changed it meanwhile.
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { OrderKey } from '../../engine/device-timeline.ts'
import { sentIdOf } from '../../engine/order-revision.ts'
import type { Problem } from '../../engine/order.ts'
import { dayLimitsAt } from '../../contract/day-limits.ts'
import { invalidRequest } from '../../contract/errors.ts'
import { schemaRef, type NamedSchema } from '../../contract/named-schema.ts'
import { OrderParams } from '../../contract/order-schema.ts'
import { parseOrder } from '../../contract/parse-order.ts'
import type { Validate } from '../../contract/validation.ts'
import { correctOrder, type OrderCorrection } from '../../ledger/correct-order.ts'
import { previewCorrection } from '../../ledger/preview-event.ts'
import type { ReleaseFor } from '../../ledger/account-release.ts'
import type { PrematchProducts } from '../../ledger/prematch.ts'
import { underStoredKey } from '../../ledger/stored-ids.ts'
import type { EventStore } from '../../ledger/store.ts'
import type { Mappings } from '../../postgres/product-mappings.ts'
import { PROTOCOL_MESSAGES, ROUTE_MESSAGES } from '../messages.ts'
import { IGNORED_HEADER, flag, isSet, parseQuery, repeatedText, setIgnoredHeader } from '../parameters.ts'
import { callerOf } from '../plugins/authentication.ts'
import { IF_MATCH, tagsIn } from '../plugins/if-match.ts'
import { abortOnDisconnect } from '../plugins/client-abort.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { EventPreview } from '../schemas/event-preview.ts'
import { OrderState } from '../schemas/order-response.ts'
import { eventPreviewView } from '../views/event-preview.ts'
import type { OrderRequest } from '../views/order-response.ts'
import { WARNINGS_HEADER, refuseIfStrict, setWarningsHeader, warningsView } from '../views/warnings.ts'
import {
  ETAG_HEADER,
  ORDER_PARAMETERS,
  ORDER_PATH,
  isStorableOrderKey,
  orderKeyOfPath,
  orderNotFound,
  sendOrder,
  type OrderLookupContext,
} from './orders.ts'

export interface CorrectionContext extends Omit<OrderLookupContext, 'examples'> {
  readonly events: EventStore
  readonly mappings: Mappings
  readonly matchAhead: PrematchProducts
  readonly releaseFor: ReleaseFor
  readonly validateOrder: Validate
  readonly examples: { readonly order: unknown; readonly state: unknown }
}

const QUERY = {
  reason: repeatedText('Why the order is corrected; kept with the correction.'),
  preview: flag(
    'Decide the correction as if it were stored, with the same errors, but store nothing: the response is an ' +
      'EventPreview.',
  ),
}

const orPreview = (schema: NamedSchema) => Type.Unsafe({ anyOf: [schemaRef(schema), schemaRef(EventPreview)] })

export const correctionOperation = (context: CorrectionContext): RouteDefinition => ({
  id: 'correctOrder',
  method: 'PUT',
  path: ORDER_PATH,
  summary: 'Correct the content of an order',
  description:
    'Replaces the content of the order: items are added or dropped, weights, distances, dates, serial numbers and ' +
    'products corrected. All that the order posted is taken back, and the corrected content is posted with the ' +
    'events of the order. customer_id and order_id cannot change. If the order fixed what a device is charged by, ' +
    'the corrected content does; otherwise an `identified` event of the device is needed. The same content again ' +
    'changes nothing. An event that contradicts the corrected content is a conflict and has to be withdrawn ' +
    'first. With `preview=true`, nothing is stored: the response is an EventPreview. Both have `warnings` about the ' +
    'corrected content, as the response to an order has.',
  tag: 'Orders',
  scope: 'orders:write',
  pathParameters: ORDER_PARAMETERS,
  query: QUERY,
  requestHeaders: {
    'If-Match': {
      description: 'The ETag of the order as it was read, or `*` to correct it as it is now.',
      isRequired: true,
      example: '"1-0"',
    },
  },
  body: { schema: OrderParams, example: context.examples.order },
  answer: {
    description: 'The corrected order in its current state, or the preview of the correction.',
    schema: orPreview(OrderState),
    example: context.examples.state,
    headers: {
      'Dataset-Release': 'Release of the datasets that the order was estimated with; absent with `preview=true`.',
      ...ETAG_HEADER,
      ...IGNORED_HEADER,
      ...WARNINGS_HEADER,
    },
  },
  failures: ['invalid_request', 'not_found', 'conflict', 'precondition_failed', 'too_large', 'unsupported_media_type'],
  handle: (request, reply) => putOrder(context, request, reply),
})

async function putOrder(context: CorrectionContext, request: FastifyRequest, reply: FastifyReply) {
  const query = parseQuery(request.query, QUERY)
  const tags = requiredTags(request.headers['if-match'])
  const caller = callerOf(request)
  const { accountId } = caller
  const order = await orderKeyOfPath(context.storedIds, request)
  if (!isStorableOrderKey(order)) throw orderNotFound(order)
  const mappingOf = await context.mappings.of(caller)
  const release = await context.releaseFor(caller)
  await context.matchAhead(accountId, request.body, mappingOf, release, () => abortOnDisconnect(reply.raw))
  const limits = dayLimitsAt(context.now(), caller.daysAheadMax)
  const read = parseOrder(request.body ?? {}, context.validateOrder, release.referenceData, mappingOf, limits)
  if (!read.ok) throw invalidRequest(read.problems)
  const wire = await underStoredKey(context.storedIds, accountId, read)
  const others = otherKey(order, { customerId: wire.customer_id, orderId: wire.order_id })
  if (others.length > 0) throw invalidRequest(others)
  setIgnoredHeader(reply, read.ignored)
  refuseIfStrict(caller, read.warnings)
  const { isStrict } = caller
  const correction: OrderCorrection = { wire, reason: query['reason']?.[0] ?? null, tags, mappingOf, isStrict }
  const { events, referenceDataOf } = context
  if (isSet(query, 'preview')) {
    const decided = await previewCorrection(events, caller, order, correction, referenceDataOf)
    if (decided.outcome === 'not-found') throw orderNotFound(order)
    const warnings = [...read.warnings, ...decided.warnings]
    setWarningsHeader(reply, warnings)
    return reply.send({
      ...eventPreviewView(null, decided.outcome === 'corrected' ? decided.result : null),
      ...warningsView(warnings),
    })
  }
  const corrected = await correctOrder(events, caller, order, correction, referenceDataOf)
  if (corrected.outcome === 'not-found') throw orderNotFound(order)
  const warnings = [...read.warnings, ...corrected.warnings]
  setWarningsHeader(reply, warnings)
  const ask: OrderRequest = { of: 'standing', accountId, key: order, knownAt: null, include: new Set(), warnings }
  return sendOrder(context, ask, reply)
}

/** The path says which order is corrected; its ids cannot change. */
const otherKey = (path: OrderKey, body: OrderKey): readonly Problem[] =>
  [
    { path: '/customer_id', expected: path.customerId, sent: body.customerId },
    { path: '/order_id', expected: sentIdOf(path.orderId), sent: body.orderId },
  ].flatMap(({ path: member, expected, sent }) =>
    expected === sent ? [] : [{ path: member, ...ROUTE_MESSAGES.order_id_of_path({ expected }) }],
  )

/** @throws ApiError where the header is missing or is no list of tags */
function requiredTags(header: string | undefined): readonly string[] | null {
  if (header === undefined) throw invalidRequest([{ path: IF_MATCH, ...PROTOCOL_MESSAGES.if_match_missing() }])
  return tagsIn(header)
}
