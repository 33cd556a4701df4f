// /api/products and /api/match: an account's mappings of its product ids, and the match of a product text.
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { MATCH_MESSAGES } from '../../engine/matching/messages.ts'
import { rankCandidates } from '../../engine/matching/matcher.ts'
import { ONE, parseDecimal, type Rational } from '../../engine/numbers/rational.ts'
import type { Problem } from '../../engine/order.ts'
import { unversionedId } from '../../engine/reference/own-figures.ts'
import {
  NO_MAPPINGS,
  isExactMatch,
  matchProduct,
  modelIdByAlias,
  normaliseProductId,
  type Mapping,
} from '../../engine/reference/product-match.ts'
import { DEVICE_TYPES, type DeviceType, type ReferenceData } from '../../engine/reference/reference-data.ts'
import { PROBLEMS_MAX, unknownModel } from '../../engine/validate-order.ts'
import type { ListProducts, SumProducts } from '../../postgres/product-list.ts'
import type { Mappings, NewMapping, StoredMapping } from '../../postgres/product-mappings.ts'
import type { ReleaseFor } from '../../ledger/account-release.ts'
import { ApiError, invalidRequest } from '../../contract/errors.ts'
import { IGNORED_HEADER, oneOf, parseQuery, repeatedText, setIgnoredHeader, type Parameter } from '../parameters.ts'
import { callerOf } from '../plugins/authentication.ts'
import { misnamedMember, type Validate } from '../../contract/validation.ts'
import { unknownMembers } from '../../contract/parse-order.ts'
import { schemaRef, type NamedSchema } from '../../contract/named-schema.ts'
import { WEIGHT_KG_MAX } from '../../contract/order-schema.ts'
import {
  MappingParams,
  MatchResponse,
  PRODUCT_ID_MAX,
  ProductMapping,
  ProductMappingParams,
  ProductMappings,
  printMapping,
  type WireMapping,
  type WireTarget,
} from '../schemas/product.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { productListOperation, productSumsOperation } from './product-list.ts'
import { EXPECTED, missingValue, wrongParameter } from '../../contract/messages.ts'
import { type Message, inSentence } from '../../engine/message.ts'
import { ORDER_MESSAGES } from '../../engine/messages.ts'
import { PARAMETER_MESSAGES, ROUTE_MESSAGES } from '../messages.ts'
import { candidateView } from '../views/candidate.ts'
import { typeEvidenceView } from '../views/type-evidence.ts'
import { referenceView } from '../views/message.ts'

const WEIGHT: Parameter = {
  description: 'Weight of the product in kilograms. The fallback for a model may depend on it.',
  schema: { type: 'number', exclusiveMinimum: 0, maximum: WEIGHT_KG_MAX },
  check: (value) =>
    /^\d{1,5}(\.\d{1,12})?$/.test(value) && Number(value) > 0 && Number(value) <= WEIGHT_KG_MAX
      ? null
      : wrongParameter(EXPECTED.expected_number_above({ min: 0, max: WEIGHT_KG_MAX }), value),
}

const PARAMETERS = {
  product_name: repeatedText('Display name of the product.'),
  brand: repeatedText('Brand of the product.'),
  device_type: { ...oneOf('Type of the device.', DEVICE_TYPES), isList: false, schema: { enum: [...DEVICE_TYPES] } },
  product_id: repeatedText('Your own product identifier.'),
  weight_kg: WEIGHT,
}

export interface MatchContext {
  /** For the example. */
  readonly referenceData: ReferenceData
  readonly releaseFor: ReleaseFor
}

const EXAMPLE_WORDS = {
  productName: 'MacBook Air 13 M3 256 GB',
  brand: null,
  deviceType: null,
  productId: null,
  weightKg: null,
}

export const matchOperation = ({ referenceData, releaseFor }: MatchContext): RouteDefinition => ({
  id: 'matchProduct',
  method: 'GET',
  path: '/api/match',
  summary: 'Match the words of a product',
  description:
    'Returns the model or fallback whose footprint an order with these words would get, and the candidates with ' +
    'their scores. product_name or product_id is required. Mappings of the account are not considered. Nothing is ' +
    'stored.',
  tag: 'Products',
  scope: 'catalogue:read',
  query: PARAMETERS,
  answer: {
    description: 'What the words are matched to.',
    schema: schemaRef(MatchResponse),
    example: judge(EXAMPLE_WORDS, referenceData),
    headers: { 'Dataset-Release': 'Release of the datasets.' },
  },
  failures: ['invalid_request'],
  handle: async (request, reply) => match((await releaseFor(callerOf(request))).referenceData, request, reply),
})

