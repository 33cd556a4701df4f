// JSON text with exact numbers: a ratio is written as its decimal, never through a binary double.
import { toDecimal, type Rational } from '../engine/numbers/rational.ts'

/** What every answer is sent as; what is sent as a value and not as text, Fastify writes and sends so by itself. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** Part of the language since ES2026, which TypeScript 5.9 does not know yet. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown }

/** A number in a JSON value as it is spelled, digit by digit. */
export const rawNumber = (decimal: string): unknown => rawJSON(decimal)

const isRatio = (value: unknown): value is Rational =>
  typeof value === 'object' && value !== null && 'numerator' in value && typeof value.numerator === 'bigint'

export const stringifyExact = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => (isRatio(member) ? rawJSON(toDecimal(member)) : member))
