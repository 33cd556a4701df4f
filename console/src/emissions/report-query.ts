// Reports of emissions as pages ask for them, and what they are called where they can be asked for again.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { paths } from '../../generated/openapi.d.ts'
import { api, read, type Schemas } from '../api/client.ts'
import { Problem, TOO_MANY_GROUPS } from '../api/problem.ts'
import { plain } from './kilograms.ts'
import { common, daysOf } from './period-days.ts'

type Asked = NonNullable<paths['/api/reports/emissions']['get']['parameters']['query']>
export type ReportQuery = Omit<Asked, 'format' | 'metadata.{member}'>

/** One group: its labels by the names of what is grouped by, null for what it is not told of. */
export interface Group {
  readonly labels: readonly (string | null)[]
  /** Of its model, where there is one. */
  readonly modelName: string | null
  readonly emission: number
  readonly uncertainty: Schemas['Uncertainty'] | null
  readonly orders: number | null
  readonly rentals: number | null
  /** Only by tenure. */
  readonly deviceMonths: number | null
}

export interface Report extends Omit<Schemas['EmissionsReport'], 'groups'> {
  readonly groups: readonly Group[]
  readonly query: ReportQuery
}

const PATH = '/api/reports/emissions'
/** As many as a report may have: pages add groups up by themselves. */
const ALL_GROUPS = 500_000
/** What was read before stays until the next is there, as filters are changed. */
export function useReport(query: ReportQuery, isWanted = true) {
  return useQuery({
    queryKey: ['report', query],
    enabled: isWanted,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Report> => {
      // It may be asked for as other files, of which the types tell nothing.
      const asked = { ...query, limit: ALL_GROUPS }
      const report = (await read(api.GET(PATH, { params: { query: asked }, signal }))) as Schemas['EmissionsReport']
      if (report.remainder !== null) throw new Problem(413, TOO_MANY_GROUPS, { message: '' }, [], null)
      return { ...report, query, groups: report.groups.map((group) => toGroup(group, report.group_by)) }
    },
  })
}

type Members = Readonly<Record<string, unknown>>

function toGroup(group: Members, names: readonly string[]): Group {
  return {
    labels: names.map((name) => group[name] as string | null),
    modelName: (group['model_name'] as string | null | undefined) ?? null,
    emission: group['total_emission'] as number,
    uncertainty: group['uncertainty'] as Group['uncertainty'],
    orders: (group['number_of_orders'] as number | undefined) ?? null,
    rentals: (group['number_of_rentals'] as number | undefined) ?? null,
    deviceMonths: (group['device_months'] as number | undefined) ?? null,
  }
}

/** What may have commas of its own. */
export const NAMES: readonly string[] = ['customer', 'model', 'brand']

/** The query as it stands in an address: lists with commas, names repeated. */
export function searchOf(query: ReportQuery): string {
  const told = Object.entries(query).flatMap(([name, value]): [string, string][] => {
    const values = [value ?? []].flat().map(String)
    if (NAMES.includes(name)) return values.map((one) => [name, one])
    return values.length === 0 ? [] : [[name, values.join(',')]]
  })
  return new URLSearchParams(told).toString().replaceAll('%2C', ',')
}

const withSearch = (path: string, search: string): string => (search === '' ? path : `${path}?${search}`)

export const callOf = (query: ReportQuery): string => withSearch(PATH, searchOf(query))
export const fileOf = (query: ReportQuery, format: 'csv' | 'xlsx' | 'json'): string =>
  withSearch(PATH, [searchOf(query), `format=${format}`].filter((one) => one !== '').join('&'))
/** The page on which it can be changed. There a month, a quarter or a year is told by its days. */
export function reportPage({ month = [], quarter = [], year = [], ...query }: ReportQuery): string {
  const [period] = [...month, ...quarter, ...year]
  const days = period === undefined ? {} : common(query, daysOf(period))
  return withSearch('/reports', searchOf({ ...query, ...days }))
}

/** Kilograms by one of two labels: those of a part by month, say. */
export function sumBy(groups: readonly Group[], at: number): ReadonlyMap<string | null, number> {
  const sums = new Map<string | null, number>()
  for (const { labels, emission } of groups) sums.set(labels[at]!, plain((sums.get(labels[at]!) ?? 0) + emission))
  return sums
}
