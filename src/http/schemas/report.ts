// Schemas of reports: grouped emissions and data quality.
import Type from 'typebox'
import { METHOD_VERSION } from '../../engine/explanation/calculation.ts'
import { CONSOLIDATION_APPROACHES, LEASE_TYPES, REPORTING_ENTITIES } from '../../engine/inventory-boundary.ts'
import { PARTS } from '../../engine/numbers/emission.ts'
import { DATE_BASES, NAMED_DIMENSIONS, SORTS } from '../../reporting/query.ts'
import { AGE_BANDS, IMPROVEMENTS, LEVELS } from '../../reporting/quality-report.ts'
import { NAMED_BY } from '../views/report.ts'
import { namedSchema, schemaRef } from '../../contract/named-schema.ts'
import { Uncertainty } from './order-response.ts'
import { MessageReference, emissionUnit, kilograms } from './response.ts'

const orNull = (description: string) => ({ description: `${description}; null if not stated in the request.` })

const label = Type.Union([Type.String(), Type.Null()])

const deviceMonths = Type.Number({
  description:
    'Months in which devices are held in the period, to six decimals: one per device and month, and parts of months ' +
    'by days, over the same months as the emissions. Only with date_basis=tenure, and absent from groups by part, ' +
    'scope, category or estimate_type.',
  examples: [36.5],
})

const sums = {
  total_emission: kilograms('GHG emission in kg CO2e, a whole number of milligrams.', 9.9289),
  number_of_orders: Type.Optional(
    Type.Integer({
      description: 'Orders in the group; absent when grouping by part, scope, category or estimate_type.',
    }),
  ),
  number_of_rentals: Type.Optional(
    Type.Integer({
      description: 'Rentals in the group, one per device and order; absent in the same cases as number_of_orders.',
    }),
  ),
  device_months: Type.Optional(deviceMonths),
  uncertainty: Type.Union([schemaRef(Uncertainty), Type.Null()], {
    description: 'Null if the sum has too many different error sources to compute it.',
  }),
}

export const EmissionGroup = namedSchema(
  'EmissionGroup',
  Type.Object(
    {
      ...Object.fromEntries(NAMED_DIMENSIONS.map((name) => [name, Type.Optional(label)])),
      ...Object.fromEntries(Object.values(NAMED_BY).map((name) => [name, Type.Optional(label)])),
      ...sums,
    },
    {
      description:
        'First one member per dimension in group_by, under the name of the dimension; null if the value is not ' +
        'known. A dimension with ids also has a member with the name.',
      patternProperties: { '^metadata\\.': label },
    },
  ),
)

export const RemainderGroups = namedSchema(
  'RemainderGroups',
  Type.Object(
    { number_of_groups: Type.Integer(), ...sums },
    { description: 'Totals over all groups beyond the limit.' },
  ),
)

export const EmissionsReport = namedSchema(
  'EmissionsReport',
  Type.Object({
    reporting_entity: Type.Enum([...REPORTING_ENTITIES]),
    consolidation_approach: Type.Enum([...CONSOLIDATION_APPROACHES]),
    lease_type: Type.Enum([...LEASE_TYPES]),
    date_basis: Type.Enum([...DATE_BASES]),
    from: Type.Union([Type.String(), Type.Null()], orNull('First day, inclusive')),
    to: Type.Union([Type.String(), Type.Null()], orNull('Last day, inclusive')),
    group_by: Type.Array(Type.String()),
    sort: Type.Enum([...SORTS]),
    limit: Type.Integer({ description: 'Maximum number of groups listed.' }),
    filters: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: 'Filters of the request, by parameter name.',
    }),
    emission_unit: emissionUnit,
    total_emission: kilograms('Sum of the groups and the remainder.', 9.9289),
    number_of_orders: Type.Integer(),
    number_of_rentals: Type.Integer(),
    device_months: Type.Optional(deviceMonths),
    uncertainty: Type.Union([schemaRef(Uncertainty), Type.Null()]),
    groups: Type.Array(schemaRef(EmissionGroup), {
      description: 'Sorted as in sort; groups with equal emission are sorted by label.',
    }),
    remainder: Type.Union([schemaRef(RemainderGroups), Type.Null()], {
      description: 'Null if all groups are listed.',
    }),
    labels: Type.Array(
      Type.Object({
        part: Type.Enum([...PARTS]),
        ghg_scope: Type.String(),
        ghg_category: Type.String(),
        reason: Type.String(),
        reason_message: schemaRef(MessageReference),
      }),
      { description: 'GHG scope and category of each part within the inventory boundary, with the reason.' },
    ),
    excluded: Type.Array(Type.String(), { description: 'Emissions that no figure of the report includes.' }),
    excluded_messages: Type.Array(schemaRef(MessageReference), {
      description: 'The codes and values of the sentences in excluded, in the same sequence.',
    }),
    dataset_releases: Type.Array(Type.String(), { description: 'Dataset releases on which the report is based.' }),
    method_version: Type.String(),
    generated_at: Type.String({ format: 'date-time' }),
  }),
)

