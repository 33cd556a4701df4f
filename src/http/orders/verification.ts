// GET …/verification: an order's receipt made from what is stored, and computed again as anyone would elsewhere.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { schemaRef } from '../requests/component.ts'
import type { RouteDefinition } from '../serving/operation.ts'
import { ORDER_PARAMETERS, ORDER_PATH, askOf, sendOrder, type OrderLookupContext } from './order-lookup.ts'
import { parseQuery } from '../requests/query.ts'
import { Verification } from '../wire/receipt-schema.ts'
import { KNOWN_AT_PARAMETER, parseTime } from '../requests/request-manners.ts'

const QUERY = { known_at: KNOWN_AT_PARAMETER }

export const verificationOperations = (context: Omit<OrderLookupContext, 'examples'>): readonly RouteDefinition[] => [
  {
    id: 'verifyOrder',
    method: 'GET',
    path: `${ORDER_PATH}/verification`,
    summary: 'Compute an order again',
    description:
      'Makes the receipt of the order from what is stored, computes everything in it again from the order as it was ' +
      'received, its events and the figures of its releases, and compares it with what was posted.',
    tag: 'Orders',
    scope: 'orders:read',
    pathParameters: ORDER_PARAMETERS,
    query: QUERY,
    answer: {
      description: 'What was computed again, and whether it is equal.',
      schema: schemaRef(Verification),
      example: {
        outcome: 'equal',
        verified_at: '2025-01-02T08:00:00.000Z',
        lines: 4,
        devices: 1,
        entries: 1,
        dataset_releases: [context.book.release],
      },
    },
    failures: ['invalid_request', 'not_found'],
    handle: (request, reply) => verifyOrder(context, request, reply),
  },
]

function verifyOrder(
  context: Omit<OrderLookupContext, 'examples'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const knownAt = parseTime(parseQuery(request.query, QUERY)['known_at'])
  return sendOrder(context, { ...askOf(request, knownAt), of: 'verification', include: new Set() }, reply)
}
