// Rows taken from their pages one by one, and texts in pieces of a size to send.
import { yieldToEventLoop } from './byte-source.ts'
import type { ExportTable } from './export-table.ts'

/** Made in a millisecond or so; others have their turn between two of them. */
export const CHUNK_CHARACTERS = 64 * 1024

/** The texts of all rows, in pieces. */
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

/** Rows that are taken as they are asked for, by whoever is next. */
export interface Rows<Row> {
  /** Whether there is another, in this page or in the next, which is asked for where this one is used up. */
  readonly isThere: () => boolean | Promise<boolean>
  /** The next row, which isThere() has found. */
  readonly take: () => Row
  /** Nothing more will be asked for. */
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
