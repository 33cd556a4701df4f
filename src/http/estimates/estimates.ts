// POST /api/estimates: what an order would be answered with, beside what it would be if it were done otherwise.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ReferenceData } from '../../engine/figures/factor-book.ts'
import type { MappingOf } from '../../engine/find-product.ts'
import { PROBLEMS_MAX } from '../../engine/order-problems.ts'
import { matchesOf, resolveStored, serialNumbersOf, type ResolvedItem } from '../../engine/resolve.ts'
import type { Mappings } from '../../postgres/products/mappings.ts'
import type { OrderReader } from '../../postgres/orders/order-files.ts'
import { problemsOfAlternatives, readAlternatives } from './alternatives.ts'
import { callerOf } from '../serving/authenticate.ts'
import { ref, type Component } from '../requests/component.ts'
import { estimateOrder, impossibleRefurbishments, openDevices } from './estimate-order.ts'
import { EstimateParams, EstimateResponse, type Refurbishment, type WireAlternative } from './estimate-schema.ts'
import { JSON_TYPE } from '../requests/exact-json.ts'
import { exampleEstimate } from './estimate-example.ts'
import { Failure, invalid } from '../requests/failure.ts'
import type { MatchAhead } from '../orders/match-ahead.ts'
import type { Operation } from '../serving/operation.ts'
import { untilGone } from '../serving/whoever-asks.ts'
import type { WireOrder } from '../wire/order-schema.ts'
import { readOrder, toOrder } from '../wire/read-order.ts'
import { renderEstimate } from './render-estimate.ts'
import { INCLUDE, noteIgnored, readInclude, IGNORED } from '../requests/request-manners.ts'
import { readBooks } from '../wire/stored-journal.ts'
import { keyOfWire, toNewOrder } from '../wire/stored-order.ts'
import type { Validate } from '../requests/validate.ts'

export interface EstimatesContext {
  readonly files: OrderReader
  readonly mappings: Mappings
  readonly matchAhead: MatchAhead
  readonly book: ReferenceData
  readonly releaseId: number
  readonly bookOf: (releaseId: number) => Promise<ReferenceData>
  readonly validatorOf: (schema: Component) => Validate
  readonly now: () => Date
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
        'nothing is stored. Each alternative is answered beside it with its lines and the difference. An order that ' +
        'is posted already is a conflict: it stands in those ledgers itself.',
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
          ...IGNORED,
        },
      },
      failures: ['invalid_request', 'conflict', 'too_large', 'unsupported_media_type'],
      handle: (request, reply) => estimate(context, validate, request, reply),
    },
  ]
}

const OWN_MEMBERS = ['alternatives']

async function estimate(
  context: EstimatesContext,
  validate: Validate,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const include = readInclude(request)
  const { book, releaseId, bookOf } = context
  const caller = callerOf(request)
  const body = request.body ?? {}
  const mappingOf = await context.mappings.of(caller)
  await context.matchAhead(caller.accountId, body, mappingOf, () => untilGone(reply.raw))
  const { read, asked, alternatives } = readAll(body, validate, book, mappingOf)
  noteIgnored(reply, read.ignored)

  const { accountId, isCapped } = caller
  const journals = await context.files.journalsBefore(accountId, keyOfWire(read.wire), serialNumbersOf(read.items))
  if (!journals) throw postedAlready(read.wire)
  const known = await openDevices(journals, await readBooks(journals, [releaseId], bookOf))
  const estimateOf = (items: readonly ResolvedItem[], refurbished: Refurbishment | null) =>
    estimateOrder({ wire: read.wire, items, releaseId, isCapped }, known, refurbished)
  const impossible = impossibleRefurbishments({ ...read, releaseId, isCapped }, known, alternatives)
  if (impossible.length > 0) throw invalid(impossible)
  const findings = matchesOf(read.items)
  const footprint = estimateOf(read.items, null)
  const others = alternatives.map(({ name, order, refurbished }) => ({
    name,
    footprint: estimateOf(resolveStored(order, findings, book), refurbished),
  }))
  const order = { ...toNewOrder(read.wire, footprint, releaseId), createdAt: context.now(), status: 'created' as const }
  const answered = { accountId, order, items: footprint.items, book }
  return reply
    .header('dataset-release', book.release)
    .type(JSON_TYPE)
    .send(renderEstimate(answered, asked ? others : null, include))
}

/** @throws Failure with all that is wrong with the order and with its alternatives */
function readAll(body: unknown, validate: Validate, book: ReferenceData, mappingOf: MappingOf) {
  const read = readOrder(body, validate, book, mappingOf, OWN_MEMBERS)
  if (!read.ok) {
    const others = problemsOfAlternatives(body, read.order, read.shape, book)
    throw invalid([...read.problems, ...others].slice(0, PROBLEMS_MAX))
  }
  const { alternatives: asked } = body as { readonly alternatives?: readonly WireAlternative[] }
  const changed = readAlternatives(toOrder(read.wire), asked ?? [], book)
  if (!changed.ok) throw invalid(changed.problems)
  return { read, asked, alternatives: changed.alternatives }
}

/** Its own rental is in the ledgers of its devices: as a new one it would be answered with other numbers. */
function postedAlready({ customer_id: customerId, order_id: orderId }: WireOrder): Failure {
  const message = 'Is posted already; estimate it under another order_id, or read how it stands'
  const shown = `The order "${orderId.slice(0, 80)}" of "${customerId.slice(0, 80)}"`
  return new Failure('conflict', `${shown} is posted already; estimate it under another order_id`, [
    { path: '/order_id', message },
  ])
}
