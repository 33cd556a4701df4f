// Parses and validates query parameters, and defines the parameters that several routes share.
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isCalendarDay } from '../engine/numbers/calendar.ts'
import type { Problem } from '../engine/order.ts'
import { closestMatches, withSuggestions } from '../engine/reference/suggestions.ts'
import { PROBLEMS_MAX } from '../engine/validate-order.ts'
import { invalidRequest } from '../contract/errors.ts'
import { EXPECTED, wrongParameter } from '../contract/messages.ts'
import { unknownMembers } from '../contract/parse-order.ts'
import type { Message } from '../engine/message.ts'
import { EXPECTED_PARAMETER, PARAMETER_MESSAGES } from './messages.ts'

/** The values of each parameter, in the order in which they were sent. */
export type Query = Readonly<Record<string, readonly string[]>>

export interface Parameter {
  readonly description: string
  /** May be repeated, or have several comma-separated values. */
  readonly isList?: boolean
  /** A list whose values may contain commas: several values are sent only by repeating the parameter. */
  readonly keepsCommas?: boolean
  /** The value as the service spells it, where upper and lower case do not matter. */
  readonly canonical?: (value: string) => string
  /** Returns a message that says what would be valid, or null for a valid value. */
  readonly check: (value: string) => Message | null
  readonly schema: Readonly<Record<string, unknown>>
}

export type Parameters = Readonly<Record<string, Parameter>>

/** @throws ApiError that names every unknown, repeated or invalid parameter, up to PROBLEMS_MAX problems */
export function parseQuery(sent: unknown, parameters: Parameters): Query {
  const problems: Problem[] = []
  const query: Record<string, readonly string[]> = {}
  for (const [name, value] of Object.entries(sent as Readonly<Record<string, string | readonly string[]>>)) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    const values = [value]
      .flat()
      .flatMap((one) => (parameter?.isList && !parameter.keepsCommas ? one.split(',') : [one]))
    problems.push(...(parameter ? faultsOf(name, values, parameter) : [unknownParameter(name, parameters)]))
    query[name] = parameter?.canonical ? values.map(parameter.canonical) : values
  }
  if (problems.length > 0) throw invalidRequest(problems.slice(0, PROBLEMS_MAX))
  return query
}

function faultsOf(name: string, values: readonly string[], { isList, check }: Parameter): readonly Problem[] {
  if (!isList && values.length > 1) return [{ path: `?${name}`, ...PARAMETER_MESSAGES.parameter_repeated() }]
  return values
    .map(check)
    .filter((fault) => fault !== null)
    .map((fault) => ({ path: `?${name}`, ...fault }))
}

function unknownParameter(name: string, parameters: Parameters): Problem {
  const known = Object.keys(parameters)
  const short = name.slice(0, 40)
  const unknown =
    known.length > 0
      ? PARAMETER_MESSAGES.parameter_unknown({ name: short, names: known })
      : PARAMETER_MESSAGES.parameters_none({ name: short })
  return withSuggestions({ path: `?${short}`, ...unknown }, closestMatches(name, known))
}

/** The word as it is spelled in the list, whatever the case of the value; another value unchanged. */
const spelledAsIn =
  (words: readonly string[]) =>
  (value: string): string =>
    words.find((word) => word.toLowerCase() === value.toLowerCase()) ?? value

/** A parameter that takes one or more of the given words, in upper or lower case. */
export const oneOf = (description: string, words: readonly string[]): Parameter => ({
  description,
  isList: true,
  canonical: spelledAsIn(words),
  check: (value) =>
    words.includes(spelledAsIn(words)(value))
      ? null
      : wrongParameter(EXPECTED.expected_choice({ choices: words }), value),
  schema: { type: 'array', items: { type: 'string', enum: words } },
})

/** A boolean parameter, false by default. */
export const flag = (description: string): Parameter => ({
  ...oneOf(description, ['true', 'false']),
  isList: false,
  schema: { type: 'boolean', default: false },
})

export const isSet = (query: Query, name: string): boolean => query[name]?.[0] === 'true'

/** A parameter that takes exactly one of the given words. @param usual the default */
export const oneOfWithDefault = (description: string, words: readonly string[], usual: string): Parameter => ({
  ...oneOf(description, words),
  isList: false,
  schema: { type: 'string', enum: words, default: usual },
})

const WORDS_LENGTH_MAX = 200

