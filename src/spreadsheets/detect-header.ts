// Finds the row with the headers, below titles and empty rows.
import type { Message } from '../engine/message.ts'
import { isBlank } from './cells.ts'
import { createColumnNames, isKnownColumn } from './detect-columns.ts'
import { AS_REQUESTED } from './detect-format.ts'
import { headerMeaning } from './header-synonyms.ts'
import { TITLE_ROWS_MAX } from './limits.ts'
import { EVIDENCE_MESSAGES } from './messages.ts'
import type { Row } from './row.ts'
import type { Settings } from './settings.ts'

export type NumberedRow = Pick<Row, 'number' | 'cells'>

export interface HeaderPlace {
  /** The index of the header among the rows with content; -1 if there is none. */
  readonly at: number
  readonly because: Message
}

/** Enough to recognise a header. */
const CELLS_MAX = 200
/** Names of columns that a row below the first must have to be taken for the header. */
const NAMES_MIN = 2

/** @param rows the first rows with content */
export function findHeader(rows: readonly NumberedRow[], asked: Partial<Settings>): HeaderPlace {
  const { header_row: row } = asked
  if (row !== undefined) return { at: rows.findIndex(({ number }) => number >= row), because: AS_REQUESTED }
  const because = EVIDENCE_MESSAGES.header_below_titles()
  const looked = rows.slice(0, TITLE_ROWS_MAX).map(({ cells }) => cells.slice(0, CELLS_MAX))
  const names = looked.map(createNameCount(asked))
  const best = names.indexOf(Math.max(...names, 0))
  const isBest = best > 0 && names[best]! >= NAMES_MIN
  // A title fills fewer cells than the header, and the rows of a table fill at most as many.
  const filled = looked.map((cells) => cells.filter((cell) => !isBlank(cell)).length)
  const isBelowTitles = isBest && filled.slice(0, best).every((count) => count < filled[best]!)
  return { at: rows.length === 0 ? -1 : isBelowTitles ? best : 0, because }
}

function createNameCount({ columns, layout = 'items' }: Partial<Settings>) {
  const columnNamed = createColumnNames(columns ?? {})
  const isName = (cell: string): boolean =>
    !isBlank(cell) && (isKnownColumn(columnNamed(cell)) || headerMeaning(cell, layout) !== null)
  return (cells: readonly string[]): number => cells.filter(isName).length
}
