// What goes wrong, as classes: one for each family of the API's error codes, and two for requests without an answer.
import type { ErrorCode, Problem } from './generated/api.js'

export interface ErrorFacts {
  readonly code: string
  readonly status?: number | undefined
  readonly details?: readonly Problem[] | undefined
  readonly requestId?: string | undefined
  readonly retryable: boolean
  readonly retryAfterSeconds?: number | undefined
  readonly attempts: number
  readonly cause?: unknown
}

/** An error of the API, or no answer of it. */
export class CradleError extends Error {
  override readonly name: string = 'CradleError'
  /** What it is, for programs: a code of docs/errors.md, `connection_failed`, `timeout`, or `http_` and the status. */
  readonly code: ErrorCode | 'connection_failed' | 'timeout' | (string & {})
  /** Of the HTTP response; undefined without one. */
  readonly status: number | undefined
  /** Each location of the request, what is wrong there, and often what would be right. */
  readonly details: readonly Problem[]
  /** All that `details` suggests. */
  readonly suggestions: readonly string[]
  /** Names the request in the log of the service. */
  readonly requestId: string | undefined
  /** True if the same request may be sent again as it is: nothing is then stored twice. */
  readonly retryable: boolean
  readonly retryAfterSeconds: number | undefined
  /** How many times the request was sent. */
  readonly attempts: number

  constructor(message: string, facts: ErrorFacts) {
    super(message, { cause: facts.cause })
    this.code = facts.code
    this.status = facts.status
    this.details = facts.details ?? []
    this.suggestions = this.details.flatMap(({ suggestions }) => suggestions ?? [])
    this.requestId = facts.requestId
    this.retryable = facts.retryable
    this.retryAfterSeconds = facts.retryAfterSeconds
    this.attempts = facts.attempts
  }
}

/** 400, 405, 406, 413, 415, 417, 431: the request has to be another one. */
export class InvalidRequestError extends CradleError {
  override readonly name = 'InvalidRequestError'
}

/** 401: the key is not valid. */
export class AuthenticationError extends CradleError {
  override readonly name = 'AuthenticationError'
}

/** 403: the key lacks a scope. */
export class PermissionError extends CradleError {
  override readonly name = 'PermissionError'
}

export class NotFoundError extends CradleError {
  override readonly name = 'NotFoundError'
}

/** 409: what is stored or recorded contradicts the request. */
export class ConflictError extends CradleError {
  override readonly name = 'ConflictError'
}

/** 412: changed since the state that `if_match` names. */
export class PreconditionFailedError extends CradleError {
  override readonly name = 'PreconditionFailedError'
}

/** 429: too many requests, imports or wrong keys. */
export class RateLimitError extends CradleError {
  override readonly name = 'RateLimitError'
}

/** 408, 502, 503, 504: not now. */
export class UnavailableError extends CradleError {
  override readonly name = 'UnavailableError'
}

/** 500, and what no other class is for. */
export class ServiceError extends CradleError {
  override readonly name = 'ServiceError'
}

/** There was no complete answer: what became of the request is not known. */
export class ConnectionError extends CradleError {
  override readonly name: string = 'ConnectionError'
}

/** There was no answer in time. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError'
}

const FAMILIES: Readonly<Record<number, typeof CradleError>> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  408: UnavailableError,
  409: ConflictError,
  412: PreconditionFailedError,
  429: RateLimitError,
  502: UnavailableError,
  503: UnavailableError,
  504: UnavailableError,
}

interface ErrorBody {
  readonly code?: string
  readonly error?: string
  readonly detail?: string
  readonly details?: readonly Problem[]
  readonly request_id?: string
}

/**
 * @param text the body, of the service or of a proxy before it
 * @param isRepeatable true if the contract allows to send the request again
 */
export function errorOf(response: Response, text: string, isRepeatable: boolean, attempts: number): CradleError {
  const { status, headers } = response
  const { code = `http_${status}`, error, detail, details, request_id } = bodyOf(text)
  // Of 429, the contract says that nothing was stored; a wrong key stays wrong.
  const retryable = status === 429 ? code !== 'too_many_wrong_keys' : isTransient(status) && isRepeatable
  const Family = FAMILIES[status] ?? (status < 500 ? InvalidRequestError : ServiceError)
  return new Family(error ?? detail ?? `The answer has the status ${status}`, {
    code,
    status,
    details,
    requestId: request_id ?? headers.get('x-request-id') ?? undefined,
    retryable,
    retryAfterSeconds: secondsOf(headers.get('retry-after')),
    attempts,
  })
}

const isTransient = (status: number): boolean => FAMILIES[status] === UnavailableError

function bodyOf(text: string): ErrorBody {
  try {
    const body = JSON.parse(text) as unknown
    return typeof body === 'object' && body !== null ? body : {}
  } catch {
    return {}
  }
}

/** `Retry-After` has seconds or a date. */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
