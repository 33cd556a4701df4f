// Hostile bodies in their structure: depth, size, numbers of members and items, members surplus or standing twice.
import { PRODUCT } from './hostile-order.ts'
import type { HostileCase, Json, Workbench } from './hostile-order.ts'

const MIB = 1_048_576
const SURPLUS = [
  'tenant_id',
  'account_id',
  'id',
  'created_at',
  'status',
  'role',
  'total_emission',
  'device_id',
  'emission_unit',
  'Customer_id',
  'customerId',
  'item',
  '',
  ' ',
  'a/b~c',
  'é',
  'x\r\nSet-Cookie: a=b',
  '\u2028',
  '😀',
  '$where',
]

export function structureCases(bench: Workbench): readonly HostileCase[] {
  return [
    ...depthCases(bench),
    ...sizeCases(bench),
    ...countCases(bench),
    ...metadataCases(bench),
    ...surplusCases(bench),
    ...twiceCases(bench),
  ]
}

function refusedBody(name: string, body: Buffer | string, errorPath?: string): HostileCase {
  return { name, body, expect: [400], stored: false, ...(errorPath === undefined ? {} : { errorPath }) }
}

function depthCases({ written }: Workbench): readonly HostileCase[] {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  return [
    { name: 'an ignored member that makes 20 levels', body: written('/surplus', nested(19)), expect: [200] },
    refusedBody('an ignored member that makes 21 levels', written('/surplus', nested(20))),
    refusedBody('an ignored member that makes 21 levels of objects', written('/surplus', objects(20))),
    ...[100, 1_000, 100_000, 500_000].flatMap((depth) => [
      refusedBody(`arrays nested ${depth} deep`, nested(depth)),
      refusedBody(
        `a customer_id nested ${Math.min(depth, 450_000)} deep`,
        written('/customer_id', nested(Math.min(depth, 450_000))),
      ),
    ]),
    ...[100, 1_000, 100_000, 170_000].map((depth) => refusedBody(`objects nested ${depth} deep`, objects(depth))),
    ...[1_000, 100_000, 1_000_000].map((depth) => refusedBody(`${depth} brackets that never close`, '['.repeat(depth))),
    ...[1_000, 200_000].map((depth) => refusedBody(`${depth} objects that never close`, '{"a":'.repeat(depth))),
    refusedBody('100000 brackets that were never opened', ']'.repeat(100_000)),
  ]
}

function sizeCases({ order, written }: Workbench): readonly HostileCase[] {
  const padded = (bytes: number) => JSON.stringify(order()).padEnd(bytes)
  const tooLarge = (name: string, body: string): HostileCase => ({ name, body, expect: [413], stored: false })
  return [
    { name: 'exactly 1 MiB', body: padded(MIB), expect: [200] },
    tooLarge('1 MiB and one byte', padded(MIB + 1)),
    tooLarge('10 MiB of spaces', padded(10 * MIB)),
    tooLarge('2 MiB of brackets', '['.repeat(2 * MIB)),
    refusedBody('a string of 1 MB', written('/customer_id', `"${'a'.repeat(1_000_000)}"`), '/customer_id'),
    refusedBody(
      'a string of 160000 escaped characters',
      written('/customer_id', `"${'\\u0061'.repeat(160_000)}"`),
      '/customer_id',
    ),
    refusedBody(
      'a number of a million digits',
      written('/items/0/config/weight_kg', '1'.repeat(1_000_000)),
      '/items/0/config/weight_kg',
    ),
    refusedBody(
      'a number with a million digits behind the point',
      written('/items/0/config/weight_kg', `1.${'0'.repeat(999_998)}1`),
      '/items/0/config/weight_kg',
    ),
  ]
}

function countCases({ changed, order, written }: Workbench): readonly HostileCase[] {
  const products = (count: number): readonly Json[] =>
    Array.from({ length: count }, (_, at) => {
      return { type: 'product', config: { ...PRODUCT, serial_number: `S-${at}` } }
    })
  const members = (count: number) => Array.from({ length: count }, (_, at) => `"${at.toString(36)}":0`).join()
  const withMembers = (count: number) => JSON.stringify(order()).replace('{', `{${members(count)},`)
  return [
    { name: '1000 items', body: JSON.stringify(changed('/items', products(1000))), expect: [200] },
    refusedBody('1001 items', JSON.stringify(changed('/items', products(1001))), '/items'),
    refusedBody('100000 empty items', written('/items', `[${Array<string>(100_000).fill('{}').join()}]`), '/items'),
    refusedBody('100000 items of null', written('/items', `[${Array<string>(100_000).fill('null').join()}]`), '/items'),
    refusedBody('1000 faulty items', JSON.stringify(changed('/items', Array<Json>(1000).fill({ type: 'product' })))),
    { name: '1000 surplus members', body: withMembers(1000), expect: [200] },
    { name: '100000 surplus members', body: withMembers(100_000), expect: [200, 400] },
    refusedBody('100000 labels', written('/metadata', `{${members(100_000).replaceAll(':0', ':""')}}`), '/metadata'),
    refusedBody('100000 labels of numbers', written('/metadata', `{${members(100_000)}}`), '/metadata'),
    refusedBody('100000 members of one name', `{${Array<string>(100_000).fill('"a":0').join()}}`),
  ]
}

