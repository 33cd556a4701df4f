// Exported files read back: rows by their columns, of each format, and sums of kilograms to the milligram.
import { parse } from 'csv-parse/sync'
import { unguardCell } from '../src/tables/cells.ts'
import { readSheet } from '../src/tables/read-sheet.ts'
import { openWorkbook } from '../src/tables/workbook.ts'
import type { Pool } from 'pg'
import type { Json } from './document-check.ts'

export type Cells = Readonly<Record<string, string>>

export const rowsInCsv = (bytes: Buffer): readonly Cells[] =>
  parse<Cells>(bytes, { bom: true, columns: true }).map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, cell]) => [unguardCell(name), unguardCell(cell)])),
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
