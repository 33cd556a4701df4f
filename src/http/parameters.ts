// Query parameters: parsing and checking them, and those that several routes share.
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isCalendarDay } from '../engine/numbers/calendar.ts'
import type { Problem } from '../engine/order.ts'
import { closestMatches } from '../engine/reference/suggestions.ts'
import { PROBLEMS_MAX } from '../engine/validate-order.ts'
import { invalidRequest } from '../contract/errors.ts'

/** The values of each parameter, in the order in which they were sent. */
export type Query = Readonly<Record<string, readonly string[]>>

export interface Parameter {
  readonly description: string
  /** May stand several times, or hold several values with commas between. */
  readonly isList?: boolean
  /** A list whose values may have commas of their own: it can only stand several times. */
  readonly keepsCommas?: boolean
  /** A sentence saying what would be right, or null where the value is right. */
  readonly check: (value: string) => string | null
  readonly schema: Readonly<Record<string, unknown>>
}

export type Parameters = Readonly<Record<string, Parameter>>

/** @throws Failure naming every parameter that is unknown, repeated or out of range */
export function parseQuery(sent: unknown, parameters: Parameters): Query {
  const problems: Problem[] = []
  const query: Record<string, readonly string[]> = {}
  for (const [name, value] of Object.entries(sent as Readonly<Record<string, string | readonly string[]>>)) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    const values = [value]
      .flat()
      .flatMap((one) => (parameter?.isList && !parameter.keepsCommas ? one.split(',') : [one]))
    problems.push(...(parameter ? faultsOf(name, values, parameter) : [unknownParameter(name, parameters)]))
    query[name] = values
  }
  if (problems.length > 0) throw invalidRequest(problems.slice(0, PROBLEMS_MAX))
  return query
}

function faultsOf(name: string, values: readonly string[], { isList, check }: Parameter): readonly Problem[] {
  if (!isList && values.length > 1) return [{ path: `?${name}`, message: 'Stands more than once; send it once' }]
  return values
    .map(check)
    .filter((fault) => fault !== null)
    .map((message) => ({ path: `?${name}`, message }))
}

function unknownParameter(name: string, parameters: Parameters): Problem {
  const known = Object.keys(parameters)
  const short = name.slice(0, 40)
  const message =
    known.length > 0
      ? `"${short}" is not a parameter here; there are ${known.join(', ')}`
      : `"${short}" is not a parameter; there are none here`
  const suggestions = closestMatches(name, known)
  return { path: `?${short}`, message, ...(suggestions.length > 0 && { suggestions }) }
}

/** A parameter that takes one or more of some words. */
export const oneOf = (description: string, words: readonly string[]): Parameter => ({
  description,
  isList: true,
  check: (value) =>
    words.includes(value) ? null : `Must be one of ${words.join(', ')}; it is "${value.slice(0, 40)}"`,
  schema: { type: 'array', items: { type: 'string', enum: words } },
})

/** A parameter that is true or false, and false where it is not sent. */
export const flag = (description: string): Parameter => ({
  description,
  check: oneOf(description, ['true', 'false']).check,
  schema: { type: 'boolean', default: false },
})

export const isSet = (query: Query, name: string): boolean => query[name]?.[0] === 'true'

/** A parameter that takes one of some words. @param usual what it is where it is not sent */
export const oneOfWithDefault = (description: string, words: readonly string[], usual: string): Parameter => ({
  description,
  check: oneOf(description, words).check,
  schema: { type: 'string', enum: words, default: usual },
})

const WORDS_LENGTH_MAX = 200

/** A parameter that takes what people write. */
export const repeatedText = (description: string): Parameter => ({
  description,
  schema: { type: 'string', minLength: 1, maxLength: WORDS_LENGTH_MAX },
  check: (value) =>
    isText(value) && value.trim() !== '' && [...value].length <= WORDS_LENGTH_MAX
      ? null
      : `Must be 1 to ${WORDS_LENGTH_MAX} characters, not all of them blank and none a control character`,
})

/** PostgreSQL could not even be asked for a text with a NUL. */
export const isText = (value: string): boolean => /^[^\u0000-\u001f\u007f-\u009f]+$/.test(value)

/** @param usual how much stands on a page where the parameter is not sent; null for all */
export const pageLimit = (what: string, max: number, usual: number | null): Parameter => ({
  description: `${what} on a page; without it, ${usual ?? 'all'}.`,
  schema: { type: 'integer', minimum: 1, maximum: max, ...(usual !== null && { default: usual }) },
  check: (value) =>
    /^\d{1,4}$/.test(value) && Number(value) >= 1 && Number(value) <= max
      ? null
      : `Must be a whole number from 1 to ${max}; it is "${value.slice(0, 40)}"`,
})

/** Where a page of a list begins: after the place of the last row of the page before. */
export interface ListCursor<Place> {
  readonly write: (place: Place) => string
  /** Null for what is no cursor of this list. */
  readonly read: (cursor: string) => Place | null
  readonly parameter: Parameter
}

