// The transportations and packagings that an order may name, each with its factor and who published it.
import type { ReferenceData, PackagingFactor, TransportFactor } from '../../engine/reference/reference-data.ts'
import { GHG_LABELS, type Part } from '../../engine/numbers/emission.ts'
import { schemaRef, type NamedSchema } from '../requests/component.ts'
import { entityTag, sendConditionally } from '../requests/conditional.ts'
import { stringifyExact } from '../requests/exact-json.ts'
import type { RouteDefinition } from '../serving/operation.ts'
import { parseQuery } from '../requests/query.ts'
import { PackagingList, TransportationList } from '../wire/response-schema.ts'

export function factorListRoutes(book: ReferenceData): readonly RouteDefinition[] {
  const transportations = [...book.transports.values()].map(toTransportation)
  const packagings = [...book.packagings.values()].map(toPackaging)
  return [
    listOperation(book, 'transportations', TransportationList, transportations),
    listOperation(book, 'packagings', PackagingList, packagings),
  ]
}

/** The contract names the member of both lists "packagings". */
function listOperation(
  book: ReferenceData,
  what: string,
  schema: NamedSchema,
  entries: readonly object[],
): RouteDefinition {
  const text = stringifyExact({ packagings: entries })
  const etag = entityTag(text)
  return {
    id: `list${what.charAt(0).toUpperCase()}${what.slice(1)}`,
    method: 'GET',
    path: `/api/${what}`,
    summary: `The ${what} that an order may name`,
    description: 'Each with its emission factor and who published it.',
    tag: 'Catalogue',
    scope: 'catalogue:read',
    query: {},
    answer: {
      description: `The ${what}.`,
      schema: schemaRef(schema),
      isValidated: true,
      headers: { 'Dataset-Release': 'Release of the datasets.' },
      example: JSON.parse(stringifyExact({ packagings: entries.slice(0, 1) })) as unknown,
    },
    failures: ['invalid_request'],
    handle: (request, reply) => {
      parseQuery(request.query, {})
      return sendConditionally(request, reply.header('dataset-release', book.release), etag, () => text)
    },
  }
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
  ...(factor.standsIn && { stand_in: true }),
  ...labelsOf('packaging'),
  source: factor.source,
})
