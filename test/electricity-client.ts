// A client of the inventory of electricity in an account of its own, and what every inventory has to fulfil.
import assert from 'node:assert/strict'
import { SCOPES, ensureAccount } from '../src/postgres/accounts.ts'
import type { Json } from './document-check.ts'
import { orderOf } from './receipt-client.ts'
import type { Service } from './service.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A client of an account of its own. */
export async function clientOf(service: Service, name: string) {
  await ensureAccount(service.pool, name)
  const key = await service.createKey(SCOPES, null, name)
  const ask = (method: Method, path: string, body?: string, type = 'application/json') =>
    service.ask(path, {
      method,
      headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body }),
    })
  const done = async (method: Method, path: string, body?: unknown) => {
    const { status, text } = await ask(method, path, body === undefined ? undefined : JSON.stringify(body))
    assert.ok(status < 300, `${method} ${path}: ${status} ${text}`)
    return JSON.parse(text) as Json
  }
  return {
    key,
    ask,
    done,
    get: (path: string) => done('GET', path),
    put: (path: string, body: Json) => done('PUT', path, body),
    table: (path: string, csv: string) => ask('POST', path, csv, 'text/csv'),
    report: async (query: string) => (await done('GET', `/api/reports/electricity?${query}`)) as unknown as Report,
  }
}

interface Part {
  readonly by: string
  readonly instrument_id?: string
  readonly kwh: number
  readonly emission: number | null
}

interface Line {
  readonly month: string
  readonly country: string | null
  readonly kwh: number
  readonly state: string
  readonly location_based: {
    readonly emission: number
    readonly quality: string
    readonly year: number
    readonly series: string | null
    readonly factor_kg_co2e_per_kwh: number
  } | null
  readonly market_based: { readonly emission: number; readonly no_residual: boolean; readonly parts: readonly Part[] }
  readonly losses: {
    readonly emission: number
    readonly share: number
    readonly year: number
    readonly ghg_category: string
    readonly source: { readonly publisher: string; readonly origin?: string }
  } | null
}

export interface Report {
  readonly number_of_rentals: number
  readonly number_of_rentals_without_kwh: number
  readonly dataset_release: string
  readonly total: Readonly<Record<string, number>>
  readonly months: readonly Line[]
  readonly notes: readonly { readonly code: string }[]
}

/** 14.76 kWh a year, as its sheet states: 1.23 kWh a month. */
const laptop = (serial: string, months: number): Json => ({
  type: 'product',
  config: { product_id: 'dell-latitude-3120', serial_number: serial, tenure_months: months, weight_kg: 1.38 },
})

export const rental = (
  customer: string,
  id: string,
  serial: string,
  start: string,
  months: number,
  country = 'DE',
) => ({
  ...orderOf(customer, id, start, [laptop(serial, months)]),
  country,
})

export const milligrams = (kilograms: number): bigint => BigInt(Math.round(kilograms * 1e6))
export const sumOf = (values: readonly number[]): bigint => values.reduce((sum, value) => sum + milligrams(value), 0n)

export function assertSums({ total, months }: Report): void {
  assert.equal(milligrams(total['kwh']!), sumOf(months.map(({ kwh }) => kwh)))
  const [place, market, losses] = [
    months.map(({ location_based: location }) => location?.emission ?? 0),
    months.flatMap(({ market_based: { parts } }) => parts.map(({ emission }) => emission ?? 0)),
    months.map((line) => line.losses?.emission ?? 0),
  ]
  assert.equal(milligrams(total['location_based_emission']!), sumOf(place))
  assert.equal(milligrams(total['market_based_emission']!), sumOf(market))
  assert.equal(milligrams(total['losses_emission']!), sumOf(losses))
}
