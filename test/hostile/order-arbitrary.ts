// Random orders: valid ones that use everything the contract allows, and broken ones with the places of their faults.
import fc from 'fast-check'
import { ABSENT, change } from './hostile-order.ts'
import type { HostileIds, Json, JsonObject } from './hostile-order.ts'

export type Fault = {
  /** The JSON Pointer that must be among the paths of `details`. */
  readonly path: string
  readonly value: Json | typeof ABSENT
  /** 'shape' shows in the body alone; 'meaning' needs a calendar, a list of countries or the service's own lists. */
  readonly kind: 'shape' | 'meaning'
}
export type BrokenOrder = { readonly order: JsonObject; readonly faults: readonly Fault[] }

const FIRST_DAY = new Date('1990-01-01')
const LAST_DAY = new Date('2200-01-01')
const WEIGHT_MAX = 40_000
const DISTANCE_MAX = 50_000
const TENURE_MAX = 1_200
const DEVICE_TYPES = ['laptop', 'mobile', 'tablet', 'monitor', 'gaming_console', 'headphone']
const COUNTRIES = ['DE', 'FR', 'GB', 'US', 'IN', 'NO', 'PL']
const ITEMS_MAX = 8

/** A valid order body. Its order_id is random and long, so that no two of one run are the same order. */
export function validOrder(ids: HostileIds): fc.Arbitrary<JsonObject> {
  const items = fc.uniqueArray(item(ids), { maxLength: ITEMS_MAX, selector: serialOf })
  return fc
    .record(
      {
        customer_id: text(),
        order_id: fc.uuid().map((uuid) => `${ids.run ?? 'run'}-${uuid}`),
        order_date: day(),
        tenure_start_date: day(),
        country: fc.constantFrom(...COUNTRIES),
        metadata: fc.dictionary(fc.stringMatching(/^[a-z_]{1,20}$/), text(), { maxKeys: 20 }),
        items: items.map((list) => list.map(({ config, ...rest }) => ({ ...rest, config }))),
      },
      { requiredKeys: ['customer_id', 'order_id', 'order_date', 'tenure_start_date'] },
    )
    .map(toPlain)
}

/** A valid order with one to five faults, no two of which hide each other. Every path must be reported. */
export function brokenOrder(ids: HostileIds): fc.Arbitrary<BrokenOrder> {
  return validOrder(ids).chain((order) =>
    fc.shuffledSubarray([...faultsOf(order)], { minLength: 1, maxLength: 5 }).map((chosen) => {
      const faults = chosen.filter((fault, at) => chosen.slice(0, at).every((earlier) => areApart(earlier, fault)))
      return { order: faults.reduce((broken, { path, value }) => change(broken, path, value), order), faults }
    }),
  )
}

function item(ids: HostileIds) {
  const weight = fc.oneof(number(WEIGHT_MAX), fc.constantFrom(0, 1e-7, WEIGHT_MAX))
  const product = fc.record(
    {
      product_id: text(),
      serial_number: serial(),
      tenure_months: fc.oneof(fc.nat(TENURE_MAX), fc.constantFrom(0, TENURE_MAX)),
      weight_kg: weight.filter((kg) => kg > 0),
      product_name: text(),
      brand: text(),
      device_type: fc.constantFrom(...DEVICE_TYPES),
      country: fc.constantFrom(...COUNTRIES),
    },
    { requiredKeys: ['product_id', 'serial_number', 'tenure_months', 'weight_kg'] },
  )
  const { transportationMode: mode } = ids
  const transportation = fc.record(
    {
      transportation_id: fc.constant(ids.transportationId),
      transportation_mode: fc.constantFrom(mode, mode.toUpperCase()),
      distance_km: fc.oneof(number(DISTANCE_MAX), fc.constantFrom(0, DISTANCE_MAX)),
      weight_kg: weight,
      distance_basis: fc.constant('actual'),
    },
    { requiredKeys: ['transportation_id', 'transportation_mode', 'distance_km', 'weight_kg'] },
  )
  const packaging = fc.record({ packaging_id: fc.constant(ids.packagingId), weight_kg: weight })
  return fc.oneof(
    product.map((config) => ({ type: 'product', config })),
    transportation.map((config) => ({ type: 'transportation', config })),
    packaging.map((config) => ({ type: 'packaging', config })),
  )
}

let others = 0
/** What no two items may share: the serial number as it is compared; items without one are never the same. */
function serialOf({ config }: { readonly config: object }): string {
  others += 1
  return 'serial_number' in config ? String(config.serial_number).normalize('NFC').trim() : `\0${others}`
}

/** 1 to 200 code points of any script, without control characters. */
function text(): fc.Arbitrary<string> {
  const grapheme = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 })
  const unit = fc.oneof(grapheme, fc.constantFrom('é', 'e\u0301', '\u202e'))
  return fc
    .oneof(
      fc.array(unit, { minLength: 1, maxLength: 20 }).map((units) => units.join('')),
      fc.string({ minLength: 1, maxLength: 200 }),
      fc.constantFrom('__proto__', 'constructor', 'null', '😀'.repeat(200), 'a'.repeat(200), "'; --", '<b>'),
    )
    .filter((value) => value.trim() !== '' && [...value].length <= 200)
}

