// Request schemas of a scenario: which orders are computed again, under which changes.
import Type, { type Static } from 'typebox'
import { DEVICE_TYPES } from '../engine/reference/reference-data.ts'
import { CHANGE_TYPES, TENURE_MONTHS_MAX } from '../engine/scenario/changes.ts'
import { namedSchema, schemaRef } from './named-schema.ts'
import { day, text } from './order-schema.ts'

export const SCENARIO_CHANGES_MAX = 20

/** A misspelt member would make a change or the scope wider without a word. */
const STRICT = { additionalProperties: false }

export const ScenarioChangeParams = namedSchema(
  'ScenarioChangeParams',
  Type.Object(
    {
      type: Type.Enum([...CHANGE_TYPES], {
        description:
          'tenure: each rental has `months` more. transportation: legs go by `to` in place of `from`. ' +
          'packaging: `to` in place of `from`, or of all. model: devices that are charged by the model `from` are ' +
          'charged by `to`. ' +
          'electricity: use that is counted by kilowatt-hours has the factor `factor_kg_co2e_per_kwh`.',
        examples: ['transportation'],
      }),
      device_type: Type.Optional(
        Type.Enum([...DEVICE_TYPES], { description: 'Only devices of this type, by what they are charged by today.' }),
      ),
      months: Type.Optional(
        Type.Integer({
          description: 'tenure: months added to each tenure and each extension.',
          examples: [6],
          minimum: 1,
          maximum: TENURE_MONTHS_MAX,
        }),
      ),
      from: Type.Optional(
        text(
          'What is replaced. transportation: a transportation id, or a mode for all legs with that mode. packaging: ' +
            'a packaging id; without it, all packaging. model: a model id.',
          ['air'],
        ),
      ),
      to: Type.Optional(
        text('What takes its place: a transportation id, packaging id or model id.', ['sea-container-average']),
      ),
      country: Type.Optional(
        Type.String({
          description: 'electricity: only use in this country, ISO 3166-1 alpha-2. Without it, in all.',
          examples: ['DE'],
          pattern: '^[A-Z]{2}$',
        }),
      ),
      factor_kg_co2e_per_kwh: Type.Optional(
        Type.Number({
          description: 'electricity: the factor in every year; 0 for a contract without emissions.',
          examples: [0],
          minimum: 0,
          maximum: 10,
        }),
      ),
    },
    { ...STRICT, description: 'A change. Each sees what those before it made of an order.' },
  ),
)

export const ScenarioScope = namedSchema(
  'ScenarioScope',
  Type.Object(
    {
      customer_id: Type.Optional(text('Only orders of this customer.', ['customer-17'])),
      from: Type.Optional(day('Only orders with this order date or a later one.', '2025-01-01')),
      to: Type.Optional(day('Only orders with this order date or an earlier one.', '2025-12-31')),
    },
    { ...STRICT, description: 'Which orders are changed and counted. All of the account without it.' },
  ),
)

export const ScenarioParams = namedSchema(
  'ScenarioParams',
  Type.Object(
    {
      changes: Type.Array(schemaRef(ScenarioChangeParams), {
        description: 'What is changed, one after the other.',
        minItems: 1,
        maxItems: SCENARIO_CHANGES_MAX,
      }),
      scope: Type.Optional(schemaRef(ScenarioScope)),
    },
    { ...STRICT, description: 'A scenario to compute.' },
  ),
)

export type WireScenario = Static<typeof ScenarioParams>
export type WireScenarioChange = Static<typeof ScenarioChangeParams>
