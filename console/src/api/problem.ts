// What went wrong, as the service says it: every refusal of the API carries a message and names its request.
import type { ServiceMessage } from '../service-texts/messages.ts'

/** Of a report that leaves groups out, where all are needed: told in the console's own words, which has to have all. */
export const TOO_MANY_GROUPS = 'too_many_groups'

export interface ProblemDetail extends ServiceMessage {
  readonly path: string
  readonly suggestions?: readonly string[]
}

export class Problem extends Error {
  override name = 'Problem'
  /** HTTP status; 0 where nothing was answered at all. */
  readonly status: number
  readonly code: string
  /** The sentence, with its own code where it has one. */
  readonly why: ServiceMessage
  readonly details: readonly ProblemDetail[]
  readonly requestId: string | null

  constructor(
    status: number,
    code: string,
    why: ServiceMessage,
    details: readonly ProblemDetail[],
    requestId: string | null,
  ) {
    super(why.message)
    this.status = status
    this.code = code
    this.why = why
    this.details = details
    this.requestId = requestId
  }
}

interface Refusal {
  readonly error?: string
  readonly detail?: string
  readonly code?: string
  readonly reason?: Pick<ServiceMessage, 'code' | 'params'>
  readonly details?: readonly ProblemDetail[]
  readonly request_id?: string
}

/** The service's message; of a fault of the console's own, its text. */
export const whyOf = (error: Error): ServiceMessage =>
  error instanceof Problem ? error.why : { message: error.message }

/** @param response null where the service could not be reached */
export function problemOf(response: Response | null, body: unknown): Problem {
  if (body instanceof DOMException && body.name === 'AbortError') throw body
  if (response === null) return new Problem(0, 'unreachable', { message: '' }, [], null)
  const refusal: Refusal = typeof body === 'object' && body !== null ? body : {}
  const message = refusal.error ?? refusal.detail ?? `${response.status} ${response.statusText}`
  const why = { message, ...refusal.reason }
  const requestId = refusal.request_id ?? response.headers.get('x-request-id')
  return new Problem(response.status, refusal.code ?? 'unknown', why, refusal.details ?? [], requestId)
}
