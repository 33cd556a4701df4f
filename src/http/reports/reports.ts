// GET /api/reports/…: what all orders of an account come to, grouped, of one book.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { METHOD_VERSION } from '../../engine/explanation/calculation.ts'
import { callerOf } from '../serving/authenticate.ts'
import { schemaRef } from '../requests/component.ts'
import type { RouteDefinition } from '../serving/operation.ts'
import { parseQuery } from '../requests/query.ts'
import { filtersOf } from './render-report.ts'
import { emissionsParameters, toEmissionsQuery } from './report-query.ts'
import { EXAMPLE_REPORT, EmissionsReport as Answer } from './report-schema.ts'
import { EXPORT_HEADERS, formatOf, formatParameter, mediaTypesOf } from '../exports/send-export.ts'
import { sendReport, type ReportsContext } from './send-report.ts'

export const reportOperations = (context: ReportsContext): readonly RouteDefinition[] => [
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
      schema: schemaRef(Answer),
      example: EXAMPLE_REPORT,
      otherTypes: mediaTypesOf(['csv', 'xlsx']),
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
  const { accountId, accountName: account } = callerOf(request)
  const sent = parseQuery(request.query, parametersOf(request.query as Readonly<Record<string, unknown>>))
  const query = toEmissionsQuery(accountId, sent)
  const { basis, view } = query
  const { from, to } = sent
  const filters = { ...filtersOf(sent), basis: [basis], ...(from && { from }), ...(to && { to }) }
  const about = { title: 'Emissions', account, view, exportedAt: context.now(), methodVersion: METHOD_VERSION, filters }
  return sendReport(context, { of: 'emissions', query, sent, about, format: formatOf(sent, 'json') }, reply)
}
