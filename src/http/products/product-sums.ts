// GET /api/product-states: how much hangs on product ids that were guessed, and on those that were mapped.
import Type from 'typebox'
import type { ReferenceData } from '../../engine/reference/reference-data.ts'
import { EMISSION_UNIT, toKilograms } from '../../engine/numbers/emission.ts'
import type { SumProducts } from '../../postgres/product-list.ts'
import { callerOf } from '../serving/authenticate.ts'
import { schemaRef } from '../requests/component.ts'
import { rawNumber } from '../requests/exact-json.ts'
import type { RouteDefinition } from '../serving/operation.ts'
import { ProductTotals } from './product-schema.ts'
import { parseQuery } from '../requests/query.ts'

export interface ProductSumsContext {
  readonly sumProducts: SumProducts
  readonly book: ReferenceData
}

export const productSumsOperation = ({ sumProducts, book }: ProductSumsContext): RouteDefinition => ({
  id: 'sumProducts',
  method: 'GET',
  path: '/api/product-states',
  summary: 'How much hangs on what was guessed, and on what was mapped',
  description: 'The list of products added up by state, each state that there is once.',
  tag: 'Products',
  scope: 'orders:read',
  query: {},
  answer: {
    description: 'The sums, by state.',
    schema: Type.Array(schemaRef(ProductTotals)),
    example: [{ state: 'unmatched', number_of_products: 3, posted_emission: 812.5, emission_unit: EMISSION_UNIT }],
  },
  failures: ['invalid_request'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const { accountId } = callerOf(request)
    const sums = await sumProducts({ accountId, modelIds: [...book.models.keys()] })
    return reply.send(
      sums.map(({ state, productCount, posted }) => ({
        state,
        number_of_products: productCount,
        posted_emission: rawNumber(toKilograms(posted)),
        emission_unit: EMISSION_UNIT,
      })),
    )
  },
})
