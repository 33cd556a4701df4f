// Parses a CSV file into rows with line numbers, and reports errors that prevent reading it.
import { CsvError, parse } from 'csv-parse/sync'
import type { Violation, Rule } from './violations.ts'
import type { Dataset } from './column-forms.ts'

export interface Row {
  readonly line: number
  readonly cells: Readonly<Record<string, string>>
}

export interface Table {
  readonly file: string
  readonly rows: readonly Row[]
  /** The columns of the schema that the file contains. */
  readonly columns: readonly string[]
  readonly breaches: readonly Violation[]
}

/** By file, the path under data/. */
export type Tables = ReadonlyMap<string, Table>

export const rowsOf = (tables: Tables, file: string): readonly Row[] => tables.get(file)?.rows ?? []

interface ParsedLine {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

export function parseCsvTable(file: string, text: string | undefined, dataset: Dataset): Table {
  const failed = (rule: Rule, line: number, message: string): Table => ({
    file,
    rows: [],
    columns: [],
    breaches: [{ file, line, rule, message }],
  })
  if (!text?.trim()) return failed('missing-file', 1, 'the file is missing or empty')
  try {
    const [header, ...lines] = parseLines(text)
    return createTable(file, header!.record, lines, dataset)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return failed('unreadable-file', Number(error['lines'] ?? 1), `not a CSV file: ${error.message}`)
  }
}

const parseLines = (text: string): ParsedLine[] =>
  parse(text, { info: true, relax_column_count: true, skip_empty_lines: true }) as unknown as ParsedLine[]

function createTable(file: string, header: readonly string[], lines: readonly ParsedLine[], dataset: Dataset): Table {
  const whole = lines.filter(({ record }) => record.length === header.length)
  const broken = lines.filter(({ record }) => record.length !== header.length)
  return {
    file,
    columns: header.filter((name) => Object.hasOwn(dataset.columns, name)),
    rows: whole.map(({ record, info }) => ({
      line: info.lines,
      cells: Object.fromEntries(header.map((name, at) => [name, record[at]!])),
    })),
    breaches: [
      ...checkHeader(file, header, dataset),
      ...broken.map(({ record, info }): Violation => ({
        file,
        line: info.lines,
        rule: 'cell-count',
        message: `${record.length} cells where the header has ${header.length}`,
      })),
    ],
  }
}

function checkHeader(file: string, header: readonly string[], dataset: Dataset): Violation[] {
  const missing = Object.keys(dataset.columns).filter((name) => !header.includes(name))
  const unknown = header.filter((name, at) => !Object.hasOwn(dataset.columns, name) || header.indexOf(name) !== at)
  return [
    ...missing.map((name): Violation => ({ file, line: 1, rule: 'missing-column', message: `no column "${name}"` })),
    ...unknown.map((name): Violation => ({
      file,
      line: 1,
      rule: 'unknown-column',
      message: `the schema has no (second) column "${name}"`,
    })),
  ]
}
