// /api/transportations and /api/packagings: what an order may reference, with factors and publishers.
import { GHG_LABELS, type Part } from '../../engine/numbers/emission.ts'
import type { PackagingFactor, ReferenceData, TransportFactor } from '../../engine/reference/reference-data.ts'
import { schemaRef, type NamedSchema } from '../../contract/named-schema.ts'
import type { AccountReleases } from '../../postgres/account-releases.ts'
import { stringifyExact } from '../../strict-json/json-number.ts'
import { parseQuery } from '../parameters.ts'
import { callerOf } from '../plugins/authentication.ts'
import { entityTag, sendConditionally } from '../plugins/conditional-requests.ts'
import type { RouteDefinition } from '../route-definition.ts'
import { PackagingList, TransportationList } from '../schemas/response.ts'
import { originView } from '../views/origin.ts'

export function factorListRoutes(referenceData: ReferenceData, releases: AccountReleases): readonly RouteDefinition[] {
  const transportationsOf = ({ transports }: ReferenceData) => [...transports.values()].map(toTransportation)
  const packagingsOf = ({ packagings }: ReferenceData) => [...packagings.values()].map(toPackaging)
  return [
    listOperation(releases, 'transportations', TransportationList, listsOf(transportationsOf), referenceData),
    listOperation(releases, 'packagings', PackagingList, listsOf(packagingsOf), referenceData),
  ]
}

interface FactorList {
  readonly entries: readonly object[]
  readonly text: string
  readonly etag: string
}

/** Builds the list of a release once. In the contract, the member of both lists is named "packagings". */
function listsOf(entriesOf: (referenceData: ReferenceData) => readonly object[]) {
  const lists = new WeakMap<ReferenceData, FactorList>()
  return (referenceData: ReferenceData): FactorList => {
    const known = lists.get(referenceData)
    if (known) return known
    const entries = entriesOf(referenceData)
    const text = stringifyExact({ packagings: entries })
    const list = { entries, text, etag: entityTag(text) }
    lists.set(referenceData, list)
    return list
  }
}

function listOperation(
  releases: AccountReleases,
  what: string,
  schema: NamedSchema,
  listOf: (referenceData: ReferenceData) => FactorList,
  shipped: ReferenceData,
): RouteDefinition {
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
      example: JSON.parse(stringifyExact({ packagings: listOf(shipped).entries.slice(0, 1) })) as unknown,
    },
    failures: ['invalid_request'],
    handle: async (request, reply) => {
      parseQuery(request.query, {})
      const { referenceData } = await releases.of(callerOf(request))
      const { text, etag } = listOf(referenceData)
      return sendConditionally(request, reply.header('dataset-release', referenceData.release), etag, () => text)
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
