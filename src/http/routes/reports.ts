// GET /api/reports/…: grouped totals of an account's emissions and their data quality, produced by a worker.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { customerIdInUse, filteredIds, type StoredIds } from '../../ledger/stored-ids.ts'
import { METHOD_VERSION } from '../../engine/explanation/calculation.ts'
import {
  ALL_GHG_LABELS,
  CONSOLIDATION_APPROACHES,
  DEFAULT_BOUNDARY,
  LEASE_TYPES,
  REPORTING_ENTITIES,
  type ConsolidationApproach,
  type LeaseType,
  type ReportingEntity,
} from '../../engine/inventory-boundary.ts'
import { daysInMonth, isCalendarDay } from '../../engine/numbers/calendar.ts'
import { PARTS } from '../../engine/numbers/emission.ts'
import { DEVICE_TYPES } from '../../engine/reference/reference-data.ts'
import {
  DATE_BASES,
  FIRST_DAY,
  GROUPS_MAX,
  LAST_DAY,
  METADATA,
  NAMED_DIMENSIONS,
  SORTS,
  defaultSort,
  type DateBasis,
  type Dimension,
  type EmissionsQuery,
  type Sort,
} from '../../reporting/query.ts'
import { dayNoOf } from '../../reporting/fact.ts'
import {
  dateRangeParameters,
  identifier,
  isText,
  oneOf,
  oneOfWithDefault,
  pageLimit,
  parseQuery,
  type Parameter,
  type Parameters,
  type Query,
} from '../parameters.ts'
import { callerOf } from '../plugins/authentication.ts'
import { abortOnDisconnect } from '../plugins/client-abort.ts'
import { createUnreadLimit } from '../plugins/unread-limit.ts'
import type { ReportRequest } from '../../reporting/run-report.ts'
import { schemaRef } from '../../contract/named-schema.ts'
import { EXAMPLE_QUALITY, EXAMPLE_REPORT, EmissionsReport as Answer, QualityReport } from '../schemas/report.ts'
import { asFiles, type RouteDefinition } from '../route-definition.ts'
import { sendStreamedResponse, type StreamedResponse } from '../streamed-response.ts'
import { filtersOf } from '../views/report.ts'
import { EXPORT_HEADERS, formatOf, formatParameter, mediaTypesOf } from './exports.ts'
import { EXPECTED, wrongParameter } from '../../contract/messages.ts'
import type { Message } from '../../engine/message.ts'
import { EXPECTED_PARAMETER, PARAMETER_MESSAGES, SERVICE_MESSAGES } from '../messages.ts'

export interface ReportsContext {
  readonly storedIds: StoredIds
  /** @throws ApiError */
  readonly askReport: (ask: ReportRequest, signal: AbortSignal) => Promise<StreamedResponse>
  readonly now: () => Date
}

/** Groups that clients have not read yet, of about 200 bytes each. */
const UNTAKEN_MAX = 1_000_000
const holdUntaken = createUnreadLimit(SERVICE_MESSAGES.reports_unread(), UNTAKEN_MAX)

async function sendReport(
  { askReport }: ReportsContext,
  ask: ReportRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const asked = await askReport(ask, abortOnDisconnect(reply.raw))
  try {
    holdUntaken(ask.query.accountId, asked.head.groups, reply.raw)
  } catch (error) {
    await asked.pieces.return(undefined)
    throw error
  }
  return sendStreamedResponse(asked, reply)
}

const MEND_MAX = 1000
const MEND_USUAL = 20

const parametersOf = (from: unknown) => ({
  customer_id: identifier('Only orders of this customer.'),
  ...dateRangeParameters('order date', from),
  limit: pageLimit('product ids to improve', MEND_MAX, MEND_USUAL),
  format: formatParameter('json'),
})

export const qualityOperation = (context: ReportsContext): RouteDefinition => ({
  id: 'reportQuality',
  method: 'GET',
  path: '/api/reports/quality',
  summary: 'Report data quality and possible improvements',
  description:
    'Breaks down the emissions posted to the orders of a period by level of footprint, by age of the sources, and by ' +
    'whether the country of use was stated. Then lists the product ids with a guessed or fallback footprint, those ' +
    'with the widest uncertainty interval first, each with what would narrow the interval.',
  tag: 'Reports',
  scope: 'orders:read',
  query: parametersOf(null),
  answer: {
    description: 'The data quality report.',
    schema: schemaRef(QualityReport),
    example: EXAMPLE_QUALITY,
    otherTypes: asFiles(mediaTypesOf(['csv', 'xlsx'])),
    headers: EXPORT_HEADERS,
  },
  failures: ['invalid_request'],
  handle: (request, reply) => answer(context, request, reply),
})

