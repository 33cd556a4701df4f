// The receipt of an order, as the OpenAPI document describes it.
import Type from 'typebox'
import { RECEIPT_FORMAT } from '../../receipts/build-receipt.ts'
import { STATUSES } from '../../engine/order.ts'
import { namedSchema, schemaRef } from '../../contract/named-schema.ts'
import { ResponseItem } from './order-response.ts'
import { Source, emissionUnit, kilograms } from './response.ts'

const exact = (description: string) =>
  Type.String({ description: `${description} An exact number: a decimal, or a fraction.`, examples: ['109.35'] })
/** Its members follow from what the order has. */
const open = (description: string) => Type.Unsafe<object>({ type: 'object', description, additionalProperties: true })

const parts = (description: string) =>
  Type.Object(
    {
      product_embodied_emission: Type.Number(),
      product_use: Type.Number(),
      packaging: Type.Number(),
      transportation: Type.Number(),
    },
    { description },
  )

export const ReceiptEntry = namedSchema(
  'ReceiptEntry',
  Type.Object(
    {
      entry_no: Type.Integer(),
      reason: Type.String(),
      posted_at: Type.String({ format: 'date-time' }),
      event_id: Type.Optional(Type.String({ description: 'The event on this order or device that caused it.' })),
      caused_by_rental: Type.Optional(Type.Integer({ description: 'The rental under another order that caused it.' })),
      terms: Type.Optional(
        Type.Object({
          start: Type.String({ format: 'date' }),
          end: Type.String({ format: 'date', description: 'The day after the last.' }),
          months: exact('Months between them.'),
          country: Type.Optional(Type.String()),
          dataset_release: Type.String(),
        }),
      ),
      emission: parts('What it posted, kg CO2e.'),
    },
    { description: 'What the order posted at one time for one reason.' },
  ),
)

const balance = (description: string) =>
  Type.Object(
    {
      remaining_kg: Type.Number(),
      remaining: exact('Embodied emission that no rental is allocated yet, kg CO2e.'),
      allocated_kg: Type.Number(),
      allocated: exact('Embodied emission allocated so far, kg CO2e.'),
      unallocated: exact('What remained at its retirement or loss, kg CO2e.'),
      kg_per_month: exact('What a month of rental takes.'),
      lifetime_months: exact('Reference lifetime, with extensions.'),
      months_allocated: exact('Months allocated so far.'),
    },
    { description },
  )

export const ReceiptDevice = namedSchema(
  'ReceiptDevice',
  Type.Object(
    {
      device_id: Type.String(),
      serial_number: Type.String(),
      footprint_id: Type.String({ description: 'Device model, or what stands in for it: fixed by its first order.' }),
      dataset_release: Type.String(),
      weight_kg: Type.Optional(exact('Of a device that is charged by its weight.')),
      embodied: exact('Embodied footprint of the new device, kg CO2e.'),
      lifetime_months: exact('Reference lifetime of the new device.'),
      amortisation: Type.Enum(['capped', 'uncapped']),
      ledger: Type.Object({
        rentals: Type.Array(
          Type.Object({
            rental: Type.Integer({ description: 'Place in the life of the device, from 1.' }),
            is_this_order: Type.Boolean({ description: 'False for a rental under another order, which is not named.' }),
            start: Type.String({ format: 'date' }),
            end: Type.String({ format: 'date' }),
            months: exact('As agreed.'),
            held_until: Type.String({ format: 'date' }),
            months_held: exact('What they came to.'),
            months_allocated: exact('Those of them that the lifetime still had.'),
          }),
        ),
        events: Type.Array(
          Type.Object({
            type: Type.Enum(['refurbished', 'retired', 'lost']),
            date: Type.String({ format: 'date' }),
            emission: Type.Optional(exact('What it put in, kg CO2e.')),
            months_added: Type.Optional(exact('Months of lifetime that it added.')),
          }),
        ),
      }),
      balance_before: balance('Before the rental of this order.'),
      balance_after: balance('After it.'),
      posted: Type.Array(schemaRef(ReceiptEntry)),
      posted_total: parts('Sum of the entries.'),
      total: parts('What the order comes to for the device, computed from the above: the same.'),
    },
    { description: 'A device of the order, with the facts that its figures rest on.' },
  ),
)

