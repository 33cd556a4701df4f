// Schema of a device model with its footprint and optional evidence.
import Type from 'typebox'
import { DEVICE_TYPES } from '../../engine/reference/reference-data.ts'
import { namedSchema, schemaRef } from '../../contract/named-schema.ts'
import { Uncertainty } from './order-response.ts'
import { Source, emissionUnit, kilograms, originMembers } from './response.ts'

export const DeviceModel = namedSchema(
  'DeviceModel',
  Type.Object({
    id: Type.String({ description: 'Device model identifier.', examples: ['apple-macbook-air-13-m3-256gb'] }),
    name: Type.String({ description: 'Device model name.' }),
    brand: Type.String({ description: 'Device model brand.' }),
    type: Type.Enum([...DEVICE_TYPES]),
    product_footprint: kilograms('Total product footprint.', 135),
    product_footprint_unit: emissionUnit,
    footprint_breakdown: Type.Object(
      {
        cradle_to_gate: Type.Optional(Type.Number({ description: 'All stages up to the factory gate.' })),
        end_of_life_processing: Type.Optional(Type.Number()),
        product_use: Type.Optional(Type.Number()),
        production: Type.Optional(Type.Number({ description: 'The manufacturing stage as published.' })),
        transportation: Type.Optional(Type.Number()),
      },
      { description: 'Contains only the stages for which the source states a number.' },
    ),
    ...originMembers,
    uncertainty: Type.Optional(schemaRef(Uncertainty)),
    lifetime_months: Type.Optional(
      Type.Number({ description: 'Lifetime in months as stated in the data sheet; with include=evidence.' }),
    ),
    weight_kg: Type.Optional(Type.Number()),
    yearly_energy_kwh: Type.Optional(Type.Number()),
    source: Type.Optional(schemaRef(Source)),
  }),
)
