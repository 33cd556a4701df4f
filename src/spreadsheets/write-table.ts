// Writes a table as CSV, XLSX or JSON: its file name, media type and bytes.
import { inChunks } from './chunks.ts'
import { metadataAsJson, toPlainCell, type Column, type ExportTable } from './export-table.ts'
import { csvFile } from './write-csv.ts'
import { workbookFile } from './write-workbook.ts'

async function* jsonFile<Row>({ about, columns, pages }: ExportTable<Row>): AsyncGenerator<string> {
  yield `{"about":${JSON.stringify(metadataAsJson(about))},"rows":[`
  const names = columns.map(({ name }) => `${JSON.stringify(name)}:`)
  let before = '\n'
  yield* inChunks(pages, (row) => {
    const line = `${before}{${columns.flatMap((column, at) => memberOf(names[at]!, column, row)).join(',')}}`
    before = ',\n'
    return line
  })
  yield '\n]}\n'
}

function memberOf<Row>(name: string, column: Column<Row>, row: Row): readonly string[] {
  const value = column.kind === 'text' ? column.of(row) : toPlainCell(column, row)
  if (value === null) return []
  const isNumber = column.kind === 'kilograms' || column.kind === 'number'
  return [`${name}${isNumber ? value : JSON.stringify(value)}`]
}

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
  /** Reading also ends when the consumer stops early. */
  readonly pieces: AsyncGenerator<string | Buffer>
}

const WRITERS = { csv: csvFile, xlsx: workbookFile, json: jsonFile }

/** Reading starts when the first piece is requested. Each page is read only after the previous one has been written. */
export function exportFile<Row>(table: ExportTable<Row>, format: ExportFormat): ExportFile {
  const { title, exportedAt } = table.about
  const name = `cradle-${title.toLowerCase().replaceAll(/\W+/g, '-')}-${exportedAt.toISOString().slice(0, 10)}`
  return { name: `${name}.${format}`, type: EXPORT_TYPES[format], pieces: WRITERS[format](table) }
}
