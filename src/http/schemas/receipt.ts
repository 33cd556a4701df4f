// Schemas of order receipts and of their verification.
import Type from 'typebox'
import { DEVICE_TYPES } from '../../engine/reference/reference-data.ts'
import { RECEIPT_FORMAT } from '../../receipts/read-receipt.ts'
import { DEVICE_EVENT_TYPES } from '../../engine/device-event-types.ts'
import { STATUSES } from '../../engine/order.ts'
import { namedSchema, schemaRef } from '../../contract/named-schema.ts'
import { Source, emissionUnit } from './response.ts'
import { decimal, hashMember, signatureMember, signingKey } from './statement.ts'

const exact = (description: string) =>
  Type.String({ description: `${description} An exact number: a decimal or a fraction.`, examples: ['109.35'] })
/** An object whose members depend on the order. */
const open = (description: string) => Type.Unsafe<object>({ type: 'object', description, additionalProperties: true })

const parts = (description: string) =>
  Type.Object(
    {
      product_embodied_emission: decimal(),
      product_use: decimal(),
      packaging: decimal(),
      transportation: decimal(),
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
      event_id: Type.Optional(Type.String({ description: 'Event on this order or device that caused the entry.' })),
      caused_by_rental: Type.Optional(
        Type.Integer({ description: 'Number of the rental under another order that caused the entry.' }),
      ),
      in_force: Type.Optional(
        Type.Object(
          { reason: Type.String(), event_id: Type.Optional(Type.String()) },
          { description: 'For a withdrawal: whose terms count again.' },
        ),
      ),
      terms: Type.Optional(
        Type.Object({
          start: Type.String({ format: 'date' }),
          end: Type.String({ format: 'date', description: 'Day after the last day of the rental.' }),
          months: exact('Months between start and end.'),
          country: Type.Optional(Type.String()),
          dataset_release: Type.String(),
        }),
      ),
      emission: parts('Emission posted by the entry, kg CO2e.'),
    },
    { description: 'Emission that the order posted at one time for one reason.' },
  ),
)

const balance = (description: string) =>
  Type.Object(
    {
      remaining_kg: decimal(),
      remaining: exact('Embodied emission not allocated to a rental yet, kg CO2e.'),
      allocated_kg: decimal(),
      allocated: exact('Embodied emission allocated so far, kg CO2e.'),
      unallocated: exact('Embodied emission that remained when the device was retired or lost, kg CO2e.'),
      kg_per_month: exact('Embodied emission allocated per month of rental, kg CO2e.'),
      lifetime_months: exact('Reference lifetime with extensions, in months.'),
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
      footprint_id: Type.String({
        description: 'Device model or fallback footprint: fixed by the first order of the device, or identified later.',
      }),
      dataset_release: Type.String(),
      weight_kg: Type.Optional(exact('Weight in kilograms; only if the footprint is calculated from the weight.')),
      embodied: exact('Embodied footprint of the new device, kg CO2e.'),
      lifetime_months: exact('Reference lifetime of the new device, in months.'),
      amortisation: Type.Enum(['capped', 'uncapped']),
      identified_by: Type.Optional(
        Type.String({
          description: 'Event that identified the device; absent if its first order fixed its footprint.',
        }),
      ),
      ledger: Type.Object({
        rentals: Type.Array(
          Type.Object({
            rental: Type.Integer({ description: 'Position in the history of the device, from 1.' }),
            is_this_order: Type.Boolean({
              description: 'False for a rental under another order; that order is not named.',
            }),
            start: Type.String({ format: 'date' }),
            end: Type.String({ format: 'date' }),
            months: exact('Agreed months.'),
            held_until: Type.String({ format: 'date' }),
            months_held: exact('Months from start to held_until.'),
            months_allocated: exact(
              'Part of months_held that was allocated: limited to the remaining lifetime, unless uncapped.',
            ),
          }),
        ),
        events: Type.Array(
          Type.Object({
            type: Type.Enum([...DEVICE_EVENT_TYPES]),
            date: Type.String({ format: 'date' }),
            emission: Type.Optional(exact('Emission added by a refurbishment, kg CO2e.')),
            months_added: Type.Optional(exact('Months added to the lifetime by a refurbishment.')),
            emission_default: Type.Optional(
              Type.Object(
                {
                  device_type: Type.Enum([...DEVICE_TYPES]),
                  low: exact('Lower end of its range, kg CO2e.'),
                  high: exact('Upper end of its range, kg CO2e.'),
                  dataset_release: Type.String(),
                },
                { description: 'Nobody stated the emission: it is the default of the type in this release.' },
              ),
            ),
          }),
        ),
      }),
      balance_before: balance('Balance before the rental of this order.'),
      balance_after: balance('Balance after the rental of this order.'),
      posted: Type.Array(schemaRef(ReceiptEntry)),
      posted_total: parts('Sum of the posted entries, kg CO2e.'),
      total: parts(
        'Emission of the order for the device, recomputed from the members above, kg CO2e. Equals posted_total.',
      ),
    },
    { description: 'A device of the order, with the inputs of its figures.' },
  ),
)