/**
 * @param list its name and whose it is: a cursor of another list, account or question is none of this one
 * @param textsOf a place in texts, none of which holds a NUL
 * @param placeOf null where these are the texts of no place
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
    description: 'Where the page begins, from the header Link of the page before.',
    schema: { type: 'string' },
    check: (value: string) => (read(value) ? null : 'Is not a cursor of this list; take it from the header Link'),
  }
  return { write, read, parameter }
}

/** A list whose places are numbers. */
export const numberCursor = (list: readonly (string | number)[]): ListCursor<number> =>
  listCursor(
    list,
    (place) => [String(place)],
    (place) => (place !== undefined && /^\d{1,10}$/.test(place) ? Number(place) : null),
  )

/** What an operation says of the header that nextPage makes. */
export const LINK = { Link: 'The next page, with rel="next"; absent on the last.' }

/** The header Link to the same list from a cursor on. */
export function nextPage(path: string, query: Query, cursor: string): string {
  const parameters = Object.entries({ ...query, cursor: [cursor] }).flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value]),
  )
  return `<${path}?${new URLSearchParams(parameters).toString()}>; rel="next"`
}

/** What a client asks to have added to the contract's fields. */
export type Include = ReadonlySet<'calculation' | 'metadata' | 'entries' | 'events' | 'history'>

/** What most requests ask for: the contract's fields alone. */
const NOTHING_MORE: Include = new Set()

/** All that who sends an order may ask for beside it, stored or only estimated. */
export const INCLUDE_PARAMETER = {
  include: oneOf('What to add to the answer: how each line came about, your own metadata.', [
    'calculation',
    'metadata',
  ]),
}

export const parseInclude = (request: FastifyRequest): Include =>
  request.url.includes('?')
    ? (new Set(parseQuery(request.query, INCLUDE_PARAMETER)['include']) as Include)
    : NOTHING_MORE

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/** What would be right where a text is no point in time; null where it is one. */
export const validateTime = (value: string, hint = ''): string | null =>
  TIME.test(value) && isCalendarDay(value.slice(0, 10)) && !Number.isNaN(Date.parse(value))
    ? null
    : `Must be a time with its zone, like 2026-01-31T23:59:59Z${hint}; it is "${value.slice(0, 40)}"`

/** A point in time, to see what was known then. */
export const KNOWN_AT_PARAMETER: Parameter = {
  description: 'Answer with what was known at this time (RFC 3339, with its zone), instead of now.',
  check: (value) => validateTime(value, ' (a + is sent as %2B)'),
  schema: { type: 'string', format: 'date-time' },
}

export const parseTime = (values: readonly string[] | undefined): Date | null =>
  values?.[0] === undefined ? null : new Date(values[0])

/** Enough to see what is misspelled, and little enough for every client and proxy to read the answer. */
const IGNORED_NAMED_MAX = 20
const IGNORED_CHARACTERS_MAX = 2000

/** What an operation says of the header that setIgnoredHeader sends. */
export const IGNORED_HEADER = {
  'X-Ignored-Members': 'JSON pointers of members of the body that are not known, percent-encoded.',
}

/** Names the members of the body that nobody asked for. */
export function setIgnoredHeader(reply: FastifyReply, pointers: readonly string[]): void {
  if (pointers.length > 0) void reply.header('x-ignored-members', encodePointers(pointers))
}

/** A header holds ASCII alone: pointers are percent-encoded, the slashes between their members left as they are. */
function encodePointers(pointers: readonly string[]): string {
  const encoded = pointers
    .slice(0, IGNORED_NAMED_MAX)
    .map((pointer) => pointer.slice(0, 200).toWellFormed().split('/').map(encodeURIComponent).join('/'))
  while (encoded.length > 1 && encoded.join(', ').length > IGNORED_CHARACTERS_MAX) encoded.pop()
  return encoded.join(', ').slice(0, IGNORED_CHARACTERS_MAX)
}

const ID_LENGTH_MAX = 200

/** A parameter that takes an identifier of the account's own. */
export const identifier = (description: string): Parameter => ({
  description,
  schema: { type: 'string', minLength: 1, maxLength: ID_LENGTH_MAX },
  check: (value) =>
    isText(value) && [...value].length <= ID_LENGTH_MAX
      ? null
      : `Must be 1 to ${ID_LENGTH_MAX} characters, none of them a control character`,
})

/** The year 0 is a calendar day here, and none to PostgreSQL. */
export const isDay = (value: string): boolean => isCalendarDay(value) && !value.startsWith('0000')

const day = (description: string, faultOfDay: (value: string) => string | null): Parameter => ({
  description,
  schema: { type: 'string', format: 'date' },
  check: (value) =>
    isDay(value) ? faultOfDay(value) : `Must be a calendar day, like 2026-01-31; it is "${value.slice(0, 40)}"`,
})

const faultOfSpan = (from: unknown, to: string): string | null =>
  typeof from === 'string' && isDay(from) && to < from ? `Must not be before from, which is ${from}; it is ${to}` : null

/**
 * The parameters `from` and `to`, days of which both are inclusive.
 * @param what are the days, like "order date"
 * @param from the day that is sent with `to`, against which that is held
 */
export const dateRangeParameters = (
  what: string,
  from: unknown,
): { readonly from: Parameter; readonly to: Parameter } => ({
  from: day(`First ${what}; without it, from the first one on.`, () => null),
  to: day(`Last ${what}, inclusive; without it, until the last one.`, (to) => faultOfSpan(from, to)),
})
