// Schemas of restatements: what is to be calculated again by which figures, and what that changes.
import Type, { type Static } from 'typebox'
import { namedSchema, schemaRef } from '../../contract/named-schema.ts'
import { day, text } from '../../contract/order-schema.ts'
import { API_ERRORS, type ApiErrorCode } from '../../contract/errors.ts'
import { CAUSES } from '../../ledger/restatement/causes.ts'
import { MessageReference, emissionUnit } from './response.ts'

const list = (description: string, example: string) =>
  Type.Optional(Type.Array(text('One of them.', [example]), { minItems: 1, maxItems: 1000, description }))

const Scope = Type.Object(
  {
    product_ids: list('Orders of these products, by the product ids of your shop.', 'sku-4711'),
    model_ids: list(
      'Orders of products that were matched to these device models or fallbacks.',
      'apple-macbook-air-m1',
    ),
    serial_numbers: list('Orders of these devices.', 'C02XL0AAJGH5'),
    import_id: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Orders that this import stored.' }),
    ),
    tenure_start_from: Type.Optional(day('Orders whose tenure starts on this day or later.', '2025-01-01')),
  },
  {
    // A misspelt member would make the scope wider without a word.
    additionalProperties: false,
    description:
      'Which orders are calculated again: those to which every member applies; all orders of the account if it is ' +
      'empty. Orders of others change if they share a device with one of these.',
  },
)

const Figures = Type.Object(
  {
    mappings: Type.Optional(
      Type.Literal('current', { description: 'Match products by the mappings that the account has now.' }),
    ),
    own: Type.Optional(
      Type.Literal('current', {
        description:
          'Calculate by the figures of your own that you have now, over `release`, or else over the release of new ' +
          'orders; products are identified again, too.',
      }),
    ),
    release: Type.Optional(
      text(
        'Calculate by this dataset release; its matching identifies the products again, too. Without `own`, figures ' +
          'of your own stay those that each order has.',
        ['2026.12'],
      ),
    ),
    before_restatement: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 999_999_999,
        description:
          'Undo this restatement: each order that it restated is calculated again with the release and matches that ' +
          'it had before. An order corrected since then keeps its content; products that the replaced revision did ' +
          'not have are matched by its release. Cannot be combined with other members.',
      }),
    ),
  },
  { description: 'By which figures; at least one of them.', minProperties: 1, additionalProperties: false },
)

export const RestatementParams = namedSchema(
  'RestatementParams',
  Type.Object(
    {
      scope: Scope,
      figures: Figures,
      reason: text('Why orders are restated; kept with each of them.', ['Newer grid intensities']),
    },
    { description: 'A restatement to preview.' },
  ),
)
export type WireRestatement = Static<typeof RestatementParams>

export const RestatementApplication = namedSchema(
  'RestatementApplication',
  Type.Object(
    { digest: text('The digest of the preview that is to be posted.', ['5b1f…']) },
    { description: 'Which preview is applied.' },
  ),
)

const kg = (description: string) => Type.Number({ description })

const Bridge = Type.Object(Object.fromEntries(CAUSES.map((cause) => [cause, Type.Optional(Type.Number())])), {
  description:
    'What each cause changes, exchanged one after the other in this order. Together they are the difference, to ' +
    'the milligram.',
})

const orderChange = Type.Object({
  customer_id: Type.String(),
  order_id: Type.String(),
  before: kg('Emission of the order.'),
  difference: kg('What the restatement adds to it.'),
  bridge: Bridge,
})

const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])

