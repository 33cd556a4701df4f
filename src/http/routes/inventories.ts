// GET /api/reports/inventories: the inventories of a year of customers and rental company, in each of the four cases.
import { schemaRef } from '../../contract/named-schema.ts'
import { METHOD_VERSION } from '../../engine/explanation/calculation.ts'
import { EMISSION_UNIT } from '../../engine/numbers/emission.ts'
import { calendarYear, parseQuery } from '../parameters.ts'
import { callerOf } from '../plugins/authentication.ts'
import { abortOnDisconnect } from '../plugins/client-abort.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { Inventories } from '../schemas/inventories.ts'
import { sendStreamedResponse } from '../streamed-response.ts'
import type { ReportsContext } from './reports.ts'

const PARAMETERS = { year: calendarYear('The calendar year. Default: the current one.') }

const inventory = (total: number, lines: readonly object[]) => ({ total_emission: total, uncertainty: null, lines })

const line = (part: string, scope: string, category: string, counting: string, emission: number) => ({
  part,
  ghg_scope: scope,
  ghg_category: category,
  counting,
  reason: 'The customer buys a rental service, of which the share of the device is a part',
  reason_message: { code: 'reason_share_of_device' },
  total_emission: emission,
  uncertainty: null,
})

const EXAMPLE = {
  year: 2025,
  emission_unit: EMISSION_UNIT,
  posted: {
    ...{ product_embodied_emission: 27.3375, product_use: 6.4125, packaging: 0, transportation: 0 },
    total_emission: 33.75,
  },
  cases: [
    {
      consolidation_approach: 'operational',
      lease_type: 'operating',
      lessees: inventory(33.75, [
        line('product_embodied_emission', '3', 'Category 1: Purchased goods and services', 'posted', 27.3375),
        line('product_use', '2', 'Electricity', 'posted', 6.4125),
      ]),
      lessor: inventory(115.7625, [
        line('product_embodied_emission', '3', 'Category 2: Capital goods', 'whole', 109.35),
        line('product_use', '3', 'Category 13: Downstream leased assets', 'posted', 6.4125),
      ]),
      counted_once: { lessees: 33.75, lessor: 0, total_emission: 33.75 },
    },
  ],
  dataset_releases: ['2026.12.9'],
  method_version: METHOD_VERSION,
  generated_at: '2026-01-15T09:00:00.000Z',
}

export const inventoriesOperation = (context: Pick<ReportsContext, 'askReport' | 'now'>): RouteDefinition => ({
  id: 'reportInventories',
  method: 'GET',
  path: '/api/reports/inventories',
  summary: 'Report the inventories of customers and rental company',
  description:
    'Returns what all customers together and the rental company report for a year, under each consolidation approach ' +
    'and lease type, from one state of the ledger. Emissions count in the months of the rentals, as in statements. ' +
    'Most of both inventories is the same emission, so that their totals must not be added up; `counted_once` says ' +
    'how posted emissions add up over both sides.',
  tag: 'Reports',
  scope: 'orders:read',
  query: PARAMETERS,
  answer: { description: 'The inventories.', schema: schemaRef(Inventories), example: EXAMPLE },
  failures: ['invalid_request'],
  handle: async (request, reply) => {
    const { accountId } = callerOf(request)
    const sent = parseQuery(request.query, PARAMETERS)
    const now = context.now()
    const query = { accountId, year: Number(sent['year']?.[0] ?? now.getUTCFullYear()) }
    const asked = await context.askReport({ of: 'inventories', query, at: now }, abortOnDisconnect(reply.raw))
    return sendStreamedResponse(asked, reply)
  },
})
