// What an account says that its own product ids are, and what is answered about them, schema by schema.
import Type, { type Static } from 'typebox'
import { DEVICE_TYPES, type ReferenceData } from '../../engine/reference/reference-data.ts'
import type { StoredMapping } from '../../postgres/product-mappings.ts'
import type { ProductState } from '../../postgres/product-list.ts'
import { namedSchema, schemaRef } from '../../contract/named-schema.ts'
import { NO_CONTROL_CHARACTERS, text } from '../../contract/order-schema.ts'
import { emissionUnit, kilograms } from './response.ts'

export const MAPPINGS_MAX = 1000
export const PRODUCT_ID_MAX = 200

const targetMembers = {
  model_id: Type.Optional(
    text('The device model that the product is: its id, or an alias that it alone bears.', [
      'apple-macbook-air-13-m3-256gb',
    ]),
  ),
  device_type: Type.Optional(
    Type.Enum([...DEVICE_TYPES], {
      description: 'In place of a model: a device of this type, for which a stand-in is charged.',
      examples: ['laptop'],
    }),
  ),
}

export const MappingParams = namedSchema(
  'MappingParams',
  Type.Object(targetMembers, { description: 'What a product id is: a model, or a type of device without one.' }),
)

/** How long it may be is told of the form in which it is compared, and so is checked after the schema. */
const productId = Type.String({
  description:
    'Your own product identifier, as your orders bear it: ' +
    `1 to ${PRODUCT_ID_MAX} characters after Unicode NFC and trimming.`,
  examples: ['P-000123'],
  minLength: 1,
  pattern: NO_CONTROL_CHARACTERS,
})

export const ProductMappingParams = namedSchema(
  'ProductMappingParams',
  Type.Object({ product_id: productId, ...targetMembers }, { description: 'A product id and what it is.' }),
)

export const ProductMappings = namedSchema(
  'ProductMappings',
  Type.Array(schemaRef(ProductMappingParams), {
    description: 'Product ids and what they are, each once.',
    maxItems: MAPPINGS_MAX,
  }),
)

export const ProductMapping = namedSchema(
  'ProductMapping',
  Type.Object(
    {
      product_id: Type.String({ description: 'Your own product identifier, after Unicode NFC and trimming.' }),
      model_id: Type.Optional(Type.String({ description: 'The device model that it is.' })),
      device_type: Type.Optional(
        Type.Enum([...DEVICE_TYPES], { description: 'The type that it is, without a model.' }),
      ),
      is_in_catalogue: Type.Optional(
        Type.Boolean({
          description: 'Of a model: false where the catalogue no longer has it, so that the mapping has no effect.',
        }),
      ),
      mapped_at: Type.String({ format: 'date-time', description: 'Since when.' }),
    },
    { description: 'A mapping that holds for the next order, and for those after it.' },
  ),
)

export const MatchCandidate = namedSchema(
  'MatchCandidate',
  Type.Object(
    {
      model_id: Type.String({ description: 'Device model identifier.', examples: ['apple-macbook-air-13-m3-256gb'] }),
      name: Type.String({ description: 'Brand and name of the model.' }),
      score: Type.Number({ description: 'How much of text and name agrees, 0 to 1.', minimum: 0, maximum: 1 }),
      reasons: Type.Array(Type.String(), { description: 'What fits, what is left open, what contradicts.' }),
    },
    { description: 'A model that the words may mean.' },
  ),
)

/** All of them, as the list is asked for them. */
export const PRODUCT_STATES = Object.keys({
  unmatched: true,
  variant: true,
  name: true,
  stale: true,
  was_mapped: true,
  mapped: true,
} satisfies Record<ProductState, true>) as readonly ProductState[]

export const ListedProduct = namedSchema(
  'ListedProduct',
  Type.Object(
    {
      product_id: Type.String({ description: 'Your own product identifier.' }),
      state: Type.Enum([...PRODUCT_STATES], {
        description:
          'unmatched: something stands in for the model; variant: by its words, of which another variant is ' +
          'published; name: by its words; stale: you mapped it to a model that the catalogue no longer has, so that ' +
          'the next order is charged by a guess; was_mapped: charged by a mapping that you took back; mapped: you ' +
          'said what it is.',
      }),
      mapping: Type.Optional(schemaRef(ProductMapping)),
      footprint_id: Type.Array(Type.String(), {
        description: 'Models, or what stands in for one, that its devices are charged by; at most five.',
      }),
      number_of_orders: Type.Integer(),
      number_of_devices: Type.Integer(),
      posted_emission: kilograms('What is posted on its devices, embodied and use: what hangs on the match.', 42.5),
      emission_unit: emissionUnit,
      product_name: Type.Optional(Type.String({ description: 'As one of its orders calls it.' })),
      brand: Type.Optional(Type.String()),
      device_type: Type.Optional(Type.String()),
      candidates: Type.Array(schemaRef(MatchCandidate), { maxItems: 3, description: 'What it may be, best first.' }),
    },
    { description: 'A product id that was guessed, or that you have mapped.' },
  ),
)

export const ProductTotals = namedSchema(
  'ProductStateSum',
  Type.Object(
    {
      state: Type.Enum([...PRODUCT_STATES], { description: 'As in the list of products.' }),
      number_of_products: Type.Integer(),
      posted_emission: kilograms('What is posted on their devices, embodied and use.', 812.5),
      emission_unit: emissionUnit,
    },
    { description: 'The product ids of one state, added up.' },
  ),
)

export const printMapping = ({ productId, target, mappedAt }: StoredMapping, { models }: ReferenceData) => ({
  product_id: productId,
  ...(target.modelId === null
    ? { device_type: target.deviceType }
    : { model_id: target.modelId, is_in_catalogue: models.has(target.modelId) }),
  mapped_at: mappedAt.toISOString(),
})

export type WireTarget = Static<typeof MappingParams>
export type WireMapping = Static<typeof ProductMappingParams>
