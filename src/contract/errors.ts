// All errors that clients can get: the table of codes, the response body per status, and limits on message length.
import { inSentence, type Message, type MessageValue } from '../engine/message.ts'
import { messageOf, type Problem } from '../engine/order.ts'
import { DATABASE_MESSAGES, REQUEST_MESSAGES } from './messages.ts'

/** Far above the length of any message of this service and of any path into a valid body. */
const MESSAGE_CHARACTERS_MAX = 2_000
const PATH_CHARACTERS_MAX = 1_000
const VALUE_CHARACTERS_MAX = 300
/** More than any list of names in a message has. */
const VALUES_MAX = 100

const cut = (text: string, charactersMax: number): string =>
  text.length <= charactersMax ? text : `${text.slice(0, charactersMax)}…`

const truncateMessage = (message: string): string => cut(message, MESSAGE_CHARACTERS_MAX)

/** The code and the values of a message, shortened; `params` is omitted if there are none. */
const truncateReason = ({ code, params }: Omit<Message, 'message'>) => ({
  code,
  ...(Object.keys(params).length > 0 && {
    params: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, truncateValue(value)])),
  }),
})

function truncateValue(value: MessageValue): unknown {
  if (typeof value === 'number') return value
  if (typeof value === 'string') return cut(value, VALUE_CHARACTERS_MAX)
  if ('message' in value) return { message: truncateMessage(value.message), ...truncateReason(value) }
  return value.slice(0, VALUES_MAX).map(truncateValue)
}

/** Truncates path and message. Suggestions that are too long are omitted, because a truncated one would be wrong. */
export const truncateProblem = ({ path, message, suggestions, ...reason }: Problem) => ({
  path: cut(path, PATH_CHARACTERS_MAX),
  message: truncateMessage(message),
  ...truncateReason(reason),
  ...(suggestions && { suggestions: suggestions.filter(({ length }) => length <= VALUE_CHARACTERS_MAX) }),
})

/** Error codes that clients can rely on, each with its HTTP status and meaning. */
export const API_ERRORS = {
  invalid_request: [
    400,
    'The request cannot be read or is invalid; details lists each location and what would be valid.',
  ],
  unauthorized: [401, 'The API key is missing, malformed, unknown, expired or revoked.'],
  foreign_origin: [403, 'The request comes from a web page of another machine, which may not call /mcp.'],
  missing_scope: [403, 'The API key is valid, but may not do this.'],
  not_found: [404, 'There is nothing under this path, or nothing that this account can see.'],
  method_not_allowed: [405, 'The path exists, but not for this method; the header Allow names those it has.'],
  not_acceptable: [406, 'The header Accept excludes every media type that the operation can return.'],
  request_timeout: [408, 'The request did not arrive in time.'],
  conflict: [
    409,
    'Other content is stored under this id, or the import of the order to correct was undone. Or an order to ' +
      'estimate is already posted, an event contradicts what is recorded or the corrected content, an import to ' +
      'reverse was a dry run, or the request would remove the last admin key or a demo fleet in use, or erase ' +
      'names while a file is imported, or the account is strict and the ledgers of the devices have warnings. ' +
      'details lists each location.',
  ],
  precondition_failed: [
    412,
    'The order or figure was changed since the state that If-Match names; read it again, and change what it is now.',
  ],
  too_large: [
    413,
    'The body is larger than 1 MiB, the file is larger than 1 GiB, or the result is larger than a statement or a ' +
      'report can be.',
  ],
  unsupported_media_type: [
    415,
    'The body must be application/json in UTF-8, or a file of a type that the operation accepts, without content ' +
      'encoding.',
  ],
  expectation_failed: [417, 'The header Expect asks for something other than 100-continue.'],
  too_many_requests: [429, 'The key has sent more requests in a second than it may; try again after Retry-After.'],
  too_many_imports: [
    429,
    'The account, or all accounts together, has reached the limit of uploads at a time or of unprocessed files or ' +
      'bytes; send the file again after Retry-After.',
  ],
  too_many_wrong_keys: [
    429,
    'The API key is invalid, and this address has sent too many invalid keys within a minute; try another key after ' +
      'Retry-After.',
  ],
  headers_too_large: [431, 'The header fields are too large.'],
  internal: [500, 'A fault of the service; it is in its log under the request id.'],
  unavailable: [503, 'The database cannot be reached, or too much is waiting; try again after Retry-After.'],
  storage_full: [
    503,
    'The disk of the database is full: nothing can be stored until there is space, but reads still work. For a file ' +
      'to import: the disk is nearly full, and orders are still accepted.',
  ],
  read_only: [
    503,
    'The database is read-only at present: nothing can be stored until that ends, but reads still work.',
  ],
} as const satisfies Record<string, readonly [number, string]>

