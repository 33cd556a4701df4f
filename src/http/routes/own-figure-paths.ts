// The kinds of own figures: where each is sent, under which id, and what it is used for.
import type { NamedSchema } from '../../contract/named-schema.ts'
import type { FigureKind } from '../../contract/own-figure-schema.ts'
import {
  OwnDeviceModel,
  OwnGridFactor,
  OwnGridLossShare,
  OwnGridMonth,
  OwnInstrument,
  OwnLifetime,
  OwnPackaging,
  OwnResidualMixFactor,
  OwnTransportation,
} from '../schemas/own-figure.ts'

export interface FigurePath {
  readonly kind: FigureKind
  readonly path: string
  /** Within the ids of operations. */
  readonly name: string
  readonly singular: string
  readonly plural: string
  /** The file of the catalogue whose columns a CSV file has; null if the catalogue has no such figures. */
  readonly file: string | null
  /** What is said of files of another layout that are accepted, too. */
  readonly otherFile?: string
  readonly schema: NamedSchema
  readonly idDescription: string
  /** Of the example. */
  readonly id: string
  readonly example: Readonly<Record<string, unknown>>
  /** What orders, or the inventory of electricity, use it for. */
  readonly use: string
  /** Where the account's own figures are listed; null for the path, unless it lists the catalogue's with them. */
  readonly ownPath: string | null
}

const SOURCE = { source_title: 'Product carbon footprint of the R15', source_publisher: 'Ruggedbook GmbH' }
const OWN_ID = 'Your own identifier: small letters, digits and hyphens. It takes the place of one in the catalogue.'

const YEAR_ID = 'ISO 3166-1 alpha-2 code of the country and the year, like DE-2024.'
/** Of an operator's own papers. */
const TOLD = { source_title: 'Disclosure of electricity 2024', source_publisher: 'Example Power' }

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
    idDescription: YEAR_ID,
    id: 'DE-2024',
    example: { factor_kg_co2e_per_kwh: 0.042, ...SOURCE },
    use: "Use in that country and year is charged by it instead of the catalogue's factor.",
    ownPath: null,
  },
  {
    kind: 'grid-month',
    path: '/api/grid-months',
    name: 'OwnGridMonth',
    singular: 'grid factor of a month',
    plural: 'grid factors of months',
    file: null,
    otherFile: " A file of Ember's monthly data is accepted as it is published, with any rows left out.",
    schema: OwnGridMonth,
    idDescription: 'ISO 3166-1 alpha-2 code of the country and the month, like DE-2025-03.',
    id: 'DE-2025-03',
    example: { factor_kg_co2e_per_kwh: 0.381, source_title: 'Monthly electricity data', source_publisher: 'Ember' },
    use: 'The month is settled by it in the inventory of electricity, once it is over.',
    ownPath: null,
  },
  {
    kind: 'residual-mix',
    path: '/api/residual-mixes',
    name: 'OwnResidualMixFactor',
    singular: 'residual mix',
    plural: 'residual mixes',
    file: null,
    schema: OwnResidualMixFactor,
    idDescription: YEAR_ID,
    id: 'DE-2024',
    example: { factor_kg_co2e_per_kwh: 0.689, ...TOLD },
    use: 'In the market-based inventory, electricity that no instrument covers has this factor.',
    ownPath: null,
  },
  {
    kind: 'grid-loss',
    path: '/api/grid-losses',
    name: 'OwnGridLossShare',
    singular: 'share of grid losses',
    plural: 'shares of grid losses',
    file: null,
    schema: OwnGridLossShare,
    idDescription: YEAR_ID,
    id: 'DE-2024',
    example: { share: 0.05, ...TOLD },
    use: 'The inventory has losses of the country in category 3 by it, instead of any share in the release.',
    ownPath: null,
  },
  {
    kind: 'instrument',
    path: '/api/electricity-instruments',
    name: 'OwnInstrument',
    singular: 'electricity instrument',
    plural: 'electricity instruments',
    file: null,
    schema: OwnInstrument,
    idDescription: 'Your own identifier: small letters, digits and hyphens.',
    id: 'certificates-2025',
    example: {
      customer_id: 'customer-17',
      country: 'DE',
      kind: 'certificate',
      from: '2025-01',
      to: '2025-12',
      kwh: 1200,
      factor_kg_co2e_per_kwh: 0,
      ...TOLD,
    },
    use: 'In the market-based inventory of the customer, the electricity that it covers has its factor.',
    ownPath: null,
  },
]
