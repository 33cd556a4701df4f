// /api/device-model-emissions: the device models of a release, with an account's own, their figures and publishers.
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { matcherFor } from '../../engine/matching/matcher.ts'
import { EMISSION_UNIT } from '../../engine/numbers/emission.ts'
import { compare, type Rational } from '../../engine/numbers/rational.ts'
import { unversionedId } from '../../engine/reference/own-figures.ts'
import { modelIdByAlias } from '../../engine/reference/product-match.ts'
import {
  DEVICE_TYPES,
  aliasKey,
  type DeviceModel as Model,
  type ReferenceData,
} from '../../engine/reference/reference-data.ts'
import { closestMatches } from '../../engine/reference/suggestions.ts'
import { ApiError } from '../../contract/errors.ts'
import type { ReleaseFor } from '../../ledger/account-release.ts'
import {
  LINK,
  listCursor,
  nextPage,
  oneOf,
  pageLimit,
  parseQuery,
  repeatedText,
  type Parameters,
  type Query,
} from '../parameters.ts'
import { callerOf } from '../plugins/authentication.ts'
import { entityTag, sendConditionally } from '../plugins/conditional-requests.ts'
import { DeviceModel } from '../schemas/catalogue.ts'
import { originView } from '../views/origin.ts'
import { schemaRef } from '../../contract/named-schema.ts'
import { madeOnce } from '../made-once.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { stringifyExact } from '../../strict-json/json-number.ts'
import { modelUncertaintyView } from '../views/order.ts'
import { ORDER_MESSAGES } from '../../engine/messages.ts'
import { ROUTE_MESSAGES } from '../messages.ts'

export interface CatalogueContext {
  /** The shipped release, which the examples are of. */
  readonly referenceData: ReferenceData
  readonly releaseFor: ReleaseFor
}

const PATH = '/api/device-model-emissions'
const RELEASE_HEADER = { 'Dataset-Release': 'Dataset release of the catalogue.' }

/** A model with its JSON text, built once at start because the list is long and requested often. */
interface ListedModel {
  readonly model: Model
  readonly text: string
  /** The same with its publisher, its uncertainty and further figures of the sheet. */
  readonly textWithEvidence: string
  readonly searched: string
}

/** The models of a release, the account's own first. */
interface Catalogue {
  readonly referenceData: ReferenceData
  readonly listed: readonly ListedModel[]
  readonly byId: ReadonlyMap<string, ListedModel>
  /** One for all model routes: the answer of a URL changes only with the figures of the release. */
  readonly etag: string
}

/** Of a release with own figures, only these are printed: the others are those of the release below. */
const catalogueOf = madeOnce((referenceData): Catalogue => {
  const { own } = referenceData
  const listed = own
    ? withOwnModels(listedModels(own.figures), catalogueOf(own.release).listed)
    : listedModels(referenceData)
  const byId = new Map(listed.map((one) => [one.model.id, one]))
  const etag = entityTag([referenceData.release, ...listed.map(({ textWithEvidence }) => textWithEvidence)].join('\n'))
  return { referenceData, listed, byId, etag }
})

function listedModels(figures: Pick<ReferenceData, 'models' | 'aliases'>): readonly ListedModel[] {
  const aliases = aliasesByModel(figures)
  return [...figures.models.values()].map((model) => toListedModel(model, aliases.get(model.id) ?? []))
}

/** A model of the catalogue is left out if an own model has its id. */
function withOwnModels(own: readonly ListedModel[], others: readonly ListedModel[]): readonly ListedModel[] {
  const ids = new Set(own.map(({ model }) => unversionedId(model.id)))
  return [...own, ...others.filter(({ model }) => !ids.has(model.id))]
}

export function modelRoutes({ referenceData, releaseFor }: CatalogueContext): readonly RouteDefinition[] {
  const shipped = catalogueOf(referenceData)
  const answer =
    (textOf: (catalogue: Catalogue, request: FastifyRequest, reply: FastifyReply) => () => string) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const catalogue = catalogueOf((await releaseFor(callerOf(request))).referenceData)
      const makeText = textOf(catalogue, request, reply)
      const { release } = catalogue.referenceData
      return sendConditionally(request, reply.header('dataset-release', release), catalogue.etag, makeText)
    }
  return [listModelsRoute(shipped, answer(listModels)), getOperation(shipped, answer(getModel))]
}

