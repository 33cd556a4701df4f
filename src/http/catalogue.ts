// The catalogue: device models with their footprints, and the transportations and packagings that an order may name.
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import {
  DEVICE_TYPES,
  type DeviceModel as Model,
  type FactorBook,
  type PackagingFactor,
  type TransportFactor,
} from '../engine/factor-book.ts'
import { EMISSION_UNIT, GHG_LABELS, type Part } from '../engine/line.ts'
import { nearest } from '../engine/nearest.ts'
import { findModelId } from '../engine/resolve.ts'
import { ref } from './component.ts'
import { toExactJson } from './exact-json.ts'
import { Failure } from './failure.ts'
import type { Operation } from './operation.ts'
import { oneOf, readQuery, type Parameters, type Query } from './query.ts'
import { DeviceModel, PackagingList, TransportationList } from './response-schema.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const RELEASE_HEADER = { 'Dataset-Release': 'Release of the datasets.' }

/** A model with its text, made once at start: the list is long and asked for often. */
interface ListedModel {
  readonly model: Model
  readonly text: string
  readonly searched: string
}

export function catalogueOperations(book: FactorBook): readonly Operation[] {
  const listed = [...book.models.values()].map(toListedModel)
  const textById = new Map(listed.map(({ model, text }) => [model.id, text]))
  const transportations = toExactJson({ packagings: [...book.transports.values()].map(toTransportation) })
  const packagings = toExactJson({ packagings: [...book.packagings.values()].map(toPackaging) })
  const parameters = modelParameters(book)
  const send = (reply: FastifyReply, text: string) =>
    reply.header('dataset-release', book.release).type(JSON_TYPE).send(text)
  return [
    {
      id: 'listDeviceModels',
      method: 'GET',
      path: '/api/device-model-emissions',
      summary: 'Device models with their footprints',
      description: 'All matching models in a stable order; with limit, page by page through the header Link.',
      tag: 'Catalogue',
      scope: 'catalogue:read',
      query: parameters,
      answer: {
        description: 'The models.',
        schema: Type.Array(ref(DeviceModel)),
        example: listed.slice(0, 2).map(({ text }) => JSON.parse(text) as unknown),
        headers: { ...RELEASE_HEADER, Link: 'The next page, with rel="next"; absent on the last.' },
      },
      failures: ['invalid_request'],
      handle: (request, reply) => send(reply, listModels(listed, readQuery(request.query, parameters), reply)),
    },
    {
      id: 'getDeviceModel',
      method: 'GET',
      path: '/api/device-model-emissions/{id}',
      summary: 'One device model with its footprint',
      description: 'Found by its id, or by an alias that it alone bears.',
      tag: 'Catalogue',
      scope: 'catalogue:read',
      pathParameters: { id: { description: 'Device model identifier.', example: 'apple-macbook-air-13-m3-256gb' } },
      query: {},
      answer: {
        description: 'The model.',
        schema: ref(DeviceModel),
        example: JSON.parse(listed[0]?.text ?? 'null') as unknown,
        headers: RELEASE_HEADER,
      },
      failures: ['invalid_request', 'not_found'],
      handle: (request, reply) => send(reply, getModel(request, book, textById)),
    },
    {
      ...listOperation('listTransportations', '/api/transportations', 'Transportations that an order may name'),
      answer: {
        description: 'The transportations.',
        schema: ref(TransportationList),
        headers: RELEASE_HEADER,
        example: { packagings: (JSON.parse(transportations) as { packagings: unknown[] }).packagings.slice(0, 1) },
      },
      handle: (request, reply) => {
        readQuery(request.query, {})
        return send(reply, transportations)
      },
    },
    {
      ...listOperation('listPackagings', '/api/packagings', 'Packagings that an order may name'),
      answer: {
        description: 'The packagings.',
        schema: ref(PackagingList),
        headers: RELEASE_HEADER,
        example: { packagings: (JSON.parse(packagings) as { packagings: unknown[] }).packagings.slice(0, 1) },
      },
      handle: (request, reply) => {
        readQuery(request.query, {})
        return send(reply, packagings)
      },
    },
  ]
}

const listOperation = (id: string, path: string, summary: string) =>
  ({
    id,
    path,
    summary,
    method: 'GET',
    tag: 'Catalogue',
    scope: 'catalogue:read',
    query: {},
    description: 'Each with its emission factor and who published it.',
    failures: ['invalid_request'],
  }) as const