function match(referenceData: ReferenceData, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const query = parseQuery(request.query, PARAMETERS)
  const [productName = null] = query['product_name'] ?? []
  const [productId = null] = query['product_id'] ?? []
  if (productName === null && productId === null) {
    throw invalidRequest([{ path: '?product_name', ...PARAMETER_MESSAGES.name_or_id_missing() }])
  }
  const [brand = null] = query['brand'] ?? []
  const deviceType = (query['device_type']?.[0] ?? null) as DeviceType | null
  const weightKg = query['weight_kg'] ? parseDecimal(query['weight_kg'][0]!) : null
  return reply
    .header('dataset-release', referenceData.release)
    .send(judge({ productName, brand, deviceType, productId, weightKg }, referenceData))
}

interface Words {
  readonly productName: string | null
  readonly brand: string | null
  readonly deviceType: DeviceType | null
  readonly productId: string | null
  readonly weightKg: Rational | null
}

/** Matches as for an order, but for a product of which only the words are known. */
function judge(asked: Words, referenceData: ReferenceData) {
  const product = { ...asked, ...NOBODYS, productId: asked.productId ?? '', weightKg: asked.weightKg ?? ONE }
  const { footprintId, matchMethod } = matchProduct(product, referenceData, NO_MAPPINGS)
  const reasons = [matchMethod === 'alias' ? MATCH_MESSAGES.match_alias() : MATCH_MESSAGES.match_product_id()]
  const note = MATCH_MESSAGES.match_without_weight()
  const isUnweighed = asked.weightKg === null && !referenceData.models.has(footprintId)
  return {
    resolved_to: isUnweighed ? footprintId.split('@', 1)[0]! : footprintId,
    match_method: matchMethod,
    ...(asked.deviceType === null && typeEvidenceView(product, footprintId, referenceData)),
    // One of several fallbacks may apply to light devices only; heavier devices then get another fallback.
    ...(isUnweighed && { note: note.message, note_message: referenceView(note) }),
    candidates: (isExactMatch(matchMethod)
      ? [{ id: footprintId, score: 1, reasons }]
      : rankCandidates(asked, referenceData)
    ).map((candidate) => candidateView(candidate, referenceData)),
  }
}

const NOBODYS = { type: 'product', serialNumber: '', tenureMonths: 0, modelId: null, country: null } as const

export type ParsedMappings =
  | { readonly ok: true; readonly mappings: readonly NewMapping[]; readonly ignored: readonly string[] }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** Parses one mapping. @param productId the id from the path, in the form in which product ids are compared */
function parseMapping(
  productId: string,
  body: unknown,
  validate: Validate,
  referenceData: ReferenceData,
): ParsedMappings {
  const { problems: shape } = validate(body)
  if (shape.length > 0) return { ok: false, problems: shape }
  const wire = body as WireTarget & { readonly product_id?: unknown }
  const read = readTarget(wire, '', MAPPING_MEMBERS, referenceData)
  const problems = [...otherProblems(productId, wire.product_id), ...(read.ok ? [] : read.problems)]
  if (!read.ok || problems.length > 0) return { ok: false, problems }
  const ignored = unknownMembers(wire, [...MAPPING_MEMBERS, 'product_id']).map((name) => `/${name}`)
  return { ok: true, mappings: [{ productId, target: read.target }], ignored }
}

const MAPPING_MEMBERS = Object.keys(MappingParams.properties)
const PRODUCT_MAPPING_MEMBERS = Object.keys(ProductMappingParams.properties)

/** A product id in the body must be that of the path, since one of two different ids is a mistake. */
function otherProblems(productId: string, sent: unknown): readonly Problem[] {
  if (sent === undefined || (typeof sent === 'string' && normaliseProductId(sent) === productId)) return []
  const differs = ROUTE_MESSAGES.product_id_differs({ sent: JSON.stringify(sent).slice(0, 80), product_id: productId })
  return [{ path: '/product_id', ...differs }]
}

