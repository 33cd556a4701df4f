// What is reported on, as it stands in the address: under the names that the API has for it.
import { useFilters } from '../components/filters.ts'
import { NAMES, type ReportQuery } from '../emissions/report-query.ts'
import {
  CONSOLIDATION_APPROACHES,
  DATE_BASES,
  REPORTING_ENTITIES,
  LEASE_TYPES,
  wordOf,
} from '../emissions/inventory-boundary.ts'

/** What may be chosen of a report; each takes one value here, of which the API takes several. */
const FILTER_NAMES = [
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
export const DIMENSIONS = ['month', 'quarter', 'year', ...FILTER_NAMES] as const
const SETTINGS = [
  'group_by',
  'from',
  'to',
  'date_basis',
  'reporting_entity',
  'consolidation_approach',
  'lease_type',
] as const
/** A member of the orders' metadata, to group by. */
const MEMBER = 'member'
export const FILTERS = [...SETTINGS, ...FILTER_NAMES, MEMBER, 'sort'] as const

const USUAL_GROUPS = ['month', 'part']

export function useBuild() {
  const { filters, setFilters } = useFilters(FILTERS)
  const { group_by: groupBy, from, to } = filters
  const filterValues = FILTER_NAMES.flatMap((name) =>
    filters[name] === '' ? [] : [[name, NAMES.includes(name) ? [filters[name]] : filters[name].split(',')]],
  )
  const query: ReportQuery = {
    group_by: groupBy === '' ? USUAL_GROUPS : groupBy.split(','),
    ...(from !== '' && { from }),
    ...(to !== '' && { to }),
    date_basis: wordOf(DATE_BASES, filters.date_basis),
    reporting_entity: wordOf(REPORTING_ENTITIES, filters.reporting_entity),
    consolidation_approach: wordOf(CONSOLIDATION_APPROACHES, filters.consolidation_approach),
    lease_type: wordOf(LEASE_TYPES, filters.lease_type),
    ...(Object.fromEntries(filterValues) as ReportQuery),
  }
  return { filters, setFilters, query }
}
