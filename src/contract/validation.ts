// Validates the shape of request bodies; each error is a sentence with its path and the expected value.
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { isCalendarDay } from '../engine/numbers/calendar.ts'
import { closestMatches, withSuggestions } from '../engine/reference/suggestions.ts'
import { escapePointer, type Problem } from '../engine/order.ts'
import { PROBLEMS_MAX } from '../engine/validate-order.ts'
import { resolveSynonym, resolveCountry } from '../engine/reference/synonyms.ts'
import type { NamedSchema } from './named-schema.ts'
import { lowerFirst } from './errors.ts'

type JsonSchema = Readonly<Record<string, unknown>>

const SHOWN_CHARACTERS_MAX = 40
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
  const message = `Must be an ${of} of at most ${max} ${of === 'array' ? 'elements' : 'members'}; it has ${size}`
  return [{ limit, problem: { path: name === null ? '' : `/${name}`, message } }]
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
      return withSuggestions(
        { path, message: `${expected(schema)}; it is ${shown(error.data)}` },
        likely(schema, error.data),
      )
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
  const kind = properties[name] && !('$ref' in properties[name]) ? `: it ${lowerFirst(expected(properties[name]))}` : ''
  return { path, message: `Is missing${kind}${suggestMember(name, data, Object.keys(properties))}` }
}

/** Names an unknown member that was probably sent instead of the missing one. */
export function suggestMember(name: string, data: object, known: readonly string[]): string {
  const strangers = Object.keys(data)
    .slice(0, 100)
    .filter((member) => !known.includes(member))
  const [similar] = closestMatches(name, strangers)
  return similar === undefined ? '' : misplacedMemberHint(similar)
}

/** End of the sentence about a missing member: the member that was sent instead. */
export const misplacedMemberHint = (name: string): string =>
  ` (a member "${name.slice(0, SHOWN_CHARACTERS_MAX)}" was sent instead)`

/** Reports an unknown member where it must not be ignored silently. */
function stranger(path: string, name: string, schema: JsonSchema): Problem {
  const known = Object.keys(schema['properties'] ?? {})
  const message = `Is not known here; known members are ${known.join(', ')}`
  return withSuggestions({ path, message }, closestMatches(name, known))
}

function unknownKind(path: string, sent: unknown): Problem {
  const kinds = ['product', 'transportation', 'packaging']
  const message = `Must be one of ${kinds.join(', ')}; it is ${shown(sent)}`
  return withSuggestions({ path, message }, typeof sent === 'string' ? resolveSynonym(sent, kinds) : [])
}

/** What the schema requires, as a sentence that begins with "Must". */
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
      if ('minProperties' in schema) return 'Must have at least one member'
      return 'maxProperties' in schema
        ? `Must be an object of at most ${String(schema['maxProperties'])} members`
        : 'Must be an object'
    default:
      return 'Must be of another form'
  }
}

function expectedText(schema: JsonSchema): string {
  if (schema['format'] === 'date') return 'a calendar day that exists, as YYYY-MM-DD'
  if (schema['pattern'] === COUNTRY_PATTERN) return 'an ISO 3166-1 alpha-2 country code in capitals, like "DE"'
  const [least, most] = [Number(schema['minLength'] ?? 0), schema['maxLength'] as number | undefined]
  const range = most === undefined ? `${least} or more` : `${least} to ${most}`
  return `a string of ${range} characters without control characters`
}

function range(schema: JsonSchema): string {
  const from =
    'exclusiveMinimum' in schema
      ? `greater than ${String(schema['exclusiveMinimum'])} and at most`
      : `from ${String(schema['minimum'])} to`
  return `${from} ${String(schema['maximum'])}`
}

/** A value for use in a message: shortened, strings quoted, and with its JSON type. */
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