/** Parses many mappings. If one is invalid, all are rejected. */
function parseMappings(body: unknown, validate: Validate, referenceData: ReferenceData): ParsedMappings {
  const shape = validate(body)
  if (!Array.isArray(body) || shape.faulty.has('')) return { ok: false, problems: shape.problems }
  const faulty = new Set([...shape.faulty].map((path) => path.split('/')[1]))
  const sound = [...(body as readonly WireMapping[]).entries()].filter(([at]) => !faulty.has(String(at)))
  const problems = [...shape.problems]
  const mappings: NewMapping[] = []
  const positions = new Map<string, number>()
  for (const [at, wire] of sound) {
    if (problems.length >= PROBLEMS_MAX) break
    const productId = normaliseProductId(wire.product_id)
    const read = readTarget(wire, `/${at}`, PRODUCT_MAPPING_MEMBERS, referenceData)
    problems.push(...(read.ok ? [] : read.problems), ...idProblems(wire.product_id, at, positions))
    if (read.ok) mappings.push({ productId, target: read.target })
  }
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, PROBLEMS_MAX) }
  const ignored = sound.flatMap(([at, wire]) =>
    unknownMembers(wire, PRODUCT_MAPPING_MEMBERS).map((name) => `/${at}/${name}`),
  )
  return { ok: true, mappings, ignored }
}

/** Why a product id cannot be mapped, or null where it can. The same for ids in a path and in a body. */
function validateProductId(sent: string): Message | null {
  const key = normaliseProductId(sent)
  if (key === '') return ORDER_MESSAGES.blank()
  if (/^\.\.?$/.test(key)) return ROUTE_MESSAGES.product_id_dots({ product_id: key })
  return [...key].length <= PRODUCT_ID_MAX && !/[\u0000-\u001f\u007f-\u009f]/.test(sent)
    ? null
    : ROUTE_MESSAGES.product_id_length({ max: PRODUCT_ID_MAX })
}

function idProblems(sent: string, at: number, positions: Map<string, number>): readonly Problem[] {
  const path = `/${at}/product_id`
  const fault = validateProductId(sent)
  if (fault !== null) return [{ path, ...fault }]
  const productId = normaliseProductId(sent)
  const first = positions.get(productId)
  if (first === undefined) positions.set(productId, at)
  return first === undefined ? [] : [{ path, ...ROUTE_MESSAGES.product_id_repeated({ position: first }) }]
}

type ReadTarget =
  | { readonly ok: true; readonly target: Mapping }
  | { readonly ok: false; readonly problems: readonly Problem[] }

function readTarget(wire: WireTarget, path: string, members: readonly string[], reference: ReferenceData): ReadTarget {
  const { model_id: text, device_type: deviceType } = wire
  if (text !== undefined && deviceType !== undefined) {
    return { ok: false, problems: [{ path: `${path}/device_type`, ...ROUTE_MESSAGES.mapping_of_two() }] }
  }
  if (deviceType !== undefined) return { ok: true, target: { modelId: null, deviceType } }
  if (text === undefined) {
    const instead = misnamedMember('model_id', wire, members) ?? misnamedMember('device_type', wire, members)
    const missing = missingValue(ROUTE_MESSAGES.expected_model(), instead)
    return { ok: false, problems: [{ path: `${path}/model_id`, ...missing }] }
  }
  const modelId = modelIdByAlias(text, reference)
  if (modelId !== null) return { ok: true, target: { modelId: unversionedId(modelId), deviceType: null } }
  return { ok: false, problems: [unknownModel(text, `${path}/model_id`, reference)] }
}

export interface ProductsContext {
  readonly mappings: Mappings
  readonly mappingsPerAccountMax: number
  readonly listProducts: ListProducts
  readonly sumProducts: SumProducts
  readonly releaseFor: ReleaseFor
  readonly validatorOf: (schema: NamedSchema) => Validate
}

