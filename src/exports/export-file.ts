// A table as a file of one of the formats: its name, its type, and its bytes as they are read.
import { csvFile } from './csv-file.ts'
import type { ExportTable } from './export-table.ts'
import { jsonFile } from './json-file.ts'
import { workbookFile } from './workbook-file.ts'

export const EXPORT_FORMATS = ['csv', 'xlsx', 'json'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  json: 'application/json; charset=utf-8',
}

export interface ExportFile {
  readonly name: string
  readonly type: string
  /** Reading is at its end, too, when whoever takes the pieces stops. */
  readonly pieces: AsyncGenerator<string | Buffer>
}

const WRITERS = { csv: csvFile, xlsx: workbookFile, json: jsonFile }

/** Nothing is read before the first piece is asked for, and no page before the one before it is written. */
export function exportFile<Row>(table: ExportTable<Row>, format: ExportFormat): ExportFile {
  const { title, exportedAt } = table.about
  const name = `cradle-${title.toLowerCase().replaceAll(/\W+/g, '-')}-${exportedAt.toISOString().slice(0, 10)}`
  return { name: `${name}.${format}`, type: EXPORT_TYPES[format], pieces: WRITERS[format](table) }
}
