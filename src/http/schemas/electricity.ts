// Schemas of the inventory of electricity: kilowatt-hours by month and country, with emissions by place and by market.
import Type from 'typebox'
import { ENERGY_UNIT } from '../../engine/electricity/energy.ts'
import { INSTRUMENT_KINDS } from '../../engine/electricity/instruments.ts'
import { FACTOR_QUALITIES } from '../../engine/electricity/inventory.ts'
import { EMISSION_UNIT } from '../../engine/numbers/emission.ts'
import { namedSchema, schemaRef } from '../../contract/named-schema.ts'
import { Source, emissionUnit, kilograms, messageCode } from './response.ts'

const kwh = (description: string, example: number) => Type.Number({ description, examples: [example] })
const factor = Type.Number({ description: 'kg CO2e per kWh.', examples: [0.34206] })
const year = Type.Integer({ description: 'Year that the figure is of, or the earliest of several.', examples: [2024] })
const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description })

const label = (scope: string, category: string) => ({
  ghg_scope: Type.Literal(scope),
  ghg_category: Type.Literal(category),
})
const ELECTRICITY = label('2', 'Electricity')
const LOSSES = label('3', 'Category 3: Fuel- and energy-related activities')

const LocationBased = Type.Object({
  ...ELECTRICITY,
  emission: kilograms('kWh × factor, in kg CO2e.', 0.535324),
  factor_kg_co2e_per_kwh: factor,
  quality: Type.Enum([...FACTOR_QUALITIES], {
    description: 'The factor is of the month, of the year, or of another year, the nearest before if there is one.',
  }),
  year,
  series: nullable(Type.String(), 'Series of grid factors; null for a figure of the account’s own.'),
  source: schemaRef(Source),
})

const MarketPart = Type.Object({
  by: Type.Enum([...INSTRUMENT_KINDS, 'residual_mix', 'location_average'], {
    description: 'What says the factor. location_average stands in where there is no residual mix.',
  }),
  instrument_id: Type.Optional(Type.String({ description: 'Of a contract, certificate or supplier.' })),
  kwh: kwh('Electricity of the part.', 1),
  factor_kg_co2e_per_kwh: nullable(factor, 'Null if no factor of the country is known.'),
  emission: nullable(kilograms('kWh × factor, in kg CO2e.', 0), 'Null if no factor is known.'),
  year: Type.Optional(Type.Integer({ description: 'Year of the residual mix.', examples: [2024] })),
  source: nullable(schemaRef(Source), 'Null if no factor is known.'),
})

const MarketBased = Type.Object({
  ...ELECTRICITY,
  emission: kilograms('Sum of the parts, without those whose factor is not known, in kg CO2e.', 0.389285),
  no_residual: Type.Boolean({
    description:
      'True if electricity that no instrument covers has the average of the place: no residual mix is known.',
  }),
  parts: Type.Array(MarketPart),
})

const Losses = Type.Object(
  {
    ...LOSSES,
    emission: kilograms('kWh × factor × share ÷ (1 − share), in kg CO2e.', 0.028175),
    share: Type.Number({
      description:
        'Share of the electricity fed in that is lost: the account’s own (source.origin is account), else that of ' +
        'the release, rounded to 12 decimals; the emission is calculated with the exact one.',
      examples: [0.05],
    }),
    year,
    source: schemaRef(Source),
  },
  { description: 'Of transmission and distribution, by the location-based factor.' },
)

const Line = Type.Object({
  month: Type.String({ description: 'YYYY-MM.', examples: ['2025-01'] }),
  country: nullable(Type.String({ examples: ['DE'] }), 'Country of use; null for rentals that name none.'),
  kwh: kwh('Electricity that the rented devices use in the month.', 1.565),
  state: Type.Enum(['forecast', 'settled'], {
    description: 'settled: the month is over, and its own factor is there. Until then its emission is a forecast.',
  }),
  location_based: nullable(LocationBased, 'Null if no factor of the country is known.'),
  market_based: MarketBased,
  losses: nullable(Losses, 'Null if no share of losses is known, or the factor includes them.'),
})

