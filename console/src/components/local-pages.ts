// Page by page through rows that are all here: a table of a thousand would be slow, and long to go through by keyboard.
import { useState } from 'react'
import type { Paging } from '../api/cursor-pages.ts'

/**
 * @param of what the rows are: of others one begins at the first page
 * @returns the rows of the page, and what the table's buttons do
 */
export function useLocalPages<Row>(
  rows: readonly Row[],
  size: number,
  of = '',
): readonly [shown: readonly Row[], Paging] {
  const [requested, setRequested] = useState({ page: 1, of })
  const last = Math.max(1, Math.ceil(rows.length / size))
  const page = requested.of === of ? Math.min(requested.page, last) : 1
  const turnTo = (next: number) => () => setRequested({ page: next, of })
  return [
    rows.slice((page - 1) * size, page * size),
    { page, onNext: page < last ? turnTo(page + 1) : null, onPrevious: page > 1 ? turnTo(page - 1) : null },
  ]
}
