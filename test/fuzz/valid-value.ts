// Values that a JSON schema of the document accepts, drawn by fast-check; members of a known name are drawn by name.
import fc from 'fast-check'
import { day } from '../case-arbitraries.ts'
import type { Json, OpenApi } from '../document-check.ts'
import { resolve } from './documented-operations.ts'

/** What the members and parameters of these names are, where a schema alone does not say it. */
export type Names = Readonly<Record<string, fc.Arbitrary<unknown>>>

const TEXT_MAX = 24
const ITEMS_MAX = 4
const STEP = 1000
/** Letters, and what has to be escaped, encoded or normalised somewhere on its way. */
const CHARACTERS = [...'abcdeXYZ0189 -_./\\\'"<>&;%+?#{}|=,', 'ä', 'é', 'e\u0301', 'ß', '中', '😀', '\u2028', '\u202e']

/** Some text that is more than white space. */
const text = (): fc.Arbitrary<string> =>
  fc
    .string({ unit: fc.constantFrom(...CHARACTERS), minLength: 1, maxLength: TEXT_MAX })
    .map((drawn) => (drawn.trim() === '' ? 'x' : drawn))

export function valueOf(schema: Json, document: OpenApi, names: Names): fc.Arbitrary<unknown> {
  const { oneOf, anyOf, const: only, enum: words, type, ...rest } = resolve(schema, document)
  const draw = (one: Json) => valueOf(one, document, names)
  if (only !== undefined) return fc.constant(only)
  if (Array.isArray(words)) return fc.constantFrom(...(words as readonly unknown[]))
  const kinds = oneOf ?? anyOf
  if (Array.isArray(kinds)) return fc.oneof(...(kinds as readonly Json[]).map(draw))
  switch (type) {
    case 'object':
      return objectOf(rest, document, names)
    case 'array': {
      const max = Math.min(Number(rest['maxItems'] ?? ITEMS_MAX), ITEMS_MAX)
      const one = draw(rest['items'] as Json)
      const lengths = { maxLength: max, size: 'max' as const }
      return rest['uniqueItems'] === true ? fc.uniqueArray(one, lengths) : fc.array(one, lengths)
    }
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({ min: Number(rest['minimum']), max: Number(rest['maximum']) })
    case 'number':
      return numberOf(rest)
    case 'string':
      return textOf(rest)
    default:
      throw new Error(`No value can be drawn for ${JSON.stringify(schema)}`)
  }
}

function objectOf(schema: Json, document: OpenApi, names: Names): fc.Arbitrary<unknown> {
  const { additionalProperties, required = [] } = schema
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Json>>
  if (typeof additionalProperties === 'object') return fc.dictionary(text(), text(), { maxKeys: 3 })
  const members = Object.entries(properties).map(
    ([name, one]) => [name, names[name] ?? valueOf(one, document, names)] as const,
  )
  return fc.record(Object.fromEntries(members), { requiredKeys: required as string[], noNullPrototype: true })
}

/** Decimals with three places: some at the very bounds. */
function numberOf({ minimum, exclusiveMinimum, maximum }: Json): fc.Arbitrary<number> {
  const min = exclusiveMinimum === undefined ? Math.ceil(Number(minimum) * STEP) : Number(exclusiveMinimum) * STEP + 1
  return fc.oneof(
    fc.integer({ min, max: Math.min(5_000, Math.floor(Number(maximum) * STEP)) }).map((steps) => steps / STEP),
    fc.integer({ min, max: Math.floor(Number(maximum) * STEP) }).map((steps) => steps / STEP),
  )
}

/** What a pattern only keeps control characters out of may be any text. */
const ANY_TEXT = /^\^\[\^/

function textOf({ format, pattern }: Json): fc.Arbitrary<string> {
  if (format === 'date') return day()
  if (format === 'date-time') return day().map((date) => `${date}T12:00:00Z`)
  if (typeof pattern === 'string' && !ANY_TEXT.test(pattern)) return fc.stringMatching(new RegExp(pattern))
  return text()
}
