// What went wrong, in the service's own words: every refusal of the API carries a sentence and names its request.

/** Of a report that leaves groups out, where all are needed: told in the console's own words, which has to have all. */
export const TOO_MANY_GROUPS = 'too_many_groups'

export interface ProblemDetail {
  readonly path: string
  readonly message: string
  readonly suggestions?: readonly string[]
}

export class Problem extends Error {
  override name = 'Problem'
  /** HTTP status; 0 where nothing was answered at all. */
  readonly status: number
  readonly code: string
  readonly details: readonly ProblemDetail[]
  readonly requestId: string | null

  constructor(
    status: number,
    code: string,
    message: string,
    details: readonly ProblemDetail[],
    requestId: string | null,
  ) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
    this.requestId = requestId
  }
}

interface Refusal {
  readonly error?: string
  readonly detail?: string
  readonly code?: string
  readonly details?: readonly ProblemDetail[]
  readonly request_id?: string
}

/** @param response null where the service could not be reached */
export function problemOf(response: Response | null, body: unknown): Problem {
  if (body instanceof DOMException && body.name === 'AbortError') throw body
  if (response === null) return new Problem(0, 'unreachable', '', [], null)
  const refusal: Refusal = typeof body === 'object' && body !== null ? body : {}
  const sentence = refusal.error ?? refusal.detail ?? `${response.status} ${response.statusText}`
  const requestId = refusal.request_id ?? response.headers.get('x-request-id')
  return new Problem(response.status, refusal.code ?? 'unknown', sentence, refusal.details ?? [], requestId)
}