/** Never a placeholder, which is refused. */
function serial(): fc.Arbitrary<string> {
  const own = text().map((one) => `S7${[...one].slice(0, 198).join('')}`)
  return fc.oneof(own, fc.stringMatching(/^[A-Z][A-Z0-9]{7,11}[1-9]$/))
}

function number(max: number): fc.Arbitrary<number> {
  const grams = fc.nat(max * 1000).map((thousandths) => thousandths / 1000)
  return fc.oneof(fc.double({ min: 0, max, noNaN: true }), fc.nat(max), grams)
}

function day(): fc.Arbitrary<string> {
  const days = fc
    .date({ min: FIRST_DAY, max: LAST_DAY, noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10))
  return fc.oneof(days, fc.constantFrom('1990-01-01', '2200-01-01', '2024-02-29'))
}

/** fast-check's records may lack a prototype, which deepEqual tells from what JSON.parse gives. */
function toPlain(value: unknown): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject
}

/** Two faults are apart when neither stands within what the other takes away: a wrong type hides its config. */
function areApart(one: Fault, other: Fault): boolean {
  const [first, second] = [scopeOf(one), scopeOf(other)]
  return !`${first}/`.startsWith(`${second}/`) && !`${second}/`.startsWith(`${first}/`)
}

function scopeOf({ path }: Fault): string {
  return path.replace(/^(\/items\/\d+)\/type$/, '$1')
}

/** Everything that can be broken in this order: each member it has, in each way that fits what the member is. */
function faultsOf(order: JsonObject): readonly Fault[] {
  const items = (order['items'] ?? []) as readonly JsonObject[]
  return [
    ...Object.keys(order).flatMap((name) => memberFaults('', name)),
    ...items.flatMap((entry, at) => [
      ...memberFaults(`/items/${at}`, 'type'),
      ...memberFaults(`/items/${at}`, 'config'),
      ...Object.keys(entry['config'] as JsonObject).flatMap((name) => memberFaults(`/items/${at}/config`, name)),
    ]),
  ].filter(
    ({ path, value }) =>
      !(path.endsWith('config/weight_kg') && value === 0) ||
      (items[Number(path.split('/')[2])] as JsonObject)['type'] === 'product',
  )
}

const REQUIRED = [
  'customer_id',
  'order_id',
  'order_date',
  'tenure_start_date',
  'type',
  'config',
  'product_id',
  'serial_number',
  'tenure_months',
  'weight_kg',
  'transportation_id',
  'transportation_mode',
  'distance_km',
  'packaging_id',
]
const NUMBER_FAULTS: readonly Json[] = ['3', true, null, [3], {}, -1, -0.0001]
const OBJECT_FAULTS: readonly Json[] = ['x', 3, true, null, []]
const TEXT_FAULTS: readonly Json[] = [
  3,
  true,
  null,
  ['x'],
  {},
  '',
  'a'.repeat(201),
  'a\u0001b',
  '\u007f',
  '😀'.repeat(201),
]

const OWN_FAULTS: Readonly<Record<string, readonly Json[]>> = {
  tenure_months: [...NUMBER_FAULTS, 1201, 1.5],
  weight_kg: [...NUMBER_FAULTS, 0, 40_000.000001, 1e12],
  distance_km: [...NUMBER_FAULTS, 50_000.1],
  metadata: OBJECT_FAULTS,
  config: OBJECT_FAULTS,
  items: ['x', 3, true, null, {}],
  order_date: [...TEXT_FAULTS, '2024-1-1', '2024-01-01T00:00:00Z', 'today'],
  tenure_start_date: [...TEXT_FAULTS, '20240101', ' 2024-01-01'],
  type: [...TEXT_FAULTS, 'service', 'Product', '__proto__'],
  country: [...TEXT_FAULTS, 'de', 'DEU'],
  device_type: [...TEXT_FAULTS, 'toaster', 'constructor'],
  distance_basis: [...TEXT_FAULTS, 'beeline'],
}

const MEANING_FAULTS: Readonly<Record<string, readonly string[]>> = {
  order_date: ['2023-02-29', '1989-12-31', '2200-01-02'],
  tenure_start_date: ['2024-04-31', '1900-01-01', '9999-12-31'],
  country: ['XX', 'UK'],
  customer_id: ['  '],
  order_id: ['\u3000'],
  product_id: [' '],
  serial_number: ['   ', '\u00a0', 'N/A', '0000', 'To be filled by O.E.M.'],
  transportation_id: ['no-such-transportation', '__proto__'],
  packaging_id: ['no-such-packaging', 'constructor'],
}

function memberFaults(parent: string, name: string): readonly Fault[] {
  const path = `${parent}/${name}`
  const faults = OWN_FAULTS[name] ?? TEXT_FAULTS
  // Null in an optional member is no fault.
  const own = REQUIRED.includes(name) ? faults : faults.filter((value) => value !== null)
  const shape = [...own, ...(REQUIRED.includes(name) ? ([ABSENT] as const) : [])]
  return [
    ...shape.map((value): Fault => ({ path, value, kind: 'shape' })),
    ...(MEANING_FAULTS[name] ?? []).map((value): Fault => ({ path, value, kind: 'meaning' })),
  ]
}
