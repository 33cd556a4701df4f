// /api/webhooks: where events of the account are sent, their secrets, and the log of what was sent.
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { ApiError, invalidRequest } from '../../contract/errors.ts'
import { schemaRef, type NamedSchema } from '../../contract/named-schema.ts'
import type { Validate } from '../../contract/validation.ts'
import type { WebhookDeliveries } from '../../postgres/webhook-deliveries.ts'
import type { Webhook as StoredWebhook, WebhookChange, Webhooks } from '../../postgres/webhooks.ts'
import { printSecret } from '../../webhooks/signature.ts'
import { urlProblem, type TargetRules } from '../../webhooks/target.ts'
import { WEBHOOK_MESSAGES } from '../messages.ts'
import { IGNORED_HEADER, parseQuery, setIgnoredMembers } from '../parameters.ts'
import { callerOf } from '../plugins/authentication.ts'
import type { RouteDefinition } from '../route-definition.ts'
import {
  Webhook,
  WebhookChanges,
  WebhookParams,
  WebhookWithSecret,
  printWebhook,
  type WireWebhook,
} from '../schemas/webhook.ts'

export interface WebhooksContext {
  readonly webhooks: Webhooks
  readonly deliveries: WebhookDeliveries
  readonly webhookRules: TargetRules
  readonly webhookLimits: {
    readonly webhooksMax: number
    readonly deliveryDays: number
    /** How long the secret before a rotation signs, too. */
    readonly overlapMs: number
  }
  readonly wakeWebhooks: () => void
  readonly now: () => Date
  readonly validatorOf: (schema: NamedSchema) => Validate
}

export const WEBHOOKS_PATH = '/api/webhooks'
export const WEBHOOK_PATH = `${WEBHOOKS_PATH}/{webhook_id}`
export const WEBHOOK_ID = { webhook_id: { description: 'Number of the webhook.', example: '3' } }
const IDS_MAX = 2 ** 31 - 1

const EXAMPLE = {
  webhook_id: 3,
  url: 'https://example.com/cradle',
  types: ['order.changed', 'order.corrected'],
  description: 'Accounting',
  enabled: true,
  disabled_reason: null,
  created_at: '2026-01-31T10:00:00.000Z',
  previous_secret_until: null,
  failures_in_a_row: 0,
  paused_until: null,
  number_of_waiting_deliveries: 0,
}
const SECRET_EXAMPLE = { secret: 'whsec_…', ...EXAMPLE }
const ANSWER = { description: 'The webhook.', schema: schemaRef(Webhook), example: EXAMPLE }
export const webhookOperations = (context: WebhooksContext): readonly RouteDefinition[] => [
  listOperation(context),
  createOperation(context, context.validatorOf(WebhookParams)),
  getOperation(context),
  changeOperation(context, context.validatorOf(WebhookChanges)),
  deleteOperation(context),
  rotateOperation(context),
]

const listOperation = ({ webhooks }: WebhooksContext): RouteDefinition => ({
  id: 'listWebhooks',
  method: 'GET',
  path: WEBHOOKS_PATH,
  summary: 'List webhooks',
  description: 'Returns the webhooks of the account, oldest first.',
  tag: 'Events',
  scope: 'admin',
  query: {},
  answer: {
    description: 'The webhooks, without their secrets.',
    schema: Type.Array(schemaRef(Webhook)),
    example: [EXAMPLE],
  },
  failures: ['invalid_request'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    return reply.send((await webhooks.list(callerOf(request).accountId)).map(printWebhook))
  },
})

const createOperation = (context: WebhooksContext, validate: Validate): RouteDefinition => ({
  id: 'createWebhook',
  method: 'POST',
  path: WEBHOOKS_PATH,
  summary: 'Create a webhook',
  description:
    'Events that happen from now on are sent to the URL, each as a signed POST request. Only this response contains ' +
    `the secret. An account can have at most ${context.webhookLimits.webhooksMax} webhooks.`,
  tag: 'Events',
  scope: 'admin',
  query: {},
  body: {
    schema: WebhookParams,
    example: { url: EXAMPLE.url, types: EXAMPLE.types, description: EXAMPLE.description },
  },
  answer: {
    description: 'The new webhook.',
    schema: schemaRef(WebhookWithSecret),
    example: SECRET_EXAMPLE,
    headers: IGNORED_HEADER,
  },
  failures: ['invalid_request', 'too_large', 'unsupported_media_type'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const { url, types = [], description = '', isEnabled = true } = readBody(context, request, reply, validate)
    const { webhooksMax: max } = context.webhookLimits
    const webhook = { url: url!, types, description, isEnabled }
    const made = await context.webhooks.create(callerOf(request).accountId, webhook, max)
    if (made) return sendSecret(reply, made)
    throw invalidRequest([{ path: '', ...WEBHOOK_MESSAGES.webhooks_exceeded({ max }) }])
  },
})

const getOperation = ({ webhooks }: WebhooksContext): RouteDefinition => ({
  id: 'getWebhook',
  method: 'GET',
  path: WEBHOOK_PATH,
  summary: 'Get a webhook',
  description: 'Returns a webhook, its failures and its waiting deliveries.',
  tag: 'Events',
  scope: 'admin',
  pathParameters: WEBHOOK_ID,
  query: {},
  answer: ANSWER,
  failures: ['invalid_request', 'not_found'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    return reply.send(printWebhook(await findWebhook(webhooks, request)))
  },
})

