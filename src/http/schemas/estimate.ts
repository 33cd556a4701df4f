// An estimate as a client asks for it: an order, and what might be done otherwise; and what is answered to it.
import Type, { type Static } from 'typebox'
import { DISTANCE_BASES } from '../../engine/reference/reference-data.ts'
import { namedSchema, schemaRef } from '../../contract/named-schema.ts'
import { EstimatedOrderFields, ResponseItem, Uncertainty } from './order-response.ts'
import { OrderParams, text } from '../../contract/order-schema.ts'
import { emissionUnit, kilograms } from './response.ts'

const ALTERNATIVES_MAX = 20
/** Items of the order, counted once for itself and once for each alternative: a bound on the work and the answer. */
export const ESTIMATED_ITEMS_MAX = 2000

/** A misspelled change would silently be none, so that no other member may stand here. */
const STRICT = { additionalProperties: false }

export const OtherTransportation = namedSchema(
  'OtherTransportation',
  Type.Object(
    {
      from: text('What is replaced: a transportation, or a mode for all legs by it.', ['air']),
      to: text('One of GET /api/transportations; a mode that has one transportation alone will do.', [
        'sea-container-average',
      ]),
      distance_km: Type.Optional(
        Type.Number({
          description: 'The distance of each replaced leg, in kilometres; without it, that of the leg.',
          examples: [19000],
          minimum: 0,
          maximum: 50000,
        }),
      ),
      distance_basis: Type.Optional(
        Type.Enum([...DISTANCE_BASES], {
          description: 'How that distance was measured; without it, none is stated for distance_km.',
        }),
      ),
    },
    { ...STRICT, description: 'Another way to send the goods.' },
  ),
)

export const OtherOrigin = namedSchema(
  'OtherOrigin',
  Type.Object(
    {
      emission_kg: Type.Number({
        description: 'What the refurbishment of a device emitted, kg CO2e.',
        examples: [8],
        minimum: 0,
        maximum: 1000000,
      }),
      lifetime_months_added: Type.Integer({
        description: 'Months that it added to the device’s lifetime.',
        examples: [24],
        minimum: 0,
        maximum: 1200,
      }),
      months_before: Type.Optional(
        Type.Integer({
          description:
            'Months that earlier users had a device that the ledger does not know; without it, its reference lifetime.',
          examples: [36],
          minimum: 0,
          maximum: 1200,
        }),
      ),
    },
    { ...STRICT, description: 'Devices refurbished for this order, in place of new ones.' },
  ),
)

export const OrderChanges = namedSchema(
  'OrderChanges',
  Type.Object(
    {
      tenure_months: Type.Optional(
        Type.Integer({
          description: 'Another tenure for every device, in months.',
          examples: [12],
          minimum: 0,
          maximum: 1200,
        }),
      ),
      transportation: Type.Optional(schemaRef(OtherTransportation)),
      refurbished: Type.Optional(schemaRef(OtherOrigin)),
    },
    { ...STRICT, minProperties: 1, description: 'What differs from the order; one change, or several together.' },
  ),
)

export const AlternativeParams = namedSchema(
  'AlternativeParams',
  Type.Object(
    { name: text('What the alternative is called in the answer.', ['by sea']), changes: schemaRef(OrderChanges) },
    { ...STRICT, description: 'The same order, done otherwise.' },
  ),
)

export const EstimateParams = namedSchema(
  'EstimateParams',
  Type.Object(
    {
      ...OrderParams.properties,
      alternatives: Type.Optional(
        Type.Array(schemaRef(AlternativeParams), {
          description: `What to hold against the order. Items times alternatives are at most ${ESTIMATED_ITEMS_MAX}.`,
          maxItems: ALTERNATIVES_MAX,
        }),
      ),
    },
    { description: 'An order to estimate, without recording anything.' },
  ),
)

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

export type WireAlternative = Static<typeof AlternativeParams>
export type WireChanges = Static<typeof OrderChanges>
export type Refurbishment = Static<typeof OtherOrigin>
