// Builds the OpenAPI 3.1 document from the operations and from the same schemas that validate their bodies.
import { CONDITIONAL_HEADERS } from './conditional-requests.ts'
import { API_ERRORS, ApiError, errorBody, invalidRequest, type ApiErrorCode } from '../../contract/errors.ts'
import { DATABASE_MESSAGES } from '../../contract/messages.ts'
import type { Message } from '../../engine/message.ts'
import { UPLOAD_MESSAGES } from '../../imports/messages.ts'
import { NAMED_SCHEMAS } from '../schemas/registry.ts'
import { FILE, type RouteDefinition } from '../route-definition.ts'
import { TAGS } from './openapi-tags.ts'
import { ORDER_MESSAGES } from '../../engine/messages.ts'
import { LEDGER_MESSAGES } from '../../ledger/messages.ts'
import { MCP_MESSAGES } from '../../mcp/messages.ts'
import { ACCESS_MESSAGES, PROTOCOL_MESSAGES } from '../messages.ts'

type Json = Readonly<Record<string, unknown>>

/** The version of the API contract. The program has its own version. */
const CONTRACT_VERSION = '1.0'

/** Errors of every operation; they can occur before its handler runs. */
const EVERYWHERE: readonly ApiErrorCode[] = [
  'invalid_request',
  'method_not_allowed',
  'headers_too_large',
  'internal',
  'unavailable',
]

/** Additional errors of operations with a body. */
const WITH_BODY: readonly ApiErrorCode[] = ['request_timeout', 'expectation_failed']

/** Additional errors of operations that require a key. */
const WITH_KEY: readonly ApiErrorCode[] = [
  'unauthorized',
  'missing_scope',
  'not_acceptable',
  'too_many_requests',
  'too_many_wrong_keys',
]
/** Additional errors of operations that store something. */
const WHERE_STORED: readonly ApiErrorCode[] = ['storage_full', 'read_only']

export function openApiDocument(operations: readonly RouteDefinition[], version: string): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cradle',
      version: CONTRACT_VERSION,
      'x-program-version': version,
      summary: 'Greenhouse-gas emissions of device-rental orders.',
      description:
        'Send an order and get its emissions. Each device has a ledger. Emissions are in kg CO2e. Each line is a ' +
        'whole number of milligrams, and every total is the sum of its lines.\n\n' +
        'Every error has a `code` for programs and a `request_id`. For 400 and 409, `details` lists each location ' +
        'with what would be valid. After 429, 503, 500 or no response, send the same request again. If the response ' +
        'has `Retry-After`, wait that long first. Orders, events and mappings are stored only once; ' +
        '`Idempotent-Replayed: true` means that the order or event was already stored. Unknown members are ignored ' +
        'and listed in `X-Ignored-Members`. Null in an optional member of an order, event or estimate is the same as ' +
        'its absence. White space around ids is trimmed, and ids are normalised to Unicode NFC, in bodies, paths and ' +
        'filters. The header `Link` of a list names the next page.\n\n' +
        'A body may be sent with `Content-Encoding: gzip`. Responses of 1 kB and more are compressed for clients ' +
        'that accept it. A well-formed `X-Request-Id` (1 to 128 letters, digits and any of `_.:=-`) is the one of ' +
        'the response.\n\n' +
        'Every response has `X-Content-Type-Options: nosniff`, `Referrer-Policy: no-referrer` and `Cache-Control`. ' +
        '`Cache-Control` is `no-store`, except for the catalogue. A client may cache the catalogue if it revalidates ' +
        'each time with `If-None-Match`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The service that serves this document.' }],
    security: [{ ApiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: pathsOf(operations),
    components: {
      securitySchemes: {
        ApiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'API key, created with `cradle keys create`. A key has scopes and may expire.',
        },
      },
      schemas: Object.fromEntries(NAMED_SCHEMAS.map(({ $id, ...schema }) => [$id, toOpenApi(schema)])),
    },
  }
}

function pathsOf(operations: readonly RouteDefinition[]): Json {
  const byPath = Map.groupBy(operations, ({ path }) => path)
  return Object.fromEntries(
    [...byPath].map(([path, those]) => [
      path,
      Object.fromEntries(those.map((operation) => [operation.method.toLowerCase(), describe(operation)])),
    ]),
  )
}

