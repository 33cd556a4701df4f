// Reads table rows from pages one at a time, and joins row texts into chunks for sending.
import { yieldToEventLoop } from './byte-source.ts'
import type { ExportTable } from './export-table.ts'

/** Size of a chunk, which takes about a millisecond to build. Other work can run between two chunks. */
export const CHUNK_CHARACTERS = 64 * 1024

/** The texts of all rows, in chunks. */
export async function* inChunks<Row>(
  pages: ExportTable<Row>['pages'],
  write: (row: Row) => string,
): AsyncGenerator<string> {
  let piece = ''
  for await (const page of pages) {
    for (const row of page) {
      piece += write(row)
      if (piece.length < CHUNK_CHARACTERS) continue
      yield piece
      piece = ''
      await yieldToEventLoop()
    }
  }
  yield piece
}

/** Rows that can be taken one at a time by successive consumers. */
export interface Rows<Row> {
  /**
   * True if there is another row, on this page or the next one. The next page is requested when this one is used up.
   */
  readonly isThere: () => boolean | Promise<boolean>
  /** The next row. Requires that isThere() returned true. */
  readonly take: () => Row
  /** Ends reading; no further rows will be requested. */
  readonly end: () => Promise<void>
}

export function rowsOf<Row>(pages: ExportTable<Row>['pages']): Rows<Row> {
  const iterator = Symbol.asyncIterator in pages ? pages[Symbol.asyncIterator]() : pages[Symbol.iterator]()
  let page: readonly Row[] = []
  let at = 0
  const nextPage = async (): Promise<boolean> => {
    const next = await iterator.next()
    if (next.done) return false
    page = next.value
    at = 0
    return page.length > 0 || nextPage()
  }
  return {
    isThere: () => at < page.length || nextPage(),
    take: () => page[at++]!,
    end: async () => {
      await iterator.return?.()
    },
  }
}
