// /api/keys: lists, creates and revokes the keys of an account, for its admins.
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Problem } from '../../engine/order.ts'
import type { AccountKey, AccountKeys } from '../../postgres/api-keys.ts'
import { ApiKey, KeyParams, NewApiKey, printKey, type WireKey } from '../schemas/account.ts'
import { callerOf } from '../plugins/authentication.ts'
import { schemaRef, type NamedSchema } from '../../contract/named-schema.ts'
import { ApiError, invalidRequest } from '../../contract/errors.ts'
import type { RouteDefinition } from '../route-definition.ts'
import {
  IGNORED_HEADER,
  LINK,
  nextPage,
  numberCursor,
  flag,
  isSet,
  pageLimit,
  parseQuery,
  setIgnoredMembers,
  isTime,
} from '../parameters.ts'
import type { Validate } from '../../contract/validation.ts'
import { wrongValue } from '../../contract/messages.ts'
import { ACCESS_MESSAGES, EXPECTED_PARAMETER } from '../messages.ts'

export interface KeysContext {
  readonly keys: AccountKeys
  readonly now: () => Date
  readonly validatorOf: (schema: NamedSchema) => Validate
}

const PATH = '/api/keys'
const LIMIT_MAX = 1000
const LIMIT_DEFAULT = 100
const IDS_MAX = 2 ** 31 - 1

const EXAMPLE = {
  key_id: 7,
  label: 'Web shop',
  hint: 'cradle_2TvG…T6Mp',
  scopes: ['orders:write', 'orders:read'],
  created_at: '2026-01-31T10:00:00.000Z',
  expires_at: '2030-12-31T23:59:59.000Z',
  last_used_at: null,
  revoked_at: null,
  is_own: false,
}

export const keyOperations = (context: KeysContext): readonly RouteDefinition[] => [
  listOperation(context),
  createOperation(context, context.validatorOf(KeyParams)),
  revokeOperation(context),
]

const listOperation = ({ keys }: KeysContext): RouteDefinition => ({
  id: 'listKeys',
  method: 'GET',
  path: PATH,
  summary: 'List API keys',
  description:
    'Returns the keys of the account, newest first, including expired and revoked keys. Paged through `Link`.',
  tag: 'Account',
  scope: 'admin',
  query: listParameters(0),
  answer: {
    description: 'The keys, without their secrets.',
    schema: Type.Array(schemaRef(ApiKey)),
    example: [EXAMPLE],
    headers: LINK,
  },
  failures: ['invalid_request'],
  handle: async (request, reply) => {
    const { accountId, keyId } = callerOf(request)
    const query = parseQuery(request.query, listParameters(accountId))
    const cursor = cursorOf(accountId)
    const limit = Number(query['limit']?.[0] ?? LIMIT_DEFAULT)
    const before = query['cursor'] ? cursor.read(query['cursor'][0]!) : null
    const found = await keys.list(accountId, before, limit + 1, isSet(query, 'active'))
    const page = found.slice(0, limit)
    if (found.length > limit) void reply.header('link', nextPage(PATH, query, cursor.write(page.at(-1)!.keyId)))
    return reply.send(page.map((key) => printKey(key, keyId)))
  },
})

const listParameters = (accountId: number) => ({
  limit: pageLimit('keys', LIMIT_MAX, LIMIT_DEFAULT),
  cursor: cursorOf(accountId).parameter,
  active: flag('Omit expired and revoked keys.'),
})

const cursorOf = (accountId: number) => numberCursor(['keys', accountId])

