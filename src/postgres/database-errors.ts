// What a database error means for the one who asked: try again, or something is wrong with what was sent.
import { DatabaseError } from 'pg'

/**
 * Classes of SQLSTATE that concern the values of a row, not the state of the server: data exceptions, and limits on
 * the size of what is stored. Everything else fails the same way for all rows of a statement.
 */
const OF_ONE_ROW = ['22', '23', '54']

export const isOfOneRow = (error: unknown): boolean =>
  error instanceof DatabaseError && OF_ONE_ROW.includes(error.code?.slice(0, 2) ?? '')

/** True where the database could not be asked, or did not finish: nothing was stored, or a retry finds out. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof DatabaseError ? !isOfOneRow(error) && !isOfStatement(error) : isConnectionFailure(error)

/** Syntax errors and unknown names (class 42) are mistakes of ours, which no retry mends. */
const isOfStatement = (error: DatabaseError): boolean => error.code?.startsWith('42') ?? false

const CONNECTION_FAILURES =
  /terminated|timeout|closed|ended|ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|not queryable|Cannot use a pool/i

const isConnectionFailure = (error: unknown): boolean =>
  error instanceof Error &&
  (CONNECTION_FAILURES.test(error.message) || CONNECTION_FAILURES.test(String((error as NodeJS.ErrnoException).code)))
