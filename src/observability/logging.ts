// Errors in the log: what identifies their cause, at a level that shows whether the operator has to act.
import { LogController, type FastifyBaseLogger, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Unavailability } from '../contract/errors.ts'
import { type ApiErrorCode } from '../contract/errors.ts'
import { setErrorCode, toApiError } from '../http/errors.ts'

/** Transient errors, such as a missed deadline. A full disk is not transient. */
const PASSING: readonly ApiErrorCode[] = ['unavailable', 'read_only']

/** Statement parameters are omitted: they are the client's data. */
const describeError = (error: Error) => ({
  name: error.name,
  message: error.message,
  stack: error.stack,
  code: (error as NodeJS.ErrnoException).code,
})

/**
 * Lines per kind and second: while the database is unavailable, thousands of requests fail in the same way, and the log
 * may be on the database's disk.
 */
const PASSING_LINES_MAX = 20
const SECOND_MS = 1_000

interface Passing {
  readonly since: number
  readonly lines: number
  readonly leftOut: number
}

/** Counted by sentence: attempts to guess keys must not crowd out that the database is unavailable. */
const passing = new Map<string, Passing>()

/** Whether one more line of a transient error is logged, and how many earlier ones of its kind were omitted. */
function admitPassing(kind: string): { readonly left_out?: number } | null {
  const now = performance.now()
  const { since, lines, leftOut } = passing.get(kind) ?? { since: -Infinity, lines: 0, leftOut: 0 }
  if (now - since >= SECOND_MS) {
    passing.set(kind, { since: now, lines: 1, leftOut: 0 })
    return leftOut > 0 ? { left_out: leftOut } : {}
  }
  const isAdmitted = lines < PASSING_LINES_MAX
  passing.set(kind, { since, lines: lines + Number(isAdmitted), leftOut: leftOut + Number(!isAdmitted) })
  return isAdmitted ? {} : null
}

/** @param code the error code, or the code that a response would have */
export function logError(log: FastifyBaseLogger, error: Error, code: ApiErrorCode, sentence?: string): void {
  if (!PASSING.includes(code)) return log.error({ error: describeError(error) }, sentence)
  logTransient(log, { error: describeError(error) }, sentence)
}

/**
 * Logs a warning, or omits and counts it if too many of its kind were logged in the same second.
 * @param sentence has to be one of few
 */
export function logTransient(log: FastifyBaseLogger, fields: object, sentence = ''): void {
  const admitted = admitPassing(sentence)
  if (admitted !== null) log.warn({ ...fields, ...admitted }, sentence || undefined)
}

/** Logs responses that broke off after they had begun; requests are logged separately. */
export class RequestLog extends LogController {
  readonly #unavailabilityOf: (error: unknown) => Unavailability | null

  constructor(unavailabilityOf: (error: unknown) => Unavailability | null) {
    super({ disableRequestLogging: true, requestIdLogLabel: 'request_id' })
    this.#unavailabilityOf = unavailabilityOf
  }

  override streamError(error: NodeJS.ErrnoException, request: FastifyRequest, reply: FastifyReply): void {
    // The client has disconnected: no action is needed, and the request's own line records it.
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') return
    const { code } = toApiError(error, request, this.#unavailabilityOf)
    setErrorCode(reply, code)
    logError(reply.log, error, code, 'The answer broke off')
  }
}
