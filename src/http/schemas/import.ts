// Response schemas of imports: how the file is read, the progress, and the rejected rows.
import Type from 'typebox'
import { namedSchema, schemaRef } from '../../contract/named-schema.ts'
import { CELL_MESSAGES, EVIDENCE_MESSAGES } from '../../spreadsheets/messages.ts'
import { MessageReference, kilograms, messageCode, messageParams } from './response.ts'

const count = (description: string) => Type.Integer({ description, minimum: 0 })
const orNull = (description: string, kind: ReturnType<typeof Type.String>) =>
  Type.Union([kind, Type.Null()], { description })
/** The code and values of a stored sentence. */
const ofMessage = {
  code: Type.Optional(Type.String({ description: 'Code of the message. Absent if an earlier version stored it.' })),
  params: messageParams,
}

const BECAUSE = EVIDENCE_MESSAGES.delimiter_splits_header({ cells: 12, known: 11 })
const VALUE = '12 months'
const NOT_A_NUMBER = CELL_MESSAGES.cell_not_a_number({ text: VALUE, decimal: 'point' })
const time = Type.String({ format: 'date-time' })

export const ImportSetting = namedSchema(
  'ImportSetting',
  Type.Object(
    {
      setting: Type.String({ examples: ['delimiter'] }),
      value: Type.String({ examples: [';'] }),
      because: Type.String({ examples: [BECAUSE.message] }),
      ...ofMessage,
    },
    { description: 'A detected setting for reading the file, and the evidence for it.' },
  ),
)

export const ImportColumn = namedSchema(
  'ImportColumn',
  Type.Object(
    {
      header: Type.String({ description: 'Column header as written in the file.' }),
      member: Type.Union([Type.String(), Type.Null()], {
        description: 'Order member that the column is mapped to; null if the column is ignored.',
      }),
    },
    { description: 'A column of the file.' },
  ),
)

export const ImportWarningGroup = namedSchema(
  'ImportWarningGroup',
  Type.Object(
    {
      column: orNull('Header of the column; null if the warning concerns the row as a whole.', Type.String()),
      reason: Type.String({ description: 'Message of the first warning in the group, in English.' }),
      code: messageCode,
      params: messageParams,
      warnings: Type.Integer({ description: 'Number of warnings in the group.', minimum: 1 }),
      rows: Type.Array(Type.Integer({ minimum: 1 }), { description: 'The first five rows with the warning.' }),
    },
    { description: 'Warnings of one kind in one column.' },
  ),
)

export const ImportResponse = namedSchema(
  'ImportResponse',
  Type.Object({
    import_id: Type.Integer({ minimum: 1 }),
    kind: Type.Enum(['orders', 'events'], {
      description: 'What the file has. In a file of events, the counters of orders count events.',
    }),
    state: Type.Enum(['queued', 'running', 'succeeded', 'failed', 'reversing', 'reversed'], {
      description: 'succeeded means that every row was processed; some may have been rejected.',
    }),
    is_dry_run: Type.Boolean({ description: 'True if everything is computed and nothing is stored.' }),
    file_name: orNull('File name as sent; null if none was sent.', Type.String()),
    file_bytes: count('Size of the file in bytes.'),
    file_sha256: Type.String({ description: 'SHA-256 of the file, hexadecimal.' }),
    settings: Type.Array(schemaRef(ImportSetting)),
    columns: Type.Array(schemaRef(ImportColumn)),
    profile: orNull('Name of the import profile with which the file is read; null if none was sent.', Type.String()),
    suggested_profiles: Type.Array(Type.String(), {
      description: 'Profiles for files with the same header, the latest first, if none was sent.',
    }),
    rows_read: count('Rows processed, excluding the header.'),
    orders_stored: count('Orders that this import created or, in a dry run, would create.'),
    orders_replayed: count('Orders that were already stored with the same content.'),
    orders_rejected: count('Orders that were rejected, each with all its rows.'),
    rows_rejected: count('Rows of rejected orders.'),
    rows_rejected_stored: count(
      'Rejected rows that are stored, so that they can be listed and corrected: the first 100,000 rows or 64 MiB per ' +
        'import, for 90 days, and the latest 256 MiB per account. A reversed import has none.',
    ),
    ignored: Type.Array(Type.String({ examples: ['/items/*/config/colour'] }), {
      description: 'Unknown members of JSON lines, each listed once: the first 20 found.',
    }),
    number_of_warnings: count('Warnings about the orders that were stored or already there.'),
    warnings: Type.Array(schemaRef(ImportWarningGroup), {
      description: 'The warnings by kind and column, most frequent first; at most 50 kinds.',
    }),
    progress: Type.Number({ description: 'Fraction of the file that was read, 0 to 1.', minimum: 0, maximum: 1 }),
    orders_per_second: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
      description: 'Average over the processing time; null before processing started.',
    }),
    emission_unit: Type.String({ examples: ['kgCO2e'] }),
    total_emission: kilograms('Total emission of the orders stored, as calculated when they were stored.', 39.2),
    orders_reversed: count('Orders that were reversed with the import; of an import of events, the events withdrawn.'),
    orders_kept: count(
      'Orders that could not be reversed because one of their devices has since been returned, swapped or cancelled. ' +
        'Of an import of events, those that a later event depends on, and withdrawals.',
    ),
    problem: orNull('Why the import failed; null if it did not.', Type.String()),
    problem_message: Type.Union([schemaRef(MessageReference), Type.Null()], {
      description: 'Code and values of `problem`; null if it has none, as in imports of earlier versions.',
    }),
    created_at: time,
    started_at: orNull('When processing started; null before.', time),
    finished_at: orNull('When processing finished; null before.', time),
  }),
)

