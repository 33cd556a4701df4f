// /api/transportations and /api/packagings: what an order may reference, with factors and publishers.
import { GHG_LABELS, type Part } from '../../engine/numbers/emission.ts'
import type { PackagingFactor, ReferenceData, TransportFactor } from '../../engine/reference/reference-data.ts'
import { schemaRef, type NamedSchema } from '../../contract/named-schema.ts'
import { stringifyExact } from '../../strict-json/json-number.ts'
import { parseQuery } from '../parameters.ts'
import { callerOf } from '../plugins/authentication.ts'
import { entityTag, sendConditionally } from '../plugins/conditional-requests.ts'
import { madeOnce } from '../made-once.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { PackagingList, TransportationList } from '../schemas/response.ts'
import { originView } from '../views/origin.ts'
import type { CatalogueContext } from './catalogue.ts'

export const factorListRoutes = (context: CatalogueContext): readonly RouteDefinition[] => [
  listOperation(context, 'transportations', TransportationList, ({ transports }) =>
    [...transports.values()].map(toTransportation),
  ),
  listOperation(context, 'packagings', PackagingList, ({ packagings }) => [...packagings.values()].map(toPackaging)),
]

/** In the contract, the member of both lists is named "packagings". */
function listOperation(
  { referenceData, releaseFor }: CatalogueContext,
  what: string,
  schema: NamedSchema,
  entriesOf: (referenceData: ReferenceData) => readonly object[],
): RouteDefinition {
  const listOf = madeOnce((release) => {
    const text = stringifyExact({ packagings: entriesOf(release) })
    return { text, etag: entityTag(text) }
  })
  return {
    id: `list${what.charAt(0).toUpperCase()}${what.slice(1)}`,
    method: 'GET',
    path: `/api/${what}`,
    summary: `List ${what}`,
    description:
      'Returns all entries that an order may reference, each with its emission factor and publisher; the factors of ' +
      "the account's own have `origin` account.",
    tag: 'Catalogue',
    scope: 'catalogue:read',
    query: {},
    answer: {
      description: `The ${what}.`,
      schema: schemaRef(schema),
      isValidated: true,
      headers: { 'Dataset-Release': 'Dataset release of the catalogue.' },
      example: JSON.parse(stringifyExact({ packagings: entriesOf(referenceData).slice(0, 1) })) as unknown,
    },
    failures: ['invalid_request'],
    handle: async (request, reply) => {
      parseQuery(request.query, {})
      const release = (await releaseFor(callerOf(request))).referenceData
      const { text, etag } = listOf(release)
      return sendConditionally(request, reply.header('dataset-release', release.release), etag, () => text)
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
  ...originView(factor.source),
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
  ...(factor.standsIn && { is_proxy: true }),
  ...labelsOf('packaging'),
  ...originView(factor.source),
  source: factor.source,
})
