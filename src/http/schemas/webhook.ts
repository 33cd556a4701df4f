// Schemas of webhooks, their secrets and their deliveries.
import Type, { type Static } from 'typebox'
import { FEED_TYPES } from '../../engine/feed-events.ts'
import { namedSchema } from '../../contract/named-schema.ts'
import { NO_CONTROL_CHARACTERS } from '../../contract/order-schema.ts'
import type { Delivery } from '../../postgres/webhook-deliveries.ts'
import type { Webhook as StoredWebhook } from '../../postgres/webhooks.ts'

const URL_LENGTH_MAX = 2_000
const DESCRIPTION_LENGTH_MAX = 200

const url = Type.String({
  description: 'Where events are sent: https, a public address, and a port that the operator allows.',
  examples: ['https://example.com/cradle'],
  minLength: 1,
  maxLength: URL_LENGTH_MAX,
  pattern: NO_CONTROL_CHARACTERS,
})
const types = Type.Array(Type.Enum([...FEED_TYPES]), {
  description: 'Types of events to send; all types if the list is empty or absent.',
  examples: [['order.changed', 'order.corrected']],
  maxItems: FEED_TYPES.length,
})
const description = Type.String({
  description: 'Description of the webhook, for people.',
  examples: ['Accounting'],
  maxLength: DESCRIPTION_LENGTH_MAX,
  pattern: NO_CONTROL_CHARACTERS,
})
const enabled = Type.Boolean({
  description:
    'Whether events are sent. When enabled again, the webhook continues with the first event that was not delivered.',
})

export const WebhookParams = namedSchema(
  'WebhookParams',
  Type.Object(
    {
      url,
      types: Type.Optional(types),
      description: Type.Optional(description),
      enabled: Type.Optional(enabled),
    },
    { description: 'A webhook to create.' },
  ),
)
export type WireWebhook = Static<typeof WebhookParams>

export const WebhookChanges = namedSchema(
  'WebhookChanges',
  Type.Object(
    {
      url: Type.Optional(url),
      types: Type.Optional(types),
      description: Type.Optional(description),
      enabled: Type.Optional(enabled),
    },
    { description: 'The members of a webhook to change.', minProperties: 1 },
  ),
)

const time = Type.String({ format: 'date-time' })
const timeOrNull = (what: string) => Type.Union([time, Type.Null()], { description: what })

const members = {
  webhook_id: Type.Integer({ description: 'Number of the webhook.', minimum: 1 }),
  url,
  types,
  description,
  enabled,
  disabled_reason: Type.Union([Type.Enum(['gone', 'attempts_exhausted']), Type.Null()], {
    description:
      'Why the service disabled the webhook: the receiver responded with 410, or all attempts of a delivery failed; ' +
      'null otherwise.',
  }),
  created_at: time,
  previous_secret_until: timeOrNull(
    'Until when requests are also signed with the previous secret; null if they are not.',
  ),
  failures_in_a_row: Type.Integer({
    description: 'Number of attempts that failed since the last success.',
    minimum: 0,
  }),
  paused_until: timeOrNull(
    'Nothing is sent before this time, because the receiver keeps failing or asked for a pause; null without a pause.',
  ),
  number_of_waiting_deliveries: Type.Integer({
    description: 'Number of deliveries that wait for an attempt.',
    minimum: 0,
  }),
}

export const Webhook = namedSchema('Webhook', Type.Object(members, { description: 'A webhook, without its secret.' }))

export const WebhookWithSecret = namedSchema(
  'WebhookWithSecret',
  Type.Object(
    {
      secret: Type.String({ description: 'The secret that signs what is sent. Only this response contains it.' }),
      ...members,
    },
    { description: 'A webhook with its new secret.' },
  ),
)

export const WebhookDelivery = namedSchema(
  'WebhookDelivery',
  Type.Object(
    {
      delivery_id: Type.Integer({ description: 'Number of the delivery.', minimum: 1 }),
      type: Type.Enum([...FEED_TYPES, 'webhook.test'], { description: 'Type of the event.' }),
      event_time: time,
      state: Type.Enum(['waiting', 'succeeded', 'failed']),
      number_of_attempts: Type.Integer({ minimum: 0 }),
      next_attempt_at: timeOrNull('Time of the next attempt; null if there is none.'),
      last_attempt_at: timeOrNull('Time of the last attempt; null before the first.'),
      last_status: Type.Union([Type.Integer(), Type.Null()], {
        description: 'HTTP status of the last response; null if there was none.',
      }),
      last_problem: Type.Union(
        [
          Type.Enum([
            'target_refused',
            'name_not_resolved',
            'connection_failed',
            'timeout',
            'redirect',
            'status',
            'event_expired',
          ]),
          Type.Null(),
        ],
        {
          description:
            'Why the last attempt failed: the address is not allowed, the name has no address, no connection, no ' +
            'response within 15 s, a redirect, a status other than 2xx, or the event is no longer kept.',
        },
      ),
      last_milliseconds: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Duration of the last attempt in milliseconds; null before the first.',
      }),
    },
    { description: 'A delivery of an event to a webhook.' },
  ),
)

export const printWebhook = (webhook: StoredWebhook) => ({
  webhook_id: webhook.webhookId,
  url: webhook.url,
  types: webhook.types,
  description: webhook.description,
  enabled: webhook.isEnabled,
  disabled_reason: webhook.disabledReason,
  created_at: webhook.createdAt.toISOString(),
  previous_secret_until: webhook.previousUntil?.toISOString() ?? null,
  failures_in_a_row: webhook.failuresInARow,
  paused_until: webhook.pausedUntil?.toISOString() ?? null,
  number_of_waiting_deliveries: webhook.waiting,
})

export const printDelivery = (delivery: Delivery) => ({
  delivery_id: delivery.deliveryId,
  type: delivery.type,
  event_time: delivery.createdAt.toISOString(),
  state: delivery.state,
  number_of_attempts: delivery.attempts,
  next_attempt_at: delivery.state === 'waiting' ? delivery.nextAttemptAt.toISOString() : null,
  last_attempt_at: delivery.attemptedAt?.toISOString() ?? null,
  last_status: delivery.status,
  last_problem: delivery.problem,
  last_milliseconds: delivery.milliseconds,
})
