// /api/webhooks/{webhook_id}/deliveries: the log of what was sent, tests, and deliveries that are sent again.
import Type from 'typebox'
import { ApiError } from '../../contract/errors.ts'
import { schemaRef } from '../../contract/named-schema.ts'
import type { Webhook as StoredWebhook } from '../../postgres/webhooks.ts'
import { WEBHOOK_MESSAGES } from '../messages.ts'
import { LINK, nextPage, numberCursor, pageLimit, parseQuery } from '../parameters.ts'
import { callerOf } from '../plugins/authentication.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { WebhookDelivery, printDelivery } from '../schemas/webhook.ts'
import {
  WEBHOOKS_PATH,
  WEBHOOK_ID,
  WEBHOOK_PATH,
  findWebhook,
  unknownWebhook,
  type WebhooksContext,
} from './webhooks.ts'

export type DeliveriesContext = Omit<WebhooksContext, 'validatorOf'>

const LIMIT_MAX = 1000
const LIMIT_DEFAULT = 100

const DELIVERY_EXAMPLE = {
  delivery_id: 41,
  type: 'order.changed',
  event_time: '2026-03-02T09:00:00.000Z',
  state: 'succeeded',
  number_of_attempts: 1,
  next_attempt_at: null,
  last_attempt_at: '2026-03-02T09:00:01.000Z',
  last_status: 204,
  last_problem: null,
  last_milliseconds: 81,
}
const WAITING_EXAMPLE = {
  ...DELIVERY_EXAMPLE,
  state: 'waiting',
  number_of_attempts: 0,
  next_attempt_at: '2026-03-02T09:00:00.000Z',
  last_attempt_at: null,
  last_status: null,
  last_milliseconds: null,
}
const DELIVERY_ANSWER = {
  status: 202,
  description: 'The delivery, which now waits to be sent.',
  schema: schemaRef(WebhookDelivery),
} as const

export const deliveryOperations = (context: DeliveriesContext): readonly RouteDefinition[] => [
  testOperation(context),
  deliveriesOperation(context),
  replayOperation(context),
]

const testOperation = (context: DeliveriesContext): RouteDefinition => ({
  id: 'testWebhook',
  method: 'POST',
  path: `${WEBHOOK_PATH}/test`,
  summary: 'Send a test to a webhook',
  description: 'Sends an event of the type `webhook.test`, signed like all others. Its delivery shows the result.',
  tag: 'Events',
  scope: 'admin',
  pathParameters: WEBHOOK_ID,
  query: {},
  answer: {
    ...DELIVERY_ANSWER,
    example: { ...WAITING_EXAMPLE, type: 'webhook.test' },
  },
  failures: ['invalid_request', 'not_found', 'conflict'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const webhook = await findWebhook(context.webhooks, request)
    assertEnabled(webhook)
    const added = await context.deliveries.addTest(webhook.accountId, webhook.webhookId)
    if (!added) throw unknownWebhook(webhook.webhookId)
    context.wakeWebhooks()
    return reply.code(202).send(printDelivery(added))
  },
})

const deliveriesCursor = (accountId: number, webhookId: string) => numberCursor(['deliveries', accountId, webhookId])

/** @param webhookId as it is in the path, where there may be no such webhook */
const deliveriesParameters = (accountId: number, webhookId: string) => ({
  limit: pageLimit('deliveries', LIMIT_MAX, LIMIT_DEFAULT),
  cursor: deliveriesCursor(accountId, webhookId).parameter,
})

const deliveriesOperation = ({ webhooks, deliveries, webhookLimits }: DeliveriesContext): RouteDefinition => ({
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: `${WEBHOOK_PATH}/deliveries`,
  summary: 'List deliveries of a webhook',
  description:
    'Returns what was or will be sent to a webhook, latest first, each with its last attempt. Finished deliveries ' +
    `are kept for ${webhookLimits.deliveryDays} days. Paged through \`Link\`.`,
  tag: 'Events',
  scope: 'admin',
  pathParameters: WEBHOOK_ID,
  query: deliveriesParameters(0, ''),
  answer: {
    description: 'A page of deliveries.',
    schema: Type.Array(schemaRef(WebhookDelivery)),
    example: [DELIVERY_EXAMPLE],
    headers: LINK,
  },
  failures: ['invalid_request', 'not_found'],
  handle: async (request, reply) => {
    const { webhook_id: sentId } = request.params as { readonly webhook_id: string }
    const query = parseQuery(request.query, deliveriesParameters(callerOf(request).accountId, sentId))
    const { accountId, webhookId } = await findWebhook(webhooks, request)
    const cursor = deliveriesCursor(accountId, sentId)
    const limit = Number(query['limit']?.[0] ?? LIMIT_DEFAULT)
    const before = query['cursor'] ? cursor.read(query['cursor'][0]!) : null
    const found = await deliveries.list(accountId, webhookId, before, limit + 1)
    const page = found.slice(0, limit)
    const path = `${WEBHOOKS_PATH}/${webhookId}/deliveries`
    if (found.length > limit) void reply.header('link', nextPage(path, query, cursor.write(page.at(-1)!.deliveryId)))
    return reply.send(page.map(printDelivery))
  },
})

const replayOperation = (context: DeliveriesContext): RouteDefinition => ({
  id: 'replayWebhookDelivery',
  method: 'POST',
  path: `${WEBHOOK_PATH}/deliveries/{delivery_id}/replay`,
  summary: 'Send a delivery again',
  description:
    'Sends the event once more, with the same `webhook-id`, whether or not it was delivered before. A ' +
    'waiting delivery is sent at once.',
  tag: 'Events',
  scope: 'admin',
  pathParameters: { ...WEBHOOK_ID, delivery_id: { description: 'Number of the delivery.', example: '41' } },
  query: {},
  answer: { ...DELIVERY_ANSWER, example: WAITING_EXAMPLE },
  failures: ['invalid_request', 'not_found', 'conflict'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const webhook = await findWebhook(context.webhooks, request)
    const { accountId, webhookId } = webhook
    const { delivery_id: text } = request.params as { readonly delivery_id: string }
    const deliveryId = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0
    assertEnabled(webhook)
    const replayed = deliveryId && (await context.deliveries.replay({ accountId, webhookId, deliveryId }))
    if (!replayed) {
      const sent = { delivery_id: text.slice(0, 40), days: context.webhookLimits.deliveryDays }
      throw new ApiError('not_found', WEBHOOK_MESSAGES.delivery_unknown(sent))
    }
    context.wakeWebhooks()
    return reply.code(202).send(printDelivery(replayed))
  },
})

function assertEnabled({ isEnabled }: StoredWebhook): void {
  if (isEnabled) return
  const why = WEBHOOK_MESSAGES.webhook_disabled()
  throw new ApiError('conflict', why, [{ path: '', ...why }])
}
