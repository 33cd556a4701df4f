// What is wrong with the shape of a request: each fault in a sentence, with where it is and what would be right.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { isCalendarDay } from '../engine/calendar.ts'
import { nearest, suggesting } from '../engine/nearest.ts'
import type { Problem } from '../engine/order.ts'
import { PROBLEMS_MAX } from '../engine/order-problems.ts'
import type { Component } from './component.ts'

type JsonSchema = Readonly<Record<string, unknown>>

const SHOWN_CHARACTERS_MAX = 40

/**
 * A validator that reports all faults and changes nothing: no type is coerced, no member dropped, no default filled
 * in, since each of these would turn a client's mistake into somebody's emissions.
 */
export function createAjv(components: readonly Component[]): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    discriminator: true,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    coerceTypes: false,
    useDefaults: false,
    removeAdditional: false,
    formats: { date: isCalendarDay, 'date-time': true, uuid: true },
  })
  for (const schema of components) ajv.addSchema(schema)
  return ajv
}

export function validatorOf(ajv: Ajv2020, { $id }: Component): ValidateFunction {
  const validate = ajv.getSchema($id)
  if (!validate) throw new Error(`There is no schema "${$id}"`)
  return validate
}

/** One problem for each faulty place: a text that is too long and has a control character is faulty once. */
export function problemsOf(errors: readonly ErrorObject[]): readonly Problem[] {
  const byPath = new Map<string, Problem>()
  for (const error of errors) {
    if (byPath.size >= PROBLEMS_MAX) break
    const problem = problemOf(error)
    if (!byPath.has(problem.path)) byPath.set(problem.path, problem)
  }
  return [...byPath.values()]
}

function problemOf(error: ErrorObject): Problem {
  const schema = error.parentSchema as JsonSchema
  const path = error.instancePath
  const params = error.params as Readonly<Record<string, unknown>>
  switch (error.keyword) {
    case 'required':
      return missing(path, String(params['missingProperty']), schema, error.data as object)
    case 'discriminator':
      return unknownKind(path, params, error.data as JsonSchema)
    case 'additionalProperties':
      return stranger(path, String(params['additionalProperty']), schema)
    default:
      return { path, message: `${expected(schema)}; it is ${shown(error.data)}` }
  }
}

/** A required member is missing; one of a similar name that nobody asked for is probably the one. */
function missing(path: string, name: string, schema: JsonSchema, data: object): Problem {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
  const strangers = Object.keys(data)
    .slice(0, 100)
    .filter((member) => !(member in properties))
  const [similar] = nearest(name, strangers)
  const hint = similar === undefined ? '' : ` (a member "${similar.slice(0, SHOWN_CHARACTERS_MAX)}" was sent instead)`
  const kind = properties[name] && !('$ref' in properties[name]) ? `: it ${lowerFirst(expected(properties[name]))}` : ''
  return { path: `${path}/${name}`, message: `Is missing${kind}${hint}` }
}

/** A member that is not known, where it would otherwise be taken for something that was asked. */
function stranger(path: string, name: string, schema: JsonSchema): Problem {
  const known = Object.keys(schema['properties'] ?? {})
  const message = `Is not known here; there are ${known.join(', ')}`
  const short = name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')
  return suggesting({ path: `${path}/${short}`, message }, nearest(name, known))
}

function unknownKind(path: string, params: JsonSchema, data: JsonSchema): Problem {
  const tag = String(params['tag'])
  const kinds = ['product', 'transportation', 'packaging']
  const sent = data[tag]
  const suggestions = typeof sent === 'string' ? nearest(sent, kinds) : []
  return {
    path: `${path}/${tag}`,
    message: `Must be one of ${kinds.join(', ')}; it is ${shown(sent)}`,
    ...(suggestions.length > 0 && { suggestions }),
  }
}

/** What a schema asks for, as a sentence that begins with "Must be". */
function expected(schema: JsonSchema): string {
  if ('const' in schema) return `Must be "${String(schema['const'])}"`
  if ('enum' in schema) return `Must be one of ${(schema['enum'] as readonly string[]).join(', ')}`
  switch (schema['type']) {
    case 'string':
      return `Must be ${expectedText(schema)}`
    case 'number':
      return `Must be a number ${range(schema)}`
    case 'integer':
      return `Must be a whole number ${range(schema)}`
    case 'array':
      return `Must be an array of at most ${String(schema['maxItems'])} elements`
    case 'object':
      if ('minProperties' in schema) return 'Must have a member or more'
      return 'maxProperties' in schema
        ? `Must be an object of at most ${String(schema['maxProperties'])} members`
        : 'Must be an object'
    default:
      return 'Must be of another form'
  }
}

function expectedText(schema: JsonSchema): string {
  if (schema['format'] === 'date') return 'a calendar day that exists, as YYYY-MM-DD'
  if (schema['pattern'] === '^[A-Z]{2}$') return 'an ISO 3166-1 alpha-2 country code in capitals, like "DE"'
  const least = Number(schema['minLength'] ?? 0)
  return `a string of ${least} to ${schema['maxLength'] as number} characters without control characters`
}

function range(schema: JsonSchema): string {
  const from =
    'exclusiveMinimum' in schema
      ? `greater than ${String(schema['exclusiveMinimum'])} and at most`
      : `from ${String(schema['minimum'])} to`
  return `${from} ${String(schema['maximum'])}`
}

const lowerFirst = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1)

/** A value as a sentence can hold it: short, quoted, and with its JSON type where that is what is wrong. */
function shown(value: unknown): string {
  if (value === null) return 'null'
  if (value === undefined) return 'missing'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  if (typeof value !== 'string') return `${JSON.stringify(value)} (a ${typeof value})`
  const short = value.length > SHOWN_CHARACTERS_MAX ? `${value.slice(0, SHOWN_CHARACTERS_MAX)}…` : value
  return value.length > SHOWN_CHARACTERS_MAX
    ? `${JSON.stringify(short)} (a string of ${[...value].length} characters)`
    : `${JSON.stringify(short)} (a string)`
}
