// Schemas shared by responses: sources, transport and packaging factors, and errors.
import Type from 'typebox'
import { DISTANCE_BASES, TRANSPORT_MODES } from '../../engine/reference/reference-data.ts'
import { namedSchema, schemaRef } from '../../contract/named-schema.ts'

export const emissionUnit = Type.String({ description: 'Unit of the emission values.', examples: ['kgCO2e'] })
export const kilograms = (description: string, example: number) => Type.Number({ description, examples: [example] })

/** Of the source of an own figure, beside those of every source. */
export const ownSourceMembers = {
  origin: Type.Optional(
    Type.Literal('account', { description: "Present for a figure of the account's own, absent for the catalogue's." }),
  ),
  version: Type.Optional(Type.Integer({ description: 'Version of an own figure.', minimum: 1 })),
  document_sha256: Type.Optional(
    Type.String({ description: 'SHA-256 of the document that states an own figure, in hexadecimal.' }),
  ),
  verified_by: Type.Optional(Type.String({ description: 'Third party that verified an own figure, as stated.' })),
}

export const Source = namedSchema(
  'Source',
  Type.Object(
    {
      title: Type.String(),
      publisher: Type.String(),
      year: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Year of publication; null if none is stated.',
      }),
      url: Type.String(),
      licence: Type.String(),
      ...ownSourceMembers,
    },
    { description: 'Publication of a figure, with its publisher and licence.' },
  ),
)

/** Of a figure in a list. */
export const originMembers = {
  origin: Type.Enum(['account', 'catalogue'], {
    description: "Whose figure it is: the account's own, or the catalogue's.",
  }),
  version: Type.Optional(Type.Integer({ description: 'Version of an own figure.', minimum: 1 })),
}

export const Transportation = namedSchema(
  'Transportation',
  Type.Object({
    transportation_id: Type.String({ examples: ['road-van-diesel'] }),
    name: Type.String({ examples: ['Van, diesel, up to 3.5 t'] }),
    transportation_mode: Type.Enum([...TRANSPORT_MODES]),
    vehicle: Type.String(),
    emission_factor: Type.Number({ description: 'Well-to-wheel emission factor.' }),
    emission_factor_unit: Type.Literal('kgCO2e/t.km'),
    boundary: Type.Literal('WTW'),
    emission_factor_ttw: Type.Number({ description: 'Tank-to-wheel part of the emission factor.' }),
    distance_basis: Type.Enum([...DISTANCE_BASES], {
      description: 'Kind of distance to which the factor applies.',
    }),
    region: Type.String(),
    ghg_category: Type.String(),
    ghg_scope: Type.String(),
    ...originMembers,
    source: schemaRef(Source),
  }),
)

export const TransportationList = namedSchema(
  'TransportationList',
  Type.Object(
    { packagings: Type.Array(schemaRef(Transportation)) },
    {
      description:
        'The list is in the member packagings, as the API contract requires, although it contains transportations.',
    },
  ),
)

export const Packaging = namedSchema(
  'Packaging',
  Type.Object({
    packaging_id: Type.String({ examples: ['corrugated-board-recycled'] }),
    name: Type.String(),
    material: Type.String(),
    recycled_content_percent: Type.Optional(Type.Number()),
    emission_factor: Type.Number({ description: 'Cradle-to-gate emission factor.' }),
    emission_factor_unit: Type.Literal('kgCO2e/kg'),
    end_of_life_included: Type.Literal(false),
    is_proxy: Type.Optional(
      Type.Literal(true, {
        description: 'The factor is a proxy from a similar material; emissions based on it are indicative.',
      }),
    ),
    ghg_category: Type.String(),
    ghg_scope: Type.String(),
    ...originMembers,
    source: schemaRef(Source),
  }),
)

export const PackagingList = namedSchema('PackagingList', Type.Object({ packagings: Type.Array(schemaRef(Packaging)) }))

const requestId = Type.String({
  description: 'Identifier of the request, also in the header X-Request-Id. Quote it in support requests.',
})

const messageWithin = {
  type: 'object',
  properties: {
    message: { type: 'string' },
    code: { type: 'string' },
    params: { type: 'object', additionalProperties: { $ref: 'MessageValue#' } },
  },
  required: ['message', 'code'],
}

/** A value of a message, which may be a message itself. */
export const MessageValue = namedSchema(
  'MessageValue',
  Type.Unsafe<unknown>({
    anyOf: [
      { type: 'string' },
      { type: 'number' },
      { type: 'array', items: { anyOf: [{ type: 'string' }, messageWithin] } },
      messageWithin,
    ],
    description:
      'A value that a message names: a text, a number, a part of the sentence that is a message itself, or a list of ' +
      'texts and messages. Days are YYYY-MM-DD; figures of calculations are exact decimals, as texts.',
  }),
)

export const messageCode = Type.String({
  description: 'Identifies the message: stable, while its wording may change.',
  examples: ['wrong_value'],
})
export const messageParams = Type.Optional(
  Type.Record(Type.String(), schemaRef(MessageValue), {
    description: 'The values that the message names. Absent if it names none. Long texts are shortened.',
  }),
)

/** Beside a text of a response: what it says, for clients that translate it. */
export const MessageReference = namedSchema(
  'MessageReference',
  Type.Object(
    { code: messageCode, params: messageParams },
    { description: 'A sentence as a code and its values, for clients that translate it.' },
  ),
)

const reason = schemaRef(MessageReference)

export const Problem = namedSchema(
  'Problem',
  Type.Object({
    path: Type.String({
      description: 'JSON pointer to the invalid part of the request.',
      examples: ['/items/0/config/weight_kg'],
    }),
    message: Type.String({ description: 'What is wrong, and what is expected.' }),
    code: messageCode,
    params: messageParams,
    suggestions: Type.Optional(Type.Array(Type.String())),
  }),
)

/** For responses to requests that store or estimate something. */
export const warnings = Type.Optional(
  Type.Array(schemaRef(Problem), {
    description:
      'What is probably wrong in the request, although it was accepted, and what the ledgers of its devices say ' +
      'against it: the first 50. Absent if there is nothing.',
    maxItems: 50,
  }),
)

export const BadRequest = namedSchema(
  'BadRequest',
  Type.Object(
    {
      error: Type.String(),
      code: Type.String(),
      reason,
      details: Type.Array(schemaRef(Problem), { maxItems: 50 }),
      request_id: requestId,
    },
    { description: 'The request is invalid or conflicts with stored data; nothing was stored.' },
  ),
)

export const ErrorResponse = namedSchema(
  'ErrorResponse',
  Type.Object(
    {
      code: Type.Literal('unauthorized'),
      detail: Type.String(),
      reason,
      request_id: requestId,
    },
    { description: 'The API key is missing or invalid.' },
  ),
)

export const Failure = namedSchema(
  'Failure',
  Type.Object({ error: Type.String(), code: Type.String(), reason, request_id: requestId }),
)
