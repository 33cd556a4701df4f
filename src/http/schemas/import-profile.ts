// Schemas of import profiles: kept settings for files with a certain header.
import Type, { type Static } from 'typebox'
import { namedSchema, schemaRef } from '../../contract/named-schema.ts'
import { text } from '../../contract/order-schema.ts'
import { DATE_FORMS, DECIMALS } from '../../spreadsheets/cells.ts'
import { LAYOUTS } from '../../spreadsheets/columns.ts'
import { HEADER_ROW_MAX } from '../../spreadsheets/limits.ts'
import { DELIMITER_NAMES, ENCODINGS } from '../../spreadsheets/settings.ts'

export const IMPORT_PROFILE_NAME_MAX = 100
const HEADERS_MAX = 1_000

const choice = (values: readonly string[], description: string) =>
  Type.Optional(Type.Enum([...values], { description }))
const texts = Type.Record(Type.String(), Type.String())

export const ImportSettings = namedSchema(
  'ImportSettings',
  Type.Object(
    {
      layout: choice(LAYOUTS, 'As the parameter `layout`.'),
      encoding: choice(ENCODINGS, 'As the parameter `encoding`.'),
      delimiter: choice(Object.values(DELIMITER_NAMES), 'As the parameter `delimiter`.'),
      decimal: choice(DECIMALS, 'As the parameter `decimal`.'),
      dates: choice(DATE_FORMS, 'As the parameter `dates`.'),
      sheet: Type.Optional(text('Sheet of a workbook.', ['Orders'])),
      columns: Type.Optional(
        Type.Record(Type.String(), Type.String(), {
          description: 'By header: the name of its column, or "-" to ignore it.',
          examples: [{ Seriennummer: 'serial_number' }],
        }),
      ),
      values: Type.Optional(
        Type.Record(Type.String(), texts, {
          description: 'For each column, the value to use for each text; "-" skips the row.',
          examples: [{ device_type: { Notebook: 'laptop' } }],
        }),
      ),
      header_row: Type.Optional(
        Type.Integer({ description: 'As the parameter `header_row`.', minimum: 1, maximum: HEADER_ROW_MAX }),
      ),
      constants: Type.Optional(
        Type.Record(Type.String(), Type.String(), {
          description: 'For each column that the files lack, the value to use in every row.',
          examples: [{ tenure_months: '12' }],
        }),
      ),
      register: Type.Optional(
        Type.Object(
          {
            customer_id: Type.Optional(text('The customer who has the devices.', ['acme'])),
            starts_on: Type.Optional(Type.String({ format: 'date', examples: ['2025-01-01'] })),
            tenure_months: Type.Optional(Type.Integer({ minimum: 0, maximum: 1200, examples: [36] })),
            weight_kg: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 40_000, examples: [2] })),
            country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$', examples: ['DE'] })),
          },
          { description: 'What a list of devices lacks to be orders.' },
        ),
      ),
    },
    { description: 'How a file is read: the parameters of POST /api/imports that are the same for each such file.' },
  ),
)

export const ImportProfileParams = namedSchema(
  'ImportProfileParams',
  Type.Object(
    {
      import_id: Type.Optional(
        Type.Integer({
          description: 'An import whose header and settings are kept.',
          minimum: 1,
          maximum: 2 ** 31 - 1,
        }),
      ),
      header: Type.Optional(
        Type.Array(Type.String({ maxLength: 1000 }), {
          description: 'The header of the files, without import_id.',
          minItems: 1,
          maxItems: HEADERS_MAX,
        }),
      ),
      settings: Type.Optional(schemaRef(ImportSettings)),
    },
    { description: 'What a profile keeps: of an import, or as it is sent.' },
  ),
)

export const ImportProfile = namedSchema(
  'ImportProfile',
  Type.Object(
    {
      name: Type.String({ examples: ['Snipe-IT export'] }),
      header: Type.Array(Type.String(), { description: 'The header of the files for which it is suggested.' }),
      settings: schemaRef(ImportSettings),
      saved_at: Type.String({ format: 'date-time' }),
    },
    { description: 'Kept settings for files with a certain header.' },
  ),
)

export type WireImportProfile = Static<typeof ImportProfileParams>

export const EXAMPLE_IMPORT_PROFILE = {
  name: 'Snipe-IT export',
  header: ['Asset Tag', 'Serial', 'Model', 'Category'],
  settings: {
    layout: 'items',
    columns: { 'Asset Tag': '-', Serial: 'serial_number', Model: 'product_name', Category: 'device_type' },
    values: { device_type: { Laptops: 'laptop' } },
    register: { customer_id: 'acme', starts_on: '2025-01-01', tenure_months: 36, weight_kg: 2 },
  },
  saved_at: '2026-01-31T10:00:00.000Z',
}
