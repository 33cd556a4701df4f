// Schemas of the yearly statement of a customer; the TypeScript type is in src/statements/statement.ts.
import Type from 'typebox'
import { CONSOLIDATION_APPROACHES } from '../../engine/inventory-boundary.ts'
import { PARTS } from '../../engine/numbers/emission.ts'
import { MATCH_LEVELS } from '../../engine/uncertainty/data-quality.ts'
import { namedSchema, schemaRef } from '../../contract/named-schema.ts'
import { recordedBy } from '../../contract/event-schema.ts'
import { TREE_ALGORITHM } from '../../statements/completeness.ts'
import { STATEMENT_FORMAT } from '../../statements/statement.ts'
import { emissionUnit, ownSourceMembers } from './response.ts'

/** Documents have decimals as strings, so that every language reads and writes them alike. */
export const decimal = (description?: string) =>
  Type.String({ pattern: '^-?\\d+(\\.\\d+)?$', ...(description !== undefined && { description }) })
const kg = decimal
const count = () => Type.Integer({ minimum: 0 })
const no = (description: string) => Type.Integer({ minimum: 1, description })
const orNull = (kind: ReturnType<typeof Type.String | typeof Type.Integer>, description?: string) =>
  Type.Union([kind, Type.Null()], description === undefined ? {} : { description })
const day = () => Type.String({ format: 'date' })
const time = () => Type.String({ format: 'date-time' })
const texts = (description: string) => Type.Array(Type.String(), { description })
const part = Type.Enum([...PARTS])

const amounts = {
  product_embodied_emission: kg(),
  product_use: kg(),
  packaging: kg(),
  transportation: kg(),
  total_emission: kg('Sum of the four parts.'),
}

const revision = Type.Optional(
  Type.Integer({ description: 'From 2: which content of the order, after corrections or when it was sent again.' }),
)

export const StatementAmounts = namedSchema(
  'StatementAmounts',
  Type.Object(amounts, {
    description: 'Emission of each part in kg CO2e, whole numbers of milligrams. Decimals are strings.',
  }),
)

export const StatementEntry = namedSchema(
  'StatementEntry',
  Type.Object(
    {
      posted_at: time(),
      counts_from: Type.Optional(
        orNull(
          Type.String({ format: 'date' }),
          'First open day when the entry was posted: what it changes in earlier months counts on this day. Null if ' +
            'it counts in the months that it concerns.',
        ),
      ),
      reason: Type.String(),
      event_id: Type.Optional(
        orNull(Type.String(), 'Event for which it was posted; null for an order and for another customer’s event.'),
      ),
      recorded_by: Type.Optional(recordedBy),
      caused_by: Type.Optional(
        orNull(
          Type.String(),
          'Order of the customer for which, or for whose event, it was posted; null for an event of a device and ' +
            'for another customer’s order.',
        ),
      ),
      months: orNull(
        Type.String(),
        'Months over which the embodied and use emission posted up to then is spread, as an exact number. Null for ' +
          'an order without devices.',
      ),
      from: Type.Optional(
        Type.String({
          format: 'date',
          description: 'First day of these months, if it is not that of the rental: a swap came on another day then.',
        }),
      ),
      use_basis: orNull(
        Type.Integer(),
        'Number of the calculation basis of use emission over these months; null if there is none.',
      ),
      ...amounts,
    },
    {
      description:
        'Emission posted at one time for one reason. The first entry posts the emission; later entries correct it.',
    },
  ),
)

const share = Type.Object({ calculation_basis: no('Number of the calculation basis.'), emission: kg() })
const shared = {
  emission: kg(),
  share_percent: orNull(decimal(), 'Percent of the total; null if the total is 0.'),
}
const shares = (description: string) => Type.Array(Type.Object({ name: Type.String(), ...shared }), { description })

export const StatementDevice = namedSchema(
  'StatementDevice',
  Type.Object(
    {
      device_id: Type.String(),
      serial_number: Type.String(),
      model: Type.Object(
        {
          name: Type.String(),
          brand: orNull(Type.String()),
          type: Type.String(),
          id: Type.String(),
          match_level: Type.Enum([...MATCH_LEVELS]),
          dataset_release: Type.String(),
        },
        { description: 'Device model or fallback footprint of the device.' },
      ),
      is_held_at_opening: Type.Boolean({ description: 'True if the device was held on the last day before the year.' }),
      is_held_at_closing: Type.Boolean({ description: 'True if the device was held on the last day of the year.' }),
      opening: schemaRef(StatementAmounts),
      year: schemaRef(StatementAmounts),
      closing: schemaRef(StatementAmounts),
      posted_later: schemaRef(StatementAmounts),
      rentals: Type.Array(
        Type.Object({
          order_id: Type.String(),
          revision,
          from: day(),
          until: Type.String({
            format: 'date',
            description: 'Day after the last day of the rental, in its current state.',
          }),
          embodied_basis: no('Number of the calculation basis of its embodied emission.'),
          shares: Type.Array(share, { description: 'Shares of the order’s packaging and transportation.' }),
          entries: Type.Array(schemaRef(StatementEntry)),
        }),
      ),
    },
    {
      description: 'A device. For each part, opening + year = closing; posted_later is already posted for later years.',
    },
  ),
)

