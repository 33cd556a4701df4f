// /api/periods: closes the books of an account for past days, so that no later fact changes what was reported.
import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { invalidRequest } from '../../contract/errors.ts'
import { EXPECTED, wrongValue } from '../../contract/messages.ts'
import { FIRST_DAY } from '../../contract/order-schema.ts'
import { ORDER_MESSAGES } from '../../engine/messages.ts'
import { schemaRef, type NamedSchema } from '../../contract/named-schema.ts'
import type { Validate } from '../../contract/validation.ts'
import type { NewClosing, PeriodClosings } from '../../postgres/period-closings.ts'
import { ROUTE_MESSAGES } from '../messages.ts'
import {
  IGNORED_HEADER,
  LINK,
  flag,
  isDay,
  isSet,
  nextPage,
  numberCursor,
  pageLimit,
  parseQuery,
  setIgnoredMembers,
} from '../parameters.ts'
import { callerOf } from '../plugins/authentication.ts'
import { sendClosingPreview, type ClosingPreviewContext } from './closing-preview.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { ClosingPreview, PeriodParams, Periods, printPeriods, type WirePeriod } from '../schemas/periods.ts'

export interface PeriodsContext extends ClosingPreviewContext {
  readonly periods: PeriodClosings
  readonly now: () => Date
  readonly validatorOf: (schema: NamedSchema) => Validate
}

const PATH = '/api/periods'
const EXAMPLE = {
  books_closed_until: '2026-01-01',
  closings: [
    {
      closed_until: '2026-01-01',
      kind: 'closed',
      recorded_at: '2026-02-15T10:00:00.000Z',
      key: 'cradle_2TvG…T6Mp',
      reason: null,
    },
  ],
}
const ANSWER = { description: 'The closed periods.', schema: schemaRef(Periods), example: EXAMPLE, headers: LINK }
const LIMIT_MAX = 1000
const LIMIT_DEFAULT = 100

export const periodOperations = (context: PeriodsContext): readonly RouteDefinition[] => [
  listOperation(context),
  closeOperation(context, context.validatorOf(PeriodParams)),
]

const listOperation = ({ periods }: PeriodsContext): RouteDefinition => ({
  id: 'getPeriods',
  method: 'GET',
  path: PATH,
  summary: 'Get the closed periods',
  description:
    'Returns until when the books are closed, and each time they were closed or reopened, the latest first. Paged ' +
    'through `Link`.',
  tag: 'Account',
  scope: 'orders:read',
  query: listParameters(0),
  answer: ANSWER,
  failures: ['invalid_request'],
  handle: async (request, reply) => {
    const { accountId } = callerOf(request)
    return send(reply, periods, accountId, parseQuery(request.query, listParameters(accountId)))
  },
})

const listParameters = (accountId: number) => ({
  limit: pageLimit('closings', LIMIT_MAX, LIMIT_DEFAULT),
  cursor: cursorOf(accountId).parameter,
})

/** A cursor identifies the last closing of a page. */
const cursorOf = (accountId: number) => numberCursor(['periods', accountId])

const CLOSE_QUERY = {
  preview: flag(
    'Return what this would make final, with the same errors, but record nothing: the response is a ClosingPreview.',
  ),
}

const closeOperation = (context: PeriodsContext, validate: Validate): RouteDefinition => ({
  id: 'closePeriods',
  method: 'POST',
  path: PATH,
  summary: 'Close or reopen the books',
  description:
    'Closes the books for all days before `closed_until`. What is recorded from then on counts in the months it ' +
    'concerns if these are open; what it changes in closed months counts on the first open day. Reports by order ' +
    'date or dispatch date do not depend on this, except devices that an inventory counts in full. A day before the ' +
    'present `closed_until`, or null, reopens closed days and requires a `reason`; entries already posted keep the ' +
    'day from which they count. A statement is preliminary until its year is closed. METHODOLOGY.md explains the ' +
    'rule under "Reporting periods". With `preview=true`, nothing is recorded: the response is a ClosingPreview.',
  tag: 'Account',
  scope: 'admin',
  query: CLOSE_QUERY,
  body: { schema: PeriodParams, example: { closed_until: '2026-01-01' } },
  answer: {
    ...ANSWER,
    description: 'The closed periods, or the preview.',
    schema: Type.Unsafe({ anyOf: [schemaRef(Periods), schemaRef(ClosingPreview)] }),
    headers: { ...LINK, ...IGNORED_HEADER },
  },
  failures: ['invalid_request', 'too_large', 'unsupported_media_type'],
  handle: async (request, reply) => {
    const isPreview = isSet(parseQuery(request.query, CLOSE_QUERY), 'preview')
    const { problems } = validate(request.body)
    if (problems.length > 0) throw invalidRequest(problems)
    const wire = request.body as WirePeriod
    const { periods, now } = context
    requireOpenable(wire.closed_until, now().toISOString().slice(0, 10))
    const { accountId, keyId } = callerOf(request)
    const closing = { closedUntil: wire.closed_until, keyId, reason: wire.reason ?? null }
    setIgnoredMembers(reply, wire, PeriodParams)
    if (isPreview) {
      const before = await periods.closedUntil(accountId)
      if (isUnexplained(before, closing)) throw reasonMissing()
      return sendClosingPreview(context, accountId, before, closing.closedUntil, reply)
    }
    if (!(await periods.record(accountId, closing))) throw reasonMissing()
    return send(reply, periods, accountId, {})
  },
})

const reasonMissing = () => invalidRequest([{ path: '/reason', ...ROUTE_MESSAGES.reopening_reason_missing() }])

/** @throws ApiError for a text that is no day, and for a day after today: days that are not over cannot be closed */
function requireOpenable(day: string | null, today: string): void {
  if (day === null) return
  const path = '/closed_until'
  if (!isDay(day)) throw invalidRequest([{ path, ...wrongValue(EXPECTED.expected_day(), day) }])
  if (day >= FIRST_DAY && day <= today) return
  throw invalidRequest([{ path, ...ORDER_MESSAGES.day_out_of_range({ first: FIRST_DAY, last: today, sent: day }) }])
}

/** True if this would reopen closed days without a reason, which is refused when it is recorded. */
const isUnexplained = (before: string | null, { closedUntil, reason }: NewClosing): boolean =>
  reason === null && (closedUntil ?? '') < (before ?? '')

async function send(
  reply: FastifyReply,
  periods: PeriodClosings,
  accountId: number,
  query: ReturnType<typeof parseQuery>,
): Promise<FastifyReply> {
  const cursor = cursorOf(accountId)
  const limit = Number(query['limit']?.[0] ?? LIMIT_DEFAULT)
  const before = query['cursor'] ? cursor.read(query['cursor'][0]!) : null
  const found = await periods.list(accountId, before, limit + 1)
  const page = found.slice(0, limit)
  // The first closing of the first page is the one in force, so that the two never differ.
  const closedUntil = before === null ? (page[0]?.closedUntil ?? null) : await periods.closedUntil(accountId)
  if (found.length > limit) void reply.header('link', nextPage(PATH, query, cursor.write(page.at(-1)!.no)))
  return reply.send(printPeriods(closedUntil, page))
}
