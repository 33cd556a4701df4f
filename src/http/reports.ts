// GET /api/reports/…: what all orders of an account come to, grouped, of one book.
import { finished, Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { kilograms, number, text, type Column, type ExportTable } from '../exports/export-table.ts'
import { METHOD_VERSION } from '../engine/method-version.ts'
import { around } from '../engine/uncertainty.ts'
import type { Group } from '../reports/collect-groups.ts'
import type { Dimension, EmissionsQuery } from '../reports/emissions-query.ts'
import { TooManyGroups } from '../reports/group-limit.ts'
import { reportEmissions, type EmissionsReport } from '../reports/report-emissions.ts'
import type { FactSource } from '../reports/scan-facts.ts'
import { callerOf } from './authenticate.ts'
import { ref } from './component.ts'
import { JSON_TYPE } from './exact-json.ts'
import { Failure } from './failure.ts'
import { inSlices } from './in-slices.ts'
import { NAMED_BY, isNamed, labelName } from './label-names.ts'
import type { Operation } from './operation.ts'
import { readQuery, type Query } from './query.ts'
import { filtersOf, renderReport } from './render-report.ts'
import { emissionsParameters, toEmissionsQuery } from './report-query.ts'
import { EXAMPLE_REPORT, EmissionsReport as Answer } from './report-schema.ts'
import { EXPORT_HEADERS, formatOf, formatParameter, sendExport, typesOf } from './send-export.ts'

export interface ReportsContext {
  readonly facts: FactSource
  readonly now: () => Date
}

export const reportOperations = (context: ReportsContext): readonly Operation[] => [
  {
    id: 'reportEmissions',
    method: 'GET',
    path: '/api/reports/emissions',
    summary: 'Emissions of all orders, grouped',
    description:
      'What was posted to all orders of the account until now, corrections too, as one of the two books has it: ' +
      'never both. Grouped by up to two things and filtered by any; a total is the sum of its groups, those that ' +
      '`limit` takes together among them.',
    tag: 'Reports',
    scope: 'orders:read',
    query: parametersOf({}),
    answer: {
      description: 'The report.',
      schema: ref(Answer),
      example: EXAMPLE_REPORT,
      otherTypes: typesOf(['csv', 'xlsx']),
      headers: EXPORT_HEADERS,
    },
    failures: ['invalid_request', 'too_large'],
    handle: (request, reply) => report(context, request, reply),
  },
]

const parametersOf = (sent: Readonly<Record<string, unknown>>) => ({
  ...emissionsParameters(sent),
  format: formatParameter('json'),
})

async function report(context: ReportsContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const caller = callerOf(request)
  const sent = readQuery(request.query, parametersOf(request.query as Readonly<Record<string, unknown>>))
  const query = toEmissionsQuery(caller.accountId, sent)
  const found = await reportEmissions(context.facts, query, inSlices).catch(tellTooMany)
  waitToBeTaken(found.groups.length, reply)
  const format = formatOf(sent, 'json')
  if (format !== 'json')
    return sendExport(reply, tableOf(found, query, sent, caller.accountName, context.now()), format)
  const pieces = Readable.from(renderReport(found, query, sent, context.now()), { objectMode: false })
  return reply.header('dataset-release', found.releases.join(', ')).type(JSON_TYPE).send(pieces)
}

function tellTooMany(error: unknown): never {
  if (!(error instanceof TooManyGroups)) throw error
  throw new Failure('too_large', `${error.message}: group by less, or ask for fewer days or customers`)
}

/** Of all answers that clients have not taken yet: some 200 MB. */
const GROUPS_WAITING_MAX = 1_000_000
let waiting = 0

/** Groups stay in memory until the client has taken the last of them, or is gone. */
function waitToBeTaken(groups: number, reply: FastifyReply): void {
  if (waiting > 0 && waiting + groups > GROUPS_WAITING_MAX)
    throw new Failure('unavailable', 'Large reports wait to be taken by those who asked for them; try again')
  waiting += groups
  finished(reply.raw, () => (waiting -= groups))
}

/** What the line of all others says in place of what is grouped by; how many they are stands in a column. */
const OTHERS = 'all others'

function tableOf(
  report: EmissionsReport,
  { groupBy, limit, basis, view }: EmissionsQuery,
  sent: Query,
  account: string,
  exportedAt: Date,
): ExportTable<Row> {
  const { groups, others, releases } = report
  const { from, to } = sent
  const filters = { ...filtersOf(sent), basis: [basis], ...(from && { from }), ...(to && { to }) }
  const interval = (end: 'low' | 'high') => (group: Row) =>
    group.logSd === null ? null : around(group.emission, group.logSd)[end]
  return {
    about: { title: 'Emissions', account, view, exportedAt, releases, methodVersion: METHOD_VERSION, filters },
    columns: [
      ...groupBy.flatMap((name, at) => labelColumns(report, name, at)),
      kilograms('total_emission_kg', ({ emission }) => emission),
      kilograms('low_kg', interval('low')),
      kilograms('high_kg', interval('high')),
      number('gsd', ({ logSd }) => (logSd === null ? null : Number(Math.exp(logSd).toFixed(6)))),
      number('number_of_orders', ({ orders }) => orders),
      number('number_of_rentals', ({ rentals }) => rentals),
      ...(limit === null ? [] : [number<Row>('number_of_groups', (row) => row.groups ?? 1)]),
    ],
    pages: [groups, others ? [{ ...others, labels: [OTHERS, null] }] : []],
  }
}

/** A group, or several as one. */
type Row = Group & { readonly groups?: number }

function labelColumns(report: EmissionsReport, name: Dimension, at: number): readonly Column<Row>[] {
  const label = text(name, ({ labels }: Row) => labels[at]!)
  if (!isNamed(name)) return [label]
  return [label, text(NAMED_BY[name], ({ labels, groups }) => (groups ? null : labelName(name, labels[at]!, report)))]
}
