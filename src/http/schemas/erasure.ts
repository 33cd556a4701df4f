// Schemas of erasures: which names of a customer are replaced, and what was replaced.
import Type, { type Static } from 'typebox'
import { namedSchema } from '../../contract/named-schema.ts'
import type { Erasure, ErasureCounts } from '../../postgres/erasure/pseudonymise.ts'
import { referenceView } from '../views/message.ts'
import { ERASURE_NOTES } from '../messages.ts'
import { messageCode } from './response.ts'

export const ErasureParams = namedSchema(
  'ErasureParams',
  Type.Object(
    {
      serial_numbers: Type.Optional(
        Type.Boolean({
          description:
            'Also replace the serial numbers of devices that only this customer ever rented. Such a device gets ' +
            'another `id`, and is a new device if it is rented again under its old serial number.',
          examples: [true],
        }),
      ),
      order_ids: Type.Optional(
        Type.Boolean({ description: 'Also replace the ids of the customer’s orders.', examples: [false] }),
      ),
    },
    { description: 'What is replaced besides the id of the customer and the metadata of its orders.' },
  ),
)

const count = (description: string) => Type.Integer({ description, minimum: 0 })

export const ErasureAnswer = namedSchema(
  'Erasure',
  Type.Object(
    {
      customer_id: Type.Union([Type.String(), Type.Null()], {
        description: 'The new, random id of the customer; null for a preview.',
        examples: ['customer_0c5f1f6f1b0e4c0f8a3b8d1d2f3e4a5b'],
      }),
      is_preview: Type.Boolean({ description: 'True if nothing was changed.' }),
      recorded_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
      counts: Type.Object({
        orders: count('Orders of the customer.'),
        entries: count('Ledger entries that named the customer, or a serial number that was replaced.'),
        events: count('Events of these orders and of their devices that were changed.'),
        order_ids: count('Order ids that were replaced.'),
        serial_numbers: count('Serial numbers that were replaced.'),
        orders_with_metadata: count('Orders whose metadata was removed.'),
        texts: count('Free texts (reasons) and metadata that were removed from events.'),
        rejected_rows: count('Rejected rows of imports that named the customer, and were removed.'),
      }),
      notes: Type.Array(Type.Object({ message: Type.String(), code: messageCode }), {
        description: 'Where the old names remain.',
      }),
    },
    { description: 'What was replaced. The old id is not stored anywhere, and nothing leads from it to the new one.' },
  ),
)

export type WireErasure = Static<typeof ErasureParams>

const printCounts = (counts: ErasureCounts): Static<typeof ErasureAnswer>['counts'] => ({
  orders: counts.orders,
  entries: counts.entries,
  events: counts.events,
  order_ids: counts.orderIds,
  serial_numbers: counts.serialNumbers,
  orders_with_metadata: counts.metadata,
  texts: counts.texts,
  rejected_rows: counts.rejectedRows,
})

const NOTES = [ERASURE_NOTES.signed_copies_keep_names(), ERASURE_NOTES.database_copies_keep_names()]

export const printErasure = ({ customerId, recordedAt, counts }: Erasure): Static<typeof ErasureAnswer> => ({
  customer_id: recordedAt && customerId,
  is_preview: recordedAt === null,
  recorded_at: recordedAt && recordedAt.toISOString(),
  counts: printCounts(counts),
  notes: NOTES.map((note) => ({ message: note.message, code: referenceView(note).code })),
})
