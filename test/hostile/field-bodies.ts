// Hostile bodies, field by field: wrong types, missing members, values outside the lists, dates that are no days.
import { ABSENT, PRODUCT } from './hostile-order.ts'
import type { HostileCase, Json, Workbench } from './hostile-order.ts'

const PRODUCT_AT = '/items/0/config'
const TRANSPORTATION_AT = '/items/1/config'
const PACKAGING_AT = '/items/2/config'

export const STRING_FIELDS = [
  '/customer_id',
  '/order_id',
  '/order_date',
  '/tenure_start_date',
  '/country',
  '/metadata/cost_centre',
  '/items/0/type',
  ...['product_id', 'serial_number', 'product_name', 'brand', 'device_type', 'model_id', 'country'].map(
    (name) => `${PRODUCT_AT}/${name}`,
  ),
  ...['transportation_id', 'transportation_mode', 'distance_basis'].map((name) => `${TRANSPORTATION_AT}/${name}`),
  `${PACKAGING_AT}/packaging_id`,
]
const NUMBER_FIELDS = [
  `${PRODUCT_AT}/tenure_months`,
  `${PRODUCT_AT}/weight_kg`,
  `${TRANSPORTATION_AT}/distance_km`,
  `${TRANSPORTATION_AT}/weight_kg`,
  `${PACKAGING_AT}/weight_kg`,
]
const OBJECT_FIELDS = ['/metadata', '/items/0', PRODUCT_AT, TRANSPORTATION_AT, PACKAGING_AT]
const REQUIRED = [
  '/customer_id',
  '/order_id',
  '/order_date',
  '/tenure_start_date',
  '/items/0/type',
  PRODUCT_AT,
  TRANSPORTATION_AT,
  PACKAGING_AT,
  ...NUMBER_FIELDS,
  `${PRODUCT_AT}/product_id`,
  `${PRODUCT_AT}/serial_number`,
  `${TRANSPORTATION_AT}/transportation_id`,
  `${TRANSPORTATION_AT}/transportation_mode`,
  `${PACKAGING_AT}/packaging_id`,
]
const OPTIONAL = [
  '/country',
  '/metadata',
  '/items',
  ...['product_name', 'brand', 'device_type', 'country'].map((name) => `${PRODUCT_AT}/${name}`),
]

const WRONG_TYPES: readonly (readonly [readonly string[], Readonly<Record<string, Json>>])[] = [
  [
    STRING_FIELDS,
    {
      'a number': 3,
      true: true,
      null: null,
      'an array': ['x'],
      'an empty array': [],
      'an object': {},
    },
  ],
  [
    NUMBER_FIELDS,
    {
      'a numeric string': '3',
      'an empty string': '',
      true: true,
      null: null,
      'an array of a number': [3],
      'an object': { value: 3 },
      'the string NaN': 'NaN',
    },
  ],
  [OBJECT_FIELDS, { 'a string': 'x', 'a number': 3, false: false, null: null, 'an array': [] }],
  [['/items'], { 'a string': '[]', 'a number': 0, true: true, null: null, 'an object': {} }],
]

const BAD_DATES = [
  '2023-02-29',
  '1900-02-29',
  '2100-02-29',
  '2024-02-30',
  '2024-04-31',
  '2024-13-01',
  '2024-00-10',
  '2024-01-00',
  '2024-01-32',
  '1989-12-31',
  '2200-01-02',
  '0000-01-01',
  '9999-12-31',
  '275760-09-13',
  '+002024-01-01',
  '-000001-01-01',
  '2024-1-1',
  '24-01-01',
  '20240101',
  '2024-01',
  '2024',
  '2024-W01-1',
  '2024-001',
  '01.02.2024',
  '02/01/2024',
  '2024/01/01',
  '2024-01-01T00:00:00Z',
  '2024-01-01T00:00:00',
  '2016-12-31T23:59:60Z',
  '2024-01-01Z',
  '2024-01-01+14:00',
  '2024-01-01+25:00',
  '2024-03-31T02:30:00+01:00',
  '2024-01-01 00:00',
  ' 2024-01-01',
  '2024-01-01 ',
  '2024-01-01\n',
  '٢٠٢٤-٠١-٠١',
  '２０２４-０１-０１',
  '2024‐01‐01',
  '2024−01−01',
  '2024-01-0１',
  '1704067200',
  'today',
  'null',
  'Invalid Date',
  '',
  '2024-01-01\u0000',
  '2024-01-01; drop table orders',
]
const GOOD_DATES = ['2024-02-29', '2000-02-29', '1990-01-01', '2200-01-01', '1999-12-31']

