// Page by page through a list of the API: the cursor stands in the address, so that a page can be linked to.
import { useState } from 'react'
import { useFilters } from '../components/filters.ts'

export interface Paging {
  readonly page: number
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
  const [trail, setTrail] = useState<readonly string[]>([])
  const cursor = filters.cursor === '' ? undefined : filters.cursor
  const isOnTrail = cursor === undefined || trail.at(-1) === cursor
  const go = (way: readonly string[]) => {
    setTrail(way)
    setFilters({ cursor: way.at(-1) ?? '' })
  }
  const way = cursor === undefined ? [] : isOnTrail ? trail : []
  return {
    cursor,
    pagingTo: (next) => ({
      page: way.length + 1,
      onNext: next === null ? null : () => go([...way, next]),
      onPrevious: cursor === undefined ? null : () => go(way.slice(0, -1)),
    }),
  }
}
