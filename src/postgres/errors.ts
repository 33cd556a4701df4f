// What a database error means for the one who asked: try again, or something is wrong with what was sent.
import type { Unavailability } from '../contract/errors.ts'
import { DatabaseError } from 'pg'
import { DeadlineExceeded } from '../concurrency/deadline.ts'
import { UnencodableText } from './row-encoding.ts'
import { QueueFull } from '../concurrency/batcher.ts'

/**
 * Classes of SQLSTATE that concern the values of a row, not the state of the server: data exceptions, and limits on
 * the size of what is stored. Everything else fails the same way for all rows of a statement.
 */
const OF_ONE_ROW = ['22', '23', '54']

export const isRowError = (error: unknown): boolean =>
  error instanceof UnencodableText ||
  (error instanceof DatabaseError && OF_ONE_ROW.includes(error.code?.slice(0, 2) ?? ''))

/** What was read to be locked has changed before it was. */
export class ConcurrentModification extends Error {
  override name = 'ConcurrentModification'
  constructor() {
    super('Another process was quicker')
  }
}

/** Another process wrote the same at the same moment: nothing was written here, and a repetition sees what it wrote. */
export const isRetryable = (error: unknown): boolean =>
  error instanceof ConcurrentModification || (error instanceof DatabaseError && CONTENTION.includes(error.code ?? ''))

/** Unique violation, serialization failure, deadlock, lock not available. */
const CONTENTION = ['23505', '40001', '40P01', '55P03']

const STATES: Readonly<Record<string, Unavailability>> = { '53100': 'storage_full', '25006': 'read_only' }

/** Null for an error that no repetition mends. */
export function unavailabilityOf(error: unknown): Unavailability | null {
  if (!isUnavailable(error)) return null
  return (error instanceof DatabaseError && STATES[error.code ?? '']) || 'unavailable'
}

/** True where nobody takes connections: no server at all, or one that starts, stops or has no connection left. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof DatabaseError ? ABSENT.includes(error.code ?? '') : isUnavailable(error)

const ABSENT = ['57P01', '57P02', '57P03', '53300']

/** True where the database could not be asked, or did not finish: nothing was stored, or a retry finds out. */
export function isUnavailable(error: unknown): boolean {
  if ([QueueFull, ConcurrentModification, DeadlineExceeded].some((kind) => error instanceof kind)) return true
  if (error instanceof DatabaseError) return !isRowError(error) && !isOurs(error)
  // A mistake of ours is told as one, whatever words its message has.
  if (error instanceof TypeError || error instanceof RangeError || !(error instanceof Error)) return false
  return CONNECTION_CODES.has((error as NodeJS.ErrnoException).code ?? '') || CONNECTION_MESSAGES.test(error.message)
}

/** The database did not answer in time, and may never. */
export const isTimeout = (error: unknown): error is Error =>
  error instanceof Error && error.message.startsWith('Query read timeout')

/** Syntax errors and unknown names (class 42), and faults inside the server (XX): no retry mends them. */
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

/** True where the database answered by an error, or not at all: what was asked for is not known then. */
export const isDatabaseFailure = (error: unknown): boolean => error instanceof DatabaseError || isUnavailable(error)

/** What the driver says of a connection without a code. */
const CONNECTION_MESSAGES =
  /^(Connection terminated|Query read timeout|timeout (exceeded|expired)|Client (has enc|was closed)|Cannot use a pool)/
