// A filter by a dimension with many values, like customers or models: typed, or chosen from those that weigh most.
import { useState } from 'react'
import { SuggestFilter } from '../components/suggest-filter.tsx'
import { sumBy, useReport } from './report-query.ts'

const SHOWN_MAX = 200

interface ValueFilterProps {
  /** Of the report whose labels are suggested. */
  readonly dimension: string
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Values are suggested once somebody comes to it: a report over all that was ever posted takes its time. */
export function ValueFilter({ dimension, ...shown }: ValueFilterProps) {
  const [isAsked, setAsked] = useState(false)
  const { data } = useReport({ group_by: [dimension] }, isAsked)
  const labels = [...(data ? sumBy(data.groups, 0) : [])].toSorted(([, a], [, b]) => b - a).map(([label]) => label)
  const suggestions = labels.filter((label) => label !== null).slice(0, SHOWN_MAX)
  return <SuggestFilter {...shown} suggestions={suggestions} onFocus={() => setAsked(true)} />
}