export const Restatement = namedSchema(
  'Restatement',
  Type.Object(
    {
      restatement_id: Type.Integer({ minimum: 1 }),
      state: Type.Enum(['previewing', 'previewed', 'applying', 'applied', 'outdated', 'failed'], {
        description:
          'previewing: the preview is being calculated. previewed: it can be applied. applying: its orders are being ' +
          'posted. outdated: something that the preview rests on had changed when it was to be applied; nothing was ' +
          'posted. failed: it ended with an internal error; what was posted until then stays.',
      }),
      scope: Scope,
      figures: Figures,
      reason: Type.String(),
      created_at: Type.String({ format: 'date-time' }),
      finished_at: orNull(Type.String({ format: 'date-time' })),
      key: Type.String({ description: 'First and last characters of the key with which it was requested.' }),
      orders_done: Type.Integer({ minimum: 0 }),
      orders_total: Type.Integer({ minimum: 0, description: 'Orders to calculate; 0 before that is known.' }),
      orders_refused: Type.Integer({
        minimum: 0,
        description:
          'Orders that the preview changes and that could not be posted, because they were changed after the preview ' +
          'had been checked; `changes?of=refused` names them.',
      }),
      interruptions: Type.Integer({
        minimum: 0,
        description: 'How often a failure of the database or of the service interrupted the calculation or posting.',
      }),
      last_error: Type.Union(
        [
          Type.Object({
            code: Type.Enum(Object.keys(API_ERRORS) as ApiErrorCode[]),
            message: Type.String(),
            at: Type.String({ format: 'date-time' }),
          }),
          Type.Null(),
        ],
        {
          description:
            'The last of these failures; null if there was none. While the state is previewing or applying, it is ' +
            'tried again.',
        },
      ),
      emission_unit: emissionUnit,
      preview: orNull(
        Type.Object({
          digest: Type.String({
            description: 'SHA-256 over the changes of each order and the number of ledger entries of its devices.',
          }),
          counts_from: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
            description:
              'First open day: changes of earlier days count on this day. To restate closed years, reopen the books ' +
              'first. Null if the books are open for all days.',
          }),
          number_of_orders: Type.Integer({ description: 'Orders whose emission changes.' }),
          number_of_devices: Type.Integer({ description: 'Devices whose embodied emission changes.' }),
          number_of_customers: Type.Integer(),
          number_of_problems: Type.Integer({ description: 'Orders in the scope that cannot be restated.' }),
          number_of_superseded_statements: Type.Integer({
            description:
              'Number of customer years that change and whose books were closed at some time; a statement of such a ' +
              'year may have been issued as final, and is superseded. `changes?of=years` names them.',
          }),
          before: kg('Emission of the orders that change.'),
          difference: kg('What the restatement adds to it.'),
          bridge: Bridge,
          years: Type.Array(Type.Object({ year: Type.Integer(), difference: Type.Number(), bridge: Bridge })),
          largest_changes: Type.Optional(
            Type.Array(orderChange, { description: 'The ten orders that change most; absent in lists.' }),
          ),
        }),
      ),
    },
    { description: 'A restatement and its preview.' },
  ),
)

const orderProblem = Type.Object({
  customer_id: Type.String(),
  order_id: Type.String(),
  problem: Type.String(),
  problem_message: Type.Union([schemaRef(MessageReference), Type.Null()], {
    description: 'Code and parameters of `problem`; null for restatements that an earlier version of Cradle made.',
  }),
})

export const RestatementList = namedSchema(
  'RestatementList',
  Type.Object(
    { restatements: Type.Array(schemaRef(Restatement), { description: 'Without `largest_changes`.' }) },
    { description: 'The restatements of the account, the latest first.' },
  ),
)

export const RestatementChanges = namedSchema(
  'RestatementChanges',
  Type.Object(
    {
      emission_unit: emissionUnit,
      orders: Type.Optional(Type.Array(orderChange)),
      years: Type.Optional(
        Type.Array(
          Type.Object({
            customer_id: Type.String(),
            year: Type.Integer(),
            supersedes_final_statement: Type.Boolean({
              description:
                'True if the books of the year were closed at some time; Cradle does not store which statements were ' +
                'fetched.',
            }),
            difference: Type.Number(),
            bridge: Bridge,
          }),
          { description: 'Years of customers: a statement of such a year is superseded.' },
        ),
      ),
      problems: Type.Optional(
        Type.Array(orderProblem, { description: 'Orders in the scope that cannot be restated, and why.' }),
      ),
      refused: Type.Optional(
        Type.Array(orderProblem, {
          description: 'Orders that the preview changes and that could not be posted, and why.',
        }),
      ),
    },
    { description: 'A page of what a restatement changes.' },
  ),
)