function describe(operation: RouteDefinition): Json {
  const { method, body, upload, answer, scope } = operation
  const failures = [
    ...operation.failures,
    ...EVERYWHERE,
    ...(body || upload ? WITH_BODY : []),
    ...(scope === null ? [] : WITH_KEY),
    ...(scope === 'orders:write' || (scope === 'admin' && method !== 'GET') ? WHERE_STORED : []),
  ]
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: `${operation.description} Requires ${scope === null ? 'no key' : `the scope \`${scope}\``}.`,
    ...(scope === null && { security: [] }),
    tags: [operation.tag],
    parameters: [...pathParameters(operation), ...queryParameters(operation), ...headerParameters(operation)],
    ...(body && {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: { $ref: `#/components/schemas/${body.schema.$id}` }, ...examplesOf(body) },
        },
      },
    }),
    ...(upload && {
      requestBody: {
        required: true,
        description: upload.description,
        content: Object.fromEntries(upload.types.map((type) => [type, { schema: FILE }])),
      },
    }),
    responses: {
      [answer.status ?? 200]: {
        description: answer.description,
        headers: describeHeaders({
          'X-Request-Id': 'Identifier of this request in the log of the service.',
          ...(scope !== null && RATE_LIMIT_HEADERS),
          ...answer.headers,
          ...(answer.isValidated && CONDITIONAL_HEADERS),
        }),
        content: {
          [answer.mediaType ?? 'application/json']: { schema: toOpenApi(answer.schema), example: answer.example },
          ...Object.fromEntries(
            Object.entries(answer.otherTypes ?? {}).map(([type, schema]) => [type, { schema: toOpenApi(schema) }]),
          ),
        },
      },
      ...((answer.isValidated || answer.hasTag) && {
        304: {
          description: 'The version in `If-None-Match` is still current.',
          headers: answer.hasTag ? SAME_TAG_HEADERS : NOT_MODIFIED_HEADERS,
          content: {},
        },
      }),
      ...describeFailures([...new Set(failures)], operation),
    },
  }
}

/** A single example has no name; several examples are named. */
function examplesOf({ example, others = {} }: NonNullable<RouteDefinition['body']>): Json {
  const named = Object.entries(others).map(([name, value]) => [name, { value }])
  return named.length === 0 ? { example } : { examples: { usual: { value: example }, ...Object.fromEntries(named) } }
}

const RATE_LIMIT_HEADERS = {
  'RateLimit-Policy':
    'Number of requests that a key may send (`q`) per window in seconds (`w`). Absent if there is no limit.',
  RateLimit: 'Requests remaining in this window (`r`), and seconds until the next window (`t`).',
}

const pathParameters = ({ pathParameters = {} }: RouteDefinition): readonly Json[] =>
  Object.entries(pathParameters).map(([name, { description, example }]) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string' },
    example,
  }))

const headerParameters = ({ requestHeaders = {} }: RouteDefinition): readonly Json[] =>
  Object.entries(requestHeaders).map(([name, { description, isRequired, example }]) => ({
    name,
    in: 'header',
    required: isRequired,
    description,
    schema: { type: 'string' },
    example,
  }))

const queryParameters = ({ query }: RouteDefinition): readonly Json[] =>
  Object.entries(query).map(([name, { description, isList, schema }]) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema,
    ...(isList && { style: 'form', explode: true }),
  }))

const describeHeaders = (headers: Readonly<Record<string, string>>): Json =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  )

const NOT_MODIFIED_HEADERS = describeHeaders({
  'X-Request-Id': 'Identifier of this request in the log of the service.',
  ...RATE_LIMIT_HEADERS,
  ...CONDITIONAL_HEADERS,
})

const SAME_TAG_HEADERS = describeHeaders({
  'X-Request-Id': 'Identifier of this request in the log of the service.',
  ...RATE_LIMIT_HEADERS,
  ETag: CONDITIONAL_HEADERS.ETag,
})

/** Sent before a valid key is found. */
const BEFORE_THE_KEY = [401, 405, 406, 408, 417, 431]
/** Sent after the body was read: unknown members are also listed where the content of the body is rejected. */
const AFTER_THE_BODY = [400, 404, 409]
const IGNORED_MEMBERS = 'X-Ignored-Members'

/** A header of the successful answer, for errors that send it too; empty where the answer does not have it. */
const namedOf = ({ headers = {} }: RouteDefinition['answer'], name: string): Readonly<Record<string, string>> =>
  headers[name] === undefined ? {} : { [name]: headers[name] }

/** One response per status; the description of a status lists all its codes. */
function describeFailures(codes: readonly ApiErrorCode[], { scope, answer }: RouteDefinition): Json {
  const byStatus = Map.groupBy(codes, (code) => API_ERRORS[code][0])
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, those]) => [
        status,
        {
          description: those.map((code) => `\`${code}\`: ${API_ERRORS[code][1]}`).join(' '),
          headers: describeHeaders({
            'X-Request-Id': 'Identifier of this request in the log of the service.',
            ...((status === 503 || status === 429) && { 'Retry-After': 'Seconds to wait before the next attempt.' }),
            ...(scope !== null && !BEFORE_THE_KEY.includes(status) && RATE_LIMIT_HEADERS),
            ...(AFTER_THE_BODY.includes(status) && namedOf(answer, IGNORED_MEMBERS)),
            ...(status === 503 && namedOf(answer, 'Cache-Control')),
            ...(status === 405 && { Allow: 'The methods that the path supports.' }),
          }),
          content: { 'application/json': { schema: failureSchema(status), example: failureExample(those[0]!) } },
        },
      ]),
  )
}

