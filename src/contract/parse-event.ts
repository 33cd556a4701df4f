// Parses a request body into an event: finds the schema by type, validates the body and normalises serial numbers.
import { closestMatches, withSuggestions } from '../engine/reference/suggestions.ts'
import type { Problem } from '../engine/order.ts'
import type { NamedSchema } from './named-schema.ts'
import { ORDER_MESSAGES } from '../engine/messages.ts'
import { EXPECTED, missingValue, wrongValue } from './messages.ts'
import { FIRST_DAY, LAST_DAY } from './order-schema.ts'
import { normaliseSerialNumber, unknownMembers } from './parse-order.ts'
import type { Validate } from './validation.ts'

export type ParsedEvent<Event> =
  | { readonly ok: true; readonly event: Event; readonly ignored: readonly string[] }
  | { readonly ok: false; readonly problems: readonly Problem[] }

interface AnyEvent {
  readonly type: string
  readonly date?: string
  readonly serial_number?: string
  readonly new_serial_number?: string
  readonly dispatched?: boolean
}

/** Parses an event of one of the given types. Errors of the body shape are reported together. */
export function parseEvent<Event extends AnyEvent>(
  body: unknown,
  kinds: Readonly<Record<string, NamedSchema & { readonly properties: object }>>,
  validatorOf: (schema: NamedSchema) => Validate,
): ParsedEvent<Event> {
  const names = Object.keys(kinds)
  const type: unknown = typeof body === 'object' && body !== null && 'type' in body ? body.type : undefined
  const schema = typeof type === 'string' && Object.hasOwn(kinds, type) ? kinds[type] : undefined
  if (!schema) return { ok: false, problems: [unknownKind(body, type, names)] }
  const shape = validatorOf(schema)(body)
  if (shape.problems.length > 0) return { ok: false, problems: shape.problems }
  const members = Object.keys(schema.properties)
  const event = canonicalEvent(body as Event, members)
  const problems = meaningProblems(event)
  if (problems.length > 0) return { ok: false, problems }
  return { ok: true, event, ignored: unknownMembers(body as object, members).map((name) => `/${name}`) }
}

function unknownKind(body: unknown, type: unknown, names: readonly string[]): Problem {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return { path: '', ...wrongValue(EXPECTED.expected_object(), body) }
  const expected = EXPECTED.expected_choice({ choices: names })
  const problem = { path: '/type', ...(type === undefined ? missingValue(expected, null) : wrongValue(expected, type)) }
  return typeof type === 'string' ? withSuggestions(problem, closestMatches(type, names)) : problem
}

/** Known members only, in schema order, so that events with the same content are stored identically. */
function canonicalEvent<Event extends AnyEvent>(event: Event, members: readonly string[]): Event {
  const canonical: Record<string, unknown> = {}
  for (const name of members) {
    const value = Object.hasOwn(event, name) ? event[name as keyof Event] : undefined
    if (name === 'dispatched') canonical[name] = value ?? false
    else if (name.endsWith('serial_number') && typeof value === 'string') canonical[name] = normaliseSerialNumber(value)
    else if (value !== undefined) canonical[name] = value
  }
  return canonical as unknown as Event
}

/** Errors that the schema cannot detect: dates outside the accepted range, and serial numbers of white space only. */
function meaningProblems(event: AnyEvent): readonly Problem[] {
  const problems: Problem[] = []
  const { date } = event
  if (date !== undefined && (date < FIRST_DAY || date > LAST_DAY)) {
    const limits = { first: FIRST_DAY, last: LAST_DAY }
    problems.push({ path: '/date', ...ORDER_MESSAGES.day_out_of_range({ ...limits, sent: date }) })
  }
  for (const name of ['serial_number', 'new_serial_number'] as const) {
    if (event[name] === '') problems.push({ path: `/${name}`, ...ORDER_MESSAGES.blank() })
  }
  return problems
}
