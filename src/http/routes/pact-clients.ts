// /api/pact-clients: the OAuth clients with which customers read their product footprints.
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { ApiError, invalidRequest } from '../../contract/errors.ts'
import { schemaRef, type NamedSchema } from '../../contract/named-schema.ts'
import { unknownMembers } from '../../contract/parse-order.ts'
import type { Validate } from '../../contract/validation.ts'
import { customerIdInUse, type StoredIds } from '../../ledger/stored-ids.ts'
import type { TargetRules } from '../../webhooks/target.ts'
import type { EventTarget, PactClients } from '../../postgres/pact-clients.ts'
import { ROUTE_MESSAGES } from '../messages.ts'
import { IGNORED_HEADER, parseQuery, setIgnoredHeader } from '../parameters.ts'
import { callerOf } from '../plugins/authentication.ts'
import { assertTarget } from './webhooks.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { NewPactClient, PactClient, PactClientParams, printClient, type WirePactClient } from '../schemas/pact.ts'

export interface PactClientsContext {
  readonly pactClients: PactClients
  readonly pactClientsMax: number
  /** Null if PACT is not served. */
  readonly publicUrl: string | null
  readonly storedIds: StoredIds
  readonly webhookRules: TargetRules
  /** Tells the new client what is published for its customer. */
  readonly wakePactEvents: () => void
  readonly validatorOf: (schema: NamedSchema) => Validate
}

const PATH = '/api/pact-clients'
const EXAMPLE = {
  client_id: 'pact_5f0c1d2e3a4b5c6d7e8f9a0b',
  customer_id: 'customer-17',
  label: 'Sustainability platform of customer 17',
  events_url: 'https://pact.example.com',
  created_at: '2026-11-27T10:00:00.000Z',
  revoked_at: null,
}

const EXAMPLE_PARAMS = {
  customer_id: EXAMPLE.customer_id,
  label: EXAMPLE.label,
  events: { url: EXAMPLE.events_url, client_id: 'cradle', client_secret: '…' },
}

export const pactClientOperations = (context: PactClientsContext): readonly RouteDefinition[] => [
  listOperation(context),
  createOperation(context, context.validatorOf(PactClientParams)),
  revokeOperation(context),
]

const listOperation = ({ pactClients }: PactClientsContext): RouteDefinition => ({
  id: 'listPactClients',
  method: 'GET',
  path: PATH,
  summary: 'List the OAuth clients of customers',
  description: 'Returns the clients with which customers read their footprints, newest first, also revoked ones.',
  tag: 'Account',
  scope: 'admin',
  query: {},
  answer: {
    description: 'The clients, without their secrets.',
    schema: Type.Array(schemaRef(PactClient)),
    example: [EXAMPLE],
  },
  failures: ['invalid_request'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const clients = await pactClients.list(callerOf(request).accountId)
    return reply.send(clients.map(printClient))
  },
})

const createOperation = (context: PactClientsContext, validate: Validate): RouteDefinition => ({
  id: 'createPactClient',
  method: 'POST',
  path: PATH,
  summary: 'Create an OAuth client for a customer',
  description:
    'Give the id and the secret to the customer. With them, the customer’s own software reads the product footprints ' +
    'of its rentals and years by the PACT specification, and nothing else. Only this response contains the secret.',
  tag: 'Account',
  scope: 'admin',
  query: {},
  body: { schema: PactClientParams, example: EXAMPLE_PARAMS },
  answer: {
    description: 'The new client.',
    schema: schemaRef(NewPactClient),
    example: { client_secret: 'kYb…', ...EXAMPLE },
    headers: IGNORED_HEADER,
  },
  failures: ['invalid_request', 'conflict', 'too_large', 'unsupported_media_type'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const { problems } = validate(request.body)
    if (problems.length > 0) throw invalidRequest(problems)
    const wire = request.body as WirePactClient
    const ignored = unknownMembers(wire, Object.keys(PactClientParams.properties))
    const { accountId } = callerOf(request)
    const { pactClients, pactClientsMax, publicUrl, storedIds, webhookRules, wakePactEvents } = context
    if (publicUrl === null) throw new ApiError('conflict', ROUTE_MESSAGES.pact_off())
    if (wire.events) assertTarget(wire.events.url, webhookRules, '/events/url')
    const customerId = await customerIdInUse(storedIds, accountId, wire.customer_id)
    const made = await pactClients.create(accountId, { customerId, label: wire.label, events: targetOf(wire) })
    if (made === null) throw new ApiError('conflict', ROUTE_MESSAGES.pact_clients_exceeded({ max: pactClientsMax }))
    wakePactEvents()
    setIgnoredHeader(
      reply,
      ignored.map((name) => `/${name}`),
    )
    return reply.send({ client_secret: made.secret, ...printClient(made.client) })
  },
})

const targetOf = ({ events }: WirePactClient): EventTarget | null =>
  events
    ? { url: events.url.replace(/\/+$/, ''), clientId: events.client_id, clientSecret: events.client_secret }
    : null

const revokeOperation = ({ pactClients }: PactClientsContext): RouteDefinition => ({
  id: 'revokePactClient',
  method: 'DELETE',
  path: `${PATH}/{client_id}`,
  summary: 'Revoke an OAuth client',
  description: 'The client and its access tokens stop working at once, permanently.',
  tag: 'Account',
  scope: 'admin',
  pathParameters: { client_id: { description: 'Identifier of the client.', example: EXAMPLE.client_id } },
  query: {},
  answer: {
    description: 'The client, with the time at which it was revoked.',
    schema: schemaRef(PactClient),
    example: { ...EXAMPLE, revoked_at: '2026-11-30T12:00:00.000Z' },
  },
  failures: ['invalid_request', 'not_found'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const revoked = await pactClients.revoke(callerOf(request).accountId, clientIdOf(request))
    if (revoked === null)
      throw new ApiError('not_found', ROUTE_MESSAGES.pact_client_unknown({ client_id: clientIdOf(request) }))
    return reply.send(printClient(revoked))
  },
})

/** Cut and without NUL, which PostgreSQL does not accept: no client has such an id. */
const clientIdOf = (request: FastifyRequest): string =>
  (request.params as { readonly client_id: string }).client_id.slice(0, 80).replaceAll('\0', '')
