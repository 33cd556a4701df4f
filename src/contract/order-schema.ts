// The order as a client sends it: one schema that validates it, documents it, and gives it its type.
import Type, { type Static } from 'typebox'
import { DEVICE_TYPES, DISTANCE_BASES } from '../engine/reference/reference-data.ts'
import { namedSchema, schemaRef } from './named-schema.ts'

export const ITEMS_MAX = 1000
export const METADATA_MEMBERS_MAX = 20
export const FIRST_DAY = '1990-01-01'
export const WEIGHT_KG_MAX = 40000
export const LAST_DAY = '2200-01-01'

/** Control characters break logs, spreadsheets and databases; no name of anything has one. */
export const NO_CONTROL_CHARACTERS = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$'

export const text = (description: string, examples: readonly string[]) =>
  Type.String({ description, examples, minLength: 1, maxLength: 200, pattern: NO_CONTROL_CHARACTERS })

/** Names and values of metadata. */
const LABEL = { type: 'string', minLength: 1, maxLength: 200, pattern: NO_CONTROL_CHARACTERS }

export const day = (description: string, example: string) =>
  Type.String({ description, examples: [example], format: 'date' })

const weight = (description: string, example: number) =>
  Type.Number({ description, examples: [example], minimum: 0, maximum: WEIGHT_KG_MAX })

const country = Type.Optional(
  Type.String({
    description: 'ISO 3166-1 alpha-2 code of where the devices are used. With it, use is computed from the grid.',
    examples: ['DE'],
    pattern: '^[A-Z]{2}$',
  }),
)

export const ProductConfig = namedSchema(
  'ProductConfig',
  Type.Object(
    {
      product_id: text('Your own product identifier: your mapping, a model id, an alias or its words find the model.', [
        'apple-macbook-air-13-m3-256gb',
      ]),
      serial_number: text('Serial number of the product. Compared after Unicode NFC and trimming, with its case.', [
        'C02XL0AAJGH5',
      ]),
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
        text('Name of the product as people read it; its model, or its family, may be found by it.', [
          'MacBook Air 13 M3',
        ]),
      ),
      brand: Type.Optional(
        text('Brand of the product; neither a model nor a stand-in of another brand is taken for it.', ['Apple']),
      ),
      device_type: Type.Optional(
        Type.Enum([...DEVICE_TYPES], {
          description: 'Type of the device: what stands in for a model that is not known.',
          examples: ['laptop'],
        }),
      ),
      model_id: Type.Optional(
        text('Identifier of a device model in the catalogue; it wins over every guess.', [
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
      transportation_id: text('One of GET /api/transportations.', ['road-van-diesel']),
      transportation_mode: text('Mode of that transportation, without case.', ['road']),
      distance_km: Type.Number({ description: 'Distance in kilometres.', examples: [100], minimum: 0, maximum: 50000 }),
      weight_kg: weight('Weight carried, in kilograms, packaging included.', 1.5),
      distance_basis: Type.Optional(
        Type.Enum([...DISTANCE_BASES], {
          description: 'How the distance was measured. Without it the distance is taken as it is.',
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
      packaging_id: text('One of GET /api/packagings.', ['corrugated-board-recycled']),
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

/** `discriminator` makes the validator report the faults of the branch that was meant, not those of all three. */
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
      tenure_start_date: day(`Start date of the order, ${FIRST_DAY} to ${LAST_DAY}.`, '2025-01-01'),
      country,
      metadata: Type.Optional(
        Type.Unsafe<Record<string, string>>({
          type: 'object',
          description: 'Your own labels, kept with the order.',
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
    { description: 'An order to estimate and record.' },
  ),
)

export type WireItem = Static<typeof OrderItem>
export type WireOrder = Static<typeof OrderParams>