async function answer(context: ReportsContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { accountId, accountName: account } = callerOf(request)
  const sent = parseQuery(request.query, parametersOf((request.query as Readonly<Record<string, unknown>>)['from']))
  const [from, to] = [sent['from']?.[0], sent['to']?.[0]]
  const { customerId } = await filteredIds(context.storedIds, accountId, sent)
  const query = {
    accountId,
    customerId,
    from: from === undefined ? FIRST_DAY : dayNoOf(from),
    to: to === undefined ? LAST_DAY : dayNoOf(to),
  }
  const about = {
    title: 'Quality',
    account,
    view: DEFAULT_BOUNDARY,
    exportedAt: context.now(),
    methodVersion: METHOD_VERSION,
    filters: qualityFiltersOf(sent),
  }
  const rowsToMend = Number(sent['limit']?.[0] ?? MEND_USUAL)
  return sendReport(context, { of: 'quality', query, rowsToMend, about, format: formatOf(sent, 'json') }, reply)
}

const qualityFiltersOf = (sent: Query): Query =>
  Object.fromEntries(Object.entries(sent).filter(([name]) => name !== 'format' && name !== 'limit'))

const GROUP_BY_MAX = 2
/** The default limit of JSON, which is read at once. A file has all its groups. */
const GROUPS_USUAL = 10_000
const LENGTH_MAX = 200
/** The placeholder for the name of a metadata member in the OpenAPI document. */
const ANY_MEMBER = '{member}'

const isMember = (name: string): boolean =>
  name.startsWith(METADATA) && isText(name.slice(METADATA.length)) && [...name].length <= METADATA.length + LENGTH_MAX

const isDimension = (name: string): boolean => (NAMED_DIMENSIONS as readonly string[]).includes(name) || isMember(name)

const groupBy = (sent: readonly string[]): Parameter => ({
  description:
    `Up to two of ${NAMED_DIMENSIONS.join(', ')}, or metadata.{member} for a metadata member of orders. ` +
    'Comma-separated or repeated. Default: one group.',
  isList: true,
  check: (value) => {
    if (!isDimension(value))
      return wrongParameter(EXPECTED_PARAMETER.expected_dimension({ choices: NAMED_DIMENSIONS }), value)
    if (sent.indexOf(value) !== sent.lastIndexOf(value))
      return PARAMETER_MESSAGES.value_repeated({ value: value.slice(0, 40) })
    // Reported once, for the first value beyond the limit.
    return value === sent[GROUP_BY_MAX]
      ? PARAMETER_MESSAGES.values_exceeded({ max: GROUP_BY_MAX, count: sent.length })
      : null
  },
  schema: {
    type: 'array',
    items: {
      type: 'string',
      pattern: `^(${NAMED_DIMENSIONS.join('|')}|metadata\\.[^\\u0000-\\u001f\\u007f-\\u009f]+)$`,
    },
    maxItems: GROUP_BY_MAX,
    uniqueItems: true,
  },
})

/** A filter by names, which may contain commas. */
const anyName = (description: string): Parameter => ({
  description: `${description}. Repeat for several values. An empty value selects entries without a value.`,
  isList: true,
  keepsCommas: true,
  check: (value) =>
    value === '' || (isText(value) && [...value].length <= LENGTH_MAX)
      ? null
      : EXPECTED.expected_text({ min: 0, max: LENGTH_MAX }),
  schema: { type: 'array', items: { type: 'string', maxLength: LENGTH_MAX } },
})

const typesOfDevices: Parameter = {
  ...oneOf('Only devices of these types, comma-separated or repeated. An empty value selects devices without a type.', [
    ...DEVICE_TYPES,
    '',
  ]),
  check: (value) => (value === '' ? null : oneOf('', DEVICE_TYPES).check(value)),
}

const inForm = (description: string, form: RegExp, example: string): Parameter => ({
  description: `${description}, like ${example}. Comma-separated or repeated for several.`,
  isList: true,
  canonical: (value) => value.toUpperCase(),
  check: (value) =>
    form.test(value.toUpperCase()) ? null : wrongParameter(EXPECTED_PARAMETER.expected_like({ example }), value),
  schema: { type: 'array', items: { type: 'string', pattern: form.source } },
})

