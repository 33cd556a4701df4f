// A report of emissions as a table: a row for each of its groups, and one for all that were not told.
import { kilograms, number, text, type About, type Column, type ExportTable } from '../../exports/export-table.ts'
import { around } from '../../engine/uncertainty/uncertainty.ts'
import type { Group } from '../../reports/collect-groups.ts'
import type { Dimension, EmissionsQuery } from '../../reports/emissions-query.ts'
import type { EmissionsReport } from '../../reports/report-emissions.ts'
import { NAMED_BY, isNamed, labelName } from './label-names.ts'

/** What the line of all others says in place of what is grouped by; how many they are stands in a column. */
const OTHERS = 'all others'

/** A group, or several as one. */
type Row = Group & { readonly groups?: number }

export function emissionsTable(
  report: EmissionsReport,
  { groupBy, limit }: EmissionsQuery,
  about: About,
): ExportTable<Row> {
  const { groups, others } = report
  const interval = (end: 'low' | 'high') => (group: Row) =>
    group.logSd === null ? null : around(group.emission, group.logSd)[end]
  return {
    about,
    columns: [
      ...groupBy.flatMap((name, at) => labelColumns(report, name, at)),
      kilograms('total_emission_kg', ({ emission }) => emission),
      kilograms('low_kg', interval('low')),
      kilograms('high_kg', interval('high')),
      number('gsd', ({ logSd }) => (logSd === null ? null : Number(Math.exp(logSd).toFixed(6)))),
      number('number_of_orders', ({ orders }) => orders),
      number('number_of_rentals', ({ rentals }) => rentals),
      ...(limit === null ? [] : [number<Row>('number_of_groups', (row) => row.groups ?? 1)]),
    ],
    pages: [groups, others ? [{ ...others, labels: [OTHERS, null] }] : []],
  }
}

function labelColumns(report: EmissionsReport, name: Dimension, at: number): readonly Column<Row>[] {
  const label = text(name, ({ labels }: Row) => labels[at]!)
  if (!isNamed(name)) return [label]
  return [label, text(NAMED_BY[name], ({ labels, groups }) => (groups ? null : labelName(name, labels[at]!, report)))]
}
