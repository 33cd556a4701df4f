// /api/products: what the account says that its own product ids are, one at a time or many.
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { ReferenceData } from '../../engine/reference/reference-data.ts'
import { normaliseProductId } from '../../engine/reference/product-match.ts'
import type { Mappings, StoredMapping } from '../../postgres/product-mappings.ts'
import type { ListProducts, SumProducts } from '../../postgres/product-list.ts'
import { callerOf } from '../serving/authenticate.ts'
import { schemaRef, type NamedSchema } from '../requests/component.ts'
import { ApiError, invalidRequest, lowerFirst } from '../requests/failure.ts'
import type { RouteDefinition } from '../serving/operation.ts'
import { productListOperation } from './product-list.ts'
import { productSumsOperation } from './product-sums.ts'
import { MappingParams, ProductMapping, ProductMappings, printMapping } from './product-schema.ts'
import { parseQuery } from '../requests/query.ts'
import { validateProductId, parseMapping, parseMappings, type ParsedMappings } from './read-mapping.ts'
import { setIgnoredHeader, IGNORED_HEADER } from '../requests/request-manners.ts'
import type { Validate } from '../requests/validate.ts'

export interface ProductsContext {
  readonly mappings: Mappings
  readonly mappingsPerAccountMax: number
  readonly listProducts: ListProducts
  readonly sumProducts: SumProducts
  readonly book: ReferenceData
  readonly validatorOf: (schema: NamedSchema) => Validate
}

const PATH = '/api/products'
const ONE = `${PATH}/{product_id}`

const MODEL_ID = 'apple-macbook-air-13-m3-256gb'
const EXAMPLE = {
  product_id: 'P-000123',
  model_id: MODEL_ID,
  is_in_catalogue: true,
  mapped_at: '2025-01-31T10:00:00.000Z',
}

const ID = { product_id: { description: 'Your own product identifier.', example: 'P-000123' } }

export function productOperations(context: ProductsContext): readonly RouteDefinition[] {
  return [
    productListOperation(context),
    productSumsOperation(context),
    putManyOperation(context, context.validatorOf(ProductMappings)),
    putOperation(context, context.validatorOf(MappingParams)),
    getOperation(context),
    deleteOperation(context),
  ]
}

const putOperation = (context: ProductsContext, validate: Validate): RouteDefinition => ({
  id: 'putProductMapping',
  method: 'PUT',
  path: ONE,
  summary: 'Say what a product id is',
  description: 'It wins over every guess from the next order on. What is already posted stays as it is.',
  tag: 'Products',
  scope: 'orders:write',
  pathParameters: ID,
  query: {},
  body: { schema: MappingParams, example: { model_id: MODEL_ID } },
  answer: { description: 'The mapping.', schema: schemaRef(ProductMapping), example: EXAMPLE, headers: IGNORED_HEADER },
  failures: ['invalid_request', 'too_large', 'unsupported_media_type'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const read = parseMapping(storableId(request), request.body, validate, context.book)
    const [mapping] = await put(context, request, reply, read)
    return reply.send(printMapping(mapping!, context.book))
  },
})

const putManyOperation = (context: ProductsContext, validate: Validate): RouteDefinition => ({
  id: 'putProductMappings',
  method: 'PUT',
  path: PATH,
  summary: 'Say what many product ids are',
  description: 'Up to 1000 at a time, all or none of them. Mappings that are not named stay as they are.',
  tag: 'Products',
  scope: 'orders:write',
  query: {},
  body: { schema: ProductMappings, example: [{ product_id: 'P-000123', model_id: MODEL_ID }] },
  answer: {
    description: 'The mappings, in the sequence in which they were sent.',
    schema: Type.Array(schemaRef(ProductMapping)),
    example: [EXAMPLE],
    headers: IGNORED_HEADER,
  },
  failures: ['invalid_request', 'too_large', 'unsupported_media_type'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const mappings = await put(context, request, reply, parseMappings(request.body, validate, context.book))
    return reply.send(mappings.map((mapping) => printMapping(mapping, context.book)))
  },
})

async function put(
  { mappings, mappingsPerAccountMax }: ProductsContext,
  request: FastifyRequest,
  reply: FastifyReply,
  read: ParsedMappings,
): Promise<readonly StoredMapping[]> {
  if (!read.ok) throw invalidRequest(read.problems)
  setIgnoredHeader(reply, read.ignored)
  if (read.mappings.length === 0) return []
  const stored = await mappings.put(callerOf(request).accountId, read.mappings)
  if (stored.ok) return stored.stored
  const message =
    `An account maps at most ${mappingsPerAccountMax} product ids; it maps ${stored.holding} now, and ` +
    `${stored.added} would come on top. Take back those that you no longer need`
  throw invalidRequest([{ path: '', message }])
}

const getOperation = (context: ProductsContext): RouteDefinition => ({
  id: 'getProductMapping',
  method: 'GET',
  path: ONE,
  summary: 'What you said that a product id is',
  description: 'Not found where you said nothing; GET /api/match shows what its words are taken for.',
  tag: 'Products',
  scope: 'orders:read',
  pathParameters: ID,
  query: {},
  answer: { description: 'The mapping.', schema: schemaRef(ProductMapping), example: EXAMPLE },
  failures: ['invalid_request', 'not_found'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const productId = storableId(request)
    return answer(context, reply, productId, await context.mappings.find(callerOf(request).accountId, productId))
  },
})

const deleteOperation = (context: ProductsContext): RouteDefinition => ({
  id: 'deleteProductMapping',
  method: 'DELETE',
  path: ONE,
  summary: 'Take a mapping back',
  description: 'From the next order on the product id is matched as any other. What is already posted stays as it is.',
  tag: 'Products',
  scope: 'orders:write',
  pathParameters: ID,
  query: {},
  answer: { description: 'The mapping that was taken back.', schema: schemaRef(ProductMapping), example: EXAMPLE },
  failures: ['invalid_request', 'not_found'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const productId = storableId(request)
    return answer(context, reply, productId, await context.mappings.remove(callerOf(request).accountId, productId))
  },
})

function answer(
  { book }: ProductsContext,
  reply: FastifyReply,
  productId: string,
  mapping: StoredMapping | null,
): FastifyReply {
  if (mapping) return reply.send(printMapping(mapping, book))
  throw new ApiError('not_found', `There is no mapping of the product id "${productId.slice(0, 80)}"`)
}

/** @throws Failure for a product id that cannot be mapped */
function storableId(request: FastifyRequest): string {
  const { product_id: sent } = request.params as { readonly product_id: string }
  const fault = validateProductId(sent)
  if (fault === null) return normaliseProductId(sent)
  throw invalidRequest([{ path: '', message: `The product id in the path ${lowerFirst(fault)}` }])
}
