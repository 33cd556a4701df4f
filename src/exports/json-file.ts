// A table as JSON: what it is, and its rows, one on each line, without the cells that are empty.
import { metadataAsJson, toPlainCell, type Column, type ExportTable } from './export-table.ts'
import { inChunks } from './pieces.ts'

export async function* jsonFile<Row>({ about, columns, pages }: ExportTable<Row>): AsyncGenerator<string> {
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
