// What an overview is of, as it stands in the address, and the questions that follow from it.
import { useFilters } from '../components/filters.ts'
import { TYPES } from '../emissions/label-names.ts'
import type { ReportQuery } from '../emissions/report-query.ts'
import { DATE_BASES, REPORTING_ENTITIES, wordOf } from '../emissions/inventory-boundary.ts'
import { timeOf, today, type Span, type Time } from './time.ts'

/** Those that select devices; the others say when and how is counted. */
export const SELECTIONS = ['customer', 'type', 'country'] as const
export const FILTERS = ['time', ...SELECTIONS, 'date_basis', 'reporting_entity'] as const
export type Filters = Readonly<Record<(typeof FILTERS)[number], string>>

export interface View {
  readonly filters: Filters
  readonly time: Time
  /** Of the time that is chosen. */
  readonly query: ReportQuery
  /** Of the same part of the year before; null where there is none. */
  readonly queryBefore: ReportQuery | null
  /** Of months to come; null where the time does not end now, or by days on which nothing is to come. */
  readonly queryAhead: ReportQuery | null
}

export function useView(): View {
  const { filters } = useFilters(FILTERS)
  const time = timeOf(filters.time, today())
  const query = queryOf(filters, time)
  return {
    filters,
    time,
    query,
    queryBefore: time.before && queryOf(filters, time.before),
    queryAhead: query.date_basis === 'tenure' ? time.ahead && queryOf(filters, time.ahead) : null,
  }
}

function queryOf(filters: Filters, { from, to }: Span): ReportQuery {
  const { customer, type, country, date_basis: basis, reporting_entity: entity } = filters
  const kind = TYPES.find((one) => one === type)
  return {
    date_basis: wordOf(DATE_BASES, basis),
    reporting_entity: wordOf(REPORTING_ENTITIES, entity),
    ...(from !== null && { from }),
    ...(to !== null && { to }),
    ...(customer !== '' && { customer: [customer] }),
    ...(kind !== undefined && { type: [kind] }),
    ...(country !== '' && { country: [country] }),
  }
}