/** A parameter that takes free text. */
export const repeatedText = (description: string): Parameter => ({
  description,
  schema: { type: 'string', minLength: 1, maxLength: WORDS_LENGTH_MAX },
  check: (value) =>
    isText(value) && value.trim() !== '' && [...value].length <= WORDS_LENGTH_MAX
      ? null
      : EXPECTED_PARAMETER.expected_words({ max: WORDS_LENGTH_MAX }),
})

/** True for a non-empty text without control characters. PostgreSQL does not accept a parameter that contains NUL. */
export const isText = (value: string): boolean => /^[^\u0000-\u001f\u007f-\u009f]+$/.test(value)

/** The calendar years of statements and of what is calculated like them. */
export const [FIRST_YEAR, LAST_YEAR] = [1990, 2199]

export const isYear = (value: string): boolean =>
  /^\d{4}$/.test(value) && Number(value) >= FIRST_YEAR && Number(value) <= LAST_YEAR

export const calendarYear = (description: string): Parameter => ({
  description,
  schema: { type: 'integer', minimum: FIRST_YEAR, maximum: LAST_YEAR },
  check: (value) =>
    isYear(value) ? null : wrongParameter(EXPECTED.expected_integer({ min: FIRST_YEAR, max: LAST_YEAR }), value),
})

/** @param usual the default page size; null for no limit */
export const pageLimit = (what: string, max: number, usual: number | null): Parameter => ({
  description: `Maximum number of ${what} per response. Default: ${usual ?? 'all'}.`,
  schema: { type: 'integer', minimum: 1, maximum: max, ...(usual !== null && { default: usual }) },
  check: (value) =>
    /^\d{1,4}$/.test(value) && Number(value) >= 1 && Number(value) <= max
      ? null
      : wrongParameter(EXPECTED.expected_integer({ min: 1, max }), value),
})

/** Encodes where a page of a list begins: after the place of the last row of the previous page. */
export interface ListCursor<Place> {
  readonly write: (place: Place) => string
  /** Returns null for a text that is not a cursor of this list. */
  readonly read: (cursor: string) => Place | null
  readonly parameter: Parameter
}

/**
 * @param list the name of the list, its account and its query: a cursor of another list, account or query is invalid
 * @param textsOf returns a place as texts, none of which contains NUL
 * @param placeOf returns null where the texts are not those of a place
 */
export function listCursor<Place>(
  list: readonly (string | number)[],
  textsOf: (place: Place) => readonly string[],
  placeOf: (...texts: readonly string[]) => Place | null,
): ListCursor<Place> {
  const write = (place: Place): string => {
    const key = textsOf(place).join('\0')
    const mark = hash('sha256', `${list.join('\0')}\0${key}`).slice(0, 16)
    return Buffer.from(`${key}\0${mark}`).toString('base64url')
  }
  const read = (cursor: string): Place | null => {
    const place = placeOf(...Buffer.from(cursor, 'base64url').toString().split('\0').slice(0, -1))
    return place !== null && write(place) === cursor ? place : null
  }
  const parameter = {
    description: 'Start of the page, from the `Link` header of the previous page.',
    schema: { type: 'string' },
    check: (value: string) => (read(value) ? null : PARAMETER_MESSAGES.cursor_unknown()),
  }
  return { write, read, parameter }
}

/** A cursor of a list whose places are numbers. */
export const numberCursor = (list: readonly (string | number)[]): ListCursor<number> =>
  listCursor(
    list,
    (place) => [String(place)],
    (place) => (place !== undefined && /^\d{1,10}$/.test(place) ? Number(place) : null),
  )

/** The OpenAPI description of the header that nextPage() builds. */
export const LINK = { Link: 'The next page, with rel="next". Absent on the last page.' }

/** The value of the header `Link` for the next page of the same list. */
export function nextPage(path: string, query: Query, cursor: string): string {
  const parameters = Object.entries({ ...query, cursor: [cursor] }).flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value]),
  )
  return `<${path}?${new URLSearchParams(parameters).toString()}>; rel="next"`
}

/** The members that a client requests in addition to those that are always returned. */
export type Include = ReadonlySet<'calculation' | 'metadata' | 'entries' | 'events' | 'history'>

/** Most requests ask for no additional members. */
const NOTHING_MORE: Include = new Set()

