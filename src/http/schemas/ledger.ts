// What is answered about the journal of a device: its entries, and the history of the device.
import Type from 'typebox'
import { ENTRY_REASONS } from '../../engine/ledger-history.ts'
import { namedSchema } from '../../contract/named-schema.ts'
import { emissionUnit, kilograms } from './response.ts'

export const day = (description: string) => Type.String({ description, format: 'date' })

export const LedgerEntry = namedSchema(
  'Entry',
  Type.Object(
    {
      entry_no: Type.Integer({
        description: 'Position in the ledger of its device, from 1; entries of other orders stand between.',
      }),
      kind: Type.Enum(['allocation', 'correction', 'refurbishment', 'retirement']),
      reason: Type.Enum([...ENTRY_REASONS]),
      posted_at: Type.String({ format: 'date-time', description: 'When it became known.' }),
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
          { description: 'The event, or the other order, that made it be posted.' },
        ),
      ),
      corrects: Type.Optional(
        Type.Integer({ description: 'The entry before it of the same order and device, whose figures it amends.' }),
      ),
      tenure_start_date: Type.Optional(day('First day on which the order holds the device.')),
      tenure_end_date: Type.Optional(day('The day after the last.')),
      tenure_months: Type.Optional(Type.Number({ description: 'Months between them, as they count.' })),
      total_emission: kilograms('Sum of what it posted.', -10.288306),
      emission: Type.Object({
        product_embodied_emission: Type.Number(),
        product_use: Type.Number(),
        packaging: Type.Number(),
        transportation: Type.Number(),
      }),
    },
    { description: 'What was posted at one time for one reason. Entries are only ever added.' },
  ),
)

export const DeviceHistory = namedSchema(
  'DeviceHistory',
  Type.Object(
    {
      initial: Type.Object(
        {
          footprint_id: Type.String({ description: 'Device model, or what stands in for it.' }),
          name: Type.String(),
          dataset_release: Type.String(),
          embodied_emission: kilograms('Embodied footprint of the new device.', 109.35),
          lifetime_months: Type.Number(),
          amortisation: Type.Enum(['capped', 'uncapped']),
        },
        { description: 'The footprint of the device: fixed by the first order that was accepted for it.' },
      ),
      events: Type.Array(
        Type.Object({
          type: Type.Enum(['rented', 'refurbished', 'retired', 'lost']),
          date: Type.Optional(day('Of an event.')),
          customer_id: Type.Optional(Type.String()),
          order_id: Type.Optional(Type.String()),
          from: Type.Optional(day('Of a rental.')),
          to: Type.Optional(day('The day after the last.')),
          ended_by: Type.Optional(
            Type.String({ description: 'What ended it other than its agreed end.', examples: ['early_return'] }),
          ),
          months: Type.Optional(Type.Number()),
          allocated_months: Type.Optional(Type.Number()),
          embodied_emission: Type.Optional(Type.Number({ description: 'What the rental is allocated, kg CO2e.' })),
          emission_added: Type.Optional(Type.Number({ description: 'What a refurbishment added, kg CO2e.' })),
          months_added: Type.Optional(Type.Number()),
          remaining: Type.Number({ description: 'Embodied emission that no rental is allocated after it, kg CO2e.' }),
          remaining_months: Type.Number(),
        }),
        { description: 'Rentals and events in the sequence in which they took place.' },
      ),
      balance: Type.Object(
        {
          emission_unit: emissionUnit,
          embodied_total: kilograms('Embodied footprint and refurbishments.', 117.35),
          allocated: Type.Number(),
          unallocated: Type.Number({ description: 'What remained when it was retired or lost.' }),
          remaining: Type.Number(),
          remaining_months: Type.Number(),
          fully_amortised: Type.Boolean(),
        },
        { description: 'embodied_total = allocated + unallocated + remaining, to the milligram.' },
      ),
    },
    { description: 'The life of the device; with include=history.' },
  ),
)
