// The kinds of own figures: their paths of the API, and the fields of their forms and files, as the API calls them.
import { TYPES } from '../emissions/label-names.ts'
import { MODES } from '../api-values/modes.ts'

export interface FigureField {
  readonly name: FieldName
  /** The values to choose from, or how it is typed in. `names` are one a line, and separated by | in a file. */
  readonly form: 'text' | 'number' | 'names' | readonly string[]
  readonly isRequired?: true
  /** Of a number. */
  readonly max?: number
  /** Of a whole number. */
  readonly step?: 1
  readonly hasHint?: true
}

export type FieldName =
  | 'name'
  | 'brand'
  | 'type'
  | 'aliases'
  | 'total_kg_co2e'
  | 'production_kg_co2e'
  | 'transportation_kg_co2e'
  | 'use_kg_co2e'
  | 'use_share'
  | 'end_of_life_kg_co2e'
  | 'lifetime_months'
  | 'weight_kg'
  | 'screen_inches'
  | 'yearly_energy_kwh'
  | 'use_region'
  | 'uncertainty_ratio'
  | 'mode'
  | 'vehicle'
  | 'factor_kg_co2e_per_tonne_km'
  | 'ttw_kg_co2e_per_tonne_km'
  | 'distance_basis'
  | 'region'
  | 'material'
  | 'recycled_content_percent'
  | 'factor_kg_co2e_per_kg'
  | 'factor_kg_co2e_per_kwh'
  | 'year'
  | 'source_title'
  | 'source_publisher'
  | 'source_url'
  | 'licence'
  | 'document_sha256'
  | 'verified_by'
  | 'note'

const text = (name: FieldName): FigureField => ({ name, form: 'text' })
const number = (name: FieldName, max: number): FigureField => ({ name, form: 'number', max })
const required = (field: FigureField): FigureField => ({ ...field, isRequired: true })
const hinted = (field: FigureField): FigureField => ({ ...field, hasHint: true })
const whole = (field: FigureField): FigureField => ({ ...field, step: 1 })
const choice = (name: FieldName, form: readonly string[]): FigureField => ({ name, form })

const YEAR = whole(number('year', 2100))
const SOURCE = [
  required(text('source_title')),
  required(text('source_publisher')),
  text('source_url'),
  text('licence'),
  hinted(text('document_sha256')),
  hinted(text('verified_by')),
  text('note'),
]
const STAGE_MAX = 5000
const LIFETIME = whole(number('lifetime_months', 180))

export interface FigureKind {
  readonly name: 'models' | 'transports' | 'packagings' | 'lifetimes' | 'grid'
  readonly path: string
  readonly fields: readonly FigureField[]
  /** What orders are calculated by; the list shows it. */
  readonly main: FieldName
  readonly unit: string
  /** The columns of a file that make the id; `id` is free, the others are chosen. */
  readonly ids: readonly string[]
  /** Where the account's own are listed alone. */
  readonly listPath: string
}

export const KINDS: readonly FigureKind[] = [
  {
    name: 'models',
    path: '/api/device-models',
    fields: [
      required(text('name')),
      required(text('brand')),
      required(choice('type', TYPES)),
      hinted({ name: 'aliases', form: 'names' }),
      hinted(number('total_kg_co2e', STAGE_MAX)),
      number('production_kg_co2e', STAGE_MAX),
      number('transportation_kg_co2e', STAGE_MAX),
      number('use_kg_co2e', STAGE_MAX),
      hinted(number('use_share', 1)),
      number('end_of_life_kg_co2e', STAGE_MAX),
      hinted(LIFETIME),
      number('weight_kg', 100),
      number('screen_inches', 120),
      number('yearly_energy_kwh', 1000),
      choice('use_region', ['world', 'EU', 'US', 'North America', 'Asia']),
      hinted(number('uncertainty_ratio', 1)),
      YEAR,
      ...SOURCE,
    ],
    main: 'total_kg_co2e',
    unit: 'kg CO₂e',
    ids: ['id'],
    listPath: '/api/device-models',
  },
  {
    name: 'transports',
    path: '/api/transportations',
    fields: [
      required(text('name')),
      required(choice('mode', MODES)),
      text('vehicle'),
      required(number('factor_kg_co2e_per_tonne_km', 10)),
      number('ttw_kg_co2e_per_tonne_km', 10),
      required(choice('distance_basis', ['actual', 'shortest_feasible', 'great_circle'])),
      text('region'),
      YEAR,
      ...SOURCE,
    ],
    main: 'factor_kg_co2e_per_tonne_km',
    unit: 'kg CO₂e/t·km',
    ids: ['id'],
    listPath: '/api/own-transportations',
  },
  {
    name: 'packagings',
    path: '/api/packagings',
    fields: [
      required(text('name')),
      required(text('material')),
      number('recycled_content_percent', 100),
      required(number('factor_kg_co2e_per_kg', 50)),
      YEAR,
      ...SOURCE,
    ],
    main: 'factor_kg_co2e_per_kg',
    unit: 'kg CO₂e/kg',
    ids: ['id'],
    listPath: '/api/own-packagings',
  },
  {
    name: 'lifetimes',
    path: '/api/lifetimes',
    fields: [required(LIFETIME), YEAR, ...SOURCE],
    main: 'lifetime_months',
    unit: 'months',
    ids: ['type'],
    listPath: '/api/lifetimes',
  },
  {
    name: 'grid',
    path: '/api/grid-factors',
    fields: [required(number('factor_kg_co2e_per_kwh', 2)), ...SOURCE],
    main: 'factor_kg_co2e_per_kwh',
    unit: 'kg CO₂e/kWh',
    ids: ['country', 'year'],
    listPath: '/api/grid-factors',
  },
]
