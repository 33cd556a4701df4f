// Warnings in responses: a member that lists them, and a header with their number.
import type { FastifyReply } from 'fastify'
import { invalidRequest, truncateProblem, type ApiError } from '../../contract/errors.ts'
import type { Problem } from '../../engine/order.ts'
import { PROBLEMS_MAX } from '../../engine/validate-order.ts'
import { appendSerialised } from '../../strict-json/json-number.ts'
import type { Caller } from '../../postgres/accounts.ts'

/** The OpenAPI description of the header that `setWarningsHeader` sets. */
export const WARNINGS_HEADER = { Warnings: 'Number of warnings, if there are any. The body lists the first 50.' }

/** The error for the warnings of a request, if the account is strict; null if there are none, or it accepts them. */
export const strictnessError = (
  { isStrict }: Pick<Caller, 'isStrict'>,
  warnings: readonly Problem[],
): ApiError | null => (isStrict && warnings.length > 0 ? invalidRequest(warnings.slice(0, PROBLEMS_MAX)) : null)

/** @throws ApiError if there are warnings and the account is strict */
export function refuseIfStrict(caller: Pick<Caller, 'isStrict'>, warnings: readonly Problem[]): void {
  const error = strictnessError(caller, warnings)
  if (error) throw error
}

/** The member of a response that lists the warnings; none if there are no warnings. */
export const warningsView = (warnings: readonly Problem[]): { readonly warnings?: readonly object[] } =>
  warnings.length === 0 ? {} : { warnings: warnings.slice(0, PROBLEMS_MAX).map(truncateProblem) }

/** Sets the header with the number of warnings, on a response that lists them. */
export function setWarningsHeader(reply: FastifyReply, warnings: readonly Problem[]): void {
  if (warnings.length > 0) void reply.header('warnings', String(warnings.length))
}

/** A serialised response with the member that lists the warnings. */
export const withWarnings = (response: string, warnings: readonly Problem[]): string =>
  warnings.length === 0 ? response : appendSerialised(response, warningsMember(warnings))

/** The member of a response that lists the warnings, serialised; none if there are no warnings. */
export const warningsMember = (warnings: readonly Problem[] = []): Readonly<Record<string, string>> =>
  warnings.length === 0 ? {} : { warnings: JSON.stringify(warnings.slice(0, PROBLEMS_MAX).map(truncateProblem)) }
