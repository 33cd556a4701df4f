// GET /api/products and /api/product-states: matched or mapped product ids with the emissions that depend on them.
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { rankCandidates } from '../../engine/matching/matcher.ts'
import { EMISSION_UNIT } from '../../engine/numbers/emission.ts'
import { mapResumable } from '../../engine/numbers/steps.ts'
import { unversionedId } from '../../engine/reference/own-figures.ts'
import type { ReferenceData } from '../../engine/reference/reference-data.ts'
import type {
  ListProducts,
  ListedProduct as Listed,
  ProductCursor,
  ProductState,
  SumProducts,
} from '../../postgres/product-list.ts'
import { LINK, listCursor, nextPage, oneOf, pageLimit, parseQuery, type Parameters } from '../parameters.ts'
import { callerOf } from '../plugins/authentication.ts'
import type { ReleaseFor } from '../../ledger/account-release.ts'
import { schemaRef } from '../../contract/named-schema.ts'
import { ListedProduct, PRODUCT_STATES, ProductTotals, printMapping } from '../schemas/product.ts'
import { runCooperatively } from '../../concurrency/cooperative.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { candidateView } from '../views/candidate.ts'
import { kilogramsView } from '../views/emission.ts'

export interface ProductListContext {
  readonly listProducts: ListProducts
  readonly releaseFor: ReleaseFor
}

const PATH = '/api/products'
const LIMIT_MAX = 100
const LIMIT_DEFAULT = 20
const CANDIDATES_MAX = 3

const EXAMPLE = {
  product_id: 'GRV_LAPTOP_7',
  state: 'unmatched',
  footprint_id: ['type:laptop'],
  number_of_orders: 17,
  number_of_devices: 12,
  posted_emission: 812.5,
  emission_unit: EMISSION_UNIT,
  product_name: 'Laptop 7th series',
  device_type: 'laptop',
  candidates: [],
}

export const productListOperation = (context: ProductListContext): RouteDefinition => ({
  id: 'listProducts',
  method: 'GET',
  path: PATH,
  summary: 'List guessed product ids',
  description:
    'Returns product ids whose devices have a guessed footprint: a fallback, or the model that their words were ' +
    'matched to. Each has the emissions posted to its devices and the best three candidates. Largest emissions ' +
    'first, paged through `Link`. Product ids that you have mapped are listed only with state=mapped, whatever ' +
    'footprint their devices have. Product ids whose mapping no longer has an effect, or was removed, are listed ' +
    'with the guessed ones.',
  tag: 'Products',
  scope: 'orders:read',
  query: listParameters(0),
  answer: {
    description: 'The product ids, largest emissions first.',
    schema: Type.Array(schemaRef(ListedProduct)),
    example: [EXAMPLE],
    headers: {
      'Dataset-Release': 'Release of the datasets that the candidates are from.',
      ...LINK,
    },
  },
  failures: ['invalid_request'],
  handle: (request, reply) => list(context, request, reply),
})

const listParameters = (accountId: number): Parameters => ({
  state: oneOf('States to list, comma-separated or repeated. Default: all except mapped.', PRODUCT_STATES),
  limit: pageLimit('product ids', LIMIT_MAX, LIMIT_DEFAULT),
  cursor: cursorOf(accountId).parameter,
})

/** A cursor identifies the last product of a page. */
const cursorOf = (accountId: number) =>
  listCursor<ProductCursor>(
    ['products', accountId],
    ({ posted, productId }) => [String(posted), productId],
    (posted = '', productId) =>
      productId !== undefined && /^-?\d{1,18}$/.test(posted) ? { posted: BigInt(posted), productId } : null,
  )

const GUESSED = PRODUCT_STATES.filter((state) => state !== 'mapped')

async function list(context: ProductListContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const caller = callerOf(request)
  const { accountId } = caller
  const { referenceData } = await context.releaseFor(caller)
  const query = parseQuery(request.query, listParameters(accountId))
  const cursor = cursorOf(accountId)
  const limit = Number(query['limit']?.[0] ?? LIMIT_DEFAULT)
  const found = await context.listProducts({
    accountId,
    states: (query['state'] ?? GUESSED) as readonly ProductState[],
    modelIds: modelIdsOf(referenceData),
    after: query['cursor'] ? cursor.read(query['cursor'][0]!) : null,
    limit: limit + 1,
  })
  const page = found.slice(0, limit)
  const last = page.at(-1)
  if (found.length > limit && last) void reply.header('link', nextPage(PATH, query, cursor.write(last)))
  const printed = await runCooperatively(mapResumable(page, (product) => printProduct(product, referenceData)))
  return reply.header('dataset-release', referenceData.release).send(printed)
}

/** As mappings name them: an own model without its version. */
const modelIdsOf = ({ models }: ReferenceData): readonly string[] => [...new Set([...models.keys()].map(unversionedId))]

function printProduct(listed: Listed, referenceData: ReferenceData) {
  const { productId, state, mapping, bases, orderCount, deviceCount, posted, words } = listed
  const candidates = rankCandidates({ ...words, productId }, referenceData)
  return {
    product_id: productId,
    state,
    mapping: mapping ? printMapping({ productId, ...mapping }, referenceData) : undefined,
    footprint_id: bases,
    number_of_orders: orderCount,
    number_of_devices: deviceCount,
    posted_emission: kilogramsView(posted),
    emission_unit: EMISSION_UNIT,
    product_name: words.productName ?? undefined,
    brand: words.brand ?? undefined,
    device_type: words.deviceType ?? undefined,
    candidates: candidates.slice(0, CANDIDATES_MAX).map((candidate) => candidateView(candidate, referenceData)),
  }
}

export interface ProductSumsContext {
  readonly sumProducts: SumProducts
  readonly releaseFor: ReleaseFor
}

export const productSumsOperation = ({ sumProducts, releaseFor }: ProductSumsContext): RouteDefinition => ({
  id: 'sumProducts',
  method: 'GET',
  path: '/api/product-states',
  summary: 'Sum product emissions by state',
  description: 'Sums the list of products by state. States without products are omitted.',
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
    const caller = callerOf(request)
    const { accountId } = caller
    const { referenceData } = await releaseFor(caller)
    const sums = await sumProducts({ accountId, modelIds: modelIdsOf(referenceData) })
    return reply.send(
      sums.map(({ state, productCount, posted }) => ({
        state,
        number_of_products: productCount,
        posted_emission: kilogramsView(posted),
        emission_unit: EMISSION_UNIT,
      })),
    )
  },
})
