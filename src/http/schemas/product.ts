// Request and response schemas of product mappings and of the product list.
import Type, { type Static } from 'typebox'
import { NO_DEVICE } from '../../engine/matching/product-lines.ts'
import { modelById } from '../../engine/reference/product-match.ts'
import { DEVICE_TYPES, type ReferenceData } from '../../engine/reference/reference-data.ts'
import type { StoredMapping } from '../../postgres/product-mappings.ts'
import type { ProductState } from '../../postgres/product-list.ts'
import { namedSchema, schemaRef } from '../../contract/named-schema.ts'
import { NO_CONTROL_CHARACTERS, text } from '../../contract/order-schema.ts'
import { MessageReference, emissionUnit, kilograms } from './response.ts'

export const MAPPINGS_MAX = 1000
export const PRODUCT_ID_MAX = 200

const targetMembers = {
  model_id: Type.Optional(
    text('Device model of the product: its id, or an alias that only this model has.', [
      'apple-macbook-air-13-m3-256gb',
    ]),
  ),
  device_type: Type.Optional(
    Type.Enum([...DEVICE_TYPES], {
      description: 'Device type, instead of a model. A fallback footprint of this type is used.',
      examples: ['laptop'],
    }),
  ),
}

export const MappingParams = namedSchema(
  'MappingParams',
  Type.Object(targetMembers, {
    description: 'Target of a product id: a device model, or a device type if there is no model.',
  }),
)

/** The maximum length applies to the normalised form, so it is checked after the schema. */
const productId = Type.String({
  description:
    'Your own product identifier, as used in your orders: ' +
    `1 to ${PRODUCT_ID_MAX} characters after Unicode NFC and trimming.`,
  examples: ['P-000123'],
  minLength: 1,
  pattern: NO_CONTROL_CHARACTERS,
})

export const ProductMappingParams = namedSchema(
  'ProductMappingParams',
  Type.Object({ product_id: productId, ...targetMembers }, { description: 'A product id and its target.' }),
)

export const ProductMappings = namedSchema(
  'ProductMappings',
  Type.Array(schemaRef(ProductMappingParams), {
    description: 'Product ids and their targets; each product id once.',
    maxItems: MAPPINGS_MAX,
  }),
)

export const ProductMapping = namedSchema(
  'ProductMapping',
  Type.Object(
    {
      product_id: Type.String({ description: 'Your own product identifier, after Unicode NFC and trimming.' }),
      model_id: Type.Optional(Type.String({ description: 'Device model of the product.' })),
      device_type: Type.Optional(
        Type.Enum([...DEVICE_TYPES], {
          description: 'Device type of the product, if mapped to a type instead of a model.',
        }),
      ),
      is_in_catalogue: Type.Optional(
        Type.Boolean({
          description:
            'Only with model_id: false if the catalogue no longer has the model, so that the mapping has no effect.',
        }),
      ),
      mapped_at: Type.String({ format: 'date-time', description: 'When the mapping was made.' }),
    },
    { description: 'A mapping that applies to the next and all later orders.' },
  ),
)

export const MatchCandidate = namedSchema(
  'MatchCandidate',
  Type.Object(
    {
      model_id: Type.String({ description: 'Device model identifier.', examples: ['apple-macbook-air-13-m3-256gb'] }),
      name: Type.String({ description: 'Brand and name of the model.' }),
      score: Type.Number({
        description: 'Agreement between the product text and the model name, 0 to 1.',
        minimum: 0,
        maximum: 1,
      }),
      reasons: Type.Array(Type.String(), { description: 'What matches, what is undetermined and what contradicts.' }),
      reason_messages: Type.Array(schemaRef(MessageReference), {
        description: 'The codes and values of the reasons, in the same sequence.',
      }),
    },
    { description: 'A model that the product text may refer to.' },
  ),
)

