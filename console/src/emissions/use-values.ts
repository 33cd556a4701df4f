// What a filter can be set to: the labels of a dimension, those first that weigh most.
import { useState } from 'react'
import { sumBy, useReport } from './report-query.ts'

const SHOWN_MAX = 200

/** @returns none until they were asked for: a report over all that was ever posted takes its time */
export function useValues(dimension: string): { readonly values: readonly string[]; readonly ask: () => void } {
  const [isAsked, setAsked] = useState(false)
  const { data } = useReport({ group_by: [dimension] }, isAsked)
  const labels = [...(data ? sumBy(data.groups, 0) : [])].toSorted(([, a], [, b]) => b - a).map(([label]) => label)
  return { values: labels.filter((label) => label !== null).slice(0, SHOWN_MAX), ask: () => setAsked(true) }
}
