// POST /api/customer-orders: an order in, its emissions out, stored once however often it is sent.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Mappings } from '../../postgres/product-mappings.ts'
import type { OrderReader } from '../../postgres/order-reader.ts'
import type { PostedOrder } from '../../ledger/records.ts'
import type { PostResult, ExistingOrder } from '../../postgres/orders.ts'
import { yieldToBatch } from '../serving/abreast.ts'
import { callerOf } from '../serving/authenticate.ts'
import { sendStreamedResponse } from '../requests/asked-pieces.ts'
import { schemaRef } from '../requests/component.ts'
import { ORDER_REVERTED, conflictError, diffContent } from '../../ledger/idempotency.ts'
import { ApiError, invalidRequest } from '../requests/failure.ts'
import {
  INCLUDE_PARAMETER,
  setIgnoredHeader,
  parseInclude,
  type Include,
  IGNORED_HEADER,
} from '../requests/request-manners.ts'
import type { RouteDefinition } from '../serving/operation.ts'
import { abortOnDisconnect } from '../serving/whoever-asks.ts'
import { OrderParams } from '../wire/order-schema.ts'
import { serialNumbersOfOrder } from '../../ledger/order-state.ts'
import type { PrematchProducts } from '../../ledger/prematch.ts'
import { buildOrderResponse, type OrderResponseContext } from './order-answer.ts'
import type { OrderLookupContext } from './order-lookup.ts'
import { toOrderPosting } from '../../ledger/record-order.ts'
import { parseOrder } from '../wire/read-order.ts'
import { orderView, type OrderToShow } from '../wire/render.ts'
import { OrderResponse } from '../wire/ledger-schema.ts'
import { haveSameText, decodeOrder } from '../../ledger/codec.ts'
import { JSON_TYPE } from '../requests/exact-json.ts'
import type { Validate } from '../requests/validate.ts'

export interface OrdersContext extends OrderResponseContext, Pick<OrderLookupContext, 'askOrder'> {
  readonly postOrder: (order: PostedOrder) => Promise<PostResult>
  readonly files: OrderReader
  readonly mappings: Mappings
  readonly matchAhead: PrematchProducts
  readonly releaseId: number
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
      'The same order again answers the first response with Idempotent-Replayed: true; ' +
      'the same identity with other content is a conflict.',
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
        'Idempotent-Replayed': '"true" where the order was there before.',
        ...IGNORED_HEADER,
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
  // At once, as a rule: without a turn of the event loop in between.
  const known = context.mappings.of(caller)
  const mappingOf = known instanceof Promise ? await known : known
  await yieldToBatch
  const matching = context.matchAhead(caller.accountId, request.body, mappingOf, () => abortOnDisconnect(reply.raw))
  if (matching) await matching
  const read = parseOrder(request.body ?? {}, context.validateOrder, context.book, mappingOf)
  if (!read.ok) throw invalidRequest(read.problems)
  setIgnoredHeader(reply, read.ignored)

  const { accountId, isCapped } = caller
  const order = { wire: read.wire, items: read.items, releaseId: context.releaseId, isCapped }
  await yieldToBatch
  const toPost = toOrderPosting(accountId, order, context.bookOf)
  await yieldToBatch
  const posted = await context.postOrder(toPost)
  if (posted.outcome === 'there-before') {
    if (posted.stored.status === 'undone') throw new ApiError('conflict', ORDER_REVERTED)
    if (!haveSameText(posted.stored, toPost.posting.order)) {
      const differences = diffContent(decodeOrder(posted.stored), read.wire)
      if (differences.length > 0)
        throw conflictError('This customer_id and order_id are taken by an order with other content', differences)
    }
    return replay(context, accountId, posted, reply, include)
  }
  const { posting, createdAt } = posted
  const created = { ...posting.order, createdAt, status: 'created' as const }
  return answer(reply, { accountId, order: created, items: posting.footprint.items, book: context.book }, include)
}

/** The first answer again, whatever has happened to the order since. */
async function replay(
  context: OrdersContext,
  accountId: number,
  { stored, journals: known }: ExistingOrder,
  reply: FastifyReply,
  include: Include,
): Promise<FastifyReply> {
  void reply.header('idempotent-replayed', 'true')
  const journals =
    known ?? (await context.files.journalsAtCreation(accountId, stored, serialNumbersOfOrder(stored, [])))
  const { customerId, orderId } = stored
  const ask = { of: 'creation', accountId, key: { customerId, orderId }, knownAt: null, include } as const
  if (journals === 'long') return sendStreamedResponse(await context.askOrder(ask, abortOnDisconnect(reply.raw)), reply)
  const file = { order: stored, journals, events: [], entries: [] }
  const { headers, text } = await buildOrderResponse(context, ask, file)
  return reply.headers(headers).send(text)
}

async function answer(reply: FastifyReply, answered: OrderToShow, include: Include): Promise<FastifyReply> {
  const text = orderView(answered, include)
  await yieldToBatch
  return reply.header('dataset-release', answered.book.release).type(JSON_TYPE).send(text)
}
