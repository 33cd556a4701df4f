// The PACT interface, version 3: access tokens and product footprints for the customers of accounts.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { API_ERRORS, type Unavailability } from '../../contract/errors.ts'
import { logError } from '../../observability/logging.ts'
import { operationLabel } from '../../observability/request-metrics.ts'
import type { PactClients, WorkingClient } from '../../postgres/pact-clients.ts'
import type { PactFootprints } from '../../postgres/pact-footprints.ts'
import type { PactMessages } from '../../postgres/pact-messages.ts'
import { EVENT_MEDIA_TYPE, isFootprintId, readEvent } from '../../pact/events.ts'
import { printFootprint } from '../../pact/print-footprint.ts'
import { parseStrictJson } from '../../strict-json/parse.ts'
import { setErrorCode, toApiError } from '../errors.ts'
import { rejectInvalidKey, rejectOverLimit, type AuthenticateOptions } from '../plugins/authentication.ts'
import { withinRequestDeadline } from '../plugins/request-deadline.ts'
import { CLIENT_ID, PACT_SCOPES, TOKEN_SECONDS, clientOfToken, issueToken } from './access-token.ts'
import { filtersOf, nextPage, readCursor, readFilter, readLimit } from '../../pact/footprint-query.ts'
import { PactError, type PactErrorCode } from '../../pact/pact-errors.ts'
import type { PublishFootprints } from '../../pact/publish-footprints.ts'
import { RENTAL_DATA_SCHEMA } from './rental-data-schema.ts'

export interface PactOptions extends AuthenticateOptions {
  readonly pactFootprints: Pick<PactFootprints, 'list' | 'find'>
  readonly pactClients: Pick<PactClients, 'find' | 'authenticate'>
  readonly pactMessages: Pick<PactMessages, 'addRequest'>
  /** Sends what is due at once. */
  readonly wakePactEvents: () => void
  /** Null if PACT is not served, because it is not known where clients reach the service: product ids name its host. */
  readonly publishFootprints: PublishFootprints | null
  readonly now: () => Date
  readonly unavailabilityOf: (error: unknown) => Unavailability | null
  readonly retryAfterSeconds: number
  readonly jsonNestingMax: number
}

const TOKEN_PATH = '/auth/token'
const FOOTPRINTS_PATH = '/3/footprints'
const ACTIVITIES_PATH = '/2/ileap/tad'
const BODY_BYTES_MAX = 64 * 1024
const FORM_BYTES_MAX = 4 * 1024
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** These routes are not in the OpenAPI document, because the PACT specification describes them. */
export async function servePact(app: FastifyInstance, options: PactOptions): Promise<void> {
  const { publishFootprints: publish } = options
  if (publish === null) return
  await app.register((pact, _, done) => {
    pact.addContentTypeParser(FORM_TYPE, { parseAs: 'string', bodyLimit: FORM_BYTES_MAX }, (_request, body, parsed) =>
      parsed(null, new URLSearchParams(body as string)),
    )
    pact.setErrorHandler((error: Error, request, reply) => sendFailure(error, request, reply, options))
    const route = (operationId: string) => ({ config: operationLabel(operationId), bodyLimit: BODY_BYTES_MAX })
    // As everywhere: no body is read before it is known who sends it.
    const authenticated = (operationId: string, refusals: TokenRefusals = PACT_REFUSALS) => ({
      ...route(operationId),
      onRequest: async (request: FastifyRequest, reply: FastifyReply) =>
        request.setDecorator(CLIENT, await authenticateClient(request, reply, options, refusals)),
    })
    pact.decorateRequest(CLIENT, null)
    pact.get('/.well-known/openid-configuration', route('getPactConfiguration'), sendConfiguration)
    pact.get('/3/rental-data.schema.json', route('getRentalDataSchema'), (_request, reply) =>
      reply.type('application/schema+json').send(JSON.stringify(RENTAL_DATA_SCHEMA)),
    )
    const token = { ...route('issuePactToken'), bodyLimit: FORM_BYTES_MAX }
    pact.post(
      TOKEN_PATH,
      { ...token, onRequest: (request, reply) => authenticateBasic(request, reply, options) },
      (request, reply) => sendToken(request, reply, options),
    )
    pact.addContentTypeParser(
      EVENT_MEDIA_TYPE,
      { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX },
      (_request, body, parsed) => parseEvent(body as Buffer, options.jsonNestingMax, parsed),
    )
    pact.post('/3/events', authenticated('receivePactEvent'), (request, reply) =>
      receiveEvent(request, reply, clientOf(request), options),
    )
    pact.get(FOOTPRINTS_PATH, authenticated('listFootprints'), (request, reply) =>
      sendFootprints(request, reply, clientOf(request), { ...options, publish }),
    )
    pact.get(`${FOOTPRINTS_PATH}/:id`, authenticated('getFootprint'), (request, reply) =>
      sendFootprint(request, reply, clientOf(request), options),
    )
    pact.get(ACTIVITIES_PATH, authenticated('listTransportActivityData', ILEAP_REFUSALS), (request, reply) => {
      readLimit(request.query as Query)
      // An activity has places and times, which orders do not state: decision 33.
      return reply.send({ data: [] })
    })
    done()
  })
}

