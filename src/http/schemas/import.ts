// What is answered of an import: how its file is read, how far it has come, and which of its rows were refused.
import Type from 'typebox'
import { namedSchema, schemaRef } from '../../contract/named-schema.ts'
import { kilograms } from './response.ts'

const count = (description: string) => Type.Integer({ description, minimum: 0 })
const orNull = (description: string, kind: ReturnType<typeof Type.String>) =>
  Type.Union([kind, Type.Null()], { description })
const time = Type.String({ format: 'date-time' })

export const ImportSetting = namedSchema(
  'ImportSetting',
  Type.Object(
    {
      setting: Type.String({ examples: ['delimiter'] }),
      value: Type.String({ examples: [';'] }),
      because: Type.String({ examples: ['the header has 12 of them, and none of the others'] }),
    },
    { description: 'How the file is read, and by what that was seen.' },
  ),
)

export const ImportColumn = namedSchema(
  'ImportColumn',
  Type.Object(
    {
      header: Type.String({ description: 'As it stands in the file.' }),
      member: Type.Union([Type.String(), Type.Null()], {
        description: 'What it is taken for; null where passed over.',
      }),
    },
    { description: 'A column of the file.' },
  ),
)

export const ImportResponse = namedSchema(
  'ImportResponse',
  Type.Object({
    import_id: Type.Integer({ minimum: 1 }),
    state: Type.Enum(['queued', 'running', 'succeeded', 'failed', 'reversing', 'reversed'], {
      description: 'Done means that every row was dealt with, though some may have been refused.',
    }),
    is_dry_run: Type.Boolean({ description: 'True where everything is computed and nothing stored.' }),
    file_name: orNull('As it was sent.', Type.String()),
    file_bytes: count('Size of the file.'),
    file_sha256: Type.String({ description: 'SHA-256 of the file, hexadecimal.' }),
    settings: Type.Array(schemaRef(ImportSetting)),
    columns: Type.Array(schemaRef(ImportColumn)),
    rows_read: count('Rows that were dealt with, without the header.'),
    orders_stored: count('Orders that this import created; of a dry run, would create.'),
    orders_replayed: count('Orders that were there before with the same content.'),
    orders_rejected: count('Orders that were refused, each with all its rows.'),
    rows_rejected: count('Rows of refused orders.'),
    rows_rejected_stored: count(
      'Those of them that are stored, to be listed and corrected: the first 100,000 rows or 64 MiB of an import, for ' +
        '90 days, and of an account the latest 256 MiB. An import that is undone has none.',
    ),
    ignored: Type.Array(Type.String({ examples: ['/items/*/config/colour'] }), {
      description: 'Members of JSON lines that nobody asked for, each once: the first 20 that were met.',
    }),
    progress: Type.Number({ description: 'How much of the file was read, 0 to 1.', minimum: 0, maximum: 1 }),
    orders_per_second: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
      description: 'Over the time that was worked on it; null before it began.',
    }),
    emission_unit: Type.String({ examples: ['kgCO2e'] }),
    total_emission: kilograms('Of the orders stored, as they were first answered.', 39.2),
    orders_reversed: count('Orders that were taken back.'),
    orders_kept: count('Orders that stay: a device of them was returned, swapped or cancelled since.'),
    problem: orNull('Why it failed, where it did.', Type.String()),
    created_at: time,
    started_at: orNull('When work on it began.', time),
    finished_at: orNull('When all of it was done.', time),
  }),
)

export const EXAMPLE_IMPORT = {
  import_id: 17,
  state: 'queued',
  is_dry_run: false,
  file_name: 'orders-2025.csv',
  file_bytes: 48_201_113,
  file_sha256: '9f2c4a6d0b1e7f35c8d24a90e6b7135f8c0d2e4a6b8c1d3f5a7092b4c6d8e0f1',
  settings: [{ setting: 'delimiter', value: ';', because: 'the header has 11 of them, and none of the others' }],
  columns: [{ header: 'Serial Number', member: 'serial_number' }],
  rows_read: 0,
  orders_stored: 0,
  orders_replayed: 0,
  orders_rejected: 0,
  rows_rejected: 0,
  rows_rejected_stored: 0,
  ignored: [],
  progress: 0,
  orders_per_second: null,
  emission_unit: 'kgCO2e',
  total_emission: 0,
  orders_reversed: 0,
  orders_kept: 0,
  problem: null,
  created_at: '2026-01-31T10:00:00.000Z',
  started_at: null,
  finished_at: null,
}

export const EXAMPLE_IMPORT_ERROR = {
  row: 4711,
  column: 'tenure_months',
  value: '12 months',
  reason: '"12 months" is not a number written with a decimal point, without unit and thousands separators',
  suggestion: '12',
}

export const ImportError = namedSchema(
  'ImportError',
  Type.Object({
    row: Type.Integer({ description: 'As a spreadsheet counts: the header is row 1.', minimum: 1 }),
    column: orNull('Header of the column; null where it is the row as such.', Type.String()),
    value: orNull('As it is written in the file; null where there is none.', Type.String()),
    reason: Type.String(),
    suggestion: orNull('What would be right, where that can be told.', Type.String()),
  }),
)

export const EXAMPLE_ERROR_GROUPS = {
  rows: 4813,
  is_complete: true,
  groups: [
    {
      column: EXAMPLE_IMPORT_ERROR.column,
      reason: EXAMPLE_IMPORT_ERROR.reason,
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
      column: orNull('Header of the column; null where it is the row as such.', Type.String()),
      reason: Type.String({ description: 'Of the first of them.' }),
      errors: Type.Integer({ description: 'How many there are.', minimum: 1 }),
      rows: Type.Array(Type.Integer({ minimum: 1 }), { description: 'The first five rows.' }),
      values: Type.Array(
        Type.Object({
          value: orNull('As it is written in the file; null where there is none.', Type.String()),
          suggestion: orNull('What would be right, where that can be told.', Type.String()),
          errors: Type.Integer({ description: 'How often it stands there.', minimum: 1 }),
        }),
        { description: 'The five most frequent.' },
      ),
    },
    { description: 'Errors of one column and one kind.' },
  ),
)

export const ImportErrorGroups = namedSchema(
  'ImportErrorGroups',
  Type.Object({
    rows: count('Refused rows that were looked at.'),
    is_complete: Type.Boolean({ description: 'False where there are more rows, or more kinds, than are shown.' }),
    groups: Type.Array(schemaRef(ImportErrorGroup)),
  }),
)
