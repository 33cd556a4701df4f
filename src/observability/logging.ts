// Errors in the log: what finds their cause, at the level of whether somebody has to do something about them.
import { LogController, type FastifyBaseLogger, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Unavailability } from '../contract/errors.ts'
import { type ApiErrorCode } from '../contract/errors.ts'
import { setErrorCode, toApiError } from '../http/errors.ts'

/** What passes by itself, like a deadline that was missed. A full disk does not. */
const PASSING: readonly ApiErrorCode[] = ['unavailable', 'read_only']

/** Parameters of a statement stay out: they are the client's. */
const describeError = (error: Error) => ({
  name: error.name,
  message: error.message,
  stack: error.stack,
  code: (error as NodeJS.ErrnoException).code,
})

/**
 * Of one kind, in a second; while the database is away, every request of thousands fails alike, on whose disk the log
 * may be.
 */
const PASSING_LINES_MAX = 20
const SECOND_MS = 1_000

interface Passing {
  readonly since: number
  readonly lines: number
  readonly leftOut: number
}

/** By what lines say: whoever guesses keys must not crowd out that the database is away. */
const passing = new Map<string, Passing>()

/** Whether one more line of what passes by itself is written, and how many of its kind before it were not. */
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

/** @param code of the failure that it is, or would be if anybody were answered */
export function logError(log: FastifyBaseLogger, error: Error, code: ApiErrorCode, sentence?: string): void {
  if (!PASSING.includes(code)) return log.error({ error: describeError(error) }, sentence)
  logTransient(log, { error: describeError(error) }, sentence)
}

/**
 * Left out, and counted, where too much of its kind was told in the same second.
 * @param sentence of which there are few
 */
export function logTransient(log: FastifyBaseLogger, fields: object, sentence = ''): void {
  const admitted = admitPassing(sentence)
  if (admitted !== null) log.warn({ ...fields, ...admitted }, sentence || undefined)
}

/** Tells of answers that broke off when they had begun; of requests there are lines of our own. */
export class RequestLog extends LogController {
  readonly #unavailabilityOf: (error: unknown) => Unavailability | null

  constructor(unavailabilityOf: (error: unknown) => Unavailability | null) {
    super({ disableRequestLogging: true, requestIdLogLabel: 'request_id' })
    this.#unavailabilityOf = unavailabilityOf
  }

  override streamError(error: NodeJS.ErrnoException, request: FastifyRequest, reply: FastifyReply): void {
    // The client has gone: nobody has to do anything about it, and the line of the request tells.
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') return
    const { code } = toApiError(error, request, this.#unavailabilityOf)
    setErrorCode(reply, code)
    logError(reply.log, error, code, 'The answer broke off')
  }
}