const words = (description: string, all: readonly string[]): Parameter => oneOf(`${description}.`, all)

/** Years from 0001 on. Without look-ahead, which not every reader of the OpenAPI document supports. */
const YEAR = '([1-9]\\d{3}|0[1-9]\\d{2}|00[1-9]\\d|000[1-9])'
const DAY = /^\d{4}-\d{2}-\d{2}$/
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/

/** The first or last day of a value that is a day or a month; null for any other value and for the year 0. */
function dayIn(value: string, isLast: boolean): number | null {
  if (value.startsWith('0000')) return null
  if (DAY.test(value)) return isCalendarDay(value) ? dayNoOf(value) : null
  if (!MONTH.test(value)) return null
  if (!isLast) return dayNoOf(`${value}-01`)
  const [year, month] = value.split('-').map(Number) as [number, number]
  return dayNoOf(`${value}-${daysInMonth(year, month)}`)
}

const limit = (
  description: string,
  isLast: boolean,
  faultOf: (day: number, sent: string) => Message | null,
): Parameter => ({
  description: `${description}: a day, or a month for its ${isLast ? 'last' : 'first'} day.`,
  check: (value) => {
    const day = dayIn(value, isLast)
    return day === null ? wrongParameter(EXPECTED_PARAMETER.expected_day_or_month(), value) : faultOf(day, value)
  },
  schema: { type: 'string', pattern: `^${YEAR}-(0[1-9]|1[0-2])(-(0[1-9]|[12]\\d|3[01]))?$` },
})

const sort: Parameter = {
  ...oneOfWithDefault('', SORTS, ''),
  description:
    '`name` sorts by label, ascending, groups without a label last. `-total_emission` sorts by emission, largest ' +
    'first. Default: `name` when grouped by time, otherwise `-total_emission`.',
  schema: { type: 'string', enum: SORTS },
}

const mostGroups: Parameter = {
  description:
    'Maximum number of groups: those with the largest emissions. All other groups are summed in `remainder`. ' +
    `Default: ${GROUPS_USUAL} in JSON, all in a file.`,
  check: (value) =>
    /^[1-9]\d{0,5}$/.test(value) && Number(value) <= GROUPS_MAX
      ? null
      : wrongParameter(EXPECTED.expected_integer({ min: 1, max: GROUPS_MAX }), value),
  schema: { type: 'integer', minimum: 1, maximum: GROUPS_MAX },
}

type Sent = Readonly<Record<string, unknown>>

/** @param sent the parameters of the request: some are checked against others, and metadata members name others */
function emissionsParameters(sent: Sent): Parameters {
  const from = typeof sent['from'] === 'string' ? dayIn(sent['from'], false) : null
  const members = Object.keys(sent).filter(isMember)
  return {
    group_by: groupBy(
      [(sent['group_by'] as string | readonly string[] | undefined) ?? []].flat().flatMap((one) => one.split(',')),
    ),
    month: inForm('Only these months', MONTH, '2026-01'),
    quarter: inForm('Only these quarters', /^\d{4}-Q[1-4]$/, '2026-Q1'),
    year: inForm('Only these years', /^\d{4}$/, '2026'),
    customer: anyName('Only these customers'),
    model: anyName('Only devices with the footprint of these models or fallbacks'),
    type: typesOfDevices,
    brand: anyName('Only devices of these brands, as spelled in the catalogue'),
    country: inForm('Only these countries of use (ISO 3166-1; empty where none is stated)', /^([A-Z]{2})?$/, 'DE'),
    part: words('Only these parts', PARTS),
    scope: words('Only these GHG scopes', [...new Set(ALL_GHG_LABELS.map(({ scope }) => scope))]),
    category: words(
      'Only these GHG categories',
      ALL_GHG_LABELS.map(({ category }) => category),
    ),
    estimate_type: words('Only lines of these types', ['estimated', 'indicative']),
    ...Object.fromEntries(
      (members.length > 0 ? members : [METADATA + ANY_MEMBER]).map((name) => [
        name,
        anyName('Only orders with these values of a metadata member'),
      ]),
    ),
    date_basis: oneOfWithDefault(
      'Date basis: the order date, the dispatch date, or the months in which devices are held (tenure).',
      DATE_BASES,
      'order',
    ),
    from: limit('First day', false, () => null),
    to: limit('Last day, inclusive', true, (day, to) =>
      from !== null && day < from ? PARAMETER_MESSAGES.before_from({ from: String(sent['from']), to }) : null,
    ),
    reporting_entity: oneOfWithDefault(
      'Whose inventory it is: that of the customer (lessee) or of the rental company (lessor).',
      REPORTING_ENTITIES,
      DEFAULT_BOUNDARY.reportingEntity,
    ),
    consolidation_approach: oneOfWithDefault(
      'How the reporting entity draws its inventory boundary.',
      CONSOLIDATION_APPROACHES,
      DEFAULT_BOUNDARY.consolidationApproach,
    ),
    lease_type: oneOfWithDefault(
      'Lease classification of the rentals under the accounting rules of the reporting entity.',
      LEASE_TYPES,
      DEFAULT_BOUNDARY.leaseType,
    ),
    sort,
    limit: mostGroups,
  }
}

