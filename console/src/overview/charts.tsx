// The charts: by month, by customer, by model, by category. They are drawn once the figures above them stand.
import type { UseQueryResult } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Loaded, Loading } from '../components/loading-and-error.tsx'
import { sumBy, type Report } from '../emissions/report-query.ts'

const MonthChart = lazy(async () => ({ default: (await import('./month-chart.tsx')).MonthChart }))
const RankChart = lazy(async () => ({ default: (await import('./rank-chart.tsx')).RankChart }))
const CategoryChart = lazy(async () => ({ default: (await import('./category-chart.tsx')).CategoryChart }))

export interface ChartsProps {
  readonly months: Report
  readonly categories: UseQueryResult<Report>
  readonly customers: UseQueryResult<Report>
  readonly models: UseQueryResult<Report>
}

/** So few customers leave room beside the models for the categories. */
const FEW_CUSTOMERS = 6

export function Charts({ months, categories, customers, models }: ChartsProps) {
  const isFew = customers.data !== undefined && sumBy(customers.data.groups, 0).size <= FEW_CUSTOMERS
  const byCategory = <Loaded query={categories}>{(report) => <CategoryChart report={report} />}</Loaded>
  return (
    <Suspense fallback={<Loading />}>
      <MonthChart report={months} />
      <div className="pair">
        <div className="stack">
          <Loaded query={customers}>{(report) => <RankChart dimension="customer" report={report} />}</Loaded>
          {isFew && byCategory}
        </div>
        <Loaded query={models}>{(report) => <RankChart dimension="model" report={report} />}</Loaded>
      </div>
      {!isFew && byCategory}
    </Suspense>
  )
}
