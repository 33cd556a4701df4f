// Validates the shape of request bodies; each error is a sentence with its path and the expected value.
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { isCalendarDay } from '../engine/numbers/calendar.ts'
import { closestMatches, withSuggestions } from '../engine/reference/suggestions.ts'
import { escapePointer, type Problem } from '../engine/order.ts'
import { PROBLEMS_MAX } from '../engine/validate-order.ts'
import { resolveSynonym, resolveCountry } from '../engine/reference/synonyms.ts'
import type { NamedSchema } from './named-schema.ts'
import type { Message } from '../engine/message.ts'
import { EXPECTED, REQUEST_MESSAGES, missingValue, wrongValue } from './messages.ts'

type JsonSchema = Readonly<Record<string, unknown>>

const COUNTRY_PATTERN = '^[A-Z]{2}$'

/**
 * Creates a validator that reports all errors and does not modify the body. Coercing types, dropping members or filling
 * in defaults would turn a client's mistake into posted emissions.
 */
export function createAjv(components: readonly NamedSchema[]): Ajv2020 {
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
    // The schemas are not validated at run time: a test lints the OpenAPI document generated from them.
    validateSchema: false,
    meta: false,
    formats: { date: isCalendarDay, 'date-time': true, uuid: true },
  })
  for (const schema of components) ajv.addSchema(schema)
  return ajv
}

/** The errors in the shape of a body. */
export interface ValidationResult {
  /** Empty for a valid body; at most PROBLEMS_MAX. */
  readonly problems: readonly Problem[]
  /** Paths of all errors, including those beyond PROBLEMS_MAX. Everything outside these paths is valid. */
  readonly faulty: ReadonlySet<string>
}

export type Validate = (body: unknown) => ValidationResult

const SOUND: ValidationResult = { problems: [], faulty: new Set() }

/** Creates the validator of a schema. Its run time is linear in the size of the body, for invalid bodies too. */
export function createValidator(ajv: Ajv2020, schema: NamedSchema): Validate {
  const validate = ajv.getSchema(schema.$id)
  if (!validate) throw new Error(`There is no schema "${schema.$id}"`)
  const limits = sizeLimits({ ...schema })
  return (body) => {
    const oversized = limits.flatMap((limit) => excess(body, limit))
    const isSound = validate(oversized.length === 0 ? body : withoutOversized(body, oversized))
    if (isSound && oversized.length === 0) return SOUND
    const errors = new Map<string, ErrorObject>()
    for (const error of isSound ? [] : (validate.errors ?? [])) {
      const place = placeOf(error)
      // One error per path: a string that is too long and has a control character is reported once.
      if (!errors.has(place)) errors.set(place, error)
    }
    const shown = [...errors].slice(0, PROBLEMS_MAX).map(([path, error]) => problemAt(path, error))
    const tooLarge = oversized.map(({ problem }) => problem)
    const faulty = new Set([...tooLarge.map(({ path }) => path), ...errors.keys()])
    return { problems: [...tooLarge, ...shown].slice(0, PROBLEMS_MAX), faulty }
  }
}

/** The size limit of a member of the body, or of the body itself if the name is null. */
interface SizeLimit {
  readonly name: string | null
  readonly of: 'array' | 'object'
  readonly max: number
}

function sizeLimits(schema: JsonSchema): readonly SizeLimit[] {
  const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>)
  return [[null, schema] as const, ...properties].flatMap<SizeLimit>(([name, { maxItems, maxProperties }]) => {
    if (typeof maxItems === 'number') return [{ name, of: 'array', max: maxItems }]
    return typeof maxProperties === 'number' ? [{ name, of: 'object', max: maxProperties }] : []
  })
}

interface Oversized {
  readonly limit: SizeLimit
  readonly problem: Problem
}

/** Oversized values are not passed to the validator, because its run time is quadratic in the number of errors. */
function excess(body: unknown, limit: SizeLimit): readonly Oversized[] {
  const { name, of, max } = limit
  const value = name === null ? body : isObject(body) && Object.hasOwn(body, name) ? body[name] : undefined
  const isArray = Array.isArray(value)
  if (isArray ? of !== 'array' : of !== 'object' || !isObject(value)) return []
  const size = isArray ? value.length : Object.keys(value as object).length
  if (size <= max) return []
  const tooLarge = isArray ? REQUEST_MESSAGES.too_many_elements : REQUEST_MESSAGES.too_many_members
  return [{ limit, problem: { path: name === null ? '' : `/${name}`, ...tooLarge({ max, count: size }) } }]
}

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function withoutOversized(body: unknown, oversized: readonly Oversized[]): unknown {
  if (!isObject(body)) return []
  return {
    ...body,
    ...Object.fromEntries(oversized.map(({ limit: { name, of } }) => [name, of === 'array' ? [] : {}])),
  }
}

