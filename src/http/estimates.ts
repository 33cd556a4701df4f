// POST /api/estimates: what an order would be answered with, beside what it would be if it were done otherwise.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ValidateFunction } from 'ajv'
import type { FactorBook } from '../engine/factor-book.ts'
import { basesOfProducts, foundOfProducts, resolveStored, type ResolvedItem } from '../engine/resolve.ts'
import type { Mappings } from '../postgres/mappings.ts'
import type { OrderFiles } from '../postgres/order-files.ts'
import { readAlternatives } from './alternatives.ts'
import { callerOf } from './authenticate.ts'
import { ref, type Component } from './component.ts'
import { estimateOrder } from './estimate-order.ts'
import { EstimateParams, EstimateResponse, type WireAlternative } from './estimate-schema.ts'
import { JSON_TYPE } from './exact-json.ts'
import { exampleEstimate } from './examples.ts'
import { invalid } from './failure.ts'
import type { Operation } from './operation.ts'
import { oneOf } from './query.ts'
import { readOrder, toOrder } from './read-order.ts'
import { renderEstimate } from './render-estimate.ts'
import { noteIgnored, readInclude } from './request-manners.ts'
import { readBooks } from './stored-journal.ts'
import { toNewOrder } from './stored-order.ts'

export interface EstimatesContext {
  readonly files: OrderFiles
  readonly mappings: Mappings
  readonly book: FactorBook
  readonly releaseId: number
  readonly bookOf: (releaseId: number) => Promise<FactorBook>
  readonly validatorOf: (schema: Component) => ValidateFunction
  readonly now: () => Date
}

const INCLUDE = {
  include: oneOf('What to add to the answer: how each line came about, your own metadata.', [
    'calculation',
    'metadata',
  ]),
}

export function estimateOperations(context: EstimatesContext): readonly Operation[] {
  const validate = context.validatorOf(EstimateParams)
  const example = exampleEstimate(context.book)
  return [
    {
      id: 'createEstimate',
      method: 'POST',
      path: '/api/estimates',
      summary: 'Estimate an order and alternatives to it',
      description:
        'The answer that the order would get if it were sent now, with the ledgers of its devices as they stand; ' +
        'nothing is stored. Each alternative is answered beside it with its lines and the difference.',
      tag: 'Orders',
      scope: 'orders:read',
      query: INCLUDE,
      body: { schema: EstimateParams, example: example.asked },
      answer: {
        description: 'The estimate.',
        schema: ref(EstimateResponse),
        example: example.answer,
        headers: {
          'Dataset-Release': 'Release of the datasets that the order was estimated with.',
          'X-Ignored-Members': 'JSON pointers of members of the body that are not known, percent-encoded.',
        },
      },
      failures: ['invalid_request', 'too_large', 'unsupported_media_type'],
      handle: (request, reply) => estimate(context, validate, request, reply),
    },
  ]
}

const OWN_MEMBERS = ['alternatives']

async function estimate(
  context: EstimatesContext,
  validate: ValidateFunction,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const include = readInclude(request, INCLUDE)
  const { book, releaseId, bookOf } = context
  const caller = callerOf(request)
  const body = request.body ?? {}
  const read = readOrder(body, validate, book, await context.mappings.of(caller), OWN_MEMBERS)
  if (!read.ok) throw invalid(read.problems)
  const { alternatives: asked } = body as { readonly alternatives?: readonly WireAlternative[] }
  const sent = toOrder(read.wire)
  const alternatives = readAlternatives(sent, asked ?? [], book)
  if (!alternatives.ok) throw invalid(alternatives.problems)
  noteIgnored(reply, read.ignored)

  const { accountId, isCapped } = caller
  const serials = sent.items.flatMap((item) => (item.type === 'product' ? [item.serialNumber] : []))
  const journals = await context.files.journalsOf(accountId, serials)
  const books = await readBooks(journals, [releaseId], bookOf)
  const estimateOf = (items: readonly ResolvedItem[], refurbished: Parameters<typeof estimateOrder>[3]) =>
    estimateOrder({ wire: read.wire, items, releaseId, isCapped }, journals, books, refurbished)
  const findings = { bases: basesOfProducts(read.items), found: foundOfProducts(read.items) }
  const footprint = estimateOf(read.items, null)
  const others = alternatives.alternatives.map(({ name, order, refurbished }) => ({
    name,
    footprint: estimateOf(resolveStored(order, findings, book), refurbished ?? null),
  }))
  const order = { ...toNewOrder(read.wire, footprint, releaseId), createdAt: context.now(), status: 'created' as const }
  const answered = { accountId, order, items: footprint.items, book }
  return reply
    .header('dataset-release', book.release)
    .type(JSON_TYPE)
    .send(renderEstimate(answered, asked ? others : null, include))
}