const release = Type.Object(
  {
    name: Type.String(),
    content_hash: Type.String({ description: 'SHA-256 of the files of the release.' }),
    aliases: Type.Array(open('An alias, which several models may have.')),
    models: Type.Array(open('Footprint of a device model, kg CO2e per device.')),
    type_defaults: Type.Array(open('Defaults of a device type, for values that a data sheet lacks.')),
    fallbacks: Type.Optional(
      Type.Array(open('Fallback footprint in place of a model: a mean, or a regression on weight and screen size.')),
    ),
    it_equipment: Type.Optional(
      open('Factor for products whose footprint is calculated from the weight, such as accessories, kg CO2e per kg.'),
    ),
    transportations: Type.Array(open('Transport factor, kg CO2e per tonne-kilometre, well-to-wheel.')),
    distance_adjustments: Type.Array(
      open('Conversion between distance bases: actual = other basis × multiplier + added_km.'),
    ),
    packagings: Type.Array(open('Packaging factor, kg CO2e per kg.')),
    grids: Type.Array(open('Grid factors of a country by year, kg CO2e per kWh.')),
    sources: Type.Array(Type.Object({ no: Type.Integer(), ...Source.properties })),
  },
  { description: 'Exact figures of a dataset release that the order is based on, each with its source.' },
)

const receiptItem = Type.Object({
  type: Type.Enum(['product', 'transportation', 'packaging']),
  device_id: Type.Optional(Type.String()),
  serial_number: Type.Optional(Type.String()),
  total_emission: decimal('Sum of the lines, kg CO2e.'),
  emission_breakdown: open('The lines, by part.'),
})

export const Receipt = namedSchema(
  'Receipt',
  Type.Object(
    {
      media_type: Type.Literal(RECEIPT_FORMAT),
      issued: Type.Object({
        by: Type.Literal('cradle'),
        version: Type.String(),
        method: Type.String({ description: 'Version of the method. Another version may give different figures.' }),
        at: Type.String({ format: 'date-time' }),
        known_at: Type.Optional(Type.String({ format: 'date-time' })),
      }),
      order: Type.Object({
        received_at: Type.String({ format: 'date-time' }),
        dataset_release: Type.String(),
        as_received: open('The order as received or, if its content was corrected, as it is now; in canonical form.'),
        corrections: Type.Optional(
          Type.Array(open('When, why and by which key the content was corrected, and what this replaced.')),
        ),
        normalised: open('The items, with every value that the order did not state filled in.'),
        defaults_applied: Type.Array(
          Type.Object({ item: Type.Integer(), code: Type.String(), message: Type.String() }),
        ),
      }),
      events: Type.Array(open('Event recorded for the order, and by which key or import.')),
      match: Type.Array(open('Matched model of a product, the match method, and the candidates.')),
      releases: Type.Array(release),
      devices: Type.Array(schemaRef(ReceiptDevice)),
      posted_to_order: Type.Array(schemaRef(ReceiptEntry), { description: 'Entries of an order without devices.' }),
      items: Type.Array(receiptItem, {
        description:
          'Items with their lines, each line with its calculation, as an order has them with decimals as strings.',
      }),
      status: Type.Enum([...STATUSES]),
      emission_unit: emissionUnit,
      total_emission: decimal('Total GHG emission of the order: the sum of its lines, kg CO2e.'),
      total_emission_excluding_indicative: decimal('Total without indicative lines.'),
      signed_by: Type.Optional(Type.Object(signingKey)),
      hash: hashMember,
      signature: Type.Optional(signatureMember),
    },
    { description: 'All inputs of an order’s figures. `cradle verify` recomputes the figures from them.' },
  ),
)

export const Verification = namedSchema(
  'Verification',
  Type.Object(
    {
      outcome: Type.Enum(['equal', 'different']),
      verified_at: Type.String({ format: 'date-time' }),
      lines: Type.Integer({ description: 'Lines of the order that were recomputed.', examples: [4] }),
      devices: Type.Integer({ description: 'Devices whose ledgers were recomputed.', examples: [1] }),
      entries: Type.Integer({ description: 'Entries of the order with which the result was compared.', examples: [1] }),
      dataset_releases: Type.Array(Type.String(), {
        description: 'Releases whose stored figures were used instead of those printed in the receipt.',
      }),
      difference: Type.Optional(
        Type.Object(
          {
            pointer: Type.String({
              description: 'JSON pointer into the receipt; empty if the inputs contradict each other.',
            }),
            expected: Type.String(),
            found: Type.String(),
          },
          { description: 'The first value that differs from the recomputed one.' },
        ),
      ),
    },
    { description: 'Whether the stored figures of an order equal the recomputed ones, to the milligram.' },
  ),
)
