// What is answered of the quality of what was posted.
import Type from 'typebox'
import { AGE_BANDS, LEVELS, IMPROVEMENTS } from '../../reports/report-quality.ts'
import { namedSchema, schemaRef } from '../requests/component.ts'
import { emissionUnit, kilograms } from '../wire/response-schema.ts'

const share = Type.Number({ description: 'Percent of the whole; of a country, of all use.', examples: [62.5] })
const emission = kilograms('What was posted.', 812.5)

export const QualityLevel = namedSchema(
  'QualityLevel',
  Type.Object({
    level: Type.Enum([...LEVELS], {
      description: 'What devices are charged by: the sheet of their model, or what stands in for one; or the factor.',
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
    country: Type.Enum(['told', 'missing'], { description: 'Whether it was told where devices are used.' }),
    use_emission: kilograms('Of use alone.', 120.25),
    share_percent: share,
  }),
)

export const ProductToImprove = namedSchema(
  'ProductToMend',
  Type.Object({
    product_id: Type.String({ description: 'As your orders have it.' }),
    found_by: Type.String({ description: 'How it was taken for what it is charged by.', examples: ['type'] }),
    charged_by: Type.Array(Type.String({ examples: ['type:laptop'] })),
    total_emission: kilograms('Embodied and use of all its devices.', 812.5),
    low: kilograms('With 95 %, it is at least this', 400.1),
    high: kilograms('and at most this.', 1500.3),
    width: kilograms('What lies between: the rows come by it.', 1100.2),
    use_without_country: kilograms('Of its use, what was posted without a country.', 12.5),
    to_do: Type.Array(Type.Enum([...IMPROVEMENTS]), {
      description:
        'map_product_id: say by PUT /api/products/{product_id} which model or type it is. confirm_model: the same, ' +
        'of a model that its words were taken for. state_country: send the country of use with the orders. What is ' +
        'posted stays; orders from then on are better.',
    }),
  }),
)

export const QualityReport = namedSchema(
  'QualityReport',
  Type.Object({
    emission_unit: emissionUnit,
    total_emission: kilograms('The sum of the levels, and of the ages.', 1300),
    by_level: Type.Array(schemaRef(QualityLevel)),
    by_source_age: Type.Array(schemaRef(QualityAge)),
    by_country: Type.Array(schemaRef(QualityCountry)),
    to_mend: Type.Array(schemaRef(ProductToImprove), { description: 'Those that could move the most first.' }),
    filters: Type.Record(Type.String(), Type.Array(Type.String()), { description: 'What was asked for.' }),
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
  to_mend: [
    {
      product_id: 'P-000123',
      found_by: 'type',
      charged_by: ['type:laptop'],
      total_emission: 1300,
      low: 600.5,
      high: 2500.25,
      width: 1899.75,
      use_without_country: 120.25,
      to_do: ['map_product_id', 'state_country'],
    },
  ],
  filters: { from: ['2025-01-01'] },
  dataset_releases: ['2026.11'],
  method_version: '1.0',
  generated_at: '2026-11-22T12:00:00.000Z',
}
