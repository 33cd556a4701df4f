// Where what is behind the bars of a report is shown: the report of those bars alone, by what tells most of them.
import type { HrefOfBars } from '../charts/bar-targets.ts'
import { common, daysOf } from './period-days.ts'
import { filteredTo, OTHERS_KEY } from './report-bars.ts'
import { reportPage, type Report, type ReportQuery } from './report-query.ts'

/** The page of reports knows no members of metadata, and none of what is not told of something. */
const isOnPage = (by: string, key: string): boolean => key !== '' && !by.startsWith('metadata.')

export function hrefOfBars({ query }: Report, barBy: string, pieceBy: string): HrefOfBars {
  const pieces = pieceBy === '' ? 'part' : pieceBy
  return (first, last) => {
    if (!isOnPage(barBy, first.key)) return null
    if (first.key === OTHERS_KEY) return reportPage({ ...query, group_by: [barBy, pieces] })
    const ofBars: ReportQuery =
      first === last
        ? { ...query, ...filteredTo(barBy, first.key) }
        : { ...query, ...common(query, { from: daysOf(first.key).from, to: daysOf(last.key).to }) }
    const next = nextOf(ofBars, [barBy, pieces])
    return reportPage({ ...ofBars, group_by: next === undefined ? [pieces] : [next, pieces] })
  }
}

/** What there may be several of. */
const nextOf = (query: ReportQuery, taken: readonly string[]): string | undefined =>
  (['customer', 'model', 'month'] as const).find((name) => query[name] === undefined && !taken.includes(name))