const summary = Type.Object({
  total_emission: kg('Total emission of the year.'),
  total_emission_excluding_indicative: kg(),
  uncertainty: Type.Object({ low: kg(), high: kg(), level: decimal(), gsd: decimal() }),
  opening_emission: kg('Emission of all earlier years.'),
  closing_emission: kg('Emission of all earlier years and this year.'),
  posted_later_emission: kg('Emission already posted for later years.'),
  corrections_emission: kg('Part of the year’s emission that corrects earlier postings.'),
  number_of_orders: count(),
  number_of_devices: count(),
  devices_held_at_opening: count(),
  devices_held_at_closing: count(),
  primary_data_share: orNull(decimal(), 'Percent of the total that is based on primary data.'),
  data_quality_rating: orNull(decimal(), '1 (best) to 5, weighted by emission.'),
})

const earlierYears = Type.Object(
  {
    emission: kg('Sum of the years.'),
    emission_of_the_year: kg('The rest of the year’s total: what concerns the year itself.'),
    years: Type.Array(
      Type.Object({
        year: Type.Integer(),
        emission: kg('Sum of the causes.'),
        causes: Type.Array(
          Type.Object({
            event_id: orNull(Type.String(), 'Null for an order, a reversal, and another customer’s event.'),
            order_id: orNull(
              Type.String(),
              'Order that was recorded, or to which the event belongs. Null for an event of a device and for another ' +
                'customer’s order.',
            ),
            recorded_at: time(),
            reasons: Type.Array(Type.String(), {
              description: 'Reasons of the entries; `order` for an order that was recorded late.',
            }),
            order_ids: Type.Array(Type.String(), { description: 'Orders of the customer whose emission it changed.' }),
            emission: kg(),
          }),
          { description: 'What was recorded when the books of this year were closed, in the order of recording.' },
        ),
      }),
    ),
  },
  {
    description:
      'Part of the year’s total that concerns earlier years: what was recorded after their books were closed counts ' +
      'on the first open day.',
  },
)

const label = { ghg_scope: Type.String(), ghg_category: Type.String() }

const score = Type.Integer({ minimum: 1, maximum: 5 })

const calculationBasis = Type.Object({
  no: no('Number by which other members refer to it.'),
  part,
  method: Type.String(),
  type: Type.Enum(['estimated', 'indicative']),
  match_level: Type.Enum([...MATCH_LEVELS]),
  is_primary: Type.Boolean(),
  data_quality: Type.Object({ technological: score, temporal: score, geographical: score }),
  errors: Type.Array(Type.Object({ factor: Type.String(), name: Type.String(), log_sd: decimal() })),
  factors: Type.Array(no('Number of a factor.')),
  emission: kg('Emission of the year that uses this basis.'),
})

const figures = {
  factors: Type.Array(
    Type.Object({
      no: no('Number by which other members refer to it.'),
      symbol: Type.String(),
      id: Type.String(),
      value: Type.String({ description: 'Decimal number.' }),
      unit: Type.String(),
      dataset_release: Type.String(),
      source: no('Number of a source.'),
    }),
  ),
  sources: Type.Array(
    Type.Object({
      no: no('Number by which other members refer to it.'),
      title: Type.String(),
      publisher: Type.String(),
      year: orNull(Type.Integer()),
      url: Type.String(),
      licence: Type.String(),
      ...ownSourceMembers,
    }),
  ),
  releases: Type.Array(Type.Object({ name: Type.String(), content_hash: Type.String() })),
}

const sha256 = (description: string) => Type.String({ description, pattern: '^[0-9a-f]{64}$' })
const treeAlgorithm = Type.Literal(TREE_ALGORITHM)
const orderDigest = {
  order_id: Type.String(),
  revision,
  digest: sha256('SHA-256 of all that the statement says of the order.'),
}

export const OrderProof = namedSchema(
  'OrderProof',
  Type.Object(
    {
      customer_id: Type.String(),
      year: Type.Integer(),
      known_at: time(),
      order_id: Type.String(),
      is_included: Type.Boolean(),
      algorithm: treeAlgorithm,
      root: sha256('Root of the Merkle tree, as in `completeness` of the statement of this `known_at`.'),
      tree_size: count(),
      leaves: Type.Array(
        Type.Object({
          ...orderDigest,
          index: Type.Integer({ minimum: 0, description: 'Place among the sorted orders, from 0.' }),
          path: Type.Array(Type.String(), { description: 'Hashes beside the way from the leaf to the root.' }),
        }),
        {
          description:
            'The leaf of each revision of the order. If it is not included, the leaves before and after its place: ' +
            'their places follow each other, or are the first or the last.',
        },
      ),
    },
    { description: 'Shows, with the root of a signed statement, that an order is in it or that it is not.' },
  ),
)

