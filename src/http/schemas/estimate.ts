// Response schemas of an estimate: the order as it would be stored, and its alternatives.
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
      total_emission_excluding_indicative: Type.Optional(
        Type.Number({ description: 'Total without indicative lines; with include=calculation.' }),
      ),
      uncertainty: Type.Optional(schemaRef(Uncertainty)),
      difference: Type.Object(
        {
          emission: kilograms('Total of the alternative minus total of the order.', -2.8),
          percent: Type.Union([Type.Number(), Type.Null()], {
            description: 'Difference in percent of the order’s total, to two decimals; null if that total is 0.',
            examples: [-28.2],
          }),
        },
        { description: 'Difference from the order; negative if the alternative emits less.' },
      ),
      items: Type.Array(schemaRef(ResponseItem)),
    },
    { description: 'The changed order, and how its emission differs.' },
  ),
)

export const EstimateResponse = namedSchema(
  'EstimateResponse',
  Type.Object(
    {
      ...EstimatedOrderFields,
      alternatives: Type.Optional(Type.Array(schemaRef(Alternative), { description: 'In the order of the request.' })),
    },
    { description: 'The response that the order would get if it were posted now.' },
  ),
)
