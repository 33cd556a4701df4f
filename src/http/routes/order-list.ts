// GET /api/customer-orders: the current state of the orders of an account, filtered, searched, sorted and paged.
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { ReferenceData } from '../../engine/reference/reference-data.ts'
import { filteredIds, type StoredIds } from '../../ledger/stored-ids.ts'
import { STATUSES, type OrderStatus } from '../../engine/order.ts'
import type { OrderFilter, OrderCursor, OrderSort } from '../../postgres/order-query.ts'
import type { ListOrders, ListedOrder } from '../../postgres/order-list.ts'
import { callerOf } from '../plugins/authentication.ts'
import { schemaRef } from '../../contract/named-schema.ts'
import { JSON_TYPE } from '../../strict-json/json-number.ts'
import { invalidRequest } from '../../contract/errors.ts'
import { OrderSummary } from '../schemas/order-response.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { serialNumbersOfOrder } from '../../ledger/order-state.ts'
import {
  LINK,
  dateRangeParameters,
  identifier,
  isDay,
  isText,
  listCursor,
  nextPage,
  oneOf,
  oneOfWithDefault,
  pageLimit,
  parseQuery,
  repeatedText,
  type Parameters,
  type Query,
} from '../parameters.ts'
import { normaliseSerialNumber } from '../../contract/parse-order.ts'
import { metadataMember, orderHeadView } from '../views/order.ts'
import { withSerialised } from '../../strict-json/json-number.ts'
import { EXPECTED_PARAMETER, ROUTE_MESSAGES } from '../messages.ts'

export interface OrderListContext {
  readonly storedIds: StoredIds
  readonly listOrders: ListOrders
  readonly referenceData: ReferenceData
  readonly referenceDataOf: (releaseId: number) => Promise<ReferenceData>
  readonly examples: { readonly state: unknown }
}

const PATH = '/api/customer-orders'
const LIMIT_MAX = 1000
const LIMIT_DEFAULT = 100
/** The most orders that are sorted by emission. `npm run orders` measures how long such a page takes. */
const WEIGHED_MAX = 100_000

const SORT_KEYS: readonly OrderSort['by'][] = ['order_id', 'order_date', 'total_emission']
const SORTS = SORT_KEYS.flatMap((key) => [key, `-${key}`])
const SORT_DEFAULT = 'order_id'

export const orderListOperations = (context: OrderListContext): readonly RouteDefinition[] => [
  {
    id: 'listOrders',
    method: 'GET',
    path: PATH,
    summary: 'List orders',
    description:
      'Returns the current state of all matching orders. Sorted by order id, then customer id (by code point), or as ' +
      '`sort` says. Paged through `Link`. A page may have fewer orders than its limit if orders are long.',
    tag: 'Orders',
    scope: 'orders:read',
    query: listParameters(0, null, SORT_DEFAULT),
    answer: {
      description: 'The orders.',
      schema: Type.Array(schemaRef(OrderSummary)),
      example: [exampleOf(context.examples.state)],
      headers: {
        'Dataset-Release': 'Releases of the datasets that the orders were estimated with.',
        ...LINK,
      },
    },
    failures: ['invalid_request'],
    handle: (request, reply) => list(context, request, reply),
  },
]

/** The example order has one device. */
const exampleOf = (state: unknown): unknown => ({
  ...Object.fromEntries(Object.entries(state as object).filter(([name]) => name !== 'items')),
  number_of_devices: 1,
})

/**
 * @param from the value that was sent as `from`: `to` must not be before it
 * @param sort the value that was sent as `sort`: a cursor of another sequence is invalid
 */
