// Writes JSON with exact numbers: a ratio is written as its decimal, never through a binary double.
import { toDecimal, type Rational } from '../engine/numbers/rational.ts'

/**
 * The content type of every JSON response. Fastify serialises and sets this type itself for values that are not text.
 */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** Part of the language since ES2026, but not yet in the types of TypeScript 5.9. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown }

/**
 * A number in a value to be serialised, written digit by digit as given. Where a double does not print as these digits,
 * it is a number to JSON.stringify only, and not for calculating.
 */
export function exactNumber(decimal: string): number {
  const double = Number(decimal)
  return String(double) === decimal ? double : (rawJSON(decimal) as number)
}

/** Serialises an object with at least one member, and appends members whose values are serialised already. */
export const withSerialised = (object: object, members: Readonly<Record<string, string>>): string =>
  appendSerialised(JSON.stringify(object), members)

/** @param object serialised, with at least one member */
export function appendSerialised(object: string, members: Readonly<Record<string, string>>): string {
  let text = object.slice(0, -1)
  for (const [name, value] of Object.entries(members)) text += `,"${name}":${value}`
  return `${text}}`
}

const isRatio = (value: unknown): value is Rational =>
  typeof value === 'object' && value !== null && 'numerator' in value && typeof value.numerator === 'bigint'

export const stringifyExact = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => (isRatio(member) ? rawJSON(toDecimal(member)) : member))
