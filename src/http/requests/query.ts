// Query strings: known parameters, each checked; an unknown one is a mistake that would otherwise go unseen.
import { hash } from 'node:crypto'
import { closestMatches } from '../../engine/reference/suggestions.ts'
import type { Problem } from '../../engine/order.ts'
import { PROBLEMS_MAX } from '../../engine/validate-order.ts'
import { invalidRequest } from './failure.ts'

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
