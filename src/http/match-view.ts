// GET /api/match: what a product's words would be taken for, with every candidate and the reasons; nothing is stored.
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { candidatesFor, printCandidate } from '../engine/candidates.ts'
import { DEVICE_TYPES, type DeviceType, type FactorBook } from '../engine/factor-book.ts'
import { NO_MAPPINGS, findProduct, isExact } from '../engine/find-product.ts'
import { ONE } from '../engine/ratio.ts'
import { MatchCandidate } from './candidates.ts'
import { component, ref } from './component.ts'
import { JSON_TYPE } from './exact-json.ts'
import { invalid } from './failure.ts'
import type { Operation } from './operation.ts'
import { oneOf, readQuery, type Parameter } from './query.ts'

export const MatchResult = component(
  'MatchResult',
  Type.Object(
    {
      resolved_to: Type.String({
        description: 'The device model, or what stands in for it.',
        examples: ['apple-macbook-air-13-m3-256gb', 'type:laptop'],
      }),
      found_by: Type.String({
        description:
          'product_id, alias, name, variant (another variant of the model is published), or the level of what ' +
          'stands in, like type or weight.',
        examples: ['name'],
      }),
      candidates: Type.Array(ref(MatchCandidate), { description: 'What the words may mean, best first.' }),
    },
    { description: 'What words are taken for where the account has no mapping of its own.' },
  ),
)

const TEXT_LENGTH_MAX = 200

const words = (description: string): Parameter => ({
  description,
  schema: { type: 'string', minLength: 1, maxLength: TEXT_LENGTH_MAX },
  check: (value) =>
    /^[^\u0000-\u001f\u007f-\u009f]+$/.test(value) && [...value].length <= TEXT_LENGTH_MAX
      ? null
      : `Must be 1 to ${TEXT_LENGTH_MAX} characters, none of them a control character`,
})

const PARAMETERS = {
  product_name: words('Name of the product as people read it.'),
  brand: words('Brand of the product.'),
  device_type: { ...oneOf('Type of the device.', DEVICE_TYPES), isList: false, schema: { enum: [...DEVICE_TYPES] } },
  product_id: words('Your own product identifier.'),
}

const EXAMPLE_WORDS = { productName: 'MacBook Air 13 M3 256 GB', brand: null, deviceType: null, productId: null }

export const matchOperation = (book: FactorBook): Operation => ({
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
    schema: ref(MatchResult),
    example: judge(EXAMPLE_WORDS, book),
    headers: { 'Dataset-Release': 'Release of the datasets.' },
  },
  failures: ['invalid_request'],
  handle: (request, reply) => match(book, request, reply),
})

function match(book: FactorBook, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const query = readQuery(request.query, PARAMETERS)
  const [productName = null] = query['product_name'] ?? []
  const [productId = null] = query['product_id'] ?? []
  if (productName === null && productId === null) {
    throw invalid([{ path: '?product_name', message: 'Is missing: product_name or product_id must be there' }])
  }
  const [brand = null] = query['brand'] ?? []
  const deviceType = (query['device_type']?.[0] ?? null) as DeviceType | null
  return reply
    .header('dataset-release', book.release)
    .type(JSON_TYPE)
    .send(JSON.stringify(judge({ productName, brand, deviceType, productId }, book)))
}

interface Words {
  readonly productName: string | null
  readonly brand: string | null
  readonly deviceType: DeviceType | null
  readonly productId: string | null
}

/** As an order is judged, but of a product of which only the words are known. */
function judge(asked: Words, book: FactorBook) {
  const product = { ...asked, ...NOBODYS, productId: asked.productId ?? '' }
  const { basis, found } = findProduct(product, book, NO_MAPPINGS)
  const reasons = [found === 'alias' ? 'bears the product id as its alias, alone' : 'bears the product id']
  return {
    resolved_to: basis,
    found_by: found,
    candidates: isExact(found) ? [printCandidate({ id: basis, score: 1, reasons }, book)] : candidatesFor(asked, book),
  }
}

const NOBODYS = {
  type: 'product',
  serialNumber: '',
  tenureMonths: 0,
  weightKg: ONE,
  modelId: null,
  country: null,
} as const
