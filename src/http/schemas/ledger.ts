// Response schemas of device ledgers: entries and device history.
import Type from 'typebox'
import { DEVICE_EVENT_TYPES } from '../../engine/device-event-types.ts'
import { ENTRY_REASONS } from '../../engine/ledger-history.ts'
import { EmissionDefault } from '../../contract/event-schema.ts'
import { namedSchema, schemaRef } from '../../contract/named-schema.ts'
import { MessageReference, emissionUnit, kilograms } from './response.ts'

export const day = (description: string) => Type.String({ description, format: 'date' })

export const LedgerEntry = namedSchema(
  'Entry',
  Type.Object(
    {
      entry_no: Type.Integer({
        description: 'Position in the ledger of the device, from 1. Entries of other orders may lie in between.',
      }),
      kind: Type.Enum(['allocation', 'correction', 'refurbishment', 'retirement']),
      reason: Type.Enum([...ENTRY_REASONS]),
      posted_at: Type.String({ format: 'date-time', description: 'When the entry was posted.' }),
      counts_from: Type.Optional(
        Type.String({
          format: 'date',
          description:
            'The first open day when the entry was posted. What the entry changes in earlier months counts on this ' +
            'day. Absent if the books were open for all days: then it counts in the months that it concerns.',
        }),
      ),
      device_id: Type.Optional(Type.String()),
      serial_number: Type.Optional(Type.String()),
      customer_id: Type.Optional(Type.String()),
      order_id: Type.Optional(Type.String()),
      cause: Type.Optional(
        Type.Object(
          {
            event_id: Type.Optional(Type.String()),
            customer_id: Type.Optional(Type.String()),
            order_id: Type.Optional(Type.String()),
          },
          { description: 'The event or the other order that caused the entry.' },
        ),
      ),
      in_force: Type.Optional(
        Type.Object(
          { reason: Type.Enum([...ENTRY_REASONS]), event_id: Type.Optional(Type.String()) },
          {
            description:
              'Only for a withdrawal: the reason and the event whose terms count again. Absent if the device is no ' +
              'longer in the order, because the swap that brought it in was withdrawn.',
          },
        ),
      ),
      corrects: Type.Optional(
        Type.Integer({
          description: 'Number of the preceding entry of the same order and device, whose figures this entry corrects.',
        }),
      ),
      tenure_start_date: Type.Optional(day('First day of the rental.')),
      tenure_end_date: Type.Optional(day('Day after the last day of the rental.')),
      tenure_months: Type.Optional(
        Type.Number({ description: 'Months between start and end, as counted by the calculation.' }),
      ),
      total_emission: kilograms('Total emission of the entry.', -10.288306),
      emission: Type.Object({
        product_embodied_emission: Type.Number(),
        product_use: Type.Number(),
        packaging: Type.Number(),
        transportation: Type.Number(),
      }),
    },
    { description: 'Emission posted at one time for one reason. Entries are only added, never changed.' },
  ),
)

export const DeviceHistory = namedSchema(
  'DeviceHistory',
  Type.Object(
    {
      initial: Type.Object(
        {
          footprint_id: Type.String({ description: 'Device model or fallback footprint.' }),
          identified_by: Type.Optional(
            Type.String({ description: 'Event that identified the device; absent if its first order fixed it.' }),
          ),
          name: Type.String({ description: 'Brand and name of the model, or name of the fallback footprint.' }),
          name_message: Type.Optional(schemaRef(MessageReference)),
          dataset_release: Type.String(),
          embodied_emission: kilograms('Embodied footprint of the new device.', 109.35),
          lifetime_months: Type.Number(),
          amortisation: Type.Enum(['capped', 'uncapped']),
        },
        { description: 'Footprint of the device: fixed by its first order, or by the event that identified it last.' },
      ),
      events: Type.Array(
        Type.Object({
          type: Type.Enum(['rented', ...DEVICE_EVENT_TYPES]),
          date: Type.Optional(day('Date of the event; not for rentals.')),
          customer_id: Type.Optional(Type.String()),
          order_id: Type.Optional(Type.String()),
          from: Type.Optional(day('First day of the rental; only for rentals.')),
          to: Type.Optional(day('Day after the last day of the rental.')),
          ended_by: Type.Optional(
            Type.String({ description: 'What ended the rental, if not its agreed end.', examples: ['early_return'] }),
          ),
          months: Type.Optional(Type.Number()),
          allocated_months: Type.Optional(Type.Number()),
          embodied_emission: Type.Optional(
            Type.Number({ description: 'Embodied emission allocated to the rental, kg CO2e.' }),
          ),
          emission_added: Type.Optional(Type.Number({ description: 'Emission added by a refurbishment, kg CO2e.' })),
          emission_default: Type.Optional(schemaRef(EmissionDefault)),
          months_added: Type.Optional(Type.Number()),
          remaining: Type.Number({
            description: 'Embodied emission not allocated to any rental after this event, kg CO2e.',
          }),
          remaining_months: Type.Number(),
        }),
        { description: 'Rentals and events in chronological order.' },
      ),
      balance: Type.Object(
        {
          emission_unit: emissionUnit,
          embodied_total: kilograms('Embodied emission of the new device and its refurbishments.', 117.35),
          allocated: Type.Number(),
          unallocated: Type.Number({
            description: 'Embodied emission that remained when the device was retired or lost.',
          }),
          remaining: Type.Number(),
          remaining_months: Type.Number(),
          fully_amortised: Type.Boolean(),
        },
        { description: 'embodied_total = allocated + unallocated + remaining, to the milligram.' },
      ),
    },
    { description: 'History of the device; with include=history.' },
  ),
)
