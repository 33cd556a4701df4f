// GET /api/customer-orders/{customer_id}/{order_id}: an order as it stands, or as it was known at some time.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OrderKey } from '../../engine/device-timeline.ts'
import type { OrderReader } from '../../postgres/order-reader.ts'
import { callerOf } from '../serving/authenticate.ts'
import { sendStreamedResponse, type StreamedResponse } from '../requests/asked-pieces.ts'
import { schemaRef } from '../requests/component.ts'
import { ApiError } from '../requests/failure.ts'
import type { RouteDefinition } from '../serving/operation.ts'
import { abortOnDisconnect } from '../serving/whoever-asks.ts'
import { serialNumbersOfOrder } from '../../ledger/order-state.ts'
import { oneOf, parseQuery } from '../requests/query.ts'
import { KNOWN_AT_PARAMETER, parseTime, type Include } from '../requests/request-manners.ts'
import { OrderState } from '../wire/ledger-schema.ts'
import { buildOrderResponse, type OrderResponseContext, type OrderRequest } from './order-answer.ts'

export interface OrderLookupContext extends OrderResponseContext {
  readonly files: OrderReader
  /** Has an order of a device with a long journal answered elsewhere. @throws Failure */
  readonly askOrder: (ask: OrderRequest, signal: AbortSignal) => Promise<StreamedResponse>
  readonly examples: { readonly state: unknown }
}

const QUERY = {
  include: oneOf(
    'What to add: how each line came about, your own metadata, all that was posted, all that was told of it.',
    ['calculation', 'metadata', 'entries', 'events'],
  ),
  known_at: KNOWN_AT_PARAMETER,
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
    summary: 'An order as it stands',
    description: 'With all that happened to it, or, with known_at, as it was known at some time.',
    tag: 'Orders',
    scope: 'orders:read',
    pathParameters: ORDER_PARAMETERS,
    query: QUERY,
    answer: {
      description: 'The order with its emissions.',
      schema: schemaRef(OrderState),
      example: context.examples.state,
      headers: { 'Dataset-Release': 'Release of the datasets that the order was estimated with.' },
    },
    failures: ['invalid_request', 'not_found'],
    handle: (request, reply) => getOrder(context, request, reply),
  },
]

export const orderKeyOfPath = (request: FastifyRequest): OrderKey => {
  const { customer_id, order_id } = request.params as { readonly customer_id: string; readonly order_id: string }
  return { customerId: customer_id, orderId: order_id }
}

export function orderNotFound({ customerId, orderId }: OrderKey, knownAt: Date | null = null): ApiError {
  const order = `order "${orderId.slice(0, 80)}" of the customer "${customerId.slice(0, 80)}"`
  return new ApiError(
    'not_found',
    knownAt ? `No ${order} was known at ${knownAt.toISOString()}` : `There is no ${order}`,
  )
}

function getOrder(context: OrderLookupContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const query = parseQuery(request.query, QUERY)
  const include = new Set(query['include']) as Include
  return sendOrder(context, { ...askOf(request, parseTime(query['known_at'])), of: 'standing', include }, reply)
}

/** The order that the path names, as it was known at some time. */
export const askOf = (
  request: FastifyRequest,
  knownAt: Date | null,
): Pick<OrderRequest, 'accountId' | 'key' | 'knownAt'> => ({
  accountId: callerOf(request).accountId,
  key: orderKeyOfPath(request),
  knownAt,
})

/** No order has a NUL in its ids, and PostgreSQL could not even be asked for one. */
export const isStorableOrderKey = ({ customerId, orderId }: OrderKey): boolean =>
  !`${customerId}${orderId}`.includes('\0')

/** @throws Failure where there is no such order, or was none at that time */
export async function sendOrder(
  context: Omit<OrderLookupContext, 'examples'>,
  ask: OrderRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { accountId, key, knownAt } = ask
  const file = isStorableOrderKey(key)
    ? await context.files.orderFile(accountId, key, serialNumbersOfOrder, knownAt)
    : null
  if (!file) throw orderNotFound(key, knownAt)
  if (file === 'long') return sendStreamedResponse(await context.askOrder(ask, abortOnDisconnect(reply.raw)), reply)
  const { headers, text } = await buildOrderResponse(context, ask, file)
  return reply.headers(headers).send(text)
}