const CLIENT = 'pactClient'
const clientOf = (request: FastifyRequest): WorkingClient => request.getDecorator<WorkingClient>(CLIENT)

/** Clients reach the service over TLS, which a proxy ends. */
const originOf = (request: FastifyRequest): string => `https://${request.headers.host ?? ''}`

const sendConfiguration = (request: FastifyRequest, reply: FastifyReply) =>
  reply.send({
    issuer: originOf(request),
    token_endpoint: `${originOf(request)}${TOKEN_PATH}`,
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic'],
    scopes_supported: PACT_SCOPES,
  })

/** The time of the request for the database begins only when its body has arrived. */
const lookUp = <Found>(request: FastifyRequest, options: PactOptions, find: () => Promise<Found>): Promise<Found> =>
  withinRequestDeadline(request, options.withDeadline(performance.now() + options.databaseMsMax, find))

/** Answers 401 itself for a wrong secret. @throws ApiError for too many of them */
async function authenticateBasic(request: FastifyRequest, reply: FastifyReply, options: PactOptions) {
  const client = await lookUp(request, options, () => clientOfBasic(request, options))
  if (client !== null) return request.setDecorator(CLIENT, client)
  const refusal = await rejectInvalidKey(request, options)
  if (refusal.code === 'too_many_wrong_keys') throw refusal
  void reply.header('www-authenticate', 'Basic realm="cradle"')
  return sendTokenError(reply, 401, 'invalid_client', 'The client is unknown, or its secret is wrong')
}

async function sendToken(request: FastifyRequest, reply: FastifyReply, options: PactOptions) {
  const { body } = request
  const grant = body instanceof URLSearchParams ? body.get('grant_type') : null
  if (grant !== 'client_credentials') {
    const description = `Send grant_type=client_credentials as ${FORM_TYPE}`
    return sendTokenError(reply, 400, grant === null ? 'invalid_request' : 'unsupported_grant_type', description)
  }
  return reply.send({
    access_token: await issueToken(clientOf(request), options.now()),
    token_type: 'Bearer',
    expires_in: TOKEN_SECONDS,
    scope: PACT_SCOPES.join(' '),
  })
}

const sendTokenError = (reply: FastifyReply, status: number, error: string, description: string) =>
  reply.code(status).send({ error, error_description: description })

/** The client whose id and secret the header Authorization has; null for any other. */
async function clientOfBasic(
  { headers }: FastifyRequest,
  { pactClients }: Pick<PactOptions, 'pactClients'>,
): Promise<WorkingClient | null> {
  const encoded = /^basic +([A-Za-z\d+/=]{1,1000})$/i.exec(headers.authorization ?? '')?.[1]
  const [, sentId, sentSecret] = /^([^:]*):(.*)$/.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? []
  if (sentId === undefined || sentSecret === undefined || !CLIENT_ID.test(sentId)) return null
  // RFC 6749 has both percent-encoded; those that Cradle issues consist of characters that need no encoding.
  return pactClients.authenticate(sentId, sentSecret)
}

/** How a request is refused that has no token, or one that never was or no longer is good. */
type TokenRefusals = Readonly<Record<'missing' | 'invalid', readonly [code: PactErrorCode, status: number]>>

const PACT_REFUSALS: TokenRefusals = { missing: ['BadRequest', 401], invalid: ['BadRequest', 401] }
const ILEAP_REFUSALS: TokenRefusals = { missing: ['BadRequest', 400], invalid: ['AccessDenied', 403] }

