// What an overview is of, as it stands in the address, and the questions that follow from it.
import { useFilters } from '../components/filters.ts'
import { TYPES } from '../emissions/label-names.ts'
import type { ReportQuery } from '../emissions/report-query.ts'
import { REPORTING_ENTITIES, basesOf, wordOf, type Bases } from '../emissions/inventory-boundary.ts'
import { useSession } from '../session/session.tsx'
import { timeOf, today, type Span } from './time.ts'

export const FILTERS = ['time', 'customer', 'type', 'country', 'date_basis', 'reporting_entity'] as const
export type Filters = Readonly<Record<(typeof FILTERS)[number], string>>

export interface View {
  readonly filters: Filters
  /** Of the time that is chosen. */
  readonly query: ReportQuery
  /** Of the same part of the year before; null where there is none. */
  readonly queryBefore: ReportQuery | null
}

export function useView(): View {
  const { filters } = useFilters(FILTERS)
  const { before, ...span } = timeOf(filters.time, today())
  const bases = basesOf(useSession())
  return { filters, query: queryOf(filters, bases, span), queryBefore: before && queryOf(filters, bases, before) }
}

function queryOf(filters: Filters, bases: Bases, { from, to }: Span): ReportQuery {
  const { customer, type, country, date_basis: basis, reporting_entity: entity } = filters
  const kind = TYPES.find((one) => one === type)
  return {
    date_basis: wordOf(bases, basis),
    reporting_entity: wordOf(REPORTING_ENTITIES, entity),
    ...(from !== null && { from }),
    ...(to !== null && { to }),
    ...(customer !== '' && { customer: [customer] }),
    ...(kind !== undefined && { type: [kind] }),
    ...(country !== '' && { country: [country] }),
  }
}
