// /api/periods: closes the books of an account for past days, so that no later fact changes what was reported.
import type { FastifyReply } from 'fastify'
import { invalidRequest } from '../../contract/errors.ts'
import { EXPECTED, wrongValue } from '../../contract/messages.ts'
import { FIRST_DAY } from '../../contract/order-schema.ts'
import { ORDER_MESSAGES } from '../../engine/messages.ts'
import { schemaRef, type NamedSchema } from '../../contract/named-schema.ts'
import { unknownMembers } from '../../contract/parse-order.ts'
import type { Validate } from '../../contract/validation.ts'
import type { PeriodClosings } from '../../postgres/period-closings.ts'
import { ROUTE_MESSAGES } from '../messages.ts'
import { IGNORED_HEADER, isDay, parseQuery, setIgnoredHeader } from '../parameters.ts'
import { callerOf } from '../plugins/authentication.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { PeriodParams, Periods, printPeriods, type WirePeriod } from '../schemas/periods.ts'

export interface PeriodsContext {
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
const ANSWER = { description: 'The closed periods.', schema: schemaRef(Periods), example: EXAMPLE }

export const periodOperations = (context: PeriodsContext): readonly RouteDefinition[] => [
  listOperation(context),
  closeOperation(context, context.validatorOf(PeriodParams)),
]

const listOperation = ({ periods }: PeriodsContext): RouteDefinition => ({
  id: 'getPeriods',
  method: 'GET',
  path: PATH,
  summary: 'Get the closed periods',
  description: 'Returns until when the books are closed, and each time they were closed or reopened.',
  tag: 'Account',
  scope: 'orders:read',
  query: {},
  answer: ANSWER,
  failures: ['invalid_request'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    return send(reply, periods, callerOf(request).accountId)
  },
})

const closeOperation = ({ periods, now }: PeriodsContext, validate: Validate): RouteDefinition => ({
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
    'rule under "Reporting periods".',
  tag: 'Account',
  scope: 'admin',
  query: {},
  body: { schema: PeriodParams, example: { closed_until: '2026-01-01' } },
  answer: { ...ANSWER, headers: IGNORED_HEADER },
  failures: ['invalid_request', 'too_large', 'unsupported_media_type'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const { problems } = validate(request.body)
    if (problems.length > 0) throw invalidRequest(problems)
    const wire = request.body as WirePeriod
    requireOpenable(wire.closed_until, now().toISOString().slice(0, 10))
    const { accountId, keyId } = callerOf(request)
    const closing = { closedUntil: wire.closed_until, keyId, reason: wire.reason ?? null }
    if (!(await periods.record(accountId, closing))) {
      throw invalidRequest([{ path: '/reason', ...ROUTE_MESSAGES.reopening_reason_missing() }])
    }
    const ignored = unknownMembers(wire, Object.keys(PeriodParams.properties))
    setIgnoredHeader(
      reply,
      ignored.map((name) => `/${name}`),
    )
    return send(reply, periods, accountId)
  },
})

/** @throws ApiError for a text that is no day, and for a day after today: days that are not over cannot be closed */
function requireOpenable(day: string | null, today: string): void {
  if (day === null) return
  const path = '/closed_until'
  if (!isDay(day)) throw invalidRequest([{ path, ...wrongValue(EXPECTED.expected_day(), day) }])
  if (day >= FIRST_DAY && day <= today) return
  throw invalidRequest([{ path, ...ORDER_MESSAGES.day_out_of_range({ first: FIRST_DAY, last: today, sent: day }) }])
}

const send = async (reply: FastifyReply, periods: PeriodClosings, accountId: number): Promise<FastifyReply> =>
  reply.send(printPeriods(await periods.list(accountId)))