/** Values that are strings, but none of those allowed. */
const BAD_MEMBERS: readonly (readonly [string, readonly string[]])[] = [
  ['/country', ['XX', 'UK', 'uk', 'de', 'De', 'GBR', 'DEU', 'EU', 'D', ' DE', 'DE ', 'ＤＥ', '276', 'constructor']],
  ['/items/0/config/country', ['XX', 'uk', 'DEU', '']],
  ['/items/0/type', ['Product', 'PRODUCT', 'service', 'products', ' product', '', '__proto__', 'constructor']],
  [`${PRODUCT_AT}/device_type`, ['toaster', 'Laptop', 'LAPTOP', 'laptop ', '', '__proto__', 'toString']],
  [`${TRANSPORTATION_AT}/transportation_mode`, ['pipeline', 'teleport', 'roads', '', 'air,road', '__proto__']],
  [`${TRANSPORTATION_AT}/distance_basis`, ['Actual', 'beeline', '', 'constructor', 'shortest-feasible']],
  [`${TRANSPORTATION_AT}/transportation_id`, ['no-such-transportation', '', "x' OR '1'='1", '../../etc/passwd', '*']],
  [`${PACKAGING_AT}/packaging_id`, ['no-such-packaging', '', "x'; DROP TABLE orders; --", '%', '_']],
]

export function fieldCases(bench: Workbench): readonly HostileCase[] {
  return [...typeCases(bench), ...presenceCases(bench), ...dateCases(bench), ...memberCases(bench), ...itemCases(bench)]
}

function typeCases({ refused, accepted }: Workbench): readonly HostileCase[] {
  return WRONG_TYPES.flatMap(([fields, values]) =>
    fields.flatMap((field) =>
      Object.entries(values).map(([what, value]) =>
        value === null && isOptional(field)
          ? accepted(`null at ${field}, which is optional`, field, value)
          : refused(`${what} at ${field}`, field, value),
      ),
    ),
  )
}

const isOptional = (field: string): boolean => !REQUIRED.includes(field) && field !== '/items/0'

function presenceCases({ refused, accepted }: Workbench): readonly HostileCase[] {
  return [
    ...REQUIRED.map((field) => refused(`${field} is missing`, field, ABSENT)),
    ...OPTIONAL.map((field) => accepted(`${field} is left out`, field, ABSENT)),
    accepted('items is empty', '/items', []),
  ]
}

function dateCases({ refused, accepted }: Workbench): readonly HostileCase[] {
  return ['/order_date', '/tenure_start_date'].flatMap((field) => [
    ...BAD_DATES.map((date) => refused(`${JSON.stringify(date)} is no day at ${field}`, field, date)),
    ...GOOD_DATES.map((date) => accepted(`${date} is a day at ${field}`, field, date)),
  ])
}

function memberCases(bench: Workbench): readonly HostileCase[] {
  const { refused, accepted, ids } = bench
  const upper = ids.transportationMode.toUpperCase()
  return [
    ...BAD_MEMBERS.flatMap(([field, values]) =>
      values.map((value) => refused(`${JSON.stringify(value)} is not allowed at ${field}`, field, value)),
    ),
    refused('the mode is another one than the transportation has', `${TRANSPORTATION_AT}/transportation_mode`, 'air'),
    accepted('the mode in upper case', `${TRANSPORTATION_AT}/transportation_mode`, upper),
    accepted('the country GB', '/country', 'GB'),
    accepted('the distance basis actual', `${TRANSPORTATION_AT}/distance_basis`, 'actual'),
    accepted('a shortest feasible distance by road', `${TRANSPORTATION_AT}/distance_basis`, 'shortest_feasible'),
    refused('a great circle distance by road', `${TRANSPORTATION_AT}/distance_basis`, 'great_circle'),
    ...airCases(bench),
  ]
}

function airCases({ changed, ids }: Workbench): readonly HostileCase[] {
  const byAir = (basis: string) =>
    changed(TRANSPORTATION_AT, {
      transportation_id: ids.airTransportationId,
      transportation_mode: 'air',
      distance_km: 1000,
      weight_kg: 1,
      distance_basis: basis,
    })
  return [
    { name: 'a great circle distance by air', body: JSON.stringify(byAir('great_circle')), expect: [200] },
    {
      name: 'a shortest feasible distance by air',
      body: JSON.stringify(byAir('shortest_feasible')),
      expect: [400],
      errorPath: `${TRANSPORTATION_AT}/distance_basis`,
      stored: false,
    },
  ]
}

function itemCases(bench: Workbench): readonly HostileCase[] {
  const { refused, ids } = bench
  const refusedAt = (name: string, pointer: string, value: Json, errorPath: string): HostileCase => ({
    ...refused(name, pointer, value),
    errorPath,
  })
  const transportation = { transportation_id: ids.transportationId, transportation_mode: ids.transportationMode }
  return [
    refusedAt('an item without members', '/items/0', {}, '/items/0/type'),
    refusedAt('a config without members', PRODUCT_AT, {}, `${PRODUCT_AT}/product_id`),
    refusedAt(
      'a product with the config of packaging',
      PRODUCT_AT,
      { packaging_id: ids.packagingId, weight_kg: 1 },
      `${PRODUCT_AT}/serial_number`,
    ),
    refusedAt(
      'a transportation with the config of a product',
      TRANSPORTATION_AT,
      { ...PRODUCT },
      `${TRANSPORTATION_AT}/transportation_id`,
    ),
    refusedAt(
      'packaging with the config of a transportation',
      PACKAGING_AT,
      { ...transportation, distance_km: 1, weight_kg: 1 },
      `${PACKAGING_AT}/packaging_id`,
    ),
    refusedAt('an item that is an order item within an array', '/items/0', [{ type: 'product' }], '/items/0'),
    refusedAt('null behind valid items', '/items/3', null, '/items/3'),
  ]
}