export const EXAMPLE_REPORT = {
  reporting_entity: 'lessee',
  consolidation_approach: 'operational',
  lease_type: 'operating',
  date_basis: 'tenure',
  from: '2025-01-01',
  to: '2025-12-31',
  group_by: ['quarter'],
  sort: 'name',
  limit: 10_000,
  filters: { customer: ['customer-17'] },
  emission_unit: 'kgCO2e',
  total_emission: 8.4375,
  uncertainty: { low: 6.2, high: 11.3, level: 0.95, kind: 'lognormal', gsd: 1.17 },
  number_of_orders: 1,
  number_of_rentals: 1,
  device_months: 3,
  groups: [
    {
      quarter: '2025-Q1',
      total_emission: 8.4375,
      uncertainty: { low: 6.2, high: 11.3, level: 0.95, kind: 'lognormal', gsd: 1.17 },
      number_of_orders: 1,
      number_of_rentals: 1,
      device_months: 3,
    },
  ],
  remainder: null,
  labels: [
    {
      part: 'product_use',
      ghg_scope: '2',
      ghg_category: 'Electricity',
      reason: 'The lessee operates the device, so its electricity is bought by the lessee.',
      reason_message: { code: 'reason_lessee_operates' },
    },
  ],
  excluded: ['What a device was not rented out for: it stays with its owner.'],
  excluded_messages: [{ code: 'excluded_not_rented' }],
  dataset_releases: ['2026.11'],
  method_version: METHOD_VERSION,
  generated_at: '2026-11-20T12:45:16.347Z',
}

const share = Type.Number({
  description: 'Percent of the total; in by_country, percent of all use emission.',
  examples: [62.5],
})
const emission = kilograms('Posted emission.', 812.5)

export const QualityLevel = namedSchema(
  'QualityLevel',
  Type.Object({
    level: Type.Enum([...LEVELS], {
      description:
        'Basis of the emission: the data sheet of the device model (model), a fallback footprint, or a factor.',
    }),
    type: Type.Enum(['estimated', 'indicative']),
    total_emission: emission,
    share_percent: share,
  }),
)

export const QualityAge = namedSchema(
  'QualityAge',
  Type.Object({
    age_years: Type.Enum([...AGE_BANDS, 'unknown'], {
      description: 'Years from the publication of the source to the order.',
    }),
    total_emission: emission,
    share_percent: share,
  }),
)

export const QualityCountry = namedSchema(
  'QualityCountry',
  Type.Object({
    country: Type.Enum(['given', 'missing'], { description: 'Whether the country of use was stated.' }),
    use_emission: kilograms('Use emission.', 120.25),
    share_percent: share,
  }),
)

export const ProductToImprove = namedSchema(
  'ProductToImprove',
  Type.Object({
    product_id: Type.String({ description: 'Your own product identifier, as used in your orders.' }),
    match_method: Type.String({ description: 'How the footprint of the product was matched.', examples: ['type'] }),
    footprint_id: Type.Array(Type.String({ examples: ['type:laptop'] })),
    total_emission: kilograms('Embodied and use emission of all its devices.', 812.5),
    low: kilograms('Lower end of the 95 % interval.', 400.1),
    high: kilograms('Upper end of the 95 % interval.', 1500.3),
    width: kilograms('Width of the interval, high − low. Products are sorted by it, widest first.', 1100.2),
    use_without_country: kilograms('Use emission posted without a country.', 12.5),
    improvements: Type.Array(Type.Enum([...IMPROVEMENTS]), {
      description:
        'map_product_id: state the device model or type with PUT /api/products/{product_id}. confirm_model: the ' +
        'same, for a model that was matched by text. ' +
        'state_country: send the country of use with the orders, where it would change a figure. ' +
        'Posted emissions do not change; later orders are more accurate.',
    }),
  }),
)

export const QualityReport = namedSchema(
  'QualityReport',
  Type.Object({
    emission_unit: emissionUnit,
    total_emission: kilograms('Sum of by_level, which equals the sum of by_source_age.', 1300),
    by_level: Type.Array(schemaRef(QualityLevel)),
    by_source_age: Type.Array(schemaRef(QualityAge)),
    by_country: Type.Array(schemaRef(QualityCountry)),
    to_improve: Type.Array(schemaRef(ProductToImprove), { description: 'Products with the widest interval first.' }),
    filters: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: 'Parameters of the request, by name.',
    }),
    dataset_releases: Type.Array(Type.String()),
    method_version: Type.String(),
    generated_at: Type.String({ format: 'date-time' }),
  }),
)

export const EXAMPLE_QUALITY = {
  emission_unit: 'kgCO2e',
  total_emission: 1300,
  by_level: [{ level: 'type', type: 'indicative', total_emission: 1300, share_percent: 100 }],
  by_source_age: [{ age_years: '3-5', total_emission: 1300, share_percent: 100 }],
  by_country: [{ country: 'missing', use_emission: 120.25, share_percent: 100 }],
  to_improve: [
    {
      product_id: 'P-000123',
      match_method: 'type',
      footprint_id: ['type:laptop'],
      total_emission: 1300,
      low: 600.5,
      high: 2500.25,
      width: 1899.75,
      use_without_country: 120.25,
      improvements: ['map_product_id', 'state_country'],
    },
  ],
  filters: { from: ['2025-01-01'] },
  dataset_releases: ['2026.11'],
  method_version: '1.0',
  generated_at: '2026-11-22T12:00:00.000Z',
}
