// What a database error means for the caller: retry later, or the data sent is wrong.
import type { Unavailability } from '../contract/errors.ts'
import { DatabaseError } from 'pg'
import { DeadlineExceeded } from '../concurrency/deadline.ts'
import { UnencodableText } from './row-encoding.ts'
import { QueueFull } from '../concurrency/batcher.ts'

/**
 * SQLSTATE classes that concern the values of a row and not the state of the server: data exceptions, integrity
 * constraint violations, and program limits. Every other error occurs for all rows of a statement.
 */
const OF_ONE_ROW = ['22', '23', '54']

export const isRowError = (error: unknown): boolean =>
  error instanceof UnencodableText ||
  (error instanceof DatabaseError && OF_ONE_ROW.includes(error.code?.slice(0, 2) ?? ''))

/** The rows to be locked changed between reading and locking them. */
export class ConcurrentModification extends Error {
  override name = 'ConcurrentModification'
  constructor() {
    super('Another process was quicker')
  }
}

/** Another process has taken over the import or restatement, or it must not continue. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

/**
 * Another process wrote the same rows concurrently. Nothing was written here, and a retry sees what the other process
 * wrote.
 */
export const isRetryable = (error: unknown): boolean =>
  error instanceof ConcurrentModification || (error instanceof DatabaseError && CONTENTION.includes(error.code ?? ''))

/** Unique violation, serialization failure, deadlock, lock not available. */
const CONTENTION = ['23505', '40001', '40P01', '55P03']

const STATES: Readonly<Record<string, Unavailability>> = { '53100': 'storage_full', '25006': 'read_only' }

/** Null for an error that no retry fixes. */
export function unavailabilityOf(error: unknown): Unavailability | null {
  if (!isUnavailable(error)) return null
  return (error instanceof DatabaseError && STATES[error.code ?? '']) || 'unavailable'
}

/** True if the server accepts no connections: it is missing, starting or stopping, or has no connection left. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof DatabaseError ? ABSENT.includes(error.code ?? '') : isUnavailable(error)

const ABSENT = ['57P01', '57P02', '57P03', '53300']

/** True if the database could not be queried or did not finish. Nothing was stored, or a retry finds out. */
export function isUnavailable(error: unknown): boolean {
  if ([QueueFull, ConcurrentModification, DeadlineExceeded].some((kind) => error instanceof kind)) return true
  if (error instanceof DatabaseError) return !isRowError(error) && !isOurs(error)
  // A programming error is reported as one, whatever words its message has.
  if (error instanceof TypeError || error instanceof RangeError || !(error instanceof Error)) return false
  return CONNECTION_CODES.has((error as NodeJS.ErrnoException).code ?? '') || CONNECTION_MESSAGES.test(error.message)
}

/** The database did not answer in time, and may never answer. */
export const isTimeout = (error: unknown): error is Error =>
  error instanceof Error && error.message.startsWith('Query read timeout')

/** Syntax errors and unknown names (class 42), and internal errors of the server (XX): no retry fixes them. */
const isOurs = ({ code }: DatabaseError): boolean => /^(42|XX)/.test(code ?? '')

const CONNECTION_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** True if the database answered with an error, or not at all. The result of the statement is then unknown. */
export const isDatabaseFailure = (error: unknown): boolean => error instanceof DatabaseError || isUnavailable(error)

/** Driver messages about a connection that come without an error code. */
const CONNECTION_MESSAGES =
  /^(Connection terminated|Query read timeout|timeout (exceeded|expired)|Client (has enc|was closed)|Cannot use a pool)/