const PATH = '/api/products'
const PRODUCT_PATH = `${PATH}/{product_id}`

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
  path: PRODUCT_PATH,
  summary: 'Map a product id',
  description:
    'The mapping takes precedence over every guess from the next order on. Entries already posted do not change.',
  tag: 'Products',
  scope: 'orders:write',
  pathParameters: ID,
  query: {},
  body: { schema: MappingParams, example: { model_id: MODEL_ID } },
  answer: { description: 'The mapping.', schema: schemaRef(ProductMapping), example: EXAMPLE, headers: IGNORED_HEADER },
  failures: ['invalid_request', 'too_large', 'unsupported_media_type'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const { referenceData } = await context.releaseFor(callerOf(request))
    const read = parseMapping(storableId(request), request.body, validate, referenceData)
    const [mapping] = await put(context, request, reply, read)
    return reply.send(printMapping(mapping!, referenceData))
  },
})

const putManyOperation = (context: ProductsContext, validate: Validate): RouteDefinition => ({
  id: 'putProductMappings',
  method: 'PUT',
  path: PATH,
  summary: 'Map many product ids',
  description: 'Stores up to 1000 mappings, all or none. Mappings that are not sent do not change.',
  tag: 'Products',
  scope: 'orders:write',
  query: {},
  body: { schema: ProductMappings, example: [{ product_id: 'P-000123', model_id: MODEL_ID }] },
  answer: {
    description: 'The mappings, in the sequence of the request.',
    schema: Type.Array(schemaRef(ProductMapping)),
    example: [EXAMPLE],
    headers: IGNORED_HEADER,
  },
  failures: ['invalid_request', 'too_large', 'unsupported_media_type'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const { referenceData } = await context.releaseFor(callerOf(request))
    const mappings = await put(context, request, reply, parseMappings(request.body, validate, referenceData))
    return reply.send(mappings.map((mapping) => printMapping(mapping, referenceData)))
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
  const { holding: count, added } = stored
  const tooMany = ROUTE_MESSAGES.mappings_exceeded({ max: mappingsPerAccountMax, count, added })
  throw invalidRequest([{ path: '', ...tooMany }])
}

const getOperation = (context: ProductsContext): RouteDefinition => ({
  id: 'getProductMapping',
  method: 'GET',
  path: PRODUCT_PATH,
  summary: 'Get a product mapping',
  description: '404 if the product id is not mapped. GET /api/match shows what its words are matched to.',
  tag: 'Products',
  scope: 'orders:read',
  pathParameters: ID,
  query: {},
  answer: { description: 'The mapping.', schema: schemaRef(ProductMapping), example: EXAMPLE },
  failures: ['invalid_request', 'not_found'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const productId = storableId(request)
    const { mappings } = context
    return answer(context, request, reply, await mappings.find(callerOf(request).accountId, productId))
  },
})

const deleteOperation = (context: ProductsContext): RouteDefinition => ({
  id: 'deleteProductMapping',
  method: 'DELETE',
  path: PRODUCT_PATH,
  summary: 'Remove a product mapping',
  description:
    'From the next order on, the product id is matched like any other. Entries already posted do not change.',
  tag: 'Products',
  scope: 'orders:write',
  pathParameters: ID,
  query: {},
  answer: { description: 'The removed mapping.', schema: schemaRef(ProductMapping), example: EXAMPLE },
  failures: ['invalid_request', 'not_found'],
  handle: async (request, reply) => {
    parseQuery(request.query, {})
    const productId = storableId(request)
    const { mappings } = context
    return answer(context, request, reply, await mappings.remove(callerOf(request).accountId, productId))
  },
})

async function answer(
  { releaseFor }: ProductsContext,
  request: FastifyRequest,
  reply: FastifyReply,
  mapping: StoredMapping | null,
): Promise<FastifyReply> {
  if (mapping) return reply.send(printMapping(mapping, (await releaseFor(callerOf(request))).referenceData))
  throw new ApiError('not_found', ROUTE_MESSAGES.mapping_unknown({ product_id: storableId(request).slice(0, 80) }))
}

/** @throws ApiError for a product id that cannot be mapped */
function storableId(request: FastifyRequest): string {
  const { product_id: sent } = request.params as { readonly product_id: string }
  const fault = validateProductId(sent)
  if (fault === null) return normaliseProductId(sent)
  throw invalidRequest([{ path: '', ...ROUTE_MESSAGES.product_id_in_path({ problem: inSentence(fault) }) }])
}
