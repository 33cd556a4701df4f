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

const NOT_SOUND = invalidRequest([{ path: '', message: 'The request is not valid HTTP/1.1' }])
const UNREADABLE: ReadonlyMap<string, ApiError> = new Map([
  ['HPE_HEADER_OVERFLOW', new ApiError('headers_too_large', 'The header fields are larger than 16 KiB')],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', new ApiError('too_large', 'The extensions of a chunk are larger than 16 KiB')],
  ['ERR_HTTP_REQUEST_TIMEOUT', new ApiError('request_timeout', 'The request did not arrive in time')],
])

/** Answers on a connection that has no request to answer, and closes it. */
export function respondWithError(failure: ApiError, socket: Socket): void {
  if (!socket.writable) return void socket.destroy()
  const { status, headers, body } = lastAnswer(failure)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  socket.destroySoon()
}

/** Answers a request that does not reach the framework, and closes its connection. */
export function rejectRequest(failure: ApiError, response: ServerResponse): void {
  const { status, headers, body } = lastAnswer(failure)
  response.writeHead(status, headers).end(response.req.method === 'HEAD' ? undefined : body)
}

function lastAnswer(failure: ApiError) {
  const [status] = API_ERRORS[failure.code]
  const requestId = randomUUID()
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

export const BODY_HEADERS_MISMATCH = invalidRequest([
  { path: '', message: 'The request cannot be read: its body does not match its headers' },
])

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
      return new ApiError('too_large', 'The body is larger than 1 MiB; split it into several requests')
    case 415:
      return new ApiError('unsupported_media_type', mediaTypeMessage(request))
    case 400:
      return BODY_HEADERS_MISMATCH
    case 403:
    case 404:
    case 414:
      return new ApiError('not_found', 'There is nothing under this path')
    default:
      return new ApiError('internal', 'A fault of the service; please report it with the request id')
  }
}

const mediaTypeMessage = ({ headers }: FastifyRequest): string => {
  const sent = headers['content-type']
  return `Send the body with the header "Content-Type: application/json"${sent ? `, not "${sent.slice(0, 80)}"` : ''}`
}