const createOperation = ({ keys, now }: KeysContext, validate: Validate): RouteDefinition => ({
  id: 'createKey',
  hasSecret: true,
  method: 'POST',
  path: PATH,
  summary: 'Create an API key',
  description:
    'Only this response contains the secret of the key. A key cannot grant a scope that it lacks; creating keys ' +
    'requires `admin`, which includes all scopes.',
  tag: 'Account',
  scope: 'admin',
  query: {},
  body: {
    schema: KeyParams,
    example: { label: 'Web shop', scopes: EXAMPLE.scopes, expires_at: EXAMPLE.expires_at },
  },
  answer: {
    description: 'The new key.',
    schema: schemaRef(NewApiKey),
    example: { key: 'cradle_…', ...EXAMPLE },
    headers: IGNORED_HEADER,
  },
  failures: ['invalid_request', 'too_large', 'unsupported_media_type'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const { label, scopes, expiresAt } = readKey(request, reply, validate, now())
    const { accountId, keyId } = callerOf(request)
    const { secret, key } = await keys.create(accountId, { label, scopes, expiresAt })
    return reply.send({ key: secret, ...printKey(key, keyId) })
  },
})

function readKey(request: FastifyRequest, reply: FastifyReply, validate: Validate, now: Date) {
  const { problems } = validate(request.body)
  if (problems.length > 0) throw invalidRequest(problems)
  const wire = request.body as WireKey
  const faults = keyProblems(wire, now)
  if (faults.length > 0) throw invalidRequest(faults)
  setIgnoredMembers(reply, wire, KeyParams)
  const expiresAt = wire.expires_at === undefined ? null : new Date(wire.expires_at)
  return { label: wire.label, scopes: [...new Set(wire.scopes)], expiresAt }
}

/** Rules that the schema cannot express. */
function keyProblems({ scopes, expires_at: expires }: WireKey, now: Date): readonly Problem[] {
  const problems: Problem[] = []
  if (scopes.length === 0) problems.push({ path: '/scopes', ...ACCESS_MESSAGES.key_without_scope() })
  if (expires === undefined) return problems
  const path = '/expires_at'
  if (!isTime(expires)) problems.push({ path, ...wrongValue(EXPECTED_PARAMETER.expected_time(), expires) })
  else if (new Date(expires) <= now) problems.push({ path, ...ACCESS_MESSAGES.key_expired({ sent: expires }) })
  return problems
}

const REVOKE_QUERY = {
  allow_last_admin: flag('Revoke the key even if no key with the scope admin remains.'),
}

const revokeOperation = ({ keys }: KeysContext): RouteDefinition => ({
  id: 'revokeKey',
  method: 'DELETE',
  path: `${PATH}/{key_id}`,
  summary: 'Revoke an API key',
  description:
    'The key stops working within a second, permanently. A key that was already revoked does not change. The last ' +
    'key with the scope admin is revoked only with allow_last_admin=true. After that, keys can be created only with ' +
    '`cradle keys create`.',
  tag: 'Account',
  scope: 'admin',
  pathParameters: { key_id: { description: 'Number of the key.', example: '7' } },
  query: REVOKE_QUERY,
  answer: {
    description: 'The key, with the time at which it was revoked.',
    schema: schemaRef(ApiKey),
    example: { ...EXAMPLE, revoked_at: '2026-06-30T12:00:00.000Z' },
  },
  failures: ['invalid_request', 'not_found', 'conflict'],
  handle: async (request, reply) => {
    const query = parseQuery(request.query, REVOKE_QUERY)
    const { accountId, keyId: ownKeyId } = callerOf(request)
    const keyId = keyIdOf(request)
    const revoked = await keys.revoke(accountId, keyId, isSet(query, 'allow_last_admin'))
    if (revoked.outcome === 'unknown') throw unknownKey(String(keyId))
    if (revoked.outcome === 'last-admin') throw lastAdmin()
    return reply.send(printKey(revoked.key, ownKeyId))
  },
})

/** @throws ApiError where no key can have that number */
function keyIdOf(request: FastifyRequest): AccountKey['keyId'] {
  const { key_id: text } = request.params as { readonly key_id: string }
  if (/^[1-9]\d{0,9}$/.test(text) && Number(text) <= IDS_MAX) return Number(text)
  throw unknownKey(text.slice(0, 40))
}

const unknownKey = (keyId: string): ApiError =>
  new ApiError('not_found', ACCESS_MESSAGES.key_unknown({ key_id: keyId }))

function lastAdmin(): ApiError {
  const why = ACCESS_MESSAGES.last_admin_key()
  return new ApiError('conflict', why, [{ path: '?allow_last_admin', ...why }])
}
