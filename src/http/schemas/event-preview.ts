// The schema of a preview: the emissions that an event would move.
import Type from 'typebox'
import { namedSchema, schemaRef } from '../../contract/named-schema.ts'
import { emissionUnit, kilograms, warnings } from './response.ts'

export const PartEmissions = namedSchema(
  'PartEmissions',
  Type.Object(
    {
      total_emission: kilograms('The sum of the parts.', -14.0625),
      product_embodied_emission: Type.Number(),
      product_use: Type.Number(),
      packaging: Type.Number(),
      transportation: Type.Number(),
    },
    { description: 'Emissions by part, each a whole number of milligrams; differences may be negative.' },
  ),
)

export const EventPreview = namedSchema(
  'EventPreview',
  Type.Object(
    {
      event_id: Type.Optional(
        Type.String({ description: 'Absent for a correction, which has none before it is stored.' }),
      ),
      already_recorded: Type.Boolean({
        description:
          'True if this event is recorded, or this content is stored, already: to send it again changes nothing, so ' +
          'nothing moves.',
      }),
      emission_unit: emissionUnit,
      counts_from: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
        description:
          'First open day: what the event changes on earlier days counts on this day. Null if the books are open for ' +
          'all days.',
      }),
      difference: schemaRef(PartEmissions),
      warnings,
      orders: Type.Array(
        Type.Object({
          customer_id: Type.String(),
          order_id: Type.String(),
          before: schemaRef(PartEmissions),
          after: schemaRef(PartEmissions),
          difference: schemaRef(PartEmissions),
        }),
        { description: 'The orders to which the event posts entries, including entries of 0 kg.' },
      ),
      devices: Type.Array(
        Type.Object({
          serial_number: Type.String(),
          embodied_total_before: Type.Number(),
          embodied_total_after: Type.Number(),
        }),
        { description: 'The devices whose embodied total changes, because of a refurbishment.' },
      ),
      years: Type.Union(
        [
          Type.Array(
            Type.Object({
              customer_id: Type.String(),
              year: Type.Integer({ examples: [2025] }),
              difference: schemaRef(PartEmissions),
            }),
          ),
          Type.Null(),
        ],
        {
          description:
            'What would move in the calendar years of each customer, allocated as in statements and in reports by ' +
            'tenure. Their sum is the difference. Null if the event concerns a device with more than 250 ledger ' +
            'entries, of which only the latest are read.',
        },
      ),
    },
    { description: 'What an event or a correction would move, if it were recorded now.' },
  ),
)
