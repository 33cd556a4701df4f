// What is answered to an estimate: the order as it would be, and each alternative beside it.
import Type from 'typebox'
import { namedSchema, schemaRef } from '../../contract/named-schema.ts'
import { EstimatedOrderFields, ResponseItem, Uncertainty } from './order-response.ts'
import { emissionUnit, kilograms } from './response.ts'

export const Alternative = namedSchema(
  'Alternative',
  Type.Object(
    {
      name: Type.String(),
      emission_unit: emissionUnit,
      total_emission: kilograms('Total GHG emission of the alternative: the sum of its lines.', 7.1289),
      total_emission_excluding_indicative: Type.Optional(Type.Number({ description: 'With include=calculation.' })),
      uncertainty: Type.Optional(schemaRef(Uncertainty)),
      difference: Type.Object(
        {
          emission: kilograms('Its total less that of the order.', -2.8),
          percent: Type.Union([Type.Number(), Type.Null()], {
            description: 'Of the order’s total, to two decimals; null where that is 0.',
            examples: [-28.2],
          }),
        },
        { description: 'Below 0 where the alternative emits less.' },
      ),
      items: Type.Array(schemaRef(ResponseItem)),
    },
    { description: 'The order as it would be, and how that differs.' },
  ),
)

export const EstimateResponse = namedSchema(
  'EstimateResponse',
  Type.Object(
    {
      ...EstimatedOrderFields,
      alternatives: Type.Optional(
        Type.Array(schemaRef(Alternative), { description: 'In the sequence of the request.' }),
      ),
    },
    { description: 'What the order would be answered with, if it were sent now.' },
  ),
)
