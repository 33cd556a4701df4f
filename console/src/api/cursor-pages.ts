// Page by page through a list of the API: the cursor stands in the address, so that a page can be linked to.
import { useState } from 'react'
import { useFilters } from '../components/filters.ts'

export interface Paging {
  /** Null where it is not known how many pages are before it. */
  readonly page: number | null
  /** Null where there is none. */
  readonly onNext: (() => void) | null
  readonly onPrevious: (() => void) | null
}

/**
 * @returns the cursor to ask with, and what the table's buttons do once it is known where the next page begins.
 * The way back is remembered; after a reload in the middle it leads to the first page.
 */
export function useCursorPages(): {
  readonly cursor: string | undefined
  readonly pagingTo: (next: string | null) => Paging
} {
  const { filters, setFilters } = useFilters(['cursor'])
  /** Cursors in the sequence in which one came to them, that of the first page being ''. */
  const [trail, setTrail] = useState<readonly string[]>([])
  const here = filters.cursor
  // The browser's own Back and Forward move along the trail, too.
  const way = trail.includes(here) ? trail.slice(0, trail.indexOf(here) + 1) : [here]
  const goOn = (next: string) => {
    setTrail([...way, next])
    setFilters({ cursor: next })
  }
  return {
    cursor: here === '' ? undefined : here,
    pagingTo: (next) => ({
      page: way[0] === '' ? way.length : null,
      onNext: next === null ? null : () => goOn(next),
      onPrevious: here === '' ? null : () => setFilters({ cursor: way.at(-2) ?? '' }),
    }),
  }
}
