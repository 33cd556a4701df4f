// Writes JSON with exact numbers: a ratio is written as its decimal, never through a binary double.
import { toDecimal, type Rational } from '../engine/numbers/rational.ts'

/**
 * The content type of every JSON response. Fastify serialises and sets this type itself for values that are not text.
 */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** Part of the language since ES2026, but not yet in the types of TypeScript 5.9. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown }

/** A number in a JSON value, written digit by digit as given. */
export const rawNumber = (decimal: string): unknown => rawJSON(decimal)

const isRatio = (value: unknown): value is Rational =>
  typeof value === 'object' && value !== null && 'numerator' in value && typeof value.numerator === 'bigint'

export const stringifyExact = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => (isRatio(member) ? rawJSON(toDecimal(member)) : member))
