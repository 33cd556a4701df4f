// What is reported on, as it stands in the address: under the names that the API has for it.
import { useFilters } from '../components/filters.ts'
import { NAMES, type ReportQuery } from '../emissions/report-query.ts'
import { APPROACHES, BOOKS, LEASES, basesOf, wordOf } from '../emissions/inventory-boundary.ts'
import { useSession } from '../session/session.tsx'

export const DIMENSIONS = [
  'month',
  'quarter',
  'year',
  'customer',
  'model',
  'type',
  'brand',
  'country',
  'part',
  'scope',
  'category',
  'estimate_type',
] as const

/** What may be chosen of a report; each takes one value here, of which the API takes several. */
const KEPT = ['customer', 'model', 'type', 'brand', 'country', 'part', 'scope', 'category', 'estimate_type'] as const
const SETTINGS = ['group_by', 'from', 'to', 'basis', 'book', 'approach', 'lease'] as const
/** A member of the orders' metadata, to group by. */
const MEMBER = 'member'
export const FILTERS = [...SETTINGS, ...KEPT, MEMBER, 'sort'] as const

const USUAL_GROUPS = ['month', 'part']

export function useBuild() {
  const { filters, setFilters } = useFilters(FILTERS)
  const { group_by: groupBy, from, to, basis, book, approach, lease } = filters
  const bases = basesOf(useSession())
  const kept = KEPT.flatMap((name) =>
    filters[name] === '' ? [] : [[name, NAMES.includes(name) ? [filters[name]] : filters[name].split(',')]],
  )
  const query: ReportQuery = {
    group_by: groupBy === '' ? USUAL_GROUPS : groupBy.split(','),
    ...(from !== '' && { from }),
    ...(to !== '' && { to }),
    basis: wordOf(bases, basis),
    book: wordOf(BOOKS, book),
    approach: wordOf(APPROACHES, approach),
    lease: wordOf(LEASES, lease),
    ...(Object.fromEntries(kept) as ReportQuery),
  }
  return { filters, setFilters, query }
}
