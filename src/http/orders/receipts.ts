// GET …/receipt: everything that an order's numbers follow from, so that anyone can compute them again elsewhere.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { schemaRef } from '../requests/component.ts'
import type { RouteDefinition } from '../serving/operation.ts'
import { ORDER_PARAMETERS, ORDER_PATH, askOf, sendOrder, type OrderLookupContext } from './order-lookup.ts'
import { parseQuery } from '../requests/query.ts'
import { Receipt } from '../wire/receipt-schema.ts'
import { KNOWN_AT_PARAMETER, parseTime } from '../requests/request-manners.ts'

export interface ReceiptsContext extends Omit<OrderLookupContext, 'examples'> {
  readonly example: unknown
}

const QUERY = { known_at: KNOWN_AT_PARAMETER }

export const receiptOperations = (context: ReceiptsContext): readonly RouteDefinition[] => [
  {
    id: 'getReceipt',
    method: 'GET',
    path: `${ORDER_PATH}/receipt`,
    summary: 'The receipt of an order',
    description:
      'Inputs, figures with their sources, the ledgers of the devices, every line with its formula, and a hash over ' +
      'it all. Rentals of a device under other orders stand in it without a name. `cradle verify FILE` computes ' +
      'everything again, without a database.',
    tag: 'Orders',
    scope: 'orders:read',
    pathParameters: ORDER_PARAMETERS,
    query: QUERY,
    answer: {
      description: 'The receipt.',
      schema: schemaRef(Receipt),
      example: context.example,
      headers: { 'Dataset-Release': 'Releases of the datasets that the order was estimated with.' },
    },
    failures: ['invalid_request', 'not_found'],
    handle: (request, reply) => getReceipt(context, request, reply),
  },
]

function getReceipt(context: ReceiptsContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const knownAt = parseTime(parseQuery(request.query, QUERY)['known_at'])
  return sendOrder(context, { ...askOf(request, knownAt), of: 'receipt', include: new Set() }, reply)
}
