// Request schemas of an account's own figures. The members have the names of the catalogue's columns under data/.
import Type, { type TProperties } from 'typebox'
import { INSTRUMENT_KINDS } from '../engine/electricity/instruments.ts'
import type { InventoryFigureKind } from '../engine/electricity/inventory-figures.ts'
import { DEVICE_TYPES, DISTANCE_BASES, TRANSPORT_MODES } from '../engine/reference/reference-data.ts'
import type { OwnFigureKind } from '../engine/reference/read-own-figures.ts'
import { namedSchema, type NamedSchema } from './named-schema.ts'
import { text } from './order-schema.ts'

const ALIASES_MAX = 50
const REGIONS = ['world', 'EU', 'US', 'North America', 'Asia']

const number = (description: string, minimum: number, maximum: number, example: number) =>
  Type.Number({ description, minimum, maximum, examples: [example] })
const maybe = (description: string, minimum: number, maximum: number, example: number) =>
  Type.Optional(number(description, minimum, maximum, example))
const maybeText = (description: string, example: string) => Type.Optional(text(description, [example]))

// The bounds of a device are those of the catalogue's sheets: more is a misplaced decimal point.
const stage = (description: string, example: number) => maybe(description, 0, 5000, example)

const SOURCE = {
  source_title: text('Title of the document that states the figure.', ['Product carbon footprint of the R15']),
  source_publisher: text('Who published it, or made it.', ['Ruggedbook GmbH']),
  source_url: maybeText('Where it is.', 'https://ruggedbook.example/pcf-r15.pdf'),
  licence: maybeText('The terms under which it may be used.', 'not for publication'),
  document_sha256: Type.Optional(
    Type.String({
      description: 'SHA-256 of the document, in small hexadecimal digits.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
      pattern: '^[0-9a-f]{64}$',
      minLength: 64,
      maxLength: 64,
    }),
  ),
  verified_by: maybeText('Third party that verified the figure, and by which standard.', 'TÜV Example, ISO 14067'),
  note: maybeText('Anything to remember about it.', 'Sheet of 2025-03'),
}
const YEAR = {
  year: Type.Optional(
    Type.Integer({ description: 'Year of the document.', minimum: 1990, maximum: 2100, examples: [2025] }),
  ),
}

const REASON = {
  reason: maybeText(
    'Why the figure differs by more than 20 % from what it replaces or follows. It stays with the figure, if none is ' +
      'sent, as long as the value stays within 20 %.',
    'Dry spring: little hydropower',
  ),
}

/** A misspelt member would be a figure that is lost without a word. */
const figure = <const Id extends string>(id: Id, members: TProperties, description: string): NamedSchema =>
  namedSchema(id, Type.Object(members, { additionalProperties: false, description }))

export const OwnDeviceModelParams = figure(
  'OwnDeviceModelParams',
  {
    name: text('Name of the model, by which orders are matched.', ['Ruggedbook R15']),
    brand: text('Brand.', ['Ruggedbook']),
    type: Type.Enum([...DEVICE_TYPES], { examples: ['laptop'] }),
    aliases: Type.Optional(
      Type.Array(text('Part number or other name that means this model alone.', ['RB-R15']), {
        description: 'Further names and part numbers.',
        maxItems: ALIASES_MAX,
      }),
    ),
    total_kg_co2e: stage(
      'All stages over the lifetime. May be missing only if production is all that is known.',
      312.4,
    ),
    production_kg_co2e: stage('Production.', 240),
    transportation_kg_co2e: stage('Transport to the customer.', 12.4),
    use_kg_co2e: stage('Use over the lifetime. Without it and use_share, the share of the type is taken.', 56),
    use_share: maybe('Use over the lifetime as a share of the total, instead of use_kg_co2e.', 0, 0.999999999, 0.18),
    end_of_life_kg_co2e: stage('End of life.', 4),
    lifetime_months: Type.Optional(
      Type.Integer({ description: 'Lifetime that the sheet reckons with.', minimum: 12, maximum: 180, examples: [60] }),
    ),
    weight_kg: maybe('Weight.', 0.005, 100, 2.6),
    screen_inches: maybe('Screen diagonal.', 1, 120, 15.6),
    yearly_energy_kwh: maybe('Electricity of a year of use.', 0.1, 1000, 31.5),
    use_region: Type.Optional(
      Type.Enum(REGIONS, { description: 'Region whose electricity the use is reckoned with.', examples: ['EU'] }),
    ),
    uncertainty_ratio: maybe('Relative error of the total, as the sheet states it.', 0, 1, 0.2),
    ...YEAR,
    ...SOURCE,
  },
  "A device model of the account's own, as its carbon footprint sheet states it.",
)

