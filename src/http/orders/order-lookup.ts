// GET /api/customer-orders/{customer_id}/{order_id}: an order as it stands, or as it was known at some time.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { orderKey, type OrderKey } from '../../engine/device-run.ts'
import type { FactorBook } from '../../engine/figures/factor-book.ts'
import type { OrderFile } from '../../postgres/orders/events.ts'
import type { OrderFiles } from '../../postgres/orders/order-files.ts'
import type { StoredEntry } from '../../postgres/orders/order-record.ts'
import { callerOf } from '../serving/authenticate.ts'
import { ref } from '../requests/component.ts'
import type { Steps } from '../../engine/numbers/steps.ts'
import { Failure } from '../requests/failure.ts'
import type { Operation } from '../serving/operation.ts'
import { serialsOf, standingOrder } from '../wire/order-view.ts'
import { JSON_TYPE } from '../requests/exact-json.ts'
import { inSlices } from '../serving/in-slices.ts'
import { oneOf, readQuery } from '../requests/query.ts'
import { renderInSteps } from '../wire/render.ts'
import { renderEntries } from '../wire/render-entries.ts'
import { KNOWN_AT, timeOf, type Include } from '../requests/request-manners.ts'
import { OrderState } from '../wire/ledger-schema.ts'
import { readBooks } from '../wire/stored-journal.ts'

export interface OrderLookupContext {
  readonly files: OrderFiles
  readonly bookOf: (releaseId: number) => Promise<FactorBook>
  readonly examples: { readonly state: unknown }
}

const QUERY = {
  include: oneOf(
    'What to add: how each line came about, your own metadata, all that was posted, all that was told of it.',
    ['calculation', 'metadata', 'entries', 'events'],
  ),
  known_at: KNOWN_AT,
}

export const ORDER_PATH = '/api/customer-orders/{customer_id}/{order_id}'
export const ORDER_PARAMETERS = {
  customer_id: { description: 'Your own customer identifier.', example: 'customer-17' },
  order_id: { description: 'Your own order identifier.', example: 'order-2024-1212' },
}

export const orderLookupOperations = (context: OrderLookupContext): readonly Operation[] => [
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
      schema: ref(OrderState),
      example: context.examples.state,
      headers: { 'Dataset-Release': 'Release of the datasets that the order was estimated with.' },
    },
    failures: ['invalid_request', 'not_found'],
    handle: (request, reply) => getOrder(context, request, reply),
  },
]

export const orderKeyOf = (request: FastifyRequest): OrderKey => {
  const { customer_id, order_id } = request.params as { readonly customer_id: string; readonly order_id: string }
  return { customerId: customer_id, orderId: order_id }
}

export function unknownOrder({ customerId, orderId }: OrderKey, knownAt: Date | null = null): Failure {
  const order = `order "${orderId.slice(0, 80)}" of the customer "${customerId.slice(0, 80)}"`
  return new Failure(
    'not_found',
    knownAt ? `No ${order} was known at ${knownAt.toISOString()}` : `There is no ${order}`,
  )
}

async function getOrder(
  context: OrderLookupContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const query = readQuery(request.query, QUERY)
  const file = await askedFile(context, request, timeOf(query['known_at']))
  return answerStanding(context, callerOf(request).accountId, file, new Set(query['include']) as Include, reply)
}

/** The order that the path names. @throws Failure where there is no such order, or was none at that time */
export async function askedFile(
  { files }: Pick<OrderLookupContext, 'files'>,
  request: FastifyRequest,
  knownAt: Date | null,
): Promise<OrderFile> {
  const key = orderKeyOf(request)
  const file = isStorable(key) ? await files.orderFile(callerOf(request).accountId, key, serialsOf, knownAt) : null
  if (!file) throw unknownOrder(key, knownAt)
  return file
}

/** No order has a NUL in its ids, and PostgreSQL could not even be asked for one. */
export const isStorable = ({ customerId, orderId }: OrderKey): boolean => !`${customerId}${orderId}`.includes('\0')

/** The order as its file has it. */
export async function answerStanding(
  { bookOf }: Pick<OrderLookupContext, 'bookOf'>,
  accountId: number,
  file: OrderFile,
  include: Include,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const books = await readBooks(file.journals, [file.order.releaseId], bookOf)
  const { items, status } = await inSlices(standingOrder(file, books))
  const order = { ...file.order, status }
  const history =
    (include.has('entries') ? `,"entries":${await inSlices(renderOwnEntries(accountId, file))}` : '') +
    (include.has('events') ? `,"events":${renderEvents(file)}` : '')
  const book = books(order.releaseId)
  const text = await inSlices(renderInSteps({ accountId, order, items, book }, include, history))
  return reply.header('dataset-release', book.release).type(JSON_TYPE).send(text)
}

/** The order's entries, in the sequence in which they were posted. */
function renderOwnEntries(accountId: number, { order, journals, entries }: OrderFile): Steps<string> {
  const all: readonly StoredEntry[] = [...entries, ...[...journals.values()].flatMap((journal) => journal.entries)]
  const own = all.filter((entry) => orderKey(entry) === orderKey(order))
  const inTurn = own.toSorted((a, b) => a.postedAt.getTime() - b.postedAt.getTime() || a.no - b.no)
  return renderEntries(accountId, inTurn, own)
}

/** In the sequence in which they became known, each as it was told. */
const renderEvents = ({ events }: OrderFile): string =>
  `[${events.map(({ postedAt, content }) => `{"told_at":"${postedAt.toISOString()}","event":${content}}`).join(',')}]`
