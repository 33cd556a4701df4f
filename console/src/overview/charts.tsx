// The charts: by month, by customer, by model, by category. They are drawn once the figures above them stand.
import type { UseQueryResult } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Loaded, Loading } from '../components/states.tsx'
import type { Report } from '../reports/report-query.ts'

const MonthChart = lazy(async () => ({ default: (await import('./month-chart.tsx')).MonthChart }))
const RankChart = lazy(async () => ({ default: (await import('./rank-chart.tsx')).RankChart }))
const CategoryChart = lazy(async () => ({ default: (await import('./category-chart.tsx')).CategoryChart }))

export interface ChartsProps {
  readonly months: Report
  readonly categories: UseQueryResult<Report>
  readonly customers: UseQueryResult<Report>
  readonly models: UseQueryResult<Report>
}

export function Charts({ months, categories, customers, models }: ChartsProps) {
  return (
    <Suspense fallback={<Loading />}>
      <MonthChart report={months} />
      <div className="overview-pair">
        <Loaded query={customers}>{(report) => <RankChart dimension="customer" report={report} />}</Loaded>
        <Loaded query={models}>{(report) => <RankChart dimension="model" report={report} />}</Loaded>
      </div>
      <Loaded query={categories}>{(report) => <CategoryChart report={report} />}</Loaded>
    </Suspense>
  )
}
