// Reads the rows of a file as orders, in batches and in bounded memory.
import { isBlank } from './cells.ts'
import type { FileOrder } from './file-order.ts'
import { orderBodyOf, createRowGrouping, type RowGrouping } from './orders-of-rows.ts'
import { readJsonLines, type ParseJson } from './read-json-lines.ts'
import { createOrderTable, type OrderTable } from './order-table.ts'
import { readCsv } from './read-csv.ts'
import { parseRow, validityOf } from './row-parts.ts'
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
  for await (const rows of rowsOf(source, settings)) {
    const orders: FileOrder[] = []
    for (const row of rows) {
      if (!reading) reading = createReading(createOrderTable(row.cells, settings))
      else if (!isEmpty(row)) take(reading.add(row), orders)
    }
    yield orders
  }
  const last: FileOrder[] = []
  take(reading?.end() ?? null, last)
  yield last
}

const take = (order: FileOrder | null, into: FileOrder[]): void => void (order && into.push(order))

async function* rowsOf(source: ByteSource, settings: Settings): AsyncGenerator<readonly Row[]> {
  const { format, encoding, delimiter, sheet, decimal } = settings
  if (format === 'csv') yield* readCsv(source, encoding!, delimiter!)
  else yield* readSheet(await openWorkbook(source), sheet!, decimal)
}

const isEmpty = ({ cells, errors }: Row): boolean => errors.length === 0 && cells.every(isBlank)

const createReading = (table: OrderTable): RowGrouping =>
  table.layout === 'items' ? createRowGrouping(table) : { add: (row) => orderOf(row, table), end: () => null }

/** The order of one row. */
function orderOf(raw: Row, table: OrderTable): FileOrder {
  const { row, fault } = validityOf(raw, table)
  if (fault) return { body: null, rows: [row], errors: [fault], table }
  const parts = parseRow(row, table, raw.errors)
  return { body: orderBodyOf(parts, parts.items), rows: [row], errors: parts.errors, table }
}
