// GET /api/data-sources/{customer_id}/{year}: what data the emissions of a customer's statement were computed from.
import { schemaRef } from '../../contract/named-schema.ts'
import { DEFAULT_BOUNDARY } from '../../engine/inventory-boundary.ts'
import { EMISSION_UNIT } from '../../engine/numbers/emission.ts'
import { KNOWN_AT_PARAMETER, parseQuery, parseTime } from '../parameters.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { DataSources } from '../schemas/inventories.ts'
import { dataSourcesView } from '../views/inventories.ts'
import type { ImpactContext } from './impact.ts'
import { STATEMENT_PATH_PARAMETERS, statementOf, statementQueryOf } from './statements.ts'

const QUERY = { known_at: KNOWN_AT_PARAMETER }

const WHOLE = { emission: 27.3375, share_percent: 100 }
const VALUES = { specificity: 'specific', verification: 'not_stated', year: 2024, licence: 'cited as a source' }

const EXAMPLE = {
  customer_id: 'customer-17',
  year: 2025,
  is_preliminary: false,
  emission_unit: EMISSION_UNIT,
  total_emission: 27.3375,
  emissions: [
    {
      part: 'product_embodied_emission',
      match_level: 'model',
      ...VALUES,
      sources: [
        {
          title: 'Product Environmental Report, 13-inch MacBook Air with M3',
          publisher: 'Apple',
          year: 2024,
          url: 'https://www.apple.com/environment/',
          licence: 'cited as a source',
        },
      ],
      ...WHOLE,
    },
  ],
  by_specificity: [{ specificity: VALUES.specificity, ...WHOLE }],
  by_verification: [{ verification: VALUES.verification, ...WHOLE }],
  by_year: [{ year: VALUES.year, ...WHOLE }],
  by_licence: [{ licence: VALUES.licence, ...WHOLE }],
}

export const dataSourcesOperation = (context: ImpactContext): RouteDefinition => ({
  id: 'getDataSources',
  method: 'GET',
  path: '/api/data-sources/{customer_id}/{year}',
  summary: 'Get what data the emissions of a customer were computed from',
  description:
    'Splits the emission of a statement by the data that it was computed from: of the product itself or not, ' +
    'verified by a third party or not, year and licence of the source. Each split adds up to the total, and its ' +
    'shares to 100 %.',
  tag: 'Reports',
  scope: 'orders:read',
  pathParameters: STATEMENT_PATH_PARAMETERS,
  query: QUERY,
  answer: { description: 'The split.', schema: schemaRef(DataSources), example: EXAMPLE },
  failures: ['invalid_request', 'not_found', 'conflict', 'too_large'],
  handle: async (request, reply) => {
    const query = parseQuery(request.query, QUERY)
    const wanted = await statementQueryOf(context, request, parseTime(query['known_at']))
    // Neither the name of the account nor the boundary is in the answer.
    const approach = DEFAULT_BOUNDARY.consolidationApproach
    const { content } = await statementOf(context, { ...wanted, account: '', approach })
    return reply.send(dataSourcesView(content))
  },
})
