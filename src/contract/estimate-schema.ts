// Request schemas of an estimate: an order and its alternatives.
import Type, { type Static } from 'typebox'
import { DISTANCE_BASES } from '../engine/reference/reference-data.ts'
import { namedSchema, schemaRef } from './named-schema.ts'
import { OrderParams, text } from './order-schema.ts'

const ALTERNATIVES_MAX = 20
/** Maximum of items × (alternatives + 1), which bounds the computation and the size of the response. */
export const ESTIMATED_ITEMS_MAX = 2000

/** Rejects unknown members, because a misspelt change would otherwise be ignored silently. */
const STRICT = { additionalProperties: false }

export const OtherTransportation = namedSchema(
  'OtherTransportation',
  Type.Object(
    {
      from: text('What is replaced: a transportation id, or a mode for all legs with that mode.', ['air']),
      to: text('An id from GET /api/transportations, or a mode that has only one transportation.', [
        'sea-container-average',
      ]),
      distance_km: Type.Optional(
        Type.Number({
          description: 'Distance of each replaced leg in kilometres. Without it, each leg keeps its own distance.',
          examples: [19000],
          minimum: 0,
          maximum: 50000,
        }),
      ),
      distance_basis: Type.Optional(
        Type.Enum([...DISTANCE_BASES], {
          description: 'How distance_km was measured. Without it, no distance basis is stated for distance_km.',
        }),
      ),
    },
    { ...STRICT, description: 'Replaces legs of transport by another transportation.' },
  ),
)

export const OtherOrigin = namedSchema(
  'OtherOrigin',
  Type.Object(
    {
      emission_kg: Type.Optional(
        Type.Number({
          description:
            'Emission of the refurbishment of one device, kg CO2e. Without it, the default of the device’s type ' +
            'counts, with a warning; a type without one needs the figure.',
          examples: [8],
          minimum: 0,
          maximum: 1000000,
        }),
      ),
      lifetime_months_added: Type.Integer({
        description: 'Months that the refurbishment adds to the lifetime of the device.',
        examples: [24],
        minimum: 0,
        maximum: 1200,
      }),
      months_before: Type.Optional(
        Type.Integer({
          description:
            'Months for which earlier users had the device, if the device has no ledger yet. Without it, the ' +
            'reference lifetime is used.',
          examples: [36],
          minimum: 0,
          maximum: 1200,
        }),
      ),
    },
    { ...STRICT, description: 'Devices refurbished for this order instead of new devices.' },
  ),
)

export const OrderChanges = namedSchema(
  'OrderChanges',
  Type.Object(
    {
      tenure_months: Type.Optional(
        Type.Integer({
          description: 'Changed tenure of every device, in months.',
          examples: [12],
          minimum: 0,
          maximum: 1200,
        }),
      ),
      transportation: Type.Optional(schemaRef(OtherTransportation)),
      refurbished: Type.Optional(schemaRef(OtherOrigin)),
    },
    { ...STRICT, minProperties: 1, description: 'Changes to the order: one, or several combined.' },
  ),
)

export const AlternativeParams = namedSchema(
  'AlternativeParams',
  Type.Object(
    { name: text('Name of the alternative in the response.', ['by sea']), changes: schemaRef(OrderChanges) },
    { ...STRICT, description: 'An alternative: the same order with changes.' },
  ),
)

export const EstimateParams = namedSchema(
  'EstimateParams',
  Type.Object(
    {
      ...OrderParams.properties,
      alternatives: Type.Optional(
        Type.Array(schemaRef(AlternativeParams), {
          description:
            'Alternatives to compare with the order. ' +
            `Items × (alternatives + 1) must be at most ${ESTIMATED_ITEMS_MAX}.`,
          maxItems: ALTERNATIVES_MAX,
        }),
      ),
    },
    { description: 'An order to estimate without storing it.' },
  ),
)

export type WireAlternative = Static<typeof AlternativeParams>
export type WireChanges = Static<typeof OrderChanges>
export type Refurbishment = Static<typeof OtherOrigin>