type Handle = RouteDefinition['handle']

function listModelsRoute({ listed, referenceData }: Catalogue, handle: Handle): RouteDefinition {
  return {
    id: 'listDeviceModels',
    method: 'GET',
    path: PATH,
    summary: 'List device models',
    description:
      'Returns all matching models with their footprints, in a stable order. With `q`, the best matches come first. ' +
      'With `sort`, models are sorted by footprint. With `limit`, the list is paged through `Link`.',
    tag: 'Catalogue',
    scope: 'catalogue:read',
    query: modelParameters(referenceData, '', ''),
    answer: {
      description: 'The models.',
      schema: Type.Array(schemaRef(DeviceModel)),
      example: listed.slice(0, 2).map(({ text }) => JSON.parse(text) as unknown),
      isValidated: true,
      headers: { ...RELEASE_HEADER, ...LINK },
    },
    failures: ['invalid_request'],
    handle,
  }
}

function getOperation({ listed }: Catalogue, handle: Handle): RouteDefinition {
  return {
    id: 'getDeviceModel',
    method: 'GET',
    path: `${PATH}/{id}`,
    summary: 'Get a device model',
    description: 'Returns one model with its footprint, by its id or by an alias that no other model has.',
    tag: 'Catalogue',
    scope: 'catalogue:read',
    pathParameters: { id: { description: 'Device model identifier.', example: 'apple-macbook-air-13-m3-256gb' } },
    query: { include: INCLUDE },
    answer: {
      description: 'The model.',
      schema: schemaRef(DeviceModel),
      example: JSON.parse(listed[0]?.text ?? 'null') as unknown,
      isValidated: true,
      headers: RELEASE_HEADER,
    },
    failures: ['invalid_request', 'not_found'],
    handle,
  }
}

const LIMIT_MAX = 1000

const INCLUDE = oneOf(
  'Members to add: `evidence` (publisher and uncertainty of the footprint, further figures of the sheet).',
  ['evidence'],
)

/** Smallest first, or largest first. */
const SORTS = ['product_footprint', '-product_footprint'] as const

/** @param q the search text that was sent; like sort, it decides the sequence and so the list of a cursor */
const modelParameters = (referenceData: ReferenceData, q: string, sort: string): Parameters => ({
  type: oneOf('Device types, comma-separated or repeated.', DEVICE_TYPES),
  brand: {
    description: 'Brands, case-insensitive, comma-separated or repeated.',
    isList: true,
    schema: { type: 'array', items: { type: 'string' } },
    check: () => null,
  },
  q: repeatedText('Search text: words for the model, or one of its aliases. The best matches come first.'),
  limit: pageLimit('models', LIMIT_MAX, null),
  cursor: cursorOf(referenceData, q, sort).parameter,
  sort: {
    ...oneOf('Sort by footprint: smallest first, or with a minus sign largest first.', SORTS),
    isList: false,
    schema: { type: 'string', enum: SORTS },
  },
  include: INCLUDE,
})

/** A cursor identifies the last model of a page. */
const cursorOf = (referenceData: ReferenceData, q: string, sort: string) =>
  listCursor<Model>(
    ['models', q, sort],
    ({ id }) => [id],
    (id = '') => referenceData.models.get(id) ?? null,
  )

function listModels({ listed, referenceData }: Catalogue, request: FastifyRequest, reply: FastifyReply): () => string {
  const { q: sent, sort: sorted } = request.query as Readonly<Record<string, unknown>>
  const q = typeof sent === 'string' ? sent.trim() : ''
  const sort = typeof sorted === 'string' ? sorted.toLowerCase() : ''
  const query = parseQuery(request.query, modelParameters(referenceData, q, sort))
  const cursor = cursorOf(referenceData, q, sort)
  const ranked = sortedBy(sort, rankedBy(q, listed, referenceData))
  const after = query['cursor'] && cursor.read(query['cursor'][0]!)
  const models = ranked.slice(ranked.findIndex(({ model }) => model === after) + 1).filter(matches(query))
  const limit = Number(query['limit']?.[0] ?? models.length)
  const page = models.slice(0, limit)
  const last = page.at(-1)
  if (models.length > limit && last) void reply.header('link', nextPage(PATH, query, cursor.write(last.model)))
  return () => `[${page.map(textFor(query)).join(',')}]`
}

