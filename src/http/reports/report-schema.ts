// What is answered of reports.
import Type from 'typebox'
import { CONSOLIDATION_APPROACHES, REPORTING_ENTITIES, LEASE_TYPES } from '../../engine/inventory-boundary.ts'
import { PARTS } from '../../engine/numbers/emission.ts'
import { DATE_BASES, NAMED_DIMENSIONS, SORTS } from '../../reports/emissions-query.ts'
import { namedSchema, schemaRef } from '../requests/component.ts'
import { NAMED_BY } from './label-names.ts'
import { Uncertainty } from '../wire/ledger-schema.ts'
import { emissionUnit, kilograms } from '../wire/response-schema.ts'

const orNull = (description: string) => ({ description: `${description}; null where it is not told.` })

const label = Type.Union([Type.String(), Type.Null()])

const sums = {
  total_emission: kilograms('A whole number of milligrams.', 9.9289),
  number_of_orders: Type.Optional(Type.Integer({ description: 'Orders of the group; not where it is of lines.' })),
  number_of_rentals: Type.Optional(Type.Integer({ description: 'Devices held under orders; as of orders.' })),
  uncertainty: Type.Union([schemaRef(Uncertainty), Type.Null()], {
    description: 'Null where too many different things were added up to tell.',
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
        'What is grouped by stands first, by its name, null for what it is not told of; beside ids, their names.',
      patternProperties: { '^metadata\\.': label },
    },
  ),
)

export const OtherGroups = namedSchema(
  'OtherGroups',
  Type.Object(
    { number_of_groups: Type.Integer(), ...sums },
    { description: 'All groups that are not told, added up.' },
  ),
)

export const EmissionsReport = namedSchema(
  'EmissionsReport',
  Type.Object({
    book: Type.Enum([...REPORTING_ENTITIES]),
    approach: Type.Enum([...CONSOLIDATION_APPROACHES]),
    lease: Type.Enum([...LEASE_TYPES]),
    basis: Type.Enum([...DATE_BASES]),
    from: Type.Union([Type.String(), Type.Null()], orNull('First day')),
    to: Type.Union([Type.String(), Type.Null()], orNull('Last day')),
    group_by: Type.Array(Type.String()),
    sort: Type.Enum([...SORTS]),
    limit: Type.Integer({ description: 'How many groups are told at most.' }),
    filters: Type.Record(Type.String(), Type.Array(Type.String()), { description: 'What was kept, by name.' }),
    emission_unit: emissionUnit,
    total_emission: kilograms('The sum of the groups and of others.', 9.9289),
    number_of_orders: Type.Integer(),
    number_of_rentals: Type.Integer(),
    uncertainty: Type.Union([schemaRef(Uncertainty), Type.Null()]),
    groups: Type.Array(schemaRef(EmissionGroup), {
      description: 'As sorted; those that emit as much, by what they are.',
    }),
    others: Type.Union([schemaRef(OtherGroups), Type.Null()], { description: 'Null where all groups are told.' }),
    labels: Type.Array(
      Type.Object({
        part: Type.Enum([...PARTS]),
        ghg_scope: Type.String(),
        ghg_category: Type.String(),
        reason: Type.String(),
      }),
      { description: 'Under which scope and category the book has each part, and why.' },
    ),
    excluded: Type.Array(Type.String(), { description: 'What is in none of the figures.' }),
    dataset_releases: Type.Array(Type.String(), { description: 'Whose figures it rests on.' }),
    method_version: Type.String(),
    generated_at: Type.String({ format: 'date-time' }),
  }),
)

export const EXAMPLE_REPORT = {
  book: 'lessee',
  approach: 'operational',
  lease: 'operating',
  basis: 'tenure',
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
  groups: [
    {
      quarter: '2025-Q1',
      total_emission: 8.4375,
      uncertainty: { low: 6.2, high: 11.3, level: 0.95, kind: 'lognormal', gsd: 1.17 },
      number_of_orders: 1,
      number_of_rentals: 1,
    },
  ],
  others: null,
  labels: [
    {
      part: 'product_use',
      ghg_scope: '2',
      ghg_category: 'Electricity',
      reason: 'The lessee operates the device, so its electricity is bought by the lessee.',
    },
  ],
  excluded: ['What a device was not rented out for: it stays with its owner.'],
  dataset_releases: ['2026.11'],
  method_version: '1.1',
  generated_at: '2026-11-20T12:45:16.347Z',
}
