// What operations have in common beside their subject: what to include, as of when, and what was ignored.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isCalendarDay } from '../../engine/numbers/calendar.ts'
import { oneOf, parseQuery, type Parameter } from './query.ts'

/** What a client asks to have added to the contract's fields. */
export type Include = ReadonlySet<'calculation' | 'metadata' | 'entries' | 'events' | 'story'>

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
