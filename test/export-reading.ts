// Exported files read back: rows by their columns, of each format, and sums of kilograms to the milligram.
import assert from 'node:assert/strict'
import { parse } from 'csv-parse/sync'
import { unescapeFormula } from '../src/spreadsheets/cells.ts'
import { openWorkbook, readSheet } from '../src/spreadsheets/read-workbook.ts'
import type { Pool } from 'pg'
import type { Json } from './document-check.ts'
import type { AskedService } from './asked-service.ts'

export type Cells = Readonly<Record<string, string>>

export const rowsInCsv = (bytes: Buffer): readonly Cells[] =>
  parse<Cells>(bytes, { bom: true, columns: true }).map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, cell]) => [unescapeFormula(name), unescapeFormula(cell)])),
  )

export async function rowsInWorkbook(bytes: Buffer, sheet: string): Promise<readonly Cells[]> {
  const read = (at: number, length: number) => Promise.resolve(bytes.subarray(at, at + length))
  const lines: (readonly string[])[] = []
  for await (const rows of readSheet(await openWorkbook({ bytes: bytes.length, read }), sheet, 'point'))
    lines.push(...rows.map(({ cells }) => cells))
  const [header, ...rows] = lines
  return rows.map((cells) => Object.fromEntries(header!.map((name, at) => [name, cells[at]!])))
}

export const rowsInJson = (bytes: Buffer) =>
  JSON.parse(bytes.toString()) as { readonly about: Json; readonly rows: readonly Json[] }

/** The kilograms of some rows, added exactly. */
export const sumOf = (rows: readonly Cells[], column: string): bigint =>
  rows.reduce((sum, row) => sum + milligramsIn(row[column]!), 0n)

export function milligramsIn(kilograms: string): bigint {
  const [whole = '', fraction = ''] = kilograms.replace('-', '').split('.')
  return BigInt(whole + fraction.padEnd(6, '0')) * (kilograms.startsWith('-') ? -1n : 1n)
}

export interface Sums {
  readonly customer_id: string
  readonly order_id: string
  readonly serial_number: string
  readonly embodied: bigint
  readonly use: bigint
  readonly packaging: bigint
  readonly transportation: bigint
}

/** What the account `test` posted, summed by PostgreSQL. */
export async function postedBy(pool: Pool, columns: string): Promise<readonly Sums[]> {
  const { rows } = await pool.query<Sums>(`select ${columns}, sum(embodied_mg)::bigint as embodied,
      sum(use_mg)::bigint as use, sum(packaging_mg)::bigint as packaging,
      sum(transportation_mg)::bigint as transportation
    from entries where account_id = (select account_id from accounts where name = 'test')
    group by ${columns} order by ${columns}`)
  return rows
}

/** The bytes of an export that is answered with 200. */
export async function exportedBy({ server }: AskedService, path: string, key: string): Promise<Buffer> {
  const answer = await fetch(`${server.url}/api/exports/${path}`, { headers: { 'x-api-key': key } })
  const bytes = Buffer.from(await answer.arrayBuffer())
  assert.equal(answer.status, 200, bytes.toString().slice(0, 500))
  return bytes
}

/** How many connections are in the middle of a transaction. */
export async function readersOf(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ readonly count: number }>(`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%' and pid <> pg_backend_pid()`)
  return rows[0]!.count
}
