// Request schema of an order, used for validation, documentation and the static type.
import Type, { type Static } from 'typebox'
import { DEVICE_TYPES, DISTANCE_BASES } from '../engine/reference/reference-data.ts'
import { namedSchema, schemaRef } from './named-schema.ts'

export const ITEMS_MAX = 1000
export const METADATA_MEMBERS_MAX = 20
export const FIRST_DAY = '1990-01-01'
export const WEIGHT_KG_MAX = 40000
export const LAST_DAY = '2200-01-01'

/** Control characters break logs, spreadsheets and databases; no legitimate name contains one. */
export const NO_CONTROL_CHARACTERS = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$'

export const text = (description: string, examples: readonly string[]) =>
  Type.String({ description, examples, minLength: 1, maxLength: 200, pattern: NO_CONTROL_CHARACTERS })

/** Names and values of metadata members. */
const LABEL = { type: 'string', minLength: 1, maxLength: 200, pattern: NO_CONTROL_CHARACTERS }

export const day = (description: string, example: string) =>
  Type.String({ description, examples: [example], format: 'date' })

const weight = (description: string, example: number) =>
  Type.Number({ description, examples: [example], minimum: 0, maximum: WEIGHT_KG_MAX })

const country = Type.Optional(
  Type.String({
    description:
      'ISO 3166-1 alpha-2 code of the country of use. If stated, use emission is calculated from its grid factors.',
    examples: ['DE'],
    pattern: '^[A-Z]{2}$',
  }),
)

export const ProductConfig = namedSchema(
  'ProductConfig',
  Type.Object(
    {
      product_id: text('Your own product identifier, matched by your mapping, as model id or alias, or by its words.', [
        'apple-macbook-air-13-m3-256gb',
      ]),
      serial_number: text(
        'Serial number of the product. Compared after Unicode NFC and trimming, case-sensitive. Placeholders such as ' +
          '"N/A", "unknown" or "0000" are refused, because they would merge different devices.',
        ['C02XL0AAJGH5'],
      ),
      tenure_months: Type.Integer({
        description: 'Tenure of the product in months.',
        examples: [3],
        minimum: 0,
        maximum: 1200,
      }),
      weight_kg: Type.Number({
        description: 'Weight in kilograms.',
        examples: [1.24],
        exclusiveMinimum: 0,
        maximum: WEIGHT_KG_MAX,
      }),
      product_name: Type.Optional(
        text('Name of the product in plain language; used to find its model or product family.', ['MacBook Air 13 M3']),
      ),
      brand: Type.Optional(
        text('Brand of the product; no model or fallback footprint of another brand is used.', ['Apple']),
      ),
      device_type: Type.Optional(
        Type.Enum([...DEVICE_TYPES], {
          description: 'Type of the device; selects the fallback footprint if the model is not known.',
          examples: ['laptop'],
        }),
      ),
      model_id: Type.Optional(
        text('Identifier of a device model in the catalogue; takes precedence over all matching.', [
          'apple-macbook-air-13-m3-256gb',
        ]),
      ),
      country,
    },
    { description: 'One rented device.' },
  ),
)

export const TransportationConfig = namedSchema(
  'TransportationConfig',
  Type.Object(
    {
      transportation_id: text('An id from GET /api/transportations.', ['road-van-diesel']),
      transportation_mode: text('Mode of that transportation, case-insensitive.', ['road']),
      distance_km: Type.Number({ description: 'Distance in kilometres.', examples: [100], minimum: 0, maximum: 50000 }),
      weight_kg: weight('Transported weight in kilograms, including packaging.', 1.5),
      distance_basis: Type.Optional(
        Type.Enum([...DISTANCE_BASES], {
          description: 'How the distance was measured. Without it, the distance is used without conversion.',
          examples: ['actual'],
        }),
      ),
    },
    { description: 'One leg of transport.' },
  ),
)

export const PackagingConfig = namedSchema(
  'PackagingConfig',
  Type.Object(
    {
      packaging_id: text('An id from GET /api/packagings.', ['corrugated-board-recycled']),
      weight_kg: weight('Weight of the packaging, in kilograms.', 0.3),
    },
    { description: 'Packaging that the rental company adds.' },
  ),
)

export const ProductItem = namedSchema(
  'ProductItem',
  Type.Object({
    type: Type.Literal('product'),
    config: schemaRef(ProductConfig),
  }),
)
export const TransportationItem = namedSchema(
  'TransportationItem',
  Type.Object({
    type: Type.Literal('transportation'),
    config: schemaRef(TransportationConfig),
  }),
)
export const PackagingItem = namedSchema(
  'PackagingItem',
  Type.Object({
    type: Type.Literal('packaging'),
    config: schemaRef(PackagingConfig),
  }),
)

/** `discriminator` makes the validator report only the errors of the branch that `type` selects, not of all three. */
export const OrderItem = namedSchema(
  'OrderItem',
  Type.Unsafe<Static<typeof ProductItem> | Static<typeof TransportationItem> | Static<typeof PackagingItem>>({
    type: 'object',
    required: ['type'],
    discriminator: { propertyName: 'type' },
    oneOf: [schemaRef(ProductItem), schemaRef(TransportationItem), schemaRef(PackagingItem)],
  }),
)

export const OrderParams = namedSchema(
  'OrderParams',
  Type.Object(
    {
      customer_id: text('Your own customer identifier.', ['customer-17']),
      order_id: text('Your own order identifier.', ['order-2024-1212']),
      order_date: day(`Date of the order, ${FIRST_DAY} to ${LAST_DAY}.`, '2024-12-12'),
      tenure_start_date: day(`Tenure start date of the order, ${FIRST_DAY} to ${LAST_DAY}.`, '2025-01-01'),
      country,
      metadata: Type.Optional(
        Type.Unsafe<Record<string, string>>({
          type: 'object',
          description: 'Your own labels, stored with the order.',
          examples: [{ cost_centre: '4711' }],
          maxProperties: METADATA_MEMBERS_MAX,
          propertyNames: LABEL,
          additionalProperties: LABEL,
        }),
      ),
      items: Type.Optional(
        Type.Array(schemaRef(OrderItem), { description: 'Items of the order.', maxItems: ITEMS_MAX }),
      ),
    },
    { description: 'An order to estimate and store.' },
  ),
)

export type WireItem = Static<typeof OrderItem>
export type WireOrder = Static<typeof OrderParams>
