// The kinds of own figures: where each is sent, under which id, and what it is used for.
import type { NamedSchema } from '../../contract/named-schema.ts'
import type { OwnFigureKind } from '../../engine/reference/read-own-figures.ts'
import { OwnDeviceModel, OwnGridFactor, OwnLifetime, OwnPackaging, OwnTransportation } from '../schemas/own-figure.ts'

export interface FigurePath {
  readonly kind: OwnFigureKind
  readonly path: string
  /** Within the ids of operations. */
  readonly name: string
  readonly singular: string
  readonly plural: string
  /** The file of the catalogue whose columns a CSV file has. */
  readonly file: string
  readonly schema: NamedSchema
  readonly idDescription: string
  /** Of the example. */
  readonly id: string
  readonly example: Readonly<Record<string, unknown>>
  /** What orders use it for. */
  readonly use: string
  /** Where the account's own figures are listed; null for the path, unless it lists the catalogue's with them. */
  readonly ownPath: string | null
}

const SOURCE = { source_title: 'Product carbon footprint of the R15', source_publisher: 'Ruggedbook GmbH' }
const OWN_ID = 'Your own identifier: small letters, digits and hyphens. It takes the place of one in the catalogue.'

export const FIGURE_PATHS: readonly FigurePath[] = [
  {
    kind: 'device-model',
    path: '/api/device-models',
    name: 'OwnDeviceModel',
    singular: 'device model',
    plural: 'device models',
    file: 'devices/device-models.csv',
    schema: OwnDeviceModel,
    idDescription: OWN_ID,
    id: 'ruggedbook-r15',
    example: {
      name: 'Ruggedbook R15',
      brand: 'Ruggedbook',
      type: 'laptop',
      aliases: ['RB-R15'],
      total_kg_co2e: 312.4,
      use_share: 0.18,
      lifetime_months: 60,
      weight_kg: 2.6,
      year: 2025,
      ...SOURCE,
      document_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    },
    use: 'Products are matched to it by id, alias and name before the catalogue.',
    ownPath: null,
  },
  {
    kind: 'transportation',
    path: '/api/transportations',
    name: 'OwnTransportation',
    singular: 'factor of freight',
    plural: 'factors of freight',
    file: 'transports.csv',
    schema: OwnTransportation,
    idDescription: OWN_ID,
    id: 'own-vans',
    example: {
      name: 'Our electric vans',
      mode: 'road',
      factor_kg_co2e_per_tonne_km: 0.19,
      distance_basis: 'actual',
      ...SOURCE,
    },
    use: 'Orders name it as transportation_id.',
    ownPath: '/api/own-transportations',
  },
  {
    kind: 'packaging',
    path: '/api/packagings',
    name: 'OwnPackaging',
    singular: 'packaging',
    plural: 'packagings',
    file: 'packagings.csv',
    schema: OwnPackaging,
    idDescription: OWN_ID,
    id: 'reusable-case',
    example: { name: 'Reusable case', material: 'polypropylene', factor_kg_co2e_per_kg: 0.4, ...SOURCE },
    use: 'Orders name it as packaging_id.',
    ownPath: '/api/own-packagings',
  },
  {
    kind: 'lifetime',
    path: '/api/lifetimes',
    name: 'OwnLifetime',
    singular: 'lifetime',
    plural: 'lifetimes',
    file: 'devices/type-defaults.csv',
    schema: OwnLifetime,
    idDescription: 'Type of device.',
    id: 'laptop',
    example: { lifetime_months: 66, ...SOURCE },
    use: 'Devices of the type for which no sheet states a lifetime are amortised over it.',
    ownPath: null,
  },
  {
    kind: 'grid-factor',
    path: '/api/grid-factors',
    name: 'OwnGridFactor',
    singular: 'grid factor',
    plural: 'grid factors',
    file: 'grid-factors.csv',
    schema: OwnGridFactor,
    idDescription: 'ISO 3166-1 alpha-2 code of the country and the year, like DE-2024.',
    id: 'DE-2024',
    example: { factor_kg_co2e_per_kwh: 0.042, ...SOURCE },
    use: "Use in that country and year is charged by it instead of the catalogue's factor.",
    ownPath: null,
  },
]