function failureSchema(status: number): Json {
  const name = status === 401 ? 'ErrorResponse' : status === 400 || status === 409 ? 'BadRequest' : 'Failure'
  return { $ref: `#/components/schemas/${name}` }
}

const REQUEST_ID = '01997a6e-3f0c-7c51-9d2e-5f1f6a3c9b10'

const EXAMPLE_PROBLEMS = {
  invalid_request: {
    path: '/items/1/config/transportation_id',
    ...ORDER_MESSAGES.unknown_transportation({ transportation_id: 'van-diesel' }),
    suggestions: ['road-van-diesel'],
  },
  conflict: { path: '/items/0/config/tenure_months', ...LEDGER_MESSAGES.differs({ sent: '6', stored: '3' }) },
}

const EXAMPLE_REASONS: Readonly<Record<Exclude<ApiErrorCode, 'invalid_request'>, Message>> = {
  unauthorized: ACCESS_MESSAGES.api_key_invalid(),
  foreign_origin: MCP_MESSAGES.mcp_origin_foreign(),
  missing_scope: ACCESS_MESSAGES.scope_missing({ scope: 'orders:write' }),
  not_found: PROTOCOL_MESSAGES.path_unknown(),
  method_not_allowed: PROTOCOL_MESSAGES.method_unknown({ methods: ['GET', 'HEAD'] }),
  not_acceptable: PROTOCOL_MESSAGES.accept_excludes({ types: ['application/json'] }),
  request_timeout: PROTOCOL_MESSAGES.request_late(),
  conflict: LEDGER_MESSAGES.order_differs({ paths: [EXAMPLE_PROBLEMS.conflict.path] }),
  precondition_failed: LEDGER_MESSAGES.order_changed({ etag: '"1-2"' }),
  too_large: PROTOCOL_MESSAGES.body_too_large({ limit: '1 MiB' }),
  unsupported_media_type: PROTOCOL_MESSAGES.content_type_missing(),
  expectation_failed: PROTOCOL_MESSAGES.http_expectation(),
  too_many_requests: ACCESS_MESSAGES.requests_exceeded(),
  too_many_imports: UPLOAD_MESSAGES.service_uploads_limit(),
  too_many_wrong_keys: ACCESS_MESSAGES.api_keys_wrong({ seconds: 60 }),
  headers_too_large: PROTOCOL_MESSAGES.header_fields_too_large(),
  internal: PROTOCOL_MESSAGES.internal_error(),
  unavailable: DATABASE_MESSAGES.database_unavailable(),
  storage_full: DATABASE_MESSAGES.database_full(),
  read_only: DATABASE_MESSAGES.database_read_only(),
}

function failureExample(code: ApiErrorCode): Json {
  const failure =
    code === 'invalid_request'
      ? invalidRequest([EXAMPLE_PROBLEMS.invalid_request])
      : new ApiError(code, EXAMPLE_REASONS[code], code === 'conflict' ? [EXAMPLE_PROBLEMS.conflict] : [])
  return JSON.parse(errorBody(failure, REQUEST_ID)) as Json
}

/** Turns references into JSON pointers, and adds to each discriminator the schema of each of its values. */
const toOpenApi = (schema: unknown): unknown =>
  JSON.parse(
    JSON.stringify(schema, (name, value: unknown) => {
      if (name === '$ref') return pointerTo(String(value).replace(/#$/, ''))
      return isDiscriminated(value)
        ? { ...value, discriminator: { ...value.discriminator, mapping: mappingOf(value) } }
        : value
    }),
  )

const pointerTo = (id: string): string => `#/components/schemas/${id}`

interface Discriminated {
  readonly discriminator: { readonly propertyName: string; readonly mapping?: Json }
  readonly oneOf: readonly { readonly $ref: string }[]
}

const isDiscriminated = (value: unknown): value is Discriminated =>
  typeof value === 'object' && value !== null && 'discriminator' in value && 'oneOf' in value

/** The schema for each value of the discriminating property. */
function mappingOf({ discriminator, oneOf }: Discriminated): Json {
  const ids = oneOf.map(({ $ref }) => $ref.replace(/^.*\//, '').replace(/#$/, ''))
  return Object.fromEntries(ids.map((id) => [valueOf(id, discriminator.propertyName), pointerTo(id)]))
}

function valueOf(id: string, property: string): string {
  const { properties } = NAMED_SCHEMAS.find(({ $id }) => $id === id) as unknown as {
    readonly properties: Readonly<Record<string, { readonly const: string }>>
  }
  return properties[property]!.const
}
