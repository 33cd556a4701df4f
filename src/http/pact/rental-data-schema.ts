// The JSON schema of the extension of product footprints: what PACT has no member for.
import Type from 'typebox'

const decimal = (description: string) => Type.String({ description, pattern: '^-?\\d+(\\.\\d+)?$' })

export const RENTAL_DATA_SCHEMA = Type.Object(
  {
    useEmission: decimal('Electricity that the device uses during the rental, in kg CO2e; not part of the footprint.'),
    useMethod: Type.Literal('location-based'),
    interval: Type.Optional(
      Type.Object(
        {
          low: decimal('In kg CO2e.'),
          high: decimal('In kg CO2e.'),
          level: Type.Literal('0.95'),
        },
        { description: 'Contains the true footprint in 95 of 100 cases. Absent for a footprint of 0.' },
      ),
    ),
    methodVersion: Type.String({ description: 'Version of the method in METHODOLOGY.md of Cradle.' }),
    datasetReleases: Type.Array(Type.String(), { description: 'Releases of the datasets that were used.' }),
    statement: Type.Optional(
      Type.Object(
        {
          year: Type.Integer(),
          isPreliminary: Type.Boolean({ description: 'True while a month of the year may still change.' }),
          ordersRoot: Type.String({ description: 'Root of the Merkle tree of the orders in the yearly statement.' }),
        },
        { description: 'The yearly statement with the same figures. Absent for the footprint of a rental.' },
      ),
    ),
  },
  { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Rental data of a product footprint' },
)