/** The additional members that a client may request when it posts or estimates an order. */
export const INCLUDE_PARAMETER = {
  include: oneOf('Members to add: `calculation` (how each line was calculated), `metadata` (your own metadata).', [
    'calculation',
    'metadata',
  ]),
}

export const parseInclude = (request: FastifyRequest): Include =>
  request.url.includes('?')
    ? (new Set(parseQuery(request.query, INCLUDE_PARAMETER)['include']) as Include)
    : NOTHING_MORE

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/** True for a point in time with its zone, RFC 3339. */
export const isTime = (value: string): boolean =>
  TIME.test(value) && isCalendarDay(value.slice(0, 10)) && !Number.isNaN(Date.parse(value))

/** A point in time: the answer is what was known then. */
export const KNOWN_AT_PARAMETER: Parameter = {
  description: 'Return what was known at this time (RFC 3339 with a time zone) instead of what is known now.',
  check: (value) => (isTime(value) ? null : wrongParameter(EXPECTED_PARAMETER.expected_time_parameter(), value)),
  schema: { type: 'string', format: 'date-time' },
}

export const parseTime = (values: readonly string[] | undefined): Date | null =>
  values?.[0] === undefined ? null : new Date(values[0])

/** Enough to find a misspelled member, and short enough for the header limits of every client and proxy. */
const IGNORED_NAMED_MAX = 20
const IGNORED_CHARACTERS_MAX = 2000

/** The OpenAPI description of the header that setIgnoredHeader() sets. */
export const IGNORED_HEADER = {
  'X-Ignored-Members': 'JSON pointers to unknown members of the body, percent-encoded.',
}

/** Sets the header that lists the unknown members of the body. */
export function setIgnoredHeader(reply: FastifyReply, pointers: readonly string[]): void {
  if (pointers.length > 0) void reply.header('x-ignored-members', encodePointers(pointers))
}

/** The same for a body of one level: the members that its schema does not have. */
export function setIgnoredMembers(
  reply: FastifyReply,
  body: object,
  { properties }: { readonly properties: object },
): void {
  const unknown = unknownMembers(body, Object.keys(properties))
  setIgnoredHeader(
    reply,
    unknown.map((name) => `/${name}`),
  )
}

/** Pointers are percent-encoded, because headers are ASCII. The slashes between their segments are not encoded. */
function encodePointers(pointers: readonly string[]): string {
  const encoded = pointers
    .slice(0, IGNORED_NAMED_MAX)
    .map((pointer) => pointer.slice(0, 200).toWellFormed().split('/').map(encodeURIComponent).join('/'))
  while (encoded.length > 1 && encoded.join(', ').length > IGNORED_CHARACTERS_MAX) encoded.pop()
  return encoded.join(', ').slice(0, IGNORED_CHARACTERS_MAX)
}

const ID_LENGTH_MAX = 200

/** A parameter that takes an identifier defined by the account. */
export const identifier = (description: string): Parameter => ({
  description,
  schema: { type: 'string', minLength: 1, maxLength: ID_LENGTH_MAX },
  check: (value) =>
    isText(value) && [...value].length <= ID_LENGTH_MAX ? null : EXPECTED.expected_text({ min: 1, max: ID_LENGTH_MAX }),
})

/** Excludes the year 0, which isCalendarDay() accepts and PostgreSQL does not. */
export const isDay = (value: string): boolean => isCalendarDay(value) && !value.startsWith('0000')

const day = (description: string, faultOfDay: (value: string) => Message | null): Parameter => ({
  description,
  schema: { type: 'string', format: 'date' },
  check: (value) => (isDay(value) ? faultOfDay(value) : wrongParameter(EXPECTED.expected_day(), value)),
})

const faultOfSpan = (from: unknown, to: string): Message | null =>
  typeof from === 'string' && isDay(from) && to < from ? PARAMETER_MESSAGES.before_from({ from, to }) : null

/**
 * The parameters `from` and `to`: calendar days, both inclusive.
 * @param what the kind of day, like "order date"
 * @param from the value that was sent as `from`: `to` must not be before it
 */
export const dateRangeParameters = (
  what: string,
  from: unknown,
): { readonly from: Parameter; readonly to: Parameter } => ({
  from: day(`First ${what}, inclusive. Default: no lower limit.`, () => null),
  to: day(`Last ${what}, inclusive. Default: no upper limit.`, (to) => faultOfSpan(from, to)),
})
