// Query strings: known parameters, each checked; an unknown one is a mistake that would otherwise go unseen.
import { nearest } from '../engine/nearest.ts'
import type { Problem } from '../engine/order.ts'
import { PROBLEMS_MAX } from '../engine/order-problems.ts'
import { invalid } from './failure.ts'

/** The values of each parameter, in the order in which they were sent. */
export type Query = Readonly<Record<string, readonly string[]>>

export interface Parameter {
  readonly description: string
  /** May stand several times, or hold several values with commas between. */
  readonly isList?: boolean
  /** A sentence saying what would be right, or null where the value is right. */
  readonly check: (value: string) => string | null
  readonly schema: Readonly<Record<string, unknown>>
}

export type Parameters = Readonly<Record<string, Parameter>>

/** @throws Failure naming every parameter that is unknown, repeated or out of range */
export function readQuery(sent: unknown, parameters: Parameters): Query {
  const problems: Problem[] = []
  const query: Record<string, readonly string[]> = {}
  for (const [name, value] of Object.entries(sent as Readonly<Record<string, string | readonly string[]>>)) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    const values = [value].flat().flatMap((one) => (parameter?.isList ? one.split(',') : [one]))
    problems.push(...(parameter ? faultsOf(name, values, parameter) : [unknownParameter(name, parameters)]))
    query[name] = values
  }
  if (problems.length > 0) throw invalid(problems.slice(0, PROBLEMS_MAX))
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
  const suggestions = nearest(name, known)
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

/** How much stands on a page. */
export const pageLimit = (what: string, max: number, usual: number): Parameter => ({
  description: `${what} on a page; without it, ${usual}.`,
  schema: { type: 'integer', minimum: 1, maximum: max, default: usual },
  check: (value) =>
    /^\d{1,4}$/.test(value) && Number(value) >= 1 && Number(value) <= max
      ? null
      : `Must be a whole number from 1 to ${max}; it is "${value.slice(0, 40)}"`,
})

/** The same list from a cursor on. */
export function nextPage(path: string, query: Query, cursor: string): string {
  const parameters = Object.entries({ ...query, cursor: [cursor] }).flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value]),
  )
  return `${path}?${new URLSearchParams(parameters).toString()}`
}