export const hashMember = Type.Object({
  algorithm: Type.Literal('sha256'),
  of: Type.String(),
  value: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})
export const signatureMember = Type.Object({
  algorithm: Type.Literal('EdDSA'),
  of: Type.String(),
  value: Type.String({ description: 'JWS in compact form. Its payload is the value of `hash`.' }),
})

export const signingKey = {
  algorithm: Type.Literal('ed25519'),
  public_key: Type.String({ description: 'Public key as SPKI in PEM.' }),
  fingerprint: Type.String({ description: 'SHA-256 of the raw public key, hexadecimal.', pattern: '^[0-9a-f]{64}$' }),
}

export const StatementKeyAnswer = namedSchema('StatementKey', Type.Object({ ...signingKey, created_at: time() }))

export const JwkSet = namedSchema(
  'JwkSet',
  Type.Object({
    keys: Type.Array(
      Type.Object({
        kty: Type.Literal('OKP'),
        crv: Type.Literal('Ed25519'),
        x: Type.String({ description: 'The public key, base64url.' }),
        kid: Type.String({ description: 'Its fingerprint, as in the header of each signature.' }),
        use: Type.Literal('sig'),
        alg: Type.Literal('EdDSA'),
      }),
    ),
  }),
)

export const Statement = namedSchema(
  'Statement',
  Type.Object(
    {
      media_type: Type.Literal(STATEMENT_FORMAT),
      issued: Type.Object({
        by: Type.Literal('cradle'),
        version: Type.String(),
        method: Type.String(),
        at: time(),
        known_at: Type.String({
          format: 'date-time',
          description: 'The statement includes entries posted up to this time.',
        }),
        books_closed_until: Type.Optional(
          orNull(
            Type.String({ format: 'date' }),
            'The books of the rental company are closed for all days before this one; null if they are open.',
          ),
        ),
      }),
      issuer: Type.Object({ account: Type.String() }),
      customer_id: Type.String(),
      year: Type.Integer(),
      is_preliminary: Type.Boolean({
        description: 'True if the year was not over at known_at, or the books were open for one of its months.',
      }),
      inventory_boundary: Type.Object({
        reporting_entity: Type.Literal('lessee'),
        consolidation_approach: Type.Enum([...CONSOLIDATION_APPROACHES]),
        lease_type: Type.Literal('operating'),
      }),
      emission_unit: emissionUnit,
      summary,
      corrections_of_earlier_years: Type.Optional(earlierYears),
      by_category: Type.Array(Type.Object({ ...label, parts: Type.Array(part), ...shared })),
      by_part: Type.Array(Type.Object({ part, ...label, reason: Type.String(), ...shared })),
      by_type: shares('Emission by estimate type.'),
      by_match_level: shares('Emission by match level.'),
      by_data_quality: shares('Emission by data quality: the mean of the three scores, rounded down; 1 is best.'),
      by_month: Type.Array(Type.Object({ month: Type.String(), ...amounts })),
      devices: Type.Array(schemaRef(StatementDevice)),
      orders: Type.Array(
        Type.Object({
          order_id: Type.String(),
          revision,
          order_date: day(),
          dispatch_date: Type.String({ format: 'date', description: 'Dispatch date: the tenure start of the order.' }),
          received_at: time(),
          number_of_devices: count(),
          content_hash: sha256('SHA-256 of the order as received, by RFC 8785: of `order.as_received` in its receipt.'),
          lines: Type.Array(share, {
            description: 'Packaging and transportation of the order, shared among its devices.',
          }),
          entries: Type.Array(schemaRef(StatementEntry), {
            description: 'Entries posted to the order itself; only for an order without devices.',
          }),
        }),
      ),
      calculation_bases: Type.Array(calculationBasis, {
        description: 'Calculation bases of the lines, each listed once.',
      }),
      ...figures,
      basis: texts('Which emissions the year contains.'),
      exclusions: texts('What the statement excludes.'),
      notes: texts('Notes for the reader.'),
      completeness: Type.Object(
        {
          algorithm: treeAlgorithm,
          of: Type.String(),
          orders: Type.Array(Type.Object(orderDigest)),
          root: sha256('Root of the Merkle tree of the digests.'),
        },
        { description: 'Digests of all orders of the statement, sorted and each once, with their Merkle root.' },
      ),
      signed_by: Type.Object(signingKey),
      hash: hashMember,
      signature: signatureMember,
    },
    { description: 'Signed statement of a customer’s emissions in a calendar year. See docs/formats.md.' },
  ),
)
