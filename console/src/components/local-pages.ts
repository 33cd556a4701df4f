// Page by page through rows that are all here: a table of a thousand would be slow, and long to go through by keyboard.
import { useState } from 'react'
import type { Paging } from '../api/cursor-pages.ts'

/** @returns the rows of the page, and what the table's buttons do */
export function useLocalPages<Row>(rows: readonly Row[], size: number): readonly [shown: readonly Row[], Paging] {
  const [wanted, setPage] = useState(1)
  const last = Math.max(1, Math.ceil(rows.length / size))
  const page = Math.min(wanted, last)
  return [
    rows.slice((page - 1) * size, page * size),
    {
      page,
      onNext: page < last ? () => setPage(page + 1) : null,
      onPrevious: page > 1 ? () => setPage(page - 1) : null,
    },
  ]
}
