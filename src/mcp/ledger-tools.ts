// The tools about devices, sums and statements.
import type { Json, Tool } from './tool.ts'
import { withUnits } from './units.ts'

const GROUPS_USUAL = 50
const GROUPS_MAX = 500
const DEVICES_USUAL = 20
const DEVICES_MAX = 200

export const GET_DEVICE_LEDGER: Tool = {
  name: 'get_device_ledger',
  title: 'Get the ledger of a device',
  description:
    'Returns the emissions that every order posted to one device, its rentals and events, and what remains of its ' +
    'embodied footprint. Use it when the serial number is known. Do not use it to look up a model without a serial ' +
    'number (match_device). Example: {"id":"C02XL0AAJGH5"}. Limits: one device; a device that was never rented has ' +
    'no orders and a total of 0; add `entries` only when corrections matter.',
  operation: 'getDeviceEmissions',
  parameters: ['known_at'],
  ownArguments: {
    include: {
      type: 'array',
      items: { type: 'string', enum: ['history', 'entries', 'events'] },
      maxItems: 3,
      default: ['history'],
      description: 'Members to add: rentals with the balance, all posted entries, events of the device itself.',
    },
  },
  isReadOnly: true,
  call: async ({ id, include = ['history'], known_at }, ask) => {
    const { text } = await ask('getDeviceEmissions', { path: { id: String(id) }, query: { include, known_at } })
    return withUnits(JSON.parse(text)) as object
  },
}

export const REPORT_EMISSIONS: Tool = {
  name: 'report_emissions',
  title: 'Report emissions',
  description:
    'Sums the emissions of all orders of the account, grouped by up to two dimensions (such as month, customer, ' +
    'model, part or scope) and filtered by any. Use it for totals, shares and rankings. Do not use it for one order ' +
    '(get_order), nor for the signed yearly total of a customer (get_statement). Example: {"group_by":["quarter",' +
    '"part"],"date_basis":"tenure","from":"2025-01","to":"2025-12"}. Limits: ' +
    `${GROUPS_USUAL} groups unless limit says more, at most ${GROUPS_MAX}; the others are added up in \`remainder\`. ` +
    'With date_basis tenure, emissions count in the months in which devices are held; by default, on the order date.',
  operation: 'reportEmissions',
  parameters: [
    'group_by',
    'date_basis',
    'from',
    'to',
    'month',
    'quarter',
    'year',
    'customer',
    'model',
    'type',
    'brand',
    'country',
    'part',
    'scope',
    'estimate_type',
    'reporting_entity',
    'consolidation_approach',
    'lease_type',
    'sort',
  ],
  ownArguments: {
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: GROUPS_MAX,
      default: GROUPS_USUAL,
      description: 'Groups to list: those with the largest emissions.',
    },
  },
  required: [],
  isReadOnly: true,
  call: async ({ limit = GROUPS_USUAL, ...query }, ask) =>
    withUnits(JSON.parse((await ask('reportEmissions', { query: { ...query, limit } })).text)) as object,
}

export const GET_STATEMENT: Tool = {
  name: 'get_statement',
  title: 'Get a statement',
  description:
    'Returns the yearly statement of one customer: its total with the interval, emissions by GHG category, part, ' +
    'month and data quality, its devices, and the hash and key with which it is signed. Use it for what a customer ' +
    'reports for a calendar year. Do not use it for other periods or several customers (report_emissions). Example: ' +
    `{"customer_id":"customer-17","year":"2025"}. Limits: one customer and year; ${DEVICES_USUAL} devices unless ` +
    `limit says more, at most ${DEVICES_MAX}; the signed document itself is under GET ` +
    '/api/statements/{customer_id}/{year}.',
  operation: 'getStatement',
  parameters: ['consolidation_approach', 'known_at'],
  ownArguments: {
    year: { type: 'string', pattern: '^\\d{4}$', description: 'Calendar year, 1990 to 2199.', examples: ['2025'] },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: DEVICES_MAX,
      default: DEVICES_USUAL,
      description: 'Devices to list, in the sequence of the statement.',
    },
  },
  isReadOnly: true,
  call: async ({ customer_id, year, limit = DEVICES_USUAL, ...query }, ask) => {
    const path = { customer_id: String(customer_id), year: String(year) }
    const statement = JSON.parse((await ask('getStatement', { path, query })).text) as Statement
    return withUnits(shorten(statement, Number(limit))) as object
  },
}

interface Statement extends Json {
  readonly summary: Json
  readonly devices: readonly {
    readonly device_id: string
    readonly serial_number: string
    readonly model: { readonly name: string; readonly match_level: string }
    readonly year: Json
    readonly rentals: readonly { readonly order_id: string; readonly from: string; readonly until: string }[]
  }[]
  readonly orders: readonly { readonly order_id: string; readonly order_date: string }[]
  readonly signed_by: { readonly fingerprint: string }
}

/** What a reader asks of a statement; the entries, calculation bases and proofs stay in the signed document. */
function shorten({ summary, devices, orders, signed_by, ...statement }: Statement, limit: number): object {
  const { primary_data_share, ...rest } = summary
  return {
    ...pick(statement, ['customer_id', 'year', 'is_preliminary', 'issued', 'inventory_boundary']),
    summary: { ...rest, primary_data_share_percent: numberOrNull(primary_data_share) },
    ...pick(statement, ['corrections_of_earlier_years', 'by_category', 'by_part', 'by_type', 'by_match_level']),
    ...pick(statement, ['by_data_quality', 'by_month']),
    devices: devices.slice(0, limit).map(({ device_id, serial_number, model, year, rentals }) => ({
      device_id,
      serial_number,
      model_name: model.name,
      match_level: model.match_level,
      emission_of_the_year: year,
      rentals: rentals.map(({ order_id, from, until }) => ({ order_id, from, until })),
    })),
    devices_left_off: Math.max(0, devices.length - limit),
    order_ids: orders.slice(0, limit).map(({ order_id }) => order_id),
    orders_left_off: Math.max(0, orders.length - limit),
    ...pick(statement, ['basis', 'exclusions', 'notes', 'hash']),
    signed_by_fingerprint: signed_by.fingerprint,
  }
}

const numberOrNull = (decimal: unknown): number | null => (decimal === null ? null : Number(decimal))

const pick = (from: Json, names: readonly string[]): object =>
  Object.fromEntries(names.filter((name) => Object.hasOwn(from, name)).map((name) => [name, from[name]]))
