// Groups the rows of a file into orders, as they are read.
import type { FileOrder } from './file-order.ts'
import type { Row } from './row.ts'

export interface RowGrouping {
  /** Adds a row. Returns the order that is completed by it, if any. */
  readonly add: (row: Row) => FileOrder | null
  /** Returns the last orders after all rows have been added. */
  readonly end: () => readonly FileOrder[]
}