export const EXAMPLE_IMPORT = {
  import_id: 17,
  kind: 'orders',
  state: 'queued',
  is_dry_run: false,
  file_name: 'orders-2025.csv',
  file_bytes: 48_201_113,
  file_sha256: '9f2c4a6d0b1e7f35c8d24a90e6b7135f8c0d2e4a6b8c1d3f5a7092b4c6d8e0f1',
  settings: [
    { setting: 'delimiter', value: ';', because: BECAUSE.message, code: BECAUSE.code, params: BECAUSE.params },
  ],
  columns: [{ header: 'Serial Number', member: 'serial_number' }],
  profile: null,
  suggested_profiles: [],
  rows_read: 0,
  orders_stored: 0,
  orders_replayed: 0,
  orders_rejected: 0,
  rows_rejected: 0,
  rows_rejected_stored: 0,
  ignored: [],
  number_of_warnings: 0,
  warnings: [],
  progress: 0,
  orders_per_second: null,
  emission_unit: 'kgCO2e',
  total_emission: 0,
  orders_reversed: 0,
  orders_kept: 0,
  problem: null,
  problem_message: null,
  created_at: '2026-01-31T10:00:00.000Z',
  started_at: null,
  finished_at: null,
}

export const EXAMPLE_IMPORT_ERROR = {
  row: 4711,
  column: 'tenure_months',
  value: VALUE,
  reason: NOT_A_NUMBER.message,
  code: NOT_A_NUMBER.code,
  params: NOT_A_NUMBER.params,
  suggestion: '12',
}

const suggested = {
  suggestion: orNull('Suggested correction; null if there is none.', Type.String()),
  suggestions: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Each suggested correction, if there are several; `suggestion` joins them with "or".',
    }),
  ),
}

export const ImportError = namedSchema(
  'ImportError',
  Type.Object({
    row: Type.Integer({ description: 'Row number as in a spreadsheet: the header is row 1.', minimum: 1 }),
    column: orNull('Header of the column; null if the error concerns the row as a whole.', Type.String()),
    value: orNull('Value as written in the file; null if there is none.', Type.String()),
    reason: Type.String({ description: 'What is wrong, in English.' }),
    ...ofMessage,
    ...suggested,
  }),
)

export const EXAMPLE_ERROR_GROUPS = {
  rows: 4813,
  is_complete: true,
  groups: [
    {
      column: EXAMPLE_IMPORT_ERROR.column,
      reason: EXAMPLE_IMPORT_ERROR.reason,
      code: EXAMPLE_IMPORT_ERROR.code,
      params: EXAMPLE_IMPORT_ERROR.params,
      errors: 4802,
      rows: [2, 3, 5, 8, 9],
      values: [{ value: EXAMPLE_IMPORT_ERROR.value, suggestion: EXAMPLE_IMPORT_ERROR.suggestion, errors: 4790 }],
    },
  ],
}

export const ImportErrorGroup = namedSchema(
  'ImportErrorGroup',
  Type.Object(
    {
      column: orNull('Header of the column; null if the error concerns the row as a whole.', Type.String()),
      reason: Type.String({ description: 'Reason of the first error in the group.' }),
      ...ofMessage,
      errors: Type.Integer({ description: 'Number of errors in the group.', minimum: 1 }),
      rows: Type.Array(Type.Integer({ minimum: 1 }), { description: 'The first five rows with the error.' }),
      values: Type.Array(
        Type.Object({
          value: orNull('Value as written in the file; null if there is none.', Type.String()),
          ...suggested,
          errors: Type.Integer({ description: 'Number of occurrences.', minimum: 1 }),
        }),
        { description: 'The five most frequent values.' },
      ),
    },
    { description: 'Errors of one kind in one column.' },
  ),
)

export const ImportErrorGroups = namedSchema(
  'ImportErrorGroups',
  Type.Object({
    rows: count('Number of rejected rows that were evaluated.'),
    is_complete: Type.Boolean({
      description: 'False if there are more rows, or more kinds of errors, than are shown.',
    }),
    groups: Type.Array(schemaRef(ImportErrorGroup)),
  }),
)
