// Response schema of a scenario: the years before and after its changes.
import Type from 'typebox'
import { ScenarioChangeParams, ScenarioScope } from '../../contract/scenario-schema.ts'
import { namedSchema, schemaRef } from '../../contract/named-schema.ts'
import { UNCHANGED_REASONS } from '../../engine/scenario/changes.ts'
import { MessageReference, emissionUnit, kilograms } from './response.ts'

const comparison = {
  before: kilograms('What reports and statements count by tenure for these orders.', 12.5),
  after: kilograms('What they would count.', 10.25),
  difference: kilograms('After minus before; below 0 if after is the smaller one.', -2.25),
  interval: Type.Object(
    { low: Type.Number(), high: Type.Number(), level: Type.Literal(0.95) },
    {
      description:
        'Of the difference, by a normal distribution. Errors that both sides share are drawn once: they cancel out ' +
        'as far as their emissions do.',
    },
  ),
}

const counted = {
  ...{ number_of_orders: Type.Integer({ minimum: 0 }) },
}

export const Scenario = namedSchema(
  'Scenario',
  Type.Object(
    {
      emission_unit: emissionUnit,
      scope: schemaRef(ScenarioScope),
      changes: Type.Array(schemaRef(ScenarioChangeParams), { description: 'As they were sent.' }),
      number_of_orders: Type.Integer({ minimum: 0, description: 'Orders in the scope.' }),
      number_of_orders_changed: Type.Integer({
        minimum: 0,
        description: 'Of these, orders that at least one change applies to.',
      }),
      number_of_orders_with_difference: Type.Integer({
        minimum: 0,
        description: 'Orders in the scope that have another emission in a year; a change may apply and move nothing.',
      }),
      by_year: Type.Array(Type.Object({ year: Type.Integer(), ...comparison }), {
        description: 'Calendar years in which something counts, the earliest first.',
      }),
      total: Type.Object(comparison, { description: 'All years together.' }),
      outside_scope: Type.Object(
        { ...counted, difference: Type.Number() },
        {
          description:
            'Orders outside the scope that change because they share a device with one inside. They are in no other ' +
            'number of this answer.',
        },
      ),
      not_changed: Type.Array(
        Type.Object({
          change: Type.Integer({ minimum: 0, description: 'Index of the change in `changes`.' }),
          reason: Type.Enum([...UNCHANGED_REASONS]),
          why: Type.String({ description: 'The reason as a sentence.' }),
          why_message: schemaRef(MessageReference),
          ...counted,
        }),
        { description: 'For each change, how many orders of the scope it leaves as they are, and why.' },
      ),
      notes: Type.Array(Type.String(), { description: 'What the answer does not say.' }),
      note_messages: Type.Array(schemaRef(MessageReference), { description: 'The notes as codes with values.' }),
    },
    { description: 'Stored orders computed again under changes. Nothing of it is stored.' },
  ),
)

export const EXAMPLE_SCENARIO = {
  emission_unit: 'kgCO2e',
  scope: { customer_id: 'customer-17' },
  changes: [{ type: 'transportation', from: 'road', to: 'road-van-electric' }],
  number_of_orders: 1,
  number_of_orders_changed: 1,
  number_of_orders_with_difference: 1,
  by_year: [
    {
      year: 2025,
      ...{ before: 8.840348, after: 8.764448, difference: -0.0759 },
      interval: { low: -0.182283, high: 0.030483, level: 0.95 },
    },
  ],
  total: {
    ...{ before: 8.840348, after: 8.764448, difference: -0.0759 },
    interval: { low: -0.182283, high: 0.030483, level: 0.95 },
  },
  outside_scope: { number_of_orders: 0, difference: 0 },
  not_changed: [],
  notes: ['Legs keep their distances and weights: a route by another mode may be longer'],
  note_messages: [{ code: 'scenario_distances_stay' }],
}
