// What the sentence of an overview says: the figures of its reports, and which of its clauses they can fill.
import type { Report } from '../emissions/report-query.ts'
import { sumBy } from '../emissions/report-query.ts'
import { topGroups } from '../emissions/top-groups.ts'
import { changeOf } from './change.ts'

export interface AnswerFigures {
  readonly total: number
  readonly interval: { readonly low: number; readonly high: number } | null
  /** Kilograms per device-month; null where there are none, or are not counted. */
  readonly intensity: number | null
  /** In percent: of the intensity, or of the total where no device-months are counted. */
  readonly change: number | null
  /** The part of most kilograms, and how many percent of the total it makes. */
  readonly part: { readonly name: string; readonly percent: number } | null
}

type Sums = Pick<Report, 'total_emission' | 'device_months'>

/** @returns null without device-months */
export const intensityOf = ({ total_emission: total, device_months: months }: Sums): number | null =>
  months !== undefined && months > 0 ? total / months : null

/** @param before null where there is no year before */
export function answerFigures(report: Report, before: Sums | null): AnswerFigures {
  const { total_emission: total, uncertainty } = report
  const intensity = intensityOf(report)
  const first = topGroups(sumBy(report.groups, 1), 1).ranked[0]
  return {
    total,
    interval: uncertainty && { low: uncertainty.low, high: uncertainty.high },
    intensity,
    change: before && changeBetween(report, before),
    part: first?.label && total > 0 ? { name: first.label, percent: (first.emission / total) * 100 } : null,
  }
}

/** What is held longer emits more: per device-month, if both are counted so. */
function changeBetween(now: Sums, before: Sums): number | null {
  if (now.device_months === undefined) return changeOf(now.total_emission, before.total_emission)
  const [intensity, then] = [intensityOf(now), intensityOf(before)]
  return intensity === null || then === null ? null : changeOf(intensity, then)
}
