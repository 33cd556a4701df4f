// The yearly statement of a customer, as the OpenAPI document describes it; its type is in src/statements/statement.ts.
import Type from 'typebox'
import { CONSOLIDATION_APPROACHES } from '../../engine/inventory-boundary.ts'
import { PARTS } from '../../engine/numbers/emission.ts'
import { MATCH_LEVELS } from '../../engine/uncertainty/data-quality.ts'
import { namedSchema, schemaRef } from '../../contract/named-schema.ts'
import { STATEMENT_FORMAT } from '../../statements/statement.ts'
import { emissionUnit } from './response.ts'

const kg = (description?: string) => Type.Number(description === undefined ? {} : { description })
const count = () => Type.Integer({ minimum: 0 })
const no = (description: string) => Type.Integer({ minimum: 1, description })
const orNull = (
  kind: ReturnType<typeof Type.Number | typeof Type.String | typeof Type.Integer>,
  description?: string,
) => Type.Union([kind, Type.Null()], description === undefined ? {} : { description })
const day = () => Type.String({ format: 'date' })
const time = () => Type.String({ format: 'date-time' })
const texts = (description: string) => Type.Array(Type.String(), { description })
const part = Type.Enum([...PARTS])

const amounts = {
  product_embodied_emission: kg(),
  product_use: kg(),
  packaging: kg(),
  transportation: kg(),
  total_emission: kg('Sum of the four.'),
}

export const StatementAmounts = namedSchema(
  'StatementAmounts',
  Type.Object(amounts, { description: 'Each part, kg CO2e, whole numbers of milligrams.' }),
)

export const StatementEntry = namedSchema(
  'StatementEntry',
  Type.Object(
    {
      posted_at: time(),
      reason: Type.String(),
      months: orNull(
        Type.String(),
        'Over which all that was posted by then of embodied and use is spread: an exact number. Null without a device.',
      ),
      use_basis: orNull(Type.Integer(), 'What use over these months rests on; null where none is known.'),
      ...amounts,
    },
    { description: 'What was posted at one time for one reason. The first one makes, later ones correct.' },
  ),
)

const share = Type.Object({ calculation_basis: no('Number of the calculation basis.'), emission: kg() })
const shared = {
  emission: kg(),
  share_percent: orNull(Type.Number(), 'Of the total; null where that is 0.'),
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
        { description: 'What it is charged by.' },
      ),
      is_held_at_opening: Type.Boolean({ description: 'Out on the last day before the year.' }),
      is_held_at_closing: Type.Boolean({ description: 'Out on the last day of the year.' }),
      opening: schemaRef(StatementAmounts),
      year: schemaRef(StatementAmounts),
      closing: schemaRef(StatementAmounts),
      posted_later: schemaRef(StatementAmounts),
      rentals: Type.Array(
        Type.Object({
          order_id: Type.String(),
          from: day(),
          until: Type.String({ format: 'date', description: 'The day after the last, as it stands.' }),
          embodied_basis: no('What its embodied emission rests on.'),
          shares: Type.Array(share, { description: 'Of the order’s packaging and transportation.' }),
          entries: Type.Array(schemaRef(StatementEntry)),
        }),
      ),
    },
    { description: 'A device: opening + year = closing, part by part; posted_later is posted for years to come.' },
  ),
)

const summary = Type.Object({
  total_emission: kg('What the year contains.'),
  total_emission_excluding_indicative: kg(),
  uncertainty: Type.Object({ low: kg(), high: kg(), level: Type.Number(), gsd: Type.Number() }),
  opening_emission: kg('What all years before contain.'),
  closing_emission: kg('The same with this year.'),
  posted_later_emission: kg('What is posted for years to come.'),
  corrections_emission: kg('Of the year: what corrects earlier postings.'),
  number_of_orders: count(),
  number_of_devices: count(),
  devices_held_at_opening: count(),
  devices_held_at_closing: count(),
  primary_data_share: orNull(Type.Number(), 'Percent of the total.'),
  data_quality_rating: orNull(Type.Number(), '1 (best) to 5, weighted by emission.'),
})