/** @throws PactError for a token that gives no access, ApiError for a client with too many requests */
async function authenticateClient(
  request: FastifyRequest,
  reply: FastifyReply,
  options: PactOptions,
  refusals: TokenRefusals,
): Promise<WorkingClient> {
  const token = /^bearer +([\w.~+/=-]{1,2000})$/i.exec(request.headers.authorization ?? '')?.[1]
  const { now, pactClients } = options
  const find = (id: string) => lookUp(request, options, () => pactClients.find(id))
  const client = token === undefined ? 'invalid' : await clientOfToken(token, find, now())
  if (client === 'expired') throw new PactError('TokenExpired', 'The access token has expired; ask for another one')
  if (client === 'invalid') {
    const [code, status] = refusals[token === undefined ? 'missing' : 'invalid']
    if (status === 401) void reply.header('www-authenticate', 'Bearer realm="cradle"')
    throw new PactError(code, 'The access token is missing or invalid', status)
  }
  // Numbers of clients and of keys are counted apart.
  const refusal = await rejectOverLimit({ keyId: -client.clientNo }, options, reply)
  if (refusal) throw refusal
  return client
}

function parseEvent(body: Buffer, nestingMax: number, parsed: (error: Error | null, body?: unknown) => void) {
  const read = parseStrictJson(body, { nestingMax, problemsMax: 1 })
  if (read.ok) parsed(null, read.value)
  else parsed(new PactError('BadRequest', `The body is not sound JSON: ${read.problems[0]!.message}`))
}

/** A request is answered by an event of its own, which is sent to the address that the client was created with. */
async function receiveEvent(
  request: FastifyRequest,
  reply: FastifyReply,
  client: WorkingClient,
  { pactMessages, now, wakePactEvents }: PactOptions,
) {
  const event = readEvent(request.body)
  if (typeof event === 'string') throw new PactError('BadRequest', event)
  if (event.isRequest) {
    if (client.eventsUrl === null)
      throw new PactError('BadRequest', 'This client was created without an address that events can be sent to')
    const filters = filtersOf(event.filter)
    readFilter(filters)
    if (!(await pactMessages.addRequest(client, event.id, filters, now())))
      throw new PactError('BadRequest', 'Too many requests wait for an answer; send this one later', 429)
    wakePactEvents()
  }
  return reply.code(200).send()
}

type Query = Readonly<Record<string, string | readonly string[] | undefined>>

async function sendFootprints(
  request: FastifyRequest,
  reply: FastifyReply,
  client: WorkingClient,
  { pactFootprints, publish }: PactOptions & { readonly publish: PublishFootprints },
) {
  const query = request.query as Query
  const [filter, limit, after] = [readFilter(query), readLimit(query), readCursor(query)]
  // Further pages continue the list as it was published for the first.
  if (after === 0) await publish(client)
  const found = await pactFootprints.list(client, filter, after, limit + 1)
  const page = found.slice(0, limit)
  if (found.length > limit) {
    const next = nextPage(`${originOf(request)}${FOOTPRINTS_PATH}`, query, page.at(-1)!.footprintNo)
    void reply.header('link', `<${next}>; rel="next"`)
  }
  return reply.send({ data: page.map(printFootprint) })
}

async function sendFootprint(
  request: FastifyRequest,
  reply: FastifyReply,
  client: WorkingClient,
  { pactFootprints }: PactOptions,
) {
  const { id } = request.params as { readonly id: string }
  const found = isFootprintId(id) ? await pactFootprints.find(client, id) : null
  if (found === null) throw new PactError('NotFound', 'There is no footprint with this id')
  return reply.send({ data: printFootprint(found) })
}

const CODE_OF_STATUS: Readonly<Record<number, PactErrorCode>> = { 403: 'AccessDenied', 404: 'NotFound' }

function sendFailure(error: Error, request: FastifyRequest, reply: FastifyReply, options: PactOptions): FastifyReply {
  if (error instanceof PactError) return reply.code(error.status).send({ code: error.code, message: error.message })
  const failure = toApiError(error, request, options.unavailabilityOf)
  const [status] = API_ERRORS[failure.code]
  const isOurs = status >= 500
  setErrorCode(reply, failure.code)
  if (isOurs) logError(request.log, error, failure.code)
  if (isOurs || status === 429)
    void reply.header('retry-after', String(failure.retryAfterSeconds ?? options.retryAfterSeconds))
  const code = CODE_OF_STATUS[status] ?? (isOurs ? 'InternalError' : 'BadRequest')
  return reply.code(status).send({ code, message: failure.message })
}
