// GET /api/match: what a product's words would be taken for, with every candidate and the reasons; nothing is stored.
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { rankCandidates, printCandidate } from '../../engine/matching/matcher.ts'
import { DEVICE_TYPES, type DeviceType, type ReferenceData } from '../../engine/reference/reference-data.ts'
import { NO_MAPPINGS, matchProduct, isExactMatch } from '../../engine/reference/product-match.ts'
import { ONE, parseDecimal, type Rational } from '../../engine/numbers/rational.ts'
import { namedSchema, schemaRef } from '../requests/component.ts'
import { invalidRequest } from '../requests/failure.ts'
import type { RouteDefinition } from '../serving/operation.ts'
import { WEIGHT_KG_MAX } from '../wire/order-schema.ts'
import { MatchCandidate } from './product-schema.ts'
import { oneOf, parseQuery, repeatedText, type Parameter } from '../requests/query.ts'

export const MatchResponse = namedSchema(
  'MatchResult',
  Type.Object(
    {
      resolved_to: Type.String({
        description:
          'The device model, or what stands in for it; without weight_kg, what stands in is named without the ' +
          'figures that hang on the weight.',
        examples: ['apple-macbook-air-13-m3-256gb', 'type:laptop'],
      }),
      found_by: Type.String({
        description:
          'product_id, alias, name, variant (another variant of the model is published), or the level of what ' +
          'stands in, like type or weight.',
        examples: ['name'],
      }),
      note: Type.Optional(Type.String({ description: 'What was not asked, and decides as well.' })),
      candidates: Type.Array(schemaRef(MatchCandidate), { description: 'What the words may mean, best first.' }),
    },
    { description: 'What words are taken for where the account has no mapping of its own.' },
  ),
)

const WEIGHT: Parameter = {
  description: 'Weight of the product in kilograms; what stands in for a model may depend on it.',
  schema: { type: 'number', exclusiveMinimum: 0, maximum: WEIGHT_KG_MAX },
  check: (value) =>
    /^\d{1,5}(\.\d{1,12})?$/.test(value) && Number(value) > 0 && Number(value) <= WEIGHT_KG_MAX
      ? null
      : `Must be a number greater than 0 and at most ${WEIGHT_KG_MAX}; it is "${value.slice(0, 40)}"`,
}

const PARAMETERS = {
  product_name: repeatedText('Name of the product as people read it.'),
  brand: repeatedText('Brand of the product.'),
  device_type: { ...oneOf('Type of the device.', DEVICE_TYPES), isList: false, schema: { enum: [...DEVICE_TYPES] } },
  product_id: repeatedText('Your own product identifier.'),
  weight_kg: WEIGHT,
}

const EXAMPLE_WORDS = {
  productName: 'MacBook Air 13 M3 256 GB',
  brand: null,
  deviceType: null,
  productId: null,
  weightKg: null,
}

export const matchOperation = (book: ReferenceData): RouteDefinition => ({
  id: 'matchProduct',
  method: 'GET',
  path: '/api/match',
  summary: 'What a product’s words are taken for',
  description:
    'The model that an order with these words would be charged by, and the candidates with their scores. Asks for ' +
    'product_name or product_id. The account’s own mappings are not looked at, and nothing is stored.',
  tag: 'Products',
  scope: 'catalogue:read',
  query: PARAMETERS,
  answer: {
    description: 'What the words are taken for.',
    schema: schemaRef(MatchResponse),
    example: judge(EXAMPLE_WORDS, book),
    headers: { 'Dataset-Release': 'Release of the datasets.' },
  },
  failures: ['invalid_request'],
  handle: (request, reply) => match(book, request, reply),
})

function match(book: ReferenceData, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const query = parseQuery(request.query, PARAMETERS)
  const [productName = null] = query['product_name'] ?? []
  const [productId = null] = query['product_id'] ?? []
  if (productName === null && productId === null) {
    throw invalidRequest([{ path: '?product_name', message: 'Is missing: product_name or product_id must be there' }])
  }
  const [brand = null] = query['brand'] ?? []
  const deviceType = (query['device_type']?.[0] ?? null) as DeviceType | null
  const weightKg = query['weight_kg'] ? parseDecimal(query['weight_kg'][0]!) : null
  return reply
    .header('dataset-release', book.release)
    .send(judge({ productName, brand, deviceType, productId, weightKg }, book))
}

interface Words {
  readonly productName: string | null
  readonly brand: string | null
  readonly deviceType: DeviceType | null
  readonly productId: string | null
  readonly weightKg: Rational | null
}

/** As an order is judged, but of a product of which only the words are known. */
function judge(asked: Words, book: ReferenceData) {
  const product = { ...asked, ...NOBODYS, productId: asked.productId ?? '', weightKg: asked.weightKg ?? ONE }
  const { basis, found } = matchProduct(product, book, NO_MAPPINGS)
  const reasons = [found === 'alias' ? 'bears the product id as its alias, alone' : 'bears the product id']
  const isUnweighed = asked.weightKg === null && !book.models.has(basis)
  return {
    resolved_to: isUnweighed ? basis.split('@', 1)[0]! : basis,
    found_by: found,
    ...(isUnweighed && { note: UNWEIGHED }),
    candidates: isExactMatch(found)
      ? [printCandidate({ id: basis, score: 1, reasons }, book)]
      : rankCandidates(asked, book),
  }
}

/** Of several stand-ins one may hold for light devices alone, and then heavier ones are charged by another. */
const UNWEIGHED = 'What stands in for a model may depend on the weight: send weight_kg for what an order is charged by.'

const NOBODYS = { type: 'product', serialNumber: '', tenureMonths: 0, modelId: null, country: null } as const