export const OwnTransportationParams = figure(
  'OwnTransportationParams',
  {
    name: text('Name.', ['Our electric vans']),
    mode: Type.Enum([...TRANSPORT_MODES], { examples: ['road'] }),
    vehicle: maybeText('The vehicle.', 'Van of 3.5 t, battery-electric'),
    factor_kg_co2e_per_tonne_km: number('kg CO2e per tonne-kilometre, well-to-wheel.', 0, 10, 0.19),
    ttw_kg_co2e_per_tonne_km: maybe('The part of it from tank to wheel.', 0, 10, 0),
    distance_basis: Type.Enum([...DISTANCE_BASES], {
      description: 'Distances that it is meant for.',
      examples: ['actual'],
    }),
    region: maybeText('Where it applies.', 'DE'),
    ...YEAR,
    ...SOURCE,
  },
  "A factor of freight of the account's own.",
)

export const OwnPackagingParams = figure(
  'OwnPackagingParams',
  {
    name: text('Name.', ['Reusable case']),
    material: text('Material.', ['polypropylene']),
    recycled_content_percent: maybe('Recycled content.', 0, 100, 50),
    factor_kg_co2e_per_kg: number('kg CO2e per kg, cradle to gate.', 0, 50, 0.4),
    ...YEAR,
    ...SOURCE,
  },
  "A packaging of the account's own.",
)

export const OwnLifetimeParams = figure(
  'OwnLifetimeParams',
  {
    lifetime_months: Type.Integer({
      description: 'Lifetime of devices of the type for which no sheet states one.',
      minimum: 12,
      maximum: 180,
      examples: [66],
    }),
    ...YEAR,
    ...SOURCE,
  },
  "The lifetime of a type of device by the account's own experience.",
)

export const OwnGridFactorParams = figure(
  'OwnGridFactorParams',
  { factor_kg_co2e_per_kwh: number('kg CO2e per kWh of that country and year.', 0.000001, 2, 0.042), ...SOURCE },
  "The electricity of a country in one year by the account's own source.",
)

export const GridMonthParams = figure(
  'GridMonthParams',
  {
    factor_kg_co2e_per_kwh: number('kg CO2e per kWh of that country and month, without losses.', 0.000001, 2, 0.381),
    ...SOURCE,
    ...REASON,
  },
  'The electricity of a country in one month, for the inventory of electricity.',
)

export const ResidualMixParams = figure(
  'ResidualMixParams',
  {
    // Where everything is tracked, a residual mix is printed as 0. That is no electricity without emission.
    factor_kg_co2e_per_kwh: number(
      'kg CO2e per kWh of that country and year. Leave out a country that is printed with 0: nothing is left there.',
      0.000001,
      2,
      0.689,
    ),
    ...SOURCE,
    ...REASON,
  },
  'What is left of a country’s electricity in a year without all that was sold with certificates or by contracts.',
)

export const GridLossParams = figure(
  'GridLossParams',
  {
    share: number('Share of the electricity fed in that is lost on its way to customers.', 0, 0.5, 0.05),
    ...SOURCE,
    ...REASON,
  },
  'Losses of transmission and distribution in a country in one year.',
)

const month = (description: string, example: string) => text(description, [example])

export const InstrumentParams = figure(
  'InstrumentParams',
  {
    customer_id: text('Customer whose electricity it covers.', ['customer-17']),
    country: Type.String({
      description: 'ISO 3166-1 alpha-2 code of the country whose electricity it covers.',
      examples: ['DE'],
      pattern: '^[A-Z]{2}$',
    }),
    kind: Type.Enum([...INSTRUMENT_KINDS], {
      description:
        'contract: with a generator. certificate: cancelled for the customer. supplier: the rate of its supplier, ' +
        'for what the others leave.',
      examples: ['certificate'],
    }),
    from: month('First month, YYYY-MM.', '2025-01'),
    to: month('Last month, YYYY-MM, included.', '2025-12'),
    kwh: maybe('All that it covers, in months of one calendar year; used from the first month on.', 0.001, 1e12, 1200),
    share: maybe('Share that it covers of each month, instead of kwh.', 0.000001, 1, 1),
    factor_kg_co2e_per_kwh: number('kg CO2e per kWh by its terms.', 0, 2, 0),
    ...SOURCE,
  },
  'A contract, certificates or a supplier’s rate for the electricity of a customer.',
)

/** Figures that new orders are calculated with, and those that only the inventory of electricity uses. */
export type FigureKind = OwnFigureKind | InventoryFigureKind

export const OWN_FIGURE_SCHEMAS: Readonly<Record<FigureKind, NamedSchema>> = {
  'device-model': OwnDeviceModelParams,
  transportation: OwnTransportationParams,
  packaging: OwnPackagingParams,
  lifetime: OwnLifetimeParams,
  'grid-factor': OwnGridFactorParams,
  'grid-month': GridMonthParams,
  'residual-mix': ResidualMixParams,
  'grid-loss': GridLossParams,
  instrument: InstrumentParams,
}
