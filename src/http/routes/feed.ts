// GET /api/events: what happened in the account, in one sequence.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { EMISSION_UNIT } from '../../engine/numbers/emission.ts'
import { schemaRef } from '../../contract/named-schema.ts'
import { invalidRequest } from '../../contract/errors.ts'
import type { Feed, FeedItem } from '../../postgres/feed.ts'
import type { ViewEvents } from '../../webhooks/event-view.ts'
import { WEBHOOK_MESSAGES } from '../messages.ts'
import { listCursor, pageLimit, parseQuery, type ListCursor, type Parameter } from '../parameters.ts'
import { callerOf } from '../plugins/authentication.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { FeedPage } from '../schemas/feed.ts'

export interface FeedContext {
  readonly feed: Feed
  readonly viewEvents: ViewEvents
  /** How long events are kept. */
  readonly feedDays: number
}

const LIMIT_MAX = 500
const LIMIT_DEFAULT = 100

const FEED_EVENT_EXAMPLE = {
  specversion: '1.0',
  id: 'evt_1_42_mc2x7k00',
  source: '/api/events',
  type: 'order.changed',
  subject: 'customer-orders/customer-17/order-1001',
  time: '2026-03-02T09:00:00.000Z',
  datacontenttype: 'application/json',
  data: {
    customer_id: 'customer-17',
    order_id: 'order-1001',
    old_total_emission: 38.25,
    new_total_emission: 33.75,
    emission_unit: EMISSION_UNIT,
    cause: { event_id: 'returned-early' },
    link: '/api/customer-orders/customer-17/order-1001',
  },
}

/** The event that was read last, by its position and its time: after a backup was restored, it may be another one. */
interface Place {
  readonly position: number
  readonly time: number
}

export const feedOperations = (context: FeedContext): readonly RouteDefinition[] => [
  {
    id: 'listEvents',
    method: 'GET',
    path: '/api/events',
    summary: 'Read the events of the account',
    description:
      'Returns what happened in the account since a cursor, oldest first: the same events that webhooks get. The ' +
      'sequence never changes: new events are added only at the end, so if you always continue with `next`, you miss ' +
      `none. Events are kept for ${context.feedDays} days.`,
    tag: 'Events',
    scope: 'orders:read',
    query: parametersOf(cursorOf(0)),
    answer: {
      description: 'A page of the feed.',
      schema: schemaRef(FeedPage),
      example: { events: [FEED_EVENT_EXAMPLE], next: 'NDIAMTc3MjQ0MDIwMDAwMADQ', has_more: false },
    },
    failures: ['invalid_request'],
    handle: (request, reply) => listEvents(context, request, reply),
  },
]

const parametersOf = ({ read, parameter }: ListCursor<Place>) => ({
  after: {
    ...parameter,
    description: '`next` of an earlier response. Default: begins with the oldest event that is kept.',
    check: (value) => (read(value) ? null : WEBHOOK_MESSAGES.event_cursor_unknown()),
  } satisfies Parameter,
  limit: pageLimit('events', LIMIT_MAX, LIMIT_DEFAULT),
})

const NUMBER = /^\d{1,15}$/

const cursorOf = (accountId: number): ListCursor<Place> =>
  listCursor(
    ['events', accountId],
    ({ position, time }) => [String(position), String(time)],
    (position, time) =>
      position !== undefined && time !== undefined && NUMBER.test(position) && NUMBER.test(time)
        ? { position: Number(position), time: Number(time) }
        : null,
  )

async function listEvents(
  { feed, viewEvents, feedDays }: FeedContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { accountId } = callerOf(request)
  const cursor = cursorOf(accountId)
  const query = parseQuery(request.query, parametersOf(cursor))
  const limit = Number(query['limit']?.[0] ?? LIMIT_DEFAULT)
  const after = query['after'] ? cursor.read(query['after'][0]!)! : START
  const found = await feed.after(accountId, after.position, limit + 1)
  if (after.position > 0) await assertKnown(feed, accountId, after, found[0], feedDays)
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return reply.send({
    events: await viewEvents(page),
    next: cursor.write(last ? { position: last.position, time: last.postedAt.getTime() } : after),
    has_more: found.length > limit,
  })
}

const START: Place = { position: 0, time: 0 }

/** @throws ApiError for a cursor of an event that never was, or after which events were deleted */
async function assertKnown(
  feed: Feed,
  accountId: number,
  { position, time }: Place,
  next: FeedItem | undefined,
  days: number,
): Promise<void> {
  const [read] = await feed.at(accountId, [position])
  if (read?.postedAt.getTime() === time) return
  const head = await feed.lastPosition(accountId)
  const isUnknown = read !== undefined || position > head
  // It was deleted, but nothing after it.
  if (!isUnknown && position + 1 === (next?.position ?? head + 1)) return
  const why = isUnknown ? WEBHOOK_MESSAGES.event_cursor_unknown() : WEBHOOK_MESSAGES.event_cursor_expired({ days })
  throw invalidRequest([{ path: '?after', ...why }])
}