const changeOperation = (context: WebhooksContext, validate: Validate): RouteDefinition => ({
  id: 'changeWebhook',
  method: 'PATCH',
  path: WEBHOOK_PATH,
  summary: 'Change a webhook',
  description:
    'Changes the members that are sent. `enabled: true` also ends a pause. A webhook that is enabled again gets the ' +
    'events that occurred meanwhile and are still in the feed.',
  tag: 'Events',
  scope: 'admin',
  pathParameters: WEBHOOK_ID,
  query: {},
  body: { schema: WebhookChanges, example: { enabled: true } },
  answer: { ...ANSWER, headers: IGNORED_HEADER },
  failures: ['invalid_request', 'not_found', 'too_large', 'unsupported_media_type'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const change = readBody(context, request, reply, validate)
    const webhookId = idOfPath(request)
    const changed = await context.webhooks.change(callerOf(request).accountId, webhookId, change)
    if (!changed) throw unknownWebhook(webhookId)
    context.wakeWebhooks()
    return reply.send(printWebhook(changed))
  },
})

const deleteOperation = ({ webhooks }: WebhooksContext): RouteDefinition => ({
  id: 'deleteWebhook',
  method: 'DELETE',
  path: WEBHOOK_PATH,
  summary: 'Delete a webhook',
  description:
    'Deletes the webhook with its secret and its deliveries. A request that is already being sent may still arrive.',
  tag: 'Events',
  scope: 'admin',
  pathParameters: WEBHOOK_ID,
  query: {},
  answer: { ...ANSWER, description: 'The deleted webhook.' },
  failures: ['invalid_request', 'not_found'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const webhookId = idOfPath(request)
    const removed = await webhooks.remove(callerOf(request).accountId, webhookId)
    if (!removed) throw unknownWebhook(webhookId)
    return reply.send(printWebhook(removed))
  },
})

const HOUR_MS = 3_600_000

const rotateOperation = ({ webhooks, webhookLimits: { overlapMs }, now }: WebhooksContext): RouteDefinition => ({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: `${WEBHOOK_PATH}/rotation`,
  summary: 'Exchange the secret of a webhook',
  description:
    `Gives the webhook a new secret. For ${overlapMs / HOUR_MS} hours, each request has two signatures, ` +
    'one by the new and one by the previous secret, so that the receiver can change to the new one meanwhile.',
  tag: 'Events',
  scope: 'admin',
  pathParameters: WEBHOOK_ID,
  query: {},
  answer: {
    description: 'The webhook with its new secret.',
    schema: schemaRef(WebhookWithSecret),
    example: { ...SECRET_EXAMPLE, previous_secret_until: '2026-02-01T10:00:00.000Z' },
  },
  failures: ['invalid_request', 'not_found'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const webhookId = idOfPath(request)
    const until = new Date(now().getTime() + overlapMs)
    const rotated = await webhooks.rotate(callerOf(request).accountId, webhookId, until)
    if (!rotated) throw unknownWebhook(webhookId)
    return sendSecret(reply, rotated)
  },
})

const sendSecret = (
  reply: FastifyReply,
  { webhook, secret }: { readonly webhook: StoredWebhook; readonly secret: Buffer },
): FastifyReply => reply.send({ secret: printSecret(secret), ...printWebhook(webhook) })

/** @throws ApiError for a body that is not valid, and for a URL to which nothing may be sent */
function readBody(
  { webhookRules }: WebhooksContext,
  request: FastifyRequest,
  reply: FastifyReply,
  validate: Validate,
): WebhookChange {
  const { problems } = validate(request.body)
  if (problems.length > 0) throw invalidRequest(problems)
  const wire = request.body as Partial<WireWebhook>
  const { url, types, description, enabled } = wire
  if (url !== undefined) assertTarget(url, webhookRules)
  setIgnoredMembers(reply, wire, WebhookParams)
  return {
    ...(url !== undefined && { url }),
    ...(types !== undefined && { types: [...new Set(types)] }),
    ...(description !== undefined && { description }),
    ...(enabled !== undefined && { isEnabled: enabled }),
  }
}

/** @param path of the URL in the body. @throws ApiError for a URL to which nothing is ever sent */
export function assertTarget(url: string, rules: TargetRules, path = '/url'): void {
  const fault = urlProblem(url, rules)
  if (fault === null) return
  const why =
    fault === 'port'
      ? WEBHOOK_MESSAGES.webhook_url_port({ ports: [...new Set([443, ...rules.ports])].map(String) })
      : {
          url_invalid: WEBHOOK_MESSAGES.webhook_url_invalid,
          scheme: WEBHOOK_MESSAGES.webhook_url_scheme,
          credentials: WEBHOOK_MESSAGES.webhook_url_credentials,
          address: WEBHOOK_MESSAGES.webhook_url_address,
        }[fault]()
  throw invalidRequest([{ path, ...why }])
}

/** @throws ApiError where no webhook can have that number */
function idOfPath(request: FastifyRequest): number {
  const { webhook_id: text } = request.params as { readonly webhook_id: string }
  if (/^[1-9]\d{0,9}$/.test(text) && Number(text) <= IDS_MAX) return Number(text)
  throw unknownWebhook(text.slice(0, 40))
}

export async function findWebhook(webhooks: Webhooks, request: FastifyRequest): Promise<StoredWebhook> {
  const webhookId = idOfPath(request)
  const found = await webhooks.find(callerOf(request).accountId, webhookId)
  if (found) return found
  throw unknownWebhook(webhookId)
}

export const unknownWebhook = (webhookId: number | string): ApiError =>
  new ApiError('not_found', WEBHOOK_MESSAGES.webhook_unknown({ webhook_id: String(webhookId) }))