export const TypeEvidence = namedSchema(
  'TypeEvidence',
  Type.Object(
    {
      type: Type.Enum([...DEVICE_TYPES, NO_DEVICE], {
        description: 'Device type; `none` for any other product, which is calculated as IT equipment by its weight.',
        examples: ['laptop'],
      }),
      by: Type.Enum(['word', 'line', 'equipment', 'maker'], {
        description:
          'word: a word for the type, a model code, or named parts. line: a product line or form. equipment: ' +
          'processor, memory or storage, and screen of a laptop. maker: the maker makes one type only.',
        examples: ['line'],
      }),
      words: Type.Optional(
        Type.String({ description: 'The word, line or maker, in lower case.', examples: ['vostro'] }),
      ),
    },
    { description: 'What determined the type of a device whose model is not known; absent with device_type.' },
  ),
)

export const MatchResponse = namedSchema(
  'MatchResult',
  Type.Object(
    {
      resolved_to: Type.String({
        description:
          'The device model or the fallback. Without weight_kg, a fallback is named without the figures that depend ' +
          'on the weight.',
        examples: ['apple-macbook-air-13-m3-256gb', 'type:laptop'],
      }),
      match_method: Type.String({
        description:
          'product_id, alias, name, variant (another variant of the model is published), or the level of the ' +
          'fallback, like type or weight.',
        examples: ['name'],
      }),
      type_evidence: Type.Optional(schemaRef(TypeEvidence)),
      note: Type.Optional(Type.String({ description: 'An input that was not sent and also affects the result.' })),
      note_message: Type.Optional(schemaRef(MessageReference)),
      candidates: Type.Array(schemaRef(MatchCandidate), { description: 'Models that the words may mean, best first.' }),
    },
    { description: 'What the words are matched to if the account has no mapping.' },
  ),
)

/** All states, as queries of the list name them. */
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
          'unmatched: a fallback footprint is used. variant: matched by its text, but only another variant of the ' +
          'model is published. name: matched by its text. stale: mapped to a model that the catalogue no longer ' +
          'has, so that the next order is matched by its text. was_mapped: matched by a mapping that you removed. ' +
          'mapped: mapped by you.',
      }),
      mapping: Type.Optional(schemaRef(ProductMapping)),
      footprint_id: Type.Array(Type.String(), {
        description: 'Models or fallback footprints of its devices; at most five.',
      }),
      number_of_orders: Type.Integer(),
      number_of_devices: Type.Integer(),
      posted_emission: kilograms('Embodied and use emission posted on its devices, which depends on the match.', 42.5),
      emission_unit: emissionUnit,
      product_name: Type.Optional(Type.String({ description: 'Product name in one of its orders.' })),
      brand: Type.Optional(Type.String()),
      device_type: Type.Optional(Type.String()),
      candidates: Type.Array(schemaRef(MatchCandidate), {
        maxItems: 3,
        description: 'Possible models, best match first.',
      }),
    },
    { description: 'A product id that was matched by a guess, or that you have mapped.' },
  ),
)

export const ProductTotals = namedSchema(
  'ProductStateSum',
  Type.Object(
    {
      state: Type.Enum([...PRODUCT_STATES], { description: 'State, as in the list of products.' }),
      number_of_products: Type.Integer(),
      posted_emission: kilograms('Embodied and use emission posted on their devices.', 812.5),
      emission_unit: emissionUnit,
    },
    { description: 'Totals over the product ids in one state.' },
  ),
)

export const printMapping = ({ productId, target, mappedAt }: StoredMapping, referenceData: ReferenceData) => ({
  product_id: productId,
  ...(target.modelId === null
    ? { device_type: target.deviceType }
    : { model_id: target.modelId, is_in_catalogue: modelById(target.modelId, referenceData) !== null }),
  mapped_at: mappedAt.toISOString(),
})

export type WireTarget = Static<typeof MappingParams>
export type WireMapping = Static<typeof ProductMappingParams>
