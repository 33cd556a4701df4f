// Errors as HTTP responses, for requests that reached the framework and for those that did not.
import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import {
  API_ERRORS,
  ApiError,
  apiErrorOf,
  errorBody,
  invalidRequest,
  type ApiErrorCode,
  type Unavailability,
} from '../contract/errors.ts'
import { JSON_TYPE } from '../strict-json/json-number.ts'
import type { Message } from '../engine/message.ts'
import { PROTOCOL_MESSAGES } from './messages.ts'
import { fileTypesOf } from './plugins/file-routes.ts'
import { requestIdOf } from './plugins/request-id.ts'
import { SECURITY_HEADERS } from './plugins/security-headers.ts'

const TO_TRY_AGAIN: readonly ApiErrorCode[] = [
  'unavailable',
  'storage_full',
  'read_only',
  'too_many_requests',
  'too_many_imports',
  'too_many_wrong_keys',
]

const failed = new WeakMap<FastifyReply, ApiErrorCode>()

/** @param code the error code of the response, or the one that it would have had if it had not already begun */
export const setErrorCode = (reply: FastifyReply, code: ApiErrorCode): void => void failed.set(reply, code)

/** The error code of a response; null if it did not fail. */
export const errorCodeOf = (reply: FastifyReply): ApiErrorCode | null => failed.get(reply) ?? null

export function sendError(reply: FastifyReply, failure: ApiError, usualRetrySeconds: number): FastifyReply {
  const [status] = API_ERRORS[failure.code]
  setErrorCode(reply, failure.code)
  if (TO_TRY_AGAIN.includes(failure.code))
    void reply.header('retry-after', String(failure.retryAfterSeconds ?? usualRetrySeconds))
  return reply.code(status).type(JSON_TYPE).send(errorBody(failure, reply.request.id))
}

/**
 * Input that Node's parser rejects never becomes a request: it gets an error in the same format, and the connection
 * ends.
 */
export function answerMalformedRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  respondWithError(UNREADABLE.get(error.code ?? '') ?? NOT_SOUND, socket)
}

const NOT_SOUND = invalidRequest([{ path: '', ...PROTOCOL_MESSAGES.http_invalid() }])
const UNREADABLE: ReadonlyMap<string, ApiError> = new Map([
  ['HPE_HEADER_OVERFLOW', new ApiError('headers_too_large', PROTOCOL_MESSAGES.header_fields_too_large())],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', new ApiError('too_large', PROTOCOL_MESSAGES.chunk_extensions_too_large())],
  ['ERR_HTTP_REQUEST_TIMEOUT', new ApiError('request_timeout', PROTOCOL_MESSAGES.request_late())],
])

/** Answers on a connection that has no request to answer, and closes it. */
export function respondWithError(failure: ApiError, socket: Socket): void {
  if (!socket.writable) return void socket.destroy()
  const { status, headers, body } = lastAnswer(failure, randomUUID())
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  socket.destroySoon()
}

/** Answers a request that does not reach the framework, and closes its connection. */
export function rejectRequest(failure: ApiError, response: ServerResponse): void {
  const { status, headers, body } = lastAnswer(failure, requestIdOf(response.req))
  response.writeHead(status, headers).end(response.req.method === 'HEAD' ? undefined : body)
}

function lastAnswer(failure: ApiError, requestId: string) {
  const [status] = API_ERRORS[failure.code]
  const body = errorBody(failure, requestId)
  const headers = {
    'x-request-id': requestId,
    ...SECURITY_HEADERS,
    'content-type': JSON_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  return { status, headers, body }
}

export const BODY_HEADERS_MISMATCH = invalidRequest([{ path: '', ...PROTOCOL_MESSAGES.body_mismatch() }])

/** Converts Fastify's own errors, and anything else that was thrown, to the errors of the API. */
export function toApiError(
  error: FastifyError | Error,
  request: FastifyRequest,
  unavailabilityOf: (error: unknown) => Unavailability | null,
): ApiError {
  const failure = apiErrorOf(error, unavailabilityOf)
  if (failure !== null) return failure
  const status = 'statusCode' in error ? error.statusCode : undefined
  switch (status) {
    case 413:
      return new ApiError('too_large', PROTOCOL_MESSAGES.body_too_large({ limit: '1 MiB' }))
    case 415:
      return wrongMediaType(request)
    case 400:
      return BODY_HEADERS_MISMATCH
    case 403:
    case 404:
    case 414:
      return new ApiError('not_found', PROTOCOL_MESSAGES.path_unknown())
    default:
      return new ApiError('internal', PROTOCOL_MESSAGES.internal_error())
  }
}

/** The body has a media type that the route does not take. */
export const wrongMediaType = (request: FastifyRequest): ApiError =>
  new ApiError('unsupported_media_type', wrongMediaTypeMessage(request))

function wrongMediaTypeMessage(request: FastifyRequest): Message {
  const sent = request.headers['content-type']?.slice(0, 80) ?? ''
  const types = fileTypesOf(request)
  if (types) return PROTOCOL_MESSAGES.content_type_file({ sent, types })
  if (sent === '') return PROTOCOL_MESSAGES.content_type_missing()
  return sent.startsWith('multipart/')
    ? PROTOCOL_MESSAGES.content_type_form()
    : PROTOCOL_MESSAGES.content_type_wrong({ sent })
}
