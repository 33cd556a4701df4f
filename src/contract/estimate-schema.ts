// An estimate as a client asks for it: an order, and what might be done otherwise.
import Type, { type Static } from 'typebox'
import { DISTANCE_BASES } from '../engine/reference/reference-data.ts'
import { namedSchema, schemaRef } from './named-schema.ts'
import { OrderParams, text } from './order-schema.ts'

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

export type WireAlternative = Static<typeof AlternativeParams>
export type WireChanges = Static<typeof OrderChanges>
export type Refurbishment = Static<typeof OtherOrigin>
