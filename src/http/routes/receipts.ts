// GET …/receipt and …/verification: all inputs of an order's figures, and the figures recomputed and compared.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { KNOWN_AT_PARAMETER, flag, isSet, parseQuery, parseTime } from '../parameters.ts'
import { schemaRef } from '../../contract/named-schema.ts'
import { Receipt, Verification } from '../schemas/receipt.ts'
import type { RouteDefinition } from '../route-definition.ts'
import type { StatementKey } from '../../postgres/statement-keys.ts'
import { callerOf } from '../plugins/authentication.ts'
import { MAKES_KEY } from './statements.ts'
import { ORDER_PARAMETERS, ORDER_PATH, askOf, sendOrder, type OrderLookupContext } from './orders.ts'

export interface ReceiptsContext extends Omit<OrderLookupContext, 'examples'> {
  readonly example: unknown
  readonly statementKeyOf: (accountId: number) => Promise<StatementKey>
}

const QUERY = { known_at: KNOWN_AT_PARAMETER }
const RECEIPT_QUERY = {
  ...QUERY,
  signed: flag('Sign the receipt with the key of the account, as statements are: adds `signed_by` and `signature`.'),
}

export const receiptOperations = (context: ReceiptsContext): readonly RouteDefinition[] => [
  {
    id: 'getReceipt',
    method: 'GET',
    path: `${ORDER_PATH}/receipt`,
    summary: 'Get the receipt of an order',
    description:
      'Returns the inputs, the figures with their sources, the ledgers of the devices, every line with its formula, ' +
      'and a hash over all of it. Rentals of a device under other orders are included without a name. `cradle verify ' +
      'FILE` recomputes everything without a database.',
    tag: 'Orders',
    scope: 'orders:read',
    pathParameters: ORDER_PARAMETERS,
    query: RECEIPT_QUERY,
    answer: {
      description: 'The receipt.',
      schema: schemaRef(Receipt),
      example: context.example,
      headers: { 'Dataset-Release': 'Releases of the datasets that the order was estimated with.' },
    },
    failures: ['invalid_request', 'not_found', ...MAKES_KEY],
    handle: (request, reply) => getReceipt(context, request, reply),
  },
]

async function getReceipt(
  context: ReceiptsContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const query = parseQuery(request.query, RECEIPT_QUERY)
  const ask = await askOf(context, request, parseTime(query['known_at']))
  const signWith = isSet(query, 'signed')
    ? (await context.statementKeyOf(callerOf(request).accountId)).privateKey
    : null
  return sendOrder(context, { ...ask, of: 'receipt', include: new Set(), ...(signWith && { signWith }) }, reply)
}

export const verificationOperations = (context: Omit<OrderLookupContext, 'examples'>): readonly RouteDefinition[] => [
  {
    id: 'verifyOrder',
    method: 'GET',
    path: `${ORDER_PATH}/verification`,
    summary: 'Verify an order by recomputing it',
    description:
      'Builds the receipt of the order from stored data. Recomputes everything in it from the order as it was ' +
      'received, its events and the figures of its dataset releases. Compares the result with what was posted.',
    tag: 'Orders',
    scope: 'orders:read',
    pathParameters: ORDER_PARAMETERS,
    query: QUERY,
    answer: {
      description: 'What was recomputed, and whether it is equal.',
      schema: schemaRef(Verification),
      example: {
        outcome: 'equal',
        verified_at: '2025-01-02T08:00:00.000Z',
        lines: 4,
        devices: 1,
        entries: 1,
        dataset_releases: [context.referenceData.release],
      },
    },
    failures: ['invalid_request', 'not_found'],
    handle: (request, reply) => verifyOrder(context, request, reply),
  },
]

async function verifyOrder(
  context: Omit<OrderLookupContext, 'examples'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const knownAt = parseTime(parseQuery(request.query, QUERY)['known_at'])
  const ask = await askOf(context, request, knownAt)
  return sendOrder(context, { ...ask, of: 'verification', include: new Set() }, reply)
}
