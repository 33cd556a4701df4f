// Response schemas of the comparison of rented with new devices. No other response has a member of it.
import Type from 'typebox'
import { SPECIFICITIES } from '../../engine/impact.ts'
import { namedSchema, schemaRef } from '../../contract/named-schema.ts'
import { day } from './ledger.ts'
import { MessageReference, emissionUnit, kilograms } from './response.ts'

const reference = {
  product_embodied_emission: kilograms('E ÷ L × months, at most E in one rental.', 54.675),
  product_use: Type.Number({ description: 'As that of the rented devices.' }),
  total_emission: Type.Number(),
}

const solution = {
  product_embodied_emission: kilograms('As posted.', 20.225),
  product_use: Type.Number(),
  packaging: Type.Number(),
  transportation: Type.Number(),
  total_emission: Type.Number(),
}

const specificity = Type.Enum([...SPECIFICITIES])

const difference = {
  emission: kilograms('Reference minus solution; below 0 if the rented devices emit more.', 34.45),
  interval: Type.Object(
    { low: Type.Number(), high: Type.Number(), level: Type.Literal(0.95) },
    { description: 'Of a normal distribution. Errors that both sides share cancel out as far as their emissions do.' },
  ),
}

export const ImpactReferenceDevice = namedSchema(
  'ImpactReferenceDevice',
  Type.Object(
    {
      footprint_id: Type.String({ description: 'Device model or fallback footprint.' }),
      name: Type.String({ description: 'Brand and name of the model, or name of the fallback footprint.' }),
      name_message: Type.Optional(schemaRef(MessageReference)),
      dataset_release: Type.String(),
      why: Type.String({ description: 'Why this is what the devices are compared with.' }),
      why_message: schemaRef(MessageReference),
      specificity,
      embodied_emission: kilograms('E: embodied footprint of a new device.', 109.35),
      lifetime_months: Type.Number({ description: 'L: its reference lifetime.' }),
      number_of_devices: Type.Integer({ description: 'Rented devices that are compared with it.' }),
      reference: Type.Object(reference),
      solution: Type.Object(solution),
    },
    { description: 'New devices with one footprint, and the rented ones that are compared with them.' },
  ),
)

export const Impact = namedSchema(
  'Impact',
  Type.Object(
    {
      customer_id: Type.String(),
      year: Type.Integer(),
      is_preliminary: Type.Boolean({ description: 'True if a month of the year may still change.' }),
      impact: Type.Object({
        emission_unit: emissionUnit,
        time_frame: Type.Object({ from: day('First day.'), to: day('Last day.') }),
        allocation_methods: Type.Array(Type.Enum(['capped_linear', 'uncapped']), {
          description: 'By which methods the rented devices have their embodied emission.',
        }),
        specificity: Type.Union([specificity, Type.Null()], {
          description: 'The least specific of the devices; null without devices.',
        }),
        reference: Type.Object(
          { ...reference, devices: Type.Array(schemaRef(ImpactReferenceDevice)) },
          { description: 'What new devices of the same models would have emitted in the same months.' },
        ),
        solution: Type.Object(solution, {
          description: 'What the rented devices emit, with packaging and transport, as in the statement of the year.',
        }),
        potential: Type.Optional(
          Type.Object(difference, {
            description:
              'If neither displacement nor rebound is sent: how many rentals replace a purchase is not known.',
          }),
        ),
        gross: Type.Optional(Type.Object(difference, { description: 'If displacement or rebound is sent.' })),
        net: Type.Optional(
          Type.Object(
            {
              ...difference,
              displacement: Type.Optional(Type.Number()),
              rebound: Type.Optional(Type.Number()),
              source: Type.String({ description: 'Where the displacement or the rebound is from, as sent.' }),
            },
            { description: 'displacement × reference − solution, or (1 − rebound) × gross.' },
          ),
        ),
        break_even: Type.Union([Type.Number(), Type.Null()], {
          description: 'The displacement at which net is 0: solution ÷ reference. Null if the reference is 0 or less.',
        }),
      }),
    },
    {
      description:
        'Rented devices compared with new ones. It stands beside the inventory: it must never be subtracted from an ' +
        'emission, enter a total, a scope or a target, be added up over accounts, or be stated by lessor and lessee ' +
        'at once.',
    },
  ),
)