function placeOf({ keyword, instancePath: path, params }: ErrorObject): string {
  const { missingProperty, tag, additionalProperty } = params as Readonly<Record<string, unknown>>
  switch (keyword) {
    case 'required':
      return `${path}/${String(missingProperty)}`
    case 'discriminator':
      return `${path}/${String(tag)}`
    case 'additionalProperties':
      return `${path}/${escapePointer(String(additionalProperty).slice(0, 100))}`
    default:
      return path
  }
}

function problemAt(path: string, error: ErrorObject): Problem {
  const schema = error.parentSchema as JsonSchema
  const params = error.params as Readonly<Record<string, unknown>>
  switch (error.keyword) {
    case 'required':
      return missing(path, String(params['missingProperty']), schema, error.data as object)
    case 'discriminator':
      return unknownKind(path, (error.data as JsonSchema)[String(params['tag'])])
    case 'additionalProperties':
      return stranger(path, String(params['additionalProperty']), schema)
    default:
      return withSuggestions({ path, ...wrongValue(expected(schema), error.data) }, likely(schema, error.data))
  }
}

/** Suggestions for a string that is not one of the allowed values. */
function likely({ enum: names, pattern }: JsonSchema, sent: unknown): readonly string[] {
  if (typeof sent !== 'string') return []
  if (pattern === COUNTRY_PATTERN) return resolveCountry(sent)
  return Array.isArray(names) ? resolveSynonym(sent, names as readonly string[]) : []
}

/** Reports a missing required member, and names an unknown member with a similar name that was probably meant. */
function missing(path: string, name: string, schema: JsonSchema, data: object): Problem {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
  const kind = properties[name] && !('$ref' in properties[name]) ? expected(properties[name]) : null
  return { path, ...missingValue(kind, misnamedMember(name, data, Object.keys(properties))) }
}

/** The unknown member that was probably sent instead of the missing one; null if there is none. */
export function misnamedMember(name: string, data: object, known: readonly string[]): string | null {
  const strangers = Object.keys(data)
    .slice(0, 100)
    .filter((member) => !known.includes(member))
  const [similar] = closestMatches(name, strangers)
  return similar ?? null
}

/** Reports an unknown member where it must not be ignored silently. */
function stranger(path: string, name: string, schema: JsonSchema): Problem {
  const known = Object.keys(schema['properties'] ?? {})
  return withSuggestions({ path, ...REQUEST_MESSAGES.unknown_member({ names: known }) }, closestMatches(name, known))
}

function unknownKind(path: string, sent: unknown): Problem {
  const kinds = ['product', 'transportation', 'packaging']
  const wrong = wrongValue(EXPECTED.expected_choice({ choices: kinds }), sent)
  return withSuggestions({ path, ...wrong }, typeof sent === 'string' ? resolveSynonym(sent, kinds) : [])
}

/** What the schema requires. */
function expected(schema: JsonSchema): Message {
  if ('const' in schema) return EXPECTED.expected_constant({ value: String(schema['const']) })
  if ('enum' in schema) return EXPECTED.expected_choice({ choices: schema['enum'] as readonly string[] })
  switch (schema['type']) {
    case 'string':
      return expectedText(schema)
    case 'number':
      return expectedNumber(schema)
    case 'integer':
      return EXPECTED.expected_integer({ min: Number(schema['minimum']), max: Number(schema['maximum']) })
    case 'boolean':
      return EXPECTED.expected_boolean()
    case 'array':
      return EXPECTED.expected_array({ max: Number(schema['maxItems']) })
    case 'object':
      return expectedObject(schema)
    default:
      return EXPECTED.expected_other_form()
  }
}

function expectedText({ format, pattern, minLength, maxLength }: JsonSchema): Message {
  if (format === 'date') return EXPECTED.expected_day()
  if (pattern === COUNTRY_PATTERN) return EXPECTED.expected_country()
  if (maxLength === undefined) return EXPECTED.expected_string()
  return EXPECTED.expected_text({ min: Number(minLength ?? 0), max: Number(maxLength) })
}

function expectedNumber({ minimum, exclusiveMinimum, maximum }: JsonSchema): Message {
  const max = Number(maximum)
  return exclusiveMinimum === undefined
    ? EXPECTED.expected_number({ min: Number(minimum), max })
    : EXPECTED.expected_number_above({ min: Number(exclusiveMinimum), max })
}

function expectedObject({ minProperties, maxProperties }: JsonSchema): Message {
  if (minProperties !== undefined) return EXPECTED.expected_member()
  return maxProperties === undefined
    ? EXPECTED.expected_object()
    : EXPECTED.expected_members({ max: Number(maxProperties) })
}
