// Schemas of the responses to batches: one result for each order or event.
import Type from 'typebox'
import { namedSchema, schemaRef } from '../../contract/named-schema.ts'
import { MessageReference, Problem, emissionUnit, kilograms, warnings } from './response.ts'

/** The members of every result. An item that failed has those of an error instead of those of a response. */
const result = {
  status: Type.Integer({
    description:
      'The status that a request with this item alone would get: 200 if it is stored, now or before; 400, 404 or 409 ' +
      'if it is not; 500 after an internal error, when it may be sent again.',
    examples: [200],
  }),
  idempotent_replayed: Type.Optional(
    Type.Boolean({ description: 'Whether it was already stored. Absent if it failed.' }),
  ),
  warnings,
  error: Type.Optional(Type.String({ description: 'Why it failed, in a sentence.' })),
  code: Type.Optional(Type.String({ description: 'Error code, as in the response to a single request.' })),
  reason: Type.Optional(schemaRef(MessageReference)),
  details: Type.Optional(
    Type.Array(schemaRef(Problem), {
      description:
        'Each location with what would be valid; paths begin at the item. If a batch has more than 10,000, the ' +
        'remaining items have only their first.',
      maxItems: 50,
    }),
  ),
}
const id = (description: string, example: string) =>
  Type.Optional(Type.String({ description: `${description} Absent if none was sent.`, examples: [example] }))

export const OrderBatchResponse = namedSchema(
  'OrderBatchResponse',
  Type.Object(
    {
      emission_unit: emissionUnit,
      results: Type.Array(
        Type.Object({
          customer_id: id('Customer identifier of the order.', 'customer-17'),
          order_id: id('Order identifier.', 'order-2024-1212'),
          ...result,
          total_emission: Type.Optional(
            kilograms('Emission of the order, as first answered. Absent if the order failed.', 8.840348),
          ),
        }),
        { description: 'The results, in the sequence of the request.' },
      ),
    },
    { description: 'What became of each order.' },
  ),
)

export const EventBatchResponse = namedSchema(
  'EventBatchResponse',
  Type.Object(
    {
      results: Type.Array(Type.Object({ event_id: id('Event identifier.', 'event-4711'), ...result }), {
        description: 'The results, in the sequence of the request.',
      }),
    },
    { description: 'What became of each event.' },
  ),
)