const label = { ghg_scope: Type.String(), ghg_category: Type.String() }

const score = Type.Integer({ minimum: 1, maximum: 5 })

const calculationBasis = Type.Object({
  no: no('By which it is named.'),
  part,
  method: Type.String(),
  type: Type.Enum(['estimated', 'indicative']),
  match_level: Type.Enum([...MATCH_LEVELS]),
  is_primary: Type.Boolean(),
  data_quality: Type.Object({ technological: score, temporal: score, geographical: score }),
  errors: Type.Array(Type.Object({ factor: Type.String(), name: Type.String(), log_sd: Type.Number() })),
  factors: Type.Array(no('Number of a factor.')),
  emission: kg('What the year has of it.'),
})

const figures = {
  factors: Type.Array(
    Type.Object({
      no: no('By which it is named.'),
      symbol: Type.String(),
      id: Type.String(),
      value: Type.String({ description: 'A decimal.' }),
      unit: Type.String(),
      dataset_release: Type.String(),
      source: no('Number of a source.'),
    }),
  ),
  sources: Type.Array(
    Type.Object({
      no: no('By which it is named.'),
      title: Type.String(),
      publisher: Type.String(),
      year: orNull(Type.Integer()),
      url: Type.String(),
      licence: Type.String(),
    }),
  ),
  releases: Type.Array(Type.Object({ name: Type.String(), content_hash: Type.String() })),
}

const signingKey = {
  algorithm: Type.Literal('ed25519'),
  public_key: Type.String({ description: 'SPKI in PEM.' }),
  fingerprint: Type.String({ description: 'SHA-256 of the key itself, hexadecimal.', pattern: '^[0-9a-f]{64}$' }),
}

export const StatementKeyAnswer = namedSchema('StatementKey', Type.Object({ ...signingKey, created_at: time() }))

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
        known_at: Type.String({ format: 'date-time', description: 'What was posted until then is in it.' }),
      }),
      issuer: Type.Object({ account: Type.String() }),
      customer_id: Type.String(),
      year: Type.Integer(),
      is_preliminary: Type.Boolean({ description: 'The year was not over when it was made.' }),
      inventory_boundary: Type.Object({
        reporting_entity: Type.Literal('lessee'),
        consolidation_approach: Type.Enum([...CONSOLIDATION_APPROACHES]),
        lease_type: Type.Literal('operating'),
      }),
      emission_unit: emissionUnit,
      summary,
      by_category: Type.Array(Type.Object({ ...label, parts: Type.Array(part), ...shared })),
      by_part: Type.Array(Type.Object({ part, ...label, reason: Type.String(), ...shared })),
      by_type: shares('By estimate type.'),
      by_match_level: shares('By what models were found at.'),
      by_data_quality: shares('By the mean of the three scores, rounded down: 1 is best.'),
      by_month: Type.Array(Type.Object({ month: Type.String(), ...amounts })),
      devices: Type.Array(schemaRef(StatementDevice)),
      orders: Type.Array(
        Type.Object({
          order_id: Type.String(),
          order_date: day(),
          dispatch_date: Type.String({ format: 'date', description: 'Its tenure start.' }),
          received_at: time(),
          number_of_devices: count(),
          lines: Type.Array(share, { description: 'Packaging and transportation, which its devices share.' }),
          entries: Type.Array(schemaRef(StatementEntry), { description: 'Posted to it alone: it has no devices.' }),
        }),
      ),
      calculation_bases: Type.Array(calculationBasis, { description: 'What lines rest on, each thing once.' }),
      ...figures,
      basis: texts('What the year contains.'),
      exclusions: texts('What is not counted.'),
      notes: texts('What its reader should know.'),
      signed_by: Type.Object(signingKey),
      hash: Type.Object({ algorithm: Type.Literal('sha256'), of: Type.String(), value: Type.String() }),
      signature: Type.Object({ algorithm: Type.Literal('EdDSA'), of: Type.String(), value: Type.String() }),
    },
    { description: 'A customer’s statement of a year: docs/statement.md.' },
  ),
)
