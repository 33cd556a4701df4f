// A file that is made to hurt whoever reads it: what is hostile in it, what it once did, and what becomes of it.
import type { Settings } from '../../src/spreadsheets/settings.ts'

export interface MadeFile {
  readonly bytes: Buffer
  /** What its parts unpack to; of a text its bytes. */
  readonly unpacked: number
}

export interface HostileFile {
  readonly name: string
  readonly what: string
  /** What the penetration test of 2026-11-25 measured of it; null where it was found later. */
  readonly before: string | null
  readonly format: 'csv' | 'xlsx' | 'jsonl'
  /** What is said of it with it. */
  readonly asked?: Partial<Settings>
  /** How often its hostile unit is repeated: sent to a service, and read by the tests. */
  readonly times: { readonly full: number; readonly small: number }
  readonly make: (times: number) => Promise<MadeFile>
  /** What becomes of it: the sentence by which it is refused, or READ where it is read to its end, row by row. */
  readonly outcome: RegExp
}

/** What is said of a file that was read to its end. */
export const READ = /^read: /

/** A unit so many times, in pieces of a few hundred kilobytes. */
export function* repeated(unit: string, times: number): Generator<string> {
  const perPiece = Math.max(1, Math.floor(262_144 / unit.length))
  const piece = unit.repeat(perPiece)
  let left = times
  for (; left >= perPiece; left -= perPiece) yield piece
  yield unit.repeat(left)
}

/** As many texts, each with its number, from 0. */
export const numbered = (count: number, textOf: (no: number) => string): string =>
  Array.from({ length: count }, (_, no) => textOf(no)).join('')

export const textFile = (text: string | Buffer): Promise<MadeFile> => {
  const bytes = Buffer.from(text)
  return Promise.resolve({ bytes, unpacked: bytes.length })
}

export const ITEM_COLUMNS: readonly string[] = [
  'customer_id',
  'order_id',
  'order_date',
  'tenure_start_date',
  'type',
  'product_id',
  'serial_number',
  'tenure_months',
  'weight_kg',
]

/** The cells of a sound row of one product. */
export const itemCells = (no: number): readonly string[] => [
  'c1',
  `o${no}`,
  '2025-01-01',
  '2025-01-02',
  'product',
  'apple-macbook-air-13-m3-256gb',
  `S${no}`,
  '3',
  '1.2',
]