export type ApiErrorCode = keyof typeof API_ERRORS

/**
 * An error that is returned to the client: code, details and message, which is a sentence for people. Other properties,
 * such as the stack, are not shown.
 */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ApiErrorCode
  /** The message with its own code and values. */
  readonly reason: Message
  readonly details: readonly Problem[]
  /** Value of `Retry-After`, if it differs from the usual one. */
  readonly retryAfterSeconds: number | null

  constructor(
    code: ApiErrorCode,
    why: Message,
    details: readonly Problem[] = [],
    retryAfterSeconds: number | null = null,
  ) {
    super(why.message)
    this.code = code
    this.reason = why
    this.details = details
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** @param details at least one problem */
export function invalidRequest(details: readonly Problem[]): ApiError {
  const [first] = details as readonly [Problem]
  const what = inSentence(messageOf(first))
  const problem = first.path === '' ? what : REQUEST_MESSAGES.problem_at({ path: first.path, problem: what })
  const why =
    details.length === 1
      ? REQUEST_MESSAGES.invalid_input({ problem })
      : REQUEST_MESSAGES.invalid_inputs({ problem, more: details.length - 1 })
  return new ApiError('invalid_request', why, details)
}

const WITH_DETAILS: readonly ApiErrorCode[] = ['invalid_request', 'conflict']

/** Why the database cannot process a request at present. */
export type Unavailability = 'unavailable' | 'storage_full' | 'read_only'

/** Clients may retry the request. */
const UNAVAILABLE = {
  unavailable: DATABASE_MESSAGES.database_unavailable(),
  storage_full: DATABASE_MESSAGES.database_full(),
  read_only: DATABASE_MESSAGES.database_read_only(),
} as const satisfies Record<Unavailability, Message>

/** True if the database is available but took too long for this request; the error is then a DeadlineExceeded. */
const isLate = (error: unknown): boolean => error instanceof Error && error.name === 'DeadlineExceeded'

/** The body of every error but 401, without the request id. */
export const errorView = ({ code, message, reason, details }: ApiError) => ({
  error: truncateMessage(message),
  code,
  reason: truncateReason(reason),
  ...(WITH_DETAILS.includes(code) && { details: details.map(truncateProblem) }),
})

export function errorBody(error: ApiError, requestId: string): string {
  const { error: detail, code, reason, ...rest } = errorView(error)
  return JSON.stringify(
    code === 'unauthorized'
      ? { code, detail, reason, request_id: requestId }
      : { error: detail, code, reason, ...rest, request_id: requestId },
  )
}

/** The error to return to the client, or null if the error is an internal error of the service. */
export function apiErrorOf(
  error: unknown,
  unavailabilityOf: (error: unknown) => Unavailability | null,
): ApiError | null {
  if (error instanceof ApiError) return error
  const unavailability = unavailabilityOf(error)
  if (unavailability === null) return null
  const why = isLate(error) ? DATABASE_MESSAGES.database_slow() : UNAVAILABLE[unavailability]
  return new ApiError(unavailability, why)
}
