// GET …/receipt: everything that an order's numbers follow from, so that anyone can compute them again elsewhere.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FactorBook } from '../../engine/figures/factor-book.ts'
import type { OrderFiles } from '../../postgres/orders/order-files.ts'
import { callerOf } from '../serving/authenticate.ts'
import { ref } from '../requests/component.ts'
import { JSON_TYPE } from '../requests/exact-json.ts'
import type { Operation } from '../serving/operation.ts'
import { ORDER_PARAMETERS, ORDER_PATH, askedFile } from './order-lookup.ts'
import { readQuery } from '../requests/query.ts'
import { toTextInSteps } from '../../receipts/json-tree.ts'
import { inSlices } from '../serving/in-slices.ts'
import { makeReceipt } from './receipt-maker.ts'
import { Receipt } from '../wire/receipt-schema.ts'
import { KNOWN_AT, timeOf } from '../requests/request-manners.ts'
import { readBooks } from '../wire/stored-journal.ts'

export interface ReceiptsContext {
  readonly version: string
  readonly files: OrderFiles
  readonly bookOf: (releaseId: number) => Promise<FactorBook>
  readonly now: () => Date
  readonly example: unknown
}

const QUERY = { known_at: KNOWN_AT }

export const receiptOperations = (context: ReceiptsContext): readonly Operation[] => [
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
      schema: ref(Receipt),
      example: context.example,
      headers: { 'Dataset-Release': 'Releases of the datasets that the order was estimated with.' },
    },
    failures: ['invalid_request', 'not_found'],
    handle: (request, reply) => getReceipt(context, request, reply),
  },
]

async function getReceipt(
  { version, files, bookOf, now }: ReceiptsContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const knownAt = timeOf(readQuery(request.query, QUERY)['known_at'])
  const file = await askedFile({ files }, request, knownAt)
  const { accountId } = callerOf(request)
  const books = await readBooks(file.journals, [file.order.releaseId], bookOf)
  const { tree } = await inSlices(makeReceipt(file, books, { accountId, version, at: now(), knownAt }))
  const names = (tree['releases'] as readonly { readonly name: string }[]).map(({ name }) => name)
  const text = await inSlices(toTextInSteps(tree))
  return reply.header('dataset-release', names.join(', ')).type(JSON_TYPE).send(text)
}
