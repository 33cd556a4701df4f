// The charts below the months: by customer, by model, by category.
import type { UseQueryResult } from '@tanstack/react-query'
import { Loaded } from '../components/loading-and-error.tsx'
import { sumBy, type Report } from '../emissions/report-query.ts'
import { CategoryChart } from './category-chart.tsx'
import { RankChart } from './rank-chart.tsx'

export interface ChartsProps {
  readonly categories: UseQueryResult<Report>
  readonly customers: UseQueryResult<Report>
  readonly models: UseQueryResult<Report>
}

/** So few customers leave room beside the models for the categories. */
const FEW_CUSTOMERS = 6

export function Charts({ categories, customers, models }: ChartsProps) {
  const isFew = customers.data !== undefined && sumBy(customers.data.groups, 0).size <= FEW_CUSTOMERS
  const byCategory = <Loaded query={categories}>{(report) => <CategoryChart report={report} />}</Loaded>
  return (
    <>
      <div className="pair">
        <div className="stack">
          <Loaded query={customers}>{(report) => <RankChart dimension="customer" report={report} />}</Loaded>
          {isFew && byCategory}
        </div>
        <Loaded query={models}>{(report) => <RankChart dimension="model" report={report} />}</Loaded>
      </div>
      {!isFew && byCategory}
    </>
  )
}