function metadataCases({ accepted, refused }: Workbench): readonly HostileCase[] {
  const labels = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`label-${at}`, 'x']))
  const values: Readonly<Record<string, Json>> = {
    'a number': 3,
    true: true,
    'an array': ['x'],
    'an object': { a: 'x' },
    '201 characters': 'a'.repeat(201),
  }
  return [
    accepted('no labels', '/metadata', {}),
    accepted('a label of null', '/metadata/label', null),
    accepted('20 labels', '/metadata', labels(20)),
    refused('21 labels', '/metadata', labels(21)),
    ...Object.entries(values).map(([what, value]) => refused(`a label of ${what}`, '/metadata/label', value)),
    accepted('a label of 200 characters', '/metadata/label', 'a'.repeat(200)),
    { ...accepted('a label without a name', '/metadata/', 'x'), expect: [200, 400] },
    { ...accepted('a label with a name of 64 kB', `/metadata/${'n'.repeat(65_536)}`, 'x'), expect: [200, 400] },
  ]
}

/** Surplus members are ignored and named in a header, which must survive whatever their names are. */
function surplusCases({ written }: Workbench): readonly HostileCase[] {
  return SURPLUS.flatMap((name) =>
    ['', '/items/0', '/items/0/config'].map((parent): HostileCase => {
      const body = written(`${parent}/surplus`, '"admin"').replace('"surplus"', () => JSON.stringify(name))
      return { name: `the surplus member ${JSON.stringify(name)} of ${parent || 'the order'}`, body, expect: [200] }
    }),
  )
}

function twiceCases({ written, order }: Workbench): readonly HostileCase[] {
  const first = (member: string) => JSON.stringify(order()).replace('{', () => `{${member},`)
  const within = (at: string, name: string, lexeme: string) =>
    written(`${at}/surplus`, lexeme).replace('"surplus"', () => `"${name}"`)
  return [
    refusedBody('customer_id twice', first('"customer_id":"other"'), '/customer_id'),
    refusedBody('customer_id twice with one value', first('"customer_id":"hostile-customer"'), '/customer_id'),
    refusedBody('customer_id twice, once escaped', first('"customer\\u005fid":"other"'), '/customer_id'),
    refusedBody('items twice', first('"items":[]'), '/items'),
    refusedBody('type twice', within('/items/1', 'type', '"packaging"'), '/items/1/type'),
    refusedBody('config twice', within('/items/2', 'config', '{}'), '/items/2/config'),
    refusedBody('weight_kg twice', within('/items/0/config', 'weight_kg', '2'), '/items/0/config/weight_kg'),
    refusedBody(
      'weight_kg twice, once escaped',
      within('/items/0/config', '\\u0077eight_kg', '2'),
      '/items/0/config/weight_kg',
    ),
    refusedBody('a label twice', within('/metadata', 'cost_centre', '"x"'), '/metadata/cost_centre'),
    refusedBody('a member twice in an ignored one', written('/surplus', '{"a":1,"a":2}'), '/surplus/a'),
    refusedBody('__proto__ twice', first('"__proto__":1,"__proto__":2'), '/__proto__'),
    refusedBody('an empty name twice', first('"":1,"":2'), '/'),
    { name: 'one name in two cases', body: first('"CUSTOMER_ID":"other"'), expect: [200] },
    { name: 'one name as NFC and NFD', body: first('"caf\u00e9":1,"cafe\u0301":2'), expect: [200] },
    {
      name: 'every character of a name escaped',
      expect: [200],
      body: JSON.stringify(order()).replace('"order_date"', '"\\u006f\\u0072\\u0064\\u0065\\u0072\\u005f\\u0064ate"'),
    },
    refusedBody('a lone surrogate in the name of an ignored member', first('"\\ud800":1')),
    refusedBody('a NUL in the name of an ignored member', first('"a\\u0000":1')),
    refusedBody('a lone surrogate deep in an ignored member', first('"surplus":[{"a":["\\udfff"]}]'), '/surplus/0/a/0'),
    refusedBody('a NUL deep in an ignored member', first('"surplus":[{"a":["\\u0000"]}]'), '/surplus/0/a/0'),
  ]
}
