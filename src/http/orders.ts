// POST /api/customer-orders: an order in, its emissions out, stored once however often it is sent.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ValidateFunction } from 'ajv'
import { estimateResolved, type EstimatedItem } from '../engine/estimate.ts'
import type { FactorBook } from '../engine/factor-book.ts'
import type { Problem } from '../engine/order.ts'
import { PROBLEMS_MAX } from '../engine/resolve.ts'
import type { StoredOrder } from '../postgres/order-record.ts'
import type { Orders } from '../postgres/orders.ts'
import { accountOf } from './authenticate.ts'
import { ref } from './component.ts'
import { Failure, invalid } from './failure.ts'
import type { Operation } from './operation.ts'
import { OrderParams } from './order-schema.ts'
import { oneOf, readQuery } from './query.ts'
import { escapePointer, readOrder } from './read-order.ts'
import { renderOrder, type Include } from './render.ts'
import { OrderResponse } from './response-schema.ts'
import { sharesToPost, toEstimatedItems, toStored, toWire } from './stored-order.ts'
import { JSON_TYPE } from './exact-json.ts'

export interface OrdersContext {
  readonly orders: Orders
  readonly book: FactorBook
  readonly releaseId: number
  /** The factor book of an earlier release, for orders that were made with it. */
  readonly bookOf: (releaseId: number) => Promise<FactorBook>
  readonly validateOrder: ValidateFunction
  readonly now: () => Date
  readonly examples: { readonly order: unknown; readonly answer: unknown }
}

const INCLUDE = {
  include: oneOf('What to add to the answer: how each line came about, your own metadata.', [
    'calculation',
    'metadata',
  ]),
}
/** Enough to see what is misspelled, and little enough for every client and proxy to read the answer. */
const IGNORED_NAMED_MAX = 20
const IGNORED_CHARACTERS_MAX = 2000

export const orderOperations = (context: OrdersContext): readonly Operation[] => [
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
    query: INCLUDE,
    body: { schema: OrderParams, example: context.examples.order },
    answer: {
      description: 'The order with its emissions.',
      schema: ref(OrderResponse),
      example: context.examples.answer,
      headers: {
        'Dataset-Release': 'Release of the datasets that the order was estimated with.',
        'Idempotent-Replayed': '"true" where the order was there before.',
        'X-Ignored-Members': 'JSON pointers of members of the body that are not known, percent-encoded.',
      },
    },
    failures: ['invalid_request', 'conflict', 'too_large', 'unsupported_media_type'],
    handle: (request, reply) => createOrder(context, request, reply),
  },
]

/** What most requests ask for: the contract's fields alone. */
const NOTHING_MORE: Include = new Set()

const readInclude = (request: FastifyRequest): Include =>
  new Set(readQuery(request.query, INCLUDE)['include']) as Include

async function createOrder(
  context: OrdersContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const include = request.url.includes('?') ? readInclude(request) : NOTHING_MORE
  const read = readOrder(request.body ?? {}, context.validateOrder, context.book)
  if (!read.ok) throw invalid(read.problems)
  const footprint = estimateResolved(read.items, new Map())
  if (read.ignored.length > 0) void reply.header('x-ignored-members', encodePointers(read.ignored))

  const accountId = accountOf(request)
  const order = toStored(read.wire, footprint, context.releaseId, context.now())
  const posted = await context.orders.post({ accountId, order, shares: sharesToPost(footprint) })
  if (posted.outcome === 'created') return answer(reply, accountId, order, footprint.items, context.book, include)

  const differences = differencesOf(toWire(posted.stored), read.wire)
  if (differences.length > 0) throw conflict(differences)
  const book = await context.bookOf(posted.stored.releaseId)
  void reply.header('idempotent-replayed', 'true')
  return answer(reply, accountId, posted.stored, toEstimatedItems(posted.stored, book), book, include)
}

const answer = (
  reply: FastifyReply,
  accountId: number,
  order: StoredOrder,
  items: readonly EstimatedItem[],
  book: FactorBook,
  include: Include,
): FastifyReply =>
  reply
    .header('dataset-release', book.release)
    .type(JSON_TYPE)
    .send(renderOrder(accountId, order, items, book, include))

function conflict(differences: readonly Problem[]): Failure {
  const places = differences
    .slice(0, 3)
    .map(({ path }) => path)
    .join(', ')
  return new Failure(
    'conflict',
    `This customer_id and order_id are taken by an order with other content: it differs at ${places}` +
      (differences.length > 3 ? ', …' : ''),
    differences,
  )
}

/** The members in which two values differ, as JSON pointers. */
function differencesOf(stored: unknown, sent: unknown, path = ''): readonly Problem[] {
  if (!isContainer(stored) || !isContainer(sent) || Array.isArray(stored) !== Array.isArray(sent)) {
    return stored === sent
      ? []
      : [{ path, message: `Is ${shown(sent)} here, and ${shown(stored)} in the order that is stored` }]
  }
  const names = new Set([...Object.keys(stored), ...Object.keys(sent)])
  return [...names]
    .flatMap((name) => differencesOf(own(stored, name), own(sent, name), `${path}/${escapePointer(name)}`))
    .slice(0, PROBLEMS_MAX)
}

/** A member that is there itself: a label may be named like something that every object has. */
const own = (value: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(value, name) ? value[name] : undefined

const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

function shown(value: unknown): string {
  if (value === undefined) return 'absent'
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

/** A header holds ASCII alone: pointers are percent-encoded, the slashes between their members left as they are. */
function encodePointers(pointers: readonly string[]): string {
  const encoded = pointers
    .slice(0, IGNORED_NAMED_MAX)
    .map((pointer) => pointer.slice(0, 200).toWellFormed().split('/').map(encodeURIComponent).join('/'))
  while (encoded.length > 1 && encoded.join(', ').length > IGNORED_CHARACTERS_MAX) encoded.pop()
  return encoded.join(', ').slice(0, IGNORED_CHARACTERS_MAX)
}
