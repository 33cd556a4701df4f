// Reads a small CSV file as a whole: the table of figures that an account keeps of its own.
import { CsvError, parse } from 'csv-parse/sync'

export interface Table {
  readonly header: readonly string[]
  /** With the line on which each row begins; the header is line 1. */
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[]
}

interface ParsedRecord {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

/** Null for bytes that are not UTF-8, not CSV, or have no row below the header. */
export function readTable(bytes: Uint8Array): Table | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const delimiter = /^[^\r\n]*;/.test(text) && !/^[^\r\n]*,/.test(text) ? ';' : ','
    const [header, ...rows] = parse(text, {
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as unknown as ParsedRecord[]
    if (!header || rows.length === 0) return null
    return {
      header: header.record.map((name) => name.trim()),
      rows: rows.map(({ record, info }) => ({ line: info.lines, cells: record })),
    }
  } catch (error) {
    if (error instanceof CsvError || error instanceof TypeError) return null
    throw error
  }
}
