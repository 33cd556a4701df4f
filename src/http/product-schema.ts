// What an account says that its own product ids are, and what is answered about them, schema by schema.
import Type, { type Static } from 'typebox'
import { DEVICE_TYPES } from '../engine/factor-book.ts'
import type { StoredMapping } from '../postgres/mappings.ts'
import { MatchCandidate } from './candidates.ts'
import { component, ref } from './component.ts'
import { text } from './order-schema.ts'
import { emissionUnit, kilograms } from './response-schema.ts'

export const MAPPINGS_MAX = 1000

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

export const MappingParams = component(
  'MappingParams',
  Type.Object(targetMembers, { description: 'What a product id is: a model, or a type of device without one.' }),
)

const productId = text('Your own product identifier, as your orders bear it.', ['P-000123'])

export const ProductMappingParams = component(
  'ProductMappingParams',
  Type.Object({ product_id: productId, ...targetMembers }, { description: 'A product id and what it is.' }),
)

export const ProductMappings = component(
  'ProductMappings',
  Type.Array(ref(ProductMappingParams), {
    description: 'Product ids and what they are, each once.',
    maxItems: MAPPINGS_MAX,
  }),
)

export const ProductMapping = component(
  'ProductMapping',
  Type.Object(
    {
      product_id: Type.String({ description: 'Your own product identifier, after Unicode NFC and trimming.' }),
      model_id: Type.Optional(Type.String({ description: 'The device model that it is.' })),
      device_type: Type.Optional(
        Type.Enum([...DEVICE_TYPES], { description: 'The type that it is, without a model.' }),
      ),
      mapped_at: Type.String({ format: 'date-time', description: 'Since when.' }),
    },
    { description: 'A mapping that holds for the next order, and for those after it.' },
  ),
)

export const LISTED_STATES = ['unmatched', 'variant', 'name', 'mapped'] as const

export const ListedProduct = component(
  'ListedProduct',
  Type.Object(
    {
      product_id: Type.String({ description: 'Your own product identifier.' }),
      state: Type.Enum([...LISTED_STATES], {
        description:
          'unmatched: something stands in for the model; variant: by its words, of which another variant is ' +
          'published; name: by its words; mapped: you said what it is.',
      }),
      mapping: Type.Optional(ref(ProductMapping)),
      charged_by: Type.Array(Type.String(), {
        description: 'Models, or what stands in for one, that its devices are charged by; at most five.',
      }),
      number_of_orders: Type.Integer(),
      number_of_devices: Type.Integer(),
      posted_emission: kilograms('What is posted on its devices, embodied and use: what hangs on the match.', 42.5),
      emission_unit: emissionUnit,
      product_name: Type.Optional(Type.String({ description: 'As one of its orders calls it.' })),
      brand: Type.Optional(Type.String()),
      device_type: Type.Optional(Type.String()),
      candidates: Type.Array(ref(MatchCandidate), { maxItems: 3, description: 'What it may be, best first.' }),
    },
    { description: 'A product id that was guessed, or that you have mapped.' },
  ),
)

export const printMapping = ({ productId, target, mappedAt }: StoredMapping) => ({
  product_id: productId,
  ...(target.modelId === null ? { device_type: target.deviceType } : { model_id: target.modelId }),
  mapped_at: mappedAt.toISOString(),
})

export type WireTarget = Static<typeof MappingParams>
export type WireMapping = Static<typeof ProductMappingParams>
