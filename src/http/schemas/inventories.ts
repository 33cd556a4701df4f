// Response schemas of the inventories of a year, and of the sources of a customer's emissions.
import Type from 'typebox'
import { CONSOLIDATION_APPROACHES, LEASE_TYPES } from '../../engine/inventory-boundary.ts'
import { PARTS } from '../../engine/numbers/emission.ts'
import { MATCH_LEVELS } from '../../engine/uncertainty/data-quality.ts'
import { namedSchema, schemaRef } from '../../contract/named-schema.ts'
import { Uncertainty } from './order-response.ts'
import { MessageReference, Source, emissionUnit, kilograms } from './response.ts'

const uncertainty = Type.Union([schemaRef(Uncertainty), Type.Null()], {
  description: 'Null if the sum has too many different error sources to compute it.',
})

export const Inventory = namedSchema(
  'Inventory',
  Type.Object(
    {
      total_emission: kilograms('Sum of the lines.', 33.75),
      uncertainty,
      lines: Type.Array(
        Type.Object({
          part: Type.Enum([...PARTS]),
          ghg_scope: Type.String(),
          ghg_category: Type.String(),
          counting: Type.Enum(['posted', 'whole'], {
            description:
              '`posted`: the entries posted for the year. `whole`: the complete embodied emission of devices whose ' +
              'first rental began in the year, or a refurbishment on its day.',
          }),
          reason: Type.String({ description: 'Why it belongs to this category.' }),
          reason_message: schemaRef(MessageReference),
          total_emission: Type.Number(),
          uncertainty,
        }),
      ),
    },
    { description: 'What one side reports, by part and category.' },
  ),
)

export const InventoryCase = namedSchema(
  'InventoryCase',
  Type.Object(
    {
      consolidation_approach: Type.Enum([...CONSOLIDATION_APPROACHES]),
      lease_type: Type.Enum([...LEASE_TYPES]),
      lessees: schemaRef(Inventory),
      lessor: schemaRef(Inventory),
      counted_once: Type.Object(
        {
          lessees: kilograms('Posted emission that counts with the customers.', 27.3375),
          lessor: kilograms(
            'Posted emission that counts with the rental company: the electricity of its scope 2.',
            6.4125,
          ),
          total_emission: kilograms('Both; the total of `posted`.', 33.75),
        },
        { description: 'How posted emissions add up over both sides, each counted once.' },
      ),
    },
    {
      description:
        'The inventories of all customers together (lessees) and of the rental company (lessor). Most of both is the ' +
        'same emission: the two totals must never be added up.',
    },
  ),
)

export const Inventories = namedSchema(
  'Inventories',
  Type.Object(
    {
      year: Type.Integer(),
      emission_unit: emissionUnit,
      posted: Type.Object(
        {
          product_embodied_emission: Type.Number(),
          product_use: Type.Number(),
          packaging: Type.Number(),
          transportation: Type.Number(),
          total_emission: Type.Number(),
        },
        { description: 'What was posted to all orders for the year: the sum of the statements of all customers.' },
      ),
      cases: Type.Array(schemaRef(InventoryCase)),
      dataset_releases: Type.Array(Type.String()),
      method_version: Type.String(),
      generated_at: Type.String({ format: 'date-time' }),
    },
    { description: 'The inventories of a year under each consolidation approach and lease type.' },
  ),
)

const share = {
  emission: Type.Number(),
  share_percent: Type.Union([Type.Number(), Type.Null()], {
    description: 'Of the total, to four decimals; the shares of a list add up to 100. Null if the total is 0.',
  }),
}

const specificity = Type.Enum(['specific', 'non_specific'], {
  description:
    '`specific`: by a figure of the product itself, or an own figure of the packaging or the transport. ' +
    '`non_specific`: by a family, a brand, a type, a weight, or a published average.',
})
const verification = Type.Enum(['verified', 'not_stated'], {
  description: '`verified`: the source of each emission factor names a third party that verified it.',
})
const year = Type.Union([Type.Integer(), Type.Null()], {
  description: 'Of the source of the emission factor, the oldest of several; null if none is stated.',
})
const licence = Type.Union([Type.String(), Type.Null()], {
  description: 'Of the source of the emission factor, joined by ` + ` for several; null if none is stated.',
})

export const DataSources = namedSchema(
  'DataSources',
  Type.Object(
    {
      customer_id: Type.String(),
      year: Type.Integer(),
      is_preliminary: Type.Boolean({ description: 'True if a month of the year may still change.' }),
      emission_unit: emissionUnit,
      total_emission: kilograms('The total of the statement.', 33.75),
      emissions: Type.Array(
        Type.Object({
          part: Type.Enum([...PARTS]),
          match_level: Type.Enum([...MATCH_LEVELS]),
          specificity,
          verification,
          year,
          licence,
          sources: Type.Array(schemaRef(Source), { description: 'Of all figures, also of lifetimes and electricity.' }),
          ...share,
        }),
        { description: 'The largest first.' },
      ),
      by_specificity: Type.Array(Type.Object({ specificity, ...share })),
      by_verification: Type.Array(Type.Object({ verification, ...share })),
      by_year: Type.Array(Type.Object({ year, ...share })),
      by_licence: Type.Array(Type.Object({ licence, ...share })),
    },
    { description: 'What data the emissions of a customer and year were computed from.' },
  ),
)