const textFor =
  ({ include }: Query) =>
  ({ text, textWithEvidence }: ListedModel): string =>
    include ? textWithEvidence : text

function sortedBy(sort: string, listed: readonly ListedModel[]): readonly ListedModel[] {
  if (sort === '') return listed
  const sign = sort.startsWith('-') ? -1 : 1
  return listed.toSorted((a, b) => sign * compare(footprintOf(a.model), footprintOf(b.model)))
}

const footprintOf = ({ total, production }: Model): Rational => (total ?? production)!

/** Models with this alias, then the models that the matcher finds. If there are none, all models with these words. */
function rankedBy(q: string, listed: readonly ListedModel[], referenceData: ReferenceData): readonly ListedModel[] {
  if (q === '') return listed
  const bearers = referenceData.aliases.get(aliasKey(q)) ?? []
  const hits = matcherFor(referenceData).search(q, listed.length)
  const ids = new Set([...bearers, ...hits.map(({ id }) => id)])
  if (ids.size === 0) {
    const words = q.toLowerCase().split(/\s+/)
    return listed.filter(({ searched }) => words.every((word) => searched.includes(word)))
  }
  const byId = new Map(listed.map((one) => [one.model.id, one]))
  return [...ids].flatMap((id) => byId.get(id) ?? [])
}

function matches(query: Query): (listed: ListedModel) => boolean {
  const brands = query['brand']?.map((brand) => brand.toLowerCase())
  return ({ model }) =>
    (query['type']?.includes(model.type) ?? true) && (brands?.includes(model.brand.toLowerCase()) ?? true)
}

function getModel({ referenceData, byId }: Catalogue, request: FastifyRequest): () => string {
  const query = parseQuery(request.query, { include: INCLUDE })
  const { id } = request.params as { readonly id: string }
  const model = byId.get(modelIdByAlias(id, referenceData) ?? '')
  if (model) return () => textFor(query)(model)
  const similar = closestMatches(id, [...referenceData.models.keys()].map(unversionedId))
  const unknown = { model_id: id.slice(0, 80) }
  throw new ApiError(
    'not_found',
    similar.length > 0
      ? ROUTE_MESSAGES.unknown_model_similar({ ...unknown, similar })
      : ORDER_MESSAGES.unknown_model(unknown),
  )
}

function aliasesByModel({ aliases }: Pick<ReferenceData, 'aliases'>): ReadonlyMap<string, readonly string[]> {
  const pairs = [...aliases].flatMap(([alias, ids]) => ids.map((id) => ({ alias, id })))
  return new Map([...Map.groupBy(pairs, ({ id }) => id)].map(([id, those]) => [id, those.map(({ alias }) => alias)]))
}

function toListedModel(model: Model, aliases: readonly string[]): ListedModel {
  const present = Object.entries({
    cradle_to_gate: model.production,
    end_of_life_processing: model.endOfLife,
    product_use: model.productUse,
    production: model.production,
    transportation: model.transportation,
  }).filter(([, value]) => value !== null)
  const listed = {
    id: unversionedId(model.id),
    name: model.name,
    brand: model.brand,
    type: model.type,
    product_footprint: footprintOf(model),
    product_footprint_unit: EMISSION_UNIT,
    footprint_breakdown: Object.fromEntries(present),
    ...originView(model.source),
  }
  const evidence = {
    uncertainty: modelUncertaintyView(model),
    lifetime_months: model.lifetimeMonths ?? undefined,
    weight_kg: model.weightKg ?? undefined,
    yearly_energy_kwh: model.yearlyEnergyKwh ?? undefined,
    source: model.source,
  }
  return {
    model,
    text: stringifyExact(listed),
    textWithEvidence: stringifyExact({ ...listed, ...evidence }),
    searched: [model.brand, model.name, model.id, ...aliases].join(' ').toLowerCase(),
  }
}