const Total = Type.Object(
  {
    kwh: kwh('Sum of the months.', 1.565),
    location_based_emission: kilograms('Sum of the lines, in kg CO2e.', 0.535324),
    location_based_kwh_without_factor: kwh('Electricity that this sum leaves out.', 0),
    market_based_emission: kilograms('Sum of the lines, in kg CO2e.', 0.389285),
    market_based_kwh_without_factor: kwh('Electricity that this sum leaves out.', 0),
    losses_emission: kilograms('Sum of the lines, in kg CO2e.', 0.028175),
  },
  { description: 'Location-based and market-based emission are of the same electricity: never add them up.' },
)

export const ElectricityReport = namedSchema(
  'ElectricityReport',
  Type.Object(
    {
      emission_unit: emissionUnit,
      energy_unit: Type.Literal(ENERGY_UNIT),
      year: Type.Integer({ examples: [2025] }),
      customer_id: nullable(Type.String({ examples: ['customer-17'] }), 'Null for all customers.'),
      dataset_release: Type.String({ description: 'Release of the factors: that of new orders.' }),
      grid_series: nullable(Type.String(), 'Series of grid factors that the account uses; null in earlier releases.'),
      number_of_rentals: Type.Integer({ description: 'Rentals with time in the year, one per device and order.' }),
      number_of_rentals_without_kwh: Type.Integer({
        description: 'Of them, those of devices whose electricity is not known. They are in no line.',
      }),
      total: Total,
      months: Type.Array(Line, { description: 'By month and country, if there is electricity.' }),
      notes: Type.Array(Type.Object({ message: Type.String(), code: messageCode })),
    },
    { description: 'The electricity of rented devices in a year, beside the ledger.' },
  ),
)

const GRID_SOURCE = {
  title: 'Yearly average carbon intensity of the electricity that a country generates',
  publisher: 'Ember',
  year: 2024,
  url: 'https://ember-climate.org/data/data-explorer/',
  licence: 'CC-BY-SA-4.0',
}
const OWN_SOURCE = {
  title: 'Disclosure of electricity 2024',
  publisher: 'Example Power',
  year: null,
  url: '',
  licence: '',
  origin: 'account',
  version: 1,
}

export const EXAMPLE_ELECTRICITY = {
  emission_unit: EMISSION_UNIT,
  energy_unit: ENERGY_UNIT,
  year: 2025,
  customer_id: 'customer-17',
  dataset_release: '2026.12.9-1a2b3c4d',
  grid_series: 'ember-generation',
  number_of_rentals: 1,
  number_of_rentals_without_kwh: 0,
  total: {
    kwh: 1.565,
    location_based_emission: 0.535324,
    location_based_kwh_without_factor: 0,
    market_based_emission: 0.389285,
    market_based_kwh_without_factor: 0,
    losses_emission: 0.028175,
  },
  months: [
    {
      month: '2025-01',
      country: 'DE',
      kwh: 1.565,
      state: 'forecast',
      location_based: {
        ghg_scope: '2',
        ghg_category: 'Electricity',
        emission: 0.535324,
        factor_kg_co2e_per_kwh: 0.34206,
        quality: 'year_near',
        year: 2024,
        series: 'ember-generation',
        source: GRID_SOURCE,
      },
      market_based: {
        ghg_scope: '2',
        ghg_category: 'Electricity',
        emission: 0.389285,
        no_residual: false,
        parts: [
          {
            by: 'certificate',
            instrument_id: 'certificates-2025',
            kwh: 1,
            factor_kg_co2e_per_kwh: 0,
            emission: 0,
            source: OWN_SOURCE,
          },
          {
            by: 'residual_mix',
            kwh: 0.565,
            factor_kg_co2e_per_kwh: 0.689,
            emission: 0.389285,
            year: 2024,
            source: { ...OWN_SOURCE, year: 2024 },
          },
        ],
      },
      losses: {
        ghg_scope: '3',
        ghg_category: 'Category 3: Fuel- and energy-related activities',
        emission: 0.028175,
        share: 0.05,
        year: 2024,
        source: { ...OWN_SOURCE, year: 2024 },
      },
    },
  ],
  notes: [
    {
      message:
        'The lines of use in orders, reports and statements stay as they were posted: by place, with factors of ' +
        'years; this inventory is calculated beside them and changes none of them',
      code: 'inventory_beside_ledger',
    },
  ],
}
