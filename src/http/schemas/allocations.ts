// Response schema of the shares of a device's rentals by every allocation method.
import Type from 'typebox'
import { ALLOCATION_METHODS } from '../../engine/allocation-methods.ts'
import { namedSchema } from '../../contract/named-schema.ts'
import { day } from './ledger.ts'
import { kilograms } from './response.ts'

export const LifeAllocation = namedSchema(
  'LifeAllocation',
  Type.Object(
    {
      method: Type.Enum([...ALLOCATION_METHODS]),
      provisional: Type.Boolean({
        description:
          'True if a further rental, or the end of the device, changes shares of the rentals that there are already.',
      }),
      posted: Type.Boolean({
        description:
          'True for the method that the ledger posts by. Of an uncapped device, none of these methods is posted.',
      }),
      lives: Type.Optional(
        Type.Array(
          Type.Object({
            customer_id: Type.String(),
            order_id: Type.String(),
            from: day('First day of the rental.'),
            to: day('Day after the last day of the rental.'),
            months: Type.Number({ description: 'Months of the rental, as counted by the calculation.' }),
            embodied_emission: kilograms('Share of the rental.', 82.0125),
          }),
          { description: 'The rentals of the device, in chronological order; absent if resale values are missing.' },
        ),
      ),
      residual: Type.Optional(
        kilograms('What no rental bears; the owner keeps it once the device is retired or lost.', 10.1125),
      ),
      resale_values_needed: Type.Optional(
        Type.Integer({
          description: 'Only where lives is absent: how many resale_values the method needs, one for each rental.',
        }),
      ),
      total: kilograms('Embodied emission of the new device and its refurbishments: lives and residual.', 112.35),
    },
    {
      description:
        'How one method shares the embodied emission of a device among its rentals. Only to compare: what is posted, ' +
        'and counts in totals, reports and statements, does not depend on it.',
    },
  ),
)
