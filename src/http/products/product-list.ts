// GET /api/products: product ids that were guessed or mapped, with what hangs on each of them, heaviest first.
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { rankCandidates } from '../../engine/matching/matcher.ts'
import type { ReferenceData } from '../../engine/reference/reference-data.ts'
import { EMISSION_UNIT, toKilograms } from '../../engine/numbers/emission.ts'
import { mapResumable } from '../../engine/numbers/steps.ts'
import type { ListProducts, ListedProduct as Listed, ProductCursor, ProductState } from '../../postgres/product-list.ts'
import { callerOf } from '../serving/authenticate.ts'
import { schemaRef } from '../requests/component.ts'
import { rawNumber } from '../requests/exact-json.ts'
import { runCooperatively } from '../serving/in-slices.ts'
import type { RouteDefinition } from '../serving/operation.ts'
import { PRODUCT_STATES, ListedProduct, printMapping } from './product-schema.ts'
import { listCursor, nextPage, oneOf, pageLimit, parseQuery, type Parameters, LINK } from '../requests/query.ts'

export interface ProductListContext {
  readonly listProducts: ListProducts
  readonly book: ReferenceData
}

const PATH = '/api/products'
const LIMIT_MAX = 100
const LIMIT_DEFAULT = 20
const CANDIDATES_MAX = 3

const EXAMPLE = {
  product_id: 'GRV_LAPTOP_7',
  state: 'unmatched',
  charged_by: ['type:laptop'],
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
  summary: 'Product ids that were guessed, heaviest first',
  description:
    'Product ids whose devices are charged by a guess: by a stand-in, or by a model that their words were taken for. ' +
    'With what is posted on their devices and the best three candidates; page by page through the header Link. ' +
    'One that you have mapped is listed with state=mapped alone, whatever its devices are charged by; one whose ' +
    'mapping has no effect any more, or was taken back, is listed beside the guesses.',
  tag: 'Products',
  scope: 'orders:read',
  query: listParameters(0),
  answer: {
    description: 'The product ids, those with the largest emission first.',
    schema: Type.Array(schemaRef(ListedProduct)),
    example: [EXAMPLE],
    headers: {
      'Dataset-Release': 'Release of the datasets that the candidates are of.',
      ...LINK,
    },
  },
  failures: ['invalid_request'],
  handle: (request, reply) => list(context, request, reply),
})

const listParameters = (accountId: number): Parameters => ({
  state: oneOf('Which to list; several with commas or repeated. Without it, all but mapped.', PRODUCT_STATES),
  limit: pageLimit('Product ids', LIMIT_MAX, LIMIT_DEFAULT),
  cursor: cursorOf(accountId).parameter,
})

/** Names the last product of a page. */
const cursorOf = (accountId: number) =>
  listCursor<ProductCursor>(
    ['products', accountId],
    ({ posted, productId }) => [String(posted), productId],
    (posted = '', productId) =>
      productId !== undefined && /^-?\d{1,18}$/.test(posted) ? { posted: BigInt(posted), productId } : null,
  )

const GUESSED = PRODUCT_STATES.filter((state) => state !== 'mapped')

async function list(context: ProductListContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { accountId } = callerOf(request)
  const query = parseQuery(request.query, listParameters(accountId))
  const cursor = cursorOf(accountId)
  const limit = Number(query['limit']?.[0] ?? LIMIT_DEFAULT)
  const found = await context.listProducts({
    accountId,
    states: (query['state'] ?? GUESSED) as readonly ProductState[],
    modelIds: [...context.book.models.keys()],
    after: query['cursor'] ? cursor.read(query['cursor'][0]!) : null,
    limit: limit + 1,
  })
  const page = found.slice(0, limit)
  const last = page.at(-1)
  if (found.length > limit && last) void reply.header('link', nextPage(PATH, query, cursor.write(last)))
  const printed = await runCooperatively(mapResumable(page, (product) => printProduct(product, context.book)))
  return reply.header('dataset-release', context.book.release).send(printed)
}

function printProduct(listed: Listed, book: ReferenceData) {
  const { productId, state, mapping, bases, orderCount, deviceCount, posted, words } = listed
  const candidates = rankCandidates({ ...words, productId }, book)
  return {
    product_id: productId,
    state,
    mapping: mapping ? printMapping({ productId, ...mapping }, book) : undefined,
    charged_by: bases,
    number_of_orders: orderCount,
    number_of_devices: deviceCount,
    posted_emission: rawNumber(toKilograms(posted)),
    emission_unit: EMISSION_UNIT,
    product_name: words.productName ?? undefined,
    brand: words.brand ?? undefined,
    device_type: words.deviceType ?? undefined,
    candidates: candidates.slice(0, CANDIDATES_MAX),
  }
}
