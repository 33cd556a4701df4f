// Parses a request body into an event: finds the schema by type, validates the body and normalises serial numbers.
import { closestMatches, withSuggestions } from '../engine/reference/suggestions.ts'
import type { Problem } from '../engine/order.ts'
import type { NamedSchema } from './named-schema.ts'
import { ORDER_MESSAGES } from '../engine/messages.ts'
import { factDayProblems, type DayLimits } from './day-limits.ts'
import { EXPECTED, missingValue, wrongValue } from './messages.ts'
import { FIRST_DAY, LAST_DAY } from './order-schema.ts'
import { tenureWarnings, trimmed } from './order-warnings.ts'
import { optionalMembers, withoutNulls } from './null-members.ts'
import { normaliseId, placeholderSerialNumber, unknownMembers } from './parse-order.ts'
import { isPlaceholderSerialNumber } from './placeholder-serial.ts'
import type { Validate } from './validation.ts'

export type ParsedEvent<Event> =
  | {
      readonly ok: true
      readonly event: Event
      readonly ignored: readonly string[]
      /** The event's id as it was sent; the event has it trimmed and normalised. */
      readonly idAsSent: string
      /** What is probably wrong, judged by its ids and tenure alone. */
      readonly warnings: readonly Problem[]
    }
  | { readonly ok: false; readonly problems: readonly Problem[] }

interface AnyEvent {
  readonly event_id: string
  readonly type: string
  readonly date?: string
  readonly serial_number?: string
  readonly new_serial_number?: string
  readonly product_id?: string
  readonly dispatched?: boolean
  readonly tenure_months?: number
  readonly weight_kg?: number
}

/**
 * Parses an event of one of the given types. Errors of the body shape are reported together.
 * @param limits the last days that the account may send; null if it has no limits
 */
export function parseEvent<Event extends AnyEvent>(
  body: unknown,
  kinds: Readonly<
    Record<
      string,
      NamedSchema & {
        readonly properties: Readonly<Record<string, unknown>>
        readonly required?: readonly string[] | undefined
      }
    >
  >,
  validatorOf: (schema: NamedSchema) => Validate,
  limits: DayLimits | null,
): ParsedEvent<Event> {
  const names = Object.keys(kinds)
  const type: unknown = typeof body === 'object' && body !== null && 'type' in body ? body.type : undefined
  const schema = typeof type === 'string' && Object.hasOwn(kinds, type) ? kinds[type] : undefined
  if (!schema) return { ok: false, problems: [unknownKind(body, type, names)] }
  const sent = withoutNulls(body, { optional: optionalMembers(schema) }) as Event
  const shape = validatorOf(schema)(sent)
  if (shape.problems.length > 0) return { ok: false, problems: shape.problems }
  const members = Object.keys(schema.properties)
  const event = canonicalEvent(sent, members)
  const problems = meaningProblems(event, limits)
  if (problems.length > 0) return { ok: false, problems }
  const ignored = unknownMembers(sent, members).map((name) => `/${name}`)
  return { ok: true, event, ignored, idAsSent: sent.event_id, warnings: warningsOf(sent, event) }
}

function unknownKind(body: unknown, type: unknown, names: readonly string[]): Problem {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return { path: '', ...wrongValue(EXPECTED.expected_object(), body) }
  const expected = EXPECTED.expected_choice({ choices: names })
  const problem = { path: '/type', ...(type === undefined ? missingValue(expected, null) : wrongValue(expected, type)) }
  return typeof type === 'string' ? withSuggestions(problem, closestMatches(type, names)) : problem
}

const warningsOf = (sent: AnyEvent, event: AnyEvent): readonly Problem[] => [
  ...trimmed('/event_id', sent.event_id, event.event_id),
  ...(event.product_id === undefined ? [] : trimmed('/product_id', sent.product_id!, event.product_id)),
  ...(event.tenure_months === undefined ? [] : tenureWarnings(event.tenure_months, '/tenure_months')),
]

const IDENTIFIERS: ReadonlySet<string> = new Set(['event_id', 'serial_number', 'new_serial_number', 'product_id'])

/** Known members only, in schema order, so that events with the same content are stored identically. */
function canonicalEvent<Event extends AnyEvent>(event: Event, members: readonly string[]): Event {
  const canonical: Record<string, unknown> = {}
  for (const name of members) {
    const value = Object.hasOwn(event, name) ? event[name as keyof Event] : undefined
    if (name === 'dispatched') canonical[name] = value ?? false
    else if (IDENTIFIERS.has(name) && typeof value === 'string') canonical[name] = normaliseId(value)
    else if (value !== undefined) canonical[name] = value
  }
  return canonical as unknown as Event
}

/**
 * Errors that the schema cannot detect: dates outside the accepted range, ids of white space only, and a placeholder
 * for the serial number of a new device. Devices that an earlier version stored under a placeholder can have events.
 */
function meaningProblems(event: AnyEvent, limits: DayLimits | null): readonly Problem[] {
  const problems: Problem[] = []
  const { date } = event
  if (date !== undefined && (date < FIRST_DAY || date > LAST_DAY)) {
    const limits = { first: FIRST_DAY, last: LAST_DAY }
    problems.push({ path: '/date', ...ORDER_MESSAGES.day_out_of_range({ ...limits, sent: date }) })
  }
  if (problems.length === 0) problems.push(...factDayProblems(event.type, date, limits))
  for (const name of ['event_id', 'serial_number', 'new_serial_number', 'product_id'] as const) {
    if (event[name] === '') problems.push({ path: `/${name}`, ...ORDER_MESSAGES.blank() })
  }
  const { new_serial_number: newSerial } = event
  if (newSerial !== undefined && newSerial !== '' && isPlaceholderSerialNumber(newSerial))
    problems.push(placeholderSerialNumber('/new_serial_number', newSerial))
  return problems
}
