// Reads the rows of a file as orders, in batches and in bounded memory.
import { isBlank } from './cells.ts'
import type { FileOrder } from './file-order.ts'
import { createReading } from './orders-of-rows.ts'
import type { RowGrouping } from './row-grouping.ts'
import { readJsonLines, type ParseJson } from './read-json-lines.ts'
import { createOrderTable } from './order-table.ts'
import { readCsv } from './read-csv.ts'
import { openWorkbook, readSheet } from './read-workbook.ts'
import type { Row } from './row.ts'
import type { Settings } from './settings.ts'
import { yieldToEventLoop, type ByteSource } from './byte-source.ts'

/**
 * The orders of a file, read with the given settings, in file order.
 * @param parseJson parses a line of JSON as strictly as POST parses its body
 * @throws UnreadableFile if damage makes the rest of the file unreadable
 */
export async function* readOrders(
  source: ByteSource,
  settings: Settings,
  parseJson: ParseJson,
): AsyncGenerator<readonly FileOrder[]> {
  for await (const orders of ordersOf(source, settings, parseJson)) {
    if (orders.length > 0) yield orders
    await yieldToEventLoop()
  }
}

async function* ordersOf(
  source: ByteSource,
  settings: Settings,
  parseJson: ParseJson,
): AsyncGenerator<readonly FileOrder[]> {
  if (settings.format === 'jsonl') {
    yield* readJsonLines(source, settings, parseJson)
    return
  }
  let reading: RowGrouping | null = null
  const { header_row: headerRow = 1 } = settings
  for await (const rows of rowsOf(source, settings)) {
    const orders: FileOrder[] = []
    for (const row of rows) {
      if (row.number < headerRow) continue
      if (!reading) reading = createReading(createOrderTable(row.cells, settings))
      else if (!isEmpty(row)) take(reading.add(row), orders)
    }
    yield orders
  }
  yield reading?.end() ?? []
}

const take = (order: FileOrder | null, into: FileOrder[]): void => void (order && into.push(order))

async function* rowsOf(source: ByteSource, settings: Settings): AsyncGenerator<readonly Row[]> {
  const { format, encoding, delimiter, sheet, decimal, header_row: headerRow } = settings
  if (format === 'csv') yield* readCsv(source, encoding!, delimiter!)
  else yield* readSheet(await openWorkbook(source), sheet!, decimal, headerRow)
}

const isEmpty = ({ cells, errors }: Row): boolean => errors.length === 0 && cells.every(isBlank)