function listParameters(accountId: number, from: unknown, sort: string): Parameters {
  return {
    search: repeatedText(
      'Only orders whose order id, customer id or serial number begins with this text, by code point. Serial numbers ' +
        'include devices that were swapped out. Surrounding white space is ignored.',
    ),
    customer_id: identifier('Only orders of this customer.'),
    order_id: identifier('Only orders with this id, of any customer.'),
    serial_number: {
      description:
        'Only orders that hold this device or held it until it was swapped. Compared after Unicode NFC and trimming.',
      schema: { type: 'string', minLength: 1 },
      check: (value) => (isText(normaliseSerialNumber(value)) ? null : EXPECTED_PARAMETER.expected_serial_number()),
    },
    status: oneOf('Only orders with these statuses, comma-separated or repeated.', STATUSES),
    ...dateRangeParameters('order date', from),
    include: oneOf('Members to add: `metadata` (your own metadata).', ['metadata']),
    sort: oneOfWithDefault(
      'Sort key; with a minus sign, the largest or last first. Sorting by total_emission works for at most ' +
        `${WEIGHED_MAX} orders: all orders of the account, or those that remain after filtering by customer, days, ` +
        'statuses other than created, or search.',
      SORTS,
      SORT_DEFAULT,
    ),
    limit: pageLimit('orders', LIMIT_MAX, LIMIT_DEFAULT),
    cursor: cursorOf(accountId, sort).parameter,
  }
}

/** A cursor identifies the last order of a page. */
const cursorOf = (accountId: number, sort: string) =>
  listCursor<OrderCursor>(
    ['orders', accountId, sort],
    ({ orderId, customerId, orderDate, posted }) => [orderId, customerId, orderDate, String(posted)],
    (orderId, customerId, orderDate = '', posted = '') =>
      orderId !== undefined && customerId !== undefined && isDay(orderDate) && /^-?\d{1,18}$/.test(posted)
        ? { orderId, customerId, orderDate, posted: BigInt(posted) }
        : null,
  )

async function list(context: OrderListContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { accountId } = callerOf(request)
  const { from, sort: sent } = request.query as Readonly<Record<string, unknown>>
  const sort = typeof sent === 'string' ? sent.toLowerCase() : SORT_DEFAULT
  const query = parseQuery(request.query, listParameters(accountId, from, sort))
  const cursor = cursorOf(accountId, sort)
  const page = await context.listOrders({
    accountId,
    filter: { ...filterOf(query), ...(await filteredIds(context.storedIds, accountId, query)) },
    sequence: sequenceOf(sort),
    after: query['cursor'] ? cursor.read(query['cursor'][0]!) : null,
    limit: Number(query['limit']?.[0] ?? LIMIT_DEFAULT),
    weighedMax: WEIGHED_MAX,
    serialsOf: serialNumbersOfOrder,
  })
  if (page === 'too-many') throw invalidRequest([TOO_MANY])
  const { orders, hasMore } = page
  const last = orders.at(-1)
  if (hasMore && last) {
    const { orderId, customerId, orderDate } = last.order
    void reply.header(
      'link',
      nextPage(PATH, query, cursor.write({ orderId, customerId, orderDate, posted: last.posted })),
    )
  }
  const include = new Set(query['include'])
  return reply
    .header('dataset-release', await releasesOf(orders, context))
    .type(JSON_TYPE)
    .send(`[${orders.map((order) => summaryView(order, include)).join(',')}]`)
}

const sequenceOf = (sort: string): OrderSort => ({
  by: SORT_KEYS.find((key) => sort.endsWith(key))!,
  isDescending: sort.startsWith('-'),
})

const TOO_MANY = {
  path: '?sort',
  ...ROUTE_MESSAGES.orders_unsortable({ max: WEIGHED_MAX }),
}

const filterOf = (query: Query): Omit<OrderFilter, 'customerId' | 'orderId'> => {
  const search = query['search']?.[0]?.trim()
  return {
    serialNumber: query['serial_number'] ? normaliseSerialNumber(query['serial_number'][0]!) : null,
    statuses: query['status'] ? new Set(query['status'] as readonly OrderStatus[]) : null,
    from: query['from']?.[0] ?? null,
    to: query['to']?.[0] ?? null,
    beginning: search === undefined ? null : { id: search, serial: normaliseSerialNumber(search) },
  }
}

async function releasesOf(
  orders: readonly ListedOrder[],
  { referenceData, referenceDataOf }: OrderListContext,
): Promise<string> {
  const ids = [...new Set(orders.map(({ order }) => order.releaseId))].sort((a, b) => a - b)
  const names = new Set<string>()
  for (const id of ids) names.add((await referenceDataOf(id)).release)
  return [...names].join(', ') || referenceData.release
}

const summaryView = ({ order, deviceCount, posted }: ListedOrder, include: ReadonlySet<string>): string =>
  withSerialised({ ...orderHeadView(order, posted), number_of_devices: deviceCount }, metadataMember(order, include))