const release = Type.Object(
  {
    name: Type.String(),
    content_hash: Type.String({ description: 'SHA-256 of the files of the release.' }),
    aliases: Type.Array(open('A name that several models may bear.')),
    models: Type.Array(open('A device model, kg CO2e per device.')),
    type_defaults: Type.Array(open('What stands in for what a sheet lacks.')),
    fallbacks: Type.Optional(
      Type.Array(open('What stands in for a model: a mean, or a regression on weight and screen.')),
    ),
    it_equipment: Type.Optional(open('What a thing for a device, such as its case, is charged by.')),
    transportations: Type.Array(open('kg CO2e per tonne-kilometre, well-to-wheel.')),
    distance_adjustments: Type.Array(open('actual = stated × multiplier + added_km.')),
    packagings: Type.Array(open('kg CO2e per kg.')),
    grids: Type.Array(open('kg CO2e per kWh of a country, by year.')),
    sources: Type.Array(Type.Object({ no: Type.Integer(), ...Source.properties })),
  },
  { description: 'The figures of a dataset release that the order rests on, exactly, each with its source.' },
)

export const Receipt = namedSchema(
  'Receipt',
  Type.Object(
    {
      media_type: Type.Literal(RECEIPT_FORMAT),
      issued: Type.Object({
        by: Type.Literal('cradle'),
        version: Type.String(),
        method: Type.String({ description: 'Version of the method; another one may compute other numbers.' }),
        at: Type.String({ format: 'date-time' }),
        known_at: Type.Optional(Type.String({ format: 'date-time' })),
      }),
      order: Type.Object({
        received_at: Type.String({ format: 'date-time' }),
        dataset_release: Type.String(),
        as_received: open('The order as it was sent, in canonical form.'),
        normalised: open('The items with every value that the order left open filled in.'),
        defaults_applied: Type.Array(
          Type.Object({ item: Type.Integer(), code: Type.String(), message: Type.String() }),
        ),
      }),
      events: Type.Array(open('What was told of the order.')),
      match: Type.Array(open('Which model a product was taken for, by what it was found, and the candidates.')),
      releases: Type.Array(release),
      devices: Type.Array(schemaRef(ReceiptDevice)),
      posted_to_order: Type.Array(schemaRef(ReceiptEntry), { description: 'Of an order without devices.' }),
      items: Type.Array(schemaRef(ResponseItem), { description: 'The lines, each with its calculation.' }),
      status: Type.Enum([...STATUSES]),
      emission_unit: emissionUnit,
      total_emission: kilograms('Sum of the lines.', 9.9289),
      total_emission_excluding_indicative: kilograms('Without indicative lines.', 8.325775),
      hash: Type.Object({
        algorithm: Type.Literal('sha256'),
        of: Type.String(),
        value: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      }),
    },
    { description: 'Everything that an order’s numbers follow from; `cradle verify` computes them again from it.' },
  ),
)

export const Verification = namedSchema(
  'Verification',
  Type.Object(
    {
      outcome: Type.Enum(['equal', 'different']),
      verified_at: Type.String({ format: 'date-time' }),
      lines: Type.Integer({ description: 'Lines of the order that were computed again.', examples: [4] }),
      devices: Type.Integer({ description: 'Devices whose ledgers were run again.', examples: [1] }),
      entries: Type.Integer({ description: 'Entries of the order that the result was held against.', examples: [1] }),
      dataset_releases: Type.Array(Type.String(), {
        description: 'Releases whose stored figures were taken, not those that the receipt prints.',
      }),
      difference: Type.Optional(
        Type.Object(
          {
            pointer: Type.String({
              description: 'JSON pointer into the receipt; empty where its facts cannot belong together.',
            }),
            expected: Type.String(),
            found: Type.String(),
          },
          { description: 'The first thing that is not as it is computed.' },
        ),
      ),
    },
    { description: 'Whether what is stored of an order is what its facts come to, to the milligram.' },
  ),
)