const modelParameters = (book: FactorBook): Parameters => ({
  type: oneOf('Type of device; several with commas or repeated.', DEVICE_TYPES),
  brand: {
    description: 'Brand, without case; repeatable.',
    isList: true,
    schema: { type: 'array', items: { type: 'string' } },
    check: () => null,
  },
  q: {
    description: 'Words that stand in the name, brand or id of the model.',
    schema: { type: 'string', maxLength: 200 },
    check: (value) => (value.length <= 200 ? null : 'Must be at most 200 characters long'),
  },
  limit: {
    description: 'Models on a page; without it, all.',
    schema: { type: 'integer', minimum: 1, maximum: 1000 },
    check: (value) =>
      /^\d{1,4}$/.test(value) && Number(value) >= 1 && Number(value) <= 1000
        ? null
        : `Must be a whole number from 1 to 1000; it is "${value.slice(0, 40)}"`,
  },
  cursor: {
    description: 'Where the page begins, from the header Link of the page before.',
    schema: { type: 'string' },
    check: (value) =>
      book.models.has(fromCursor(value)) ? null : 'Is not a cursor of this list; take it from the header Link',
  },
})

const toCursor = (id: string): string => Buffer.from(id).toString('base64url')
const fromCursor = (cursor: string): string => Buffer.from(cursor, 'base64url').toString()

function listModels(listed: readonly ListedModel[], query: Query, reply: FastifyReply): string {
  const [cursor] = query['cursor'] ?? []
  const start = cursor === undefined ? 0 : listed.findIndex(({ model }) => model.id === fromCursor(cursor)) + 1
  const found = listed.slice(start).filter(matches(query))
  const limit = Number(query['limit']?.[0] ?? found.length)
  const page = found.slice(0, limit)
  const last = page.at(-1)
  if (found.length > limit && last) void reply.header('link', `<${nextPage(query, last.model.id)}>; rel="next"`)
  return `[${page.map(({ text }) => text).join(',')}]`
}

function matches(query: Query): (listed: ListedModel) => boolean {
  const brands = query['brand']?.map((brand) => brand.toLowerCase())
  const words = (query['q']?.[0] ?? '').toLowerCase().split(/\s+/)
  return ({ model, searched }) =>
    (query['type']?.includes(model.type) ?? true) &&
    (brands?.includes(model.brand.toLowerCase()) ?? true) &&
    words.every((word) => searched.includes(word))
}

function nextPage(query: Query, lastId: string): string {
  const parameters = Object.entries({ ...query, cursor: [toCursor(lastId)] }).flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value]),
  )
  return `/api/device-model-emissions?${new URLSearchParams(parameters).toString()}`
}

function getModel(request: FastifyRequest, book: FactorBook, textById: ReadonlyMap<string, string>): string {
  readQuery(request.query, {})
  const { id } = request.params as { readonly id: string }
  const found = textById.get(findModelId(id, book) ?? '')
  if (found !== undefined) return found
  const similar = nearest(id, book.models.keys())
  throw new Failure(
    'not_found',
    `There is no device model "${id.slice(0, 80)}"` +
      (similar.length > 0 ? `; the nearest are ${similar.join(', ')}` : ''),
  )
}

function toListedModel(model: Model): ListedModel {
  const present = Object.entries({
    cradle_to_gate: model.production,
    end_of_life_processing: model.endOfLife,
    product_use: model.productUse,
    production: model.production,
    transportation: model.transportation,
  }).filter(([, value]) => value !== null)
  const text = toExactJson({
    id: model.id,
    name: model.name,
    brand: model.brand,
    type: model.type,
    product_footprint: model.total ?? model.production,
    product_footprint_unit: EMISSION_UNIT,
    footprint_breakdown: Object.fromEntries(present),
  })
  return { model, text, searched: `${model.brand} ${model.name} ${model.id}`.toLowerCase() }
}

const labelsOf = (part: Part) => ({ ghg_category: GHG_LABELS[part].category, ghg_scope: GHG_LABELS[part].scope })

const toTransportation = (factor: TransportFactor) => ({
  transportation_id: factor.id,
  name: factor.name,
  transportation_mode: factor.mode,
  vehicle: factor.vehicle,
  emission_factor: factor.factor,
  emission_factor_unit: 'kgCO2e/t.km',
  boundary: 'WTW',
  emission_factor_ttw: factor.factorTankToWheel,
  distance_basis: factor.distanceBasis,
  region: factor.region,
  ...labelsOf('transportation'),
  source: factor.source,
})

const toPackaging = (factor: PackagingFactor) => ({
  packaging_id: factor.id,
  name: factor.name,
  material: factor.material,
  ...(factor.recycledContentPercent !== null && { recycled_content_percent: factor.recycledContentPercent }),
  emission_factor: factor.factor,
  emission_factor_unit: 'kgCO2e/kg',
  end_of_life_included: false,
  ...labelsOf('packaging'),
  source: factor.source,
})