/** Builds the query from parameters that were already validated. */
function toEmissionsQuery(accountId: number, query: Query): EmissionsQuery {
  const one = (name: string): string | undefined => query[name]?.[0]
  const filters = Object.entries(query).filter(([name]) => isDimension(name)) as [Dimension, readonly string[]][]
  const { from, to } = { from: one('from'), to: one('to') }
  const groupBy = (query['group_by'] ?? []) as readonly Dimension[]
  const most = one('limit')
  const usualLimit = formatOf(query, 'json') === 'json' ? GROUPS_USUAL : null
  return {
    accountId,
    groupBy,
    sort: (one('sort') as Sort | undefined) ?? defaultSort(groupBy),
    limit: most === undefined ? usualLimit : Number(most),
    filters: new Map(filters.map(([name, values]) => [name, new Set(values)])),
    basis: (one('date_basis') ?? 'order') as DateBasis,
    from: from === undefined ? FIRST_DAY : dayIn(from, false)!,
    to: to === undefined ? LAST_DAY : dayIn(to, true)!,
    view: {
      reportingEntity: (one('reporting_entity') ?? DEFAULT_BOUNDARY.reportingEntity) as ReportingEntity,
      consolidationApproach: (one('consolidation_approach') ??
        DEFAULT_BOUNDARY.consolidationApproach) as ConsolidationApproach,
      leaseType: (one('lease_type') ?? DEFAULT_BOUNDARY.leaseType) as LeaseType,
    },
  }
}

export const reportOperations = (context: ReportsContext): readonly RouteDefinition[] => [
  {
    id: 'reportEmissions',
    method: 'GET',
    path: '/api/reports/emissions',
    summary: 'Report emissions of all orders by group',
    description:
      'Sums what was posted to all orders of the account so far, including corrections, in the inventory of either ' +
      'the customer or the rental company, never both. Grouped by up to two dimensions and filtered by any. A total ' +
      'is the sum of its groups, including those that `limit` combines in `remainder`.',
    tag: 'Reports',
    scope: 'orders:read',
    query: reportParametersOf({}),
    answer: {
      description: 'The report.',
      schema: schemaRef(Answer),
      example: EXAMPLE_REPORT,
      otherTypes: asFiles(mediaTypesOf(['csv', 'xlsx'])),
      headers: EXPORT_HEADERS,
    },
    failures: ['invalid_request', 'too_large'],
    handle: (request, reply) => report(context, request, reply),
  },
]

const reportParametersOf = (sent: Readonly<Record<string, unknown>>) => ({
  ...emissionsParameters(sent),
  format: formatParameter('json'),
})

async function report(context: ReportsContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { accountId, accountName: account } = callerOf(request)
  const sent = parseQuery(request.query, reportParametersOf(request.query as Readonly<Record<string, unknown>>))
  const customer: string[] = []
  for (const one of sent['customer'] ?? []) customer.push(await customerIdInUse(context.storedIds, accountId, one))
  const query = toEmissionsQuery(accountId, { ...sent, ...(sent['customer'] && { customer }) })
  const { basis, view } = query
  const { from, to } = sent
  const filters = { ...filtersOf(sent), date_basis: [basis], ...(from && { from }), ...(to && { to }) }
  const about = { title: 'Emissions', account, view, exportedAt: context.now(), methodVersion: METHOD_VERSION, filters }
  return sendReport(context, { of: 'emissions', query, sent, about, format: formatOf(sent, 'json') }, reply)
}
