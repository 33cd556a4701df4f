// Errors of the PACT interface: a code of its own and a message, in place of the errors of the API.

const PACT_ERRORS = {
  BadRequest: 400,
  TokenExpired: 401,
  AccessDenied: 403,
  NotFound: 404,
  InternalError: 500,
  NotImplemented: 501,
} as const
export type PactErrorCode = keyof typeof PACT_ERRORS

export class PactError extends Error {
  override name = 'PactError'
  readonly code: PactErrorCode
  readonly status: number

  /** @param status if it is not the usual one of the code */
  constructor(code: PactErrorCode, message: string, status: number = PACT_ERRORS[code]) {
    super(message)
    this.code = code
    this.status = status
  }
}
