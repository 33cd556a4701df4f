// The valid order that every hostile body is made from, and the one way of damaging it.
import { isDeepStrictEqual } from 'node:util'

/** What the service under test knows. `run` keeps the orders of one run apart from those of another. */
export type HostileIds = {
  readonly transportationId: string
  readonly transportationMode: string
  readonly airTransportationId: string
  readonly packagingId: string
  readonly run?: string
}

export type HostileCase = {
  readonly name: string
  readonly body: Buffer | string
  /** Beside `content-type: application/json`; an empty value means that the header is not sent at all. */
  readonly headers?: Record<string, string>
  /** The statuses allowed; anything else is a failure. */
  readonly expect: readonly number[]
  /** A JSON Pointer that must be among the paths of `details` when the answer is 400. */
  readonly errorPath?: string
  /** False where the answer may not leave an order behind, which is wherever 200 is not expected. */
  readonly stored?: false
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
export type JsonObject = { readonly [name: string]: Json }

/** Stands for a member that is taken away. */
export const ABSENT = Symbol('absent')
const RAW = '@@raw@@'

export type Workbench = ReturnType<typeof createWorkbench>

/** Makes cases; each order it hands out has an order_id of its own, so that no case meets another's order. */
export function createWorkbench(ids: HostileIds) {
  let made = 0
  const order = (): JsonObject => {
    made += 1
    return validOrder(ids, `hostile-${ids.run ?? 'run'}-${made}`)
  }
  /** The order with one place changed. */
  const changed = (pointer: string, value: Json | typeof ABSENT) => change(order(), pointer, value)
  /** The text of the order with one place written exactly so, whether or not that is JSON. */
  const written = (pointer: string, lexeme: string) =>
    JSON.stringify(changed(pointer, RAW)).replace(`"${RAW}"`, () => lexeme)
  const refused = (name: string, pointer: string, value: Json | typeof ABSENT): HostileCase => {
    return { name, body: JSON.stringify(changed(pointer, value)), expect: [400], errorPath: pointer, stored: false }
  }
  const accepted = (name: string, pointer: string, value: Json | typeof ABSENT): HostileCase => {
    return { name, body: JSON.stringify(changed(pointer, value)), expect: [200] }
  }
  return { ids, order, changed, written, refused, accepted }
}

function validOrder(ids: HostileIds, orderId: string): JsonObject {
  return {
    customer_id: 'hostile-customer',
    order_id: orderId,
    order_date: '2024-12-12',
    tenure_start_date: '2025-01-01',
    country: 'DE',
    metadata: { cost_centre: '4711' },
    items: [
      { type: 'product', config: { ...PRODUCT } },
      {
        type: 'transportation',
        config: {
          transportation_id: ids.transportationId,
          transportation_mode: ids.transportationMode,
          distance_km: 100,
          weight_kg: 1.5,
        },
      },
      { type: 'packaging', config: { packaging_id: ids.packagingId, weight_kg: 0.35 } },
    ],
  }
}

export const PRODUCT = {
  product_id: 'hostile-laptop',
  serial_number: 'HOSTILE-1',
  tenure_months: 3,
  weight_kg: 1.24,
  product_name: 'A laptop',
  brand: 'A brand',
  device_type: 'laptop',
  country: 'DE',
} as const

/** A copy with the place that the JSON Pointer names set, or taken away; a step past the end of an array appends. */
export function change(value: Json, pointer: string, to: Json | typeof ABSENT): JsonObject {
  const copy = structuredClone(value) as JsonObject
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const last = steps.pop() ?? ''
  const parent = steps.reduce<Json>((at, step) => (at as JsonObject)[step] ?? null, copy)
  if (typeof parent !== 'object' || parent === null) throw new Error(`Nothing holds ${pointer}`)
  if (to === ABSENT) Reflect.deleteProperty(parent, last)
  else Object.defineProperty(parent, last, { value: to, enumerable: true, configurable: true, writable: true })
  if (isDeepStrictEqual(copy, value)) throw new Error(`Setting ${pointer} changes nothing`)
  return copy
}
