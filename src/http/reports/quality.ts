// GET /api/reports/quality: of how many kilograms it is known how well, and what to mend first.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DEFAULT_BOUNDARY } from '../../engine/inventory-boundary.ts'
import { METHOD_VERSION } from '../../engine/explanation/calculation.ts'
import { FIRST_DAY, LAST_DAY } from '../../reports/emissions-query.ts'
import { dayNoOf } from '../../reports/fact.ts'
import { callerOf } from '../serving/authenticate.ts'
import { schemaRef } from '../requests/component.ts'
import type { RouteDefinition } from '../serving/operation.ts'
import { dateRangeParameters, identifier } from '../requests/parameters.ts'
import { EXAMPLE_QUALITY, QualityReport } from './quality-schema.ts'
import { pageLimit, parseQuery, type Query } from '../requests/query.ts'
import { EXPORT_HEADERS, formatOf, formatParameter, mediaTypesOf } from '../exports/send-export.ts'
import { sendReport, type ReportsContext } from './send-report.ts'

const MEND_MAX = 1000
const MEND_USUAL = 20

const parametersOf = (from: unknown) => ({
  customer_id: identifier('Orders of this customer.'),
  ...dateRangeParameters('order date', from),
  limit: pageLimit('Rows to mend', MEND_MAX, MEND_USUAL),
  format: formatParameter('json'),
})

export const qualityOperation = (context: ReportsContext): RouteDefinition => ({
  id: 'reportQuality',
  method: 'GET',
  path: '/api/reports/quality',
  summary: 'How well it is known, and what to mend first',
  description:
    'All that was posted to the orders of some days, by what devices are charged by, by the age of the sources, and ' +
    'by whether the country of use was told. Then the product ids that were guessed or stood in for, by the width of ' +
    'the interval of what hangs on them, each with what would narrow it.',
  tag: 'Reports',
  scope: 'orders:read',
  query: parametersOf(null),
  answer: {
    description: 'The board.',
    schema: schemaRef(QualityReport),
    example: EXAMPLE_QUALITY,
    otherTypes: mediaTypesOf(['csv', 'xlsx']),
    headers: EXPORT_HEADERS,
  },
  failures: ['invalid_request'],
  handle: (request, reply) => answer(context, request, reply),
})

async function answer(context: ReportsContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { accountId, accountName: account } = callerOf(request)
  const sent = parseQuery(request.query, parametersOf((request.query as Readonly<Record<string, unknown>>)['from']))
  const [from, to] = [sent['from']?.[0], sent['to']?.[0]]
  const query = {
    accountId,
    customerId: sent['customer_id']?.[0] ?? null,
    from: from === undefined ? FIRST_DAY : dayNoOf(from),
    to: to === undefined ? LAST_DAY : dayNoOf(to),
  }
  const about = {
    title: 'Quality',
    account,
    view: DEFAULT_BOUNDARY,
    exportedAt: context.now(),
    methodVersion: METHOD_VERSION,
    filters: filtersOf(sent),
  }
  const rowsToMend = Number(sent['limit']?.[0] ?? MEND_USUAL)
  return sendReport(context, { of: 'quality', query, rowsToMend, about, format: formatOf(sent, 'json') }, reply)
}

const filtersOf = (sent: Query): Query =>
  Object.fromEntries(Object.entries(sent).filter(([name]) => name !== 'format' && name !== 'limit'))
