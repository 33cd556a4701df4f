// A report of emissions as a table, a row for each of its groups.
import { kilograms, number, text, type About, type Column, type ExportTable } from '../exports/export-table.ts'
import { around } from '../engine/uncertainty.ts'
import type { Group } from '../reports/collect-groups.ts'
import type { Dimension } from '../reports/emissions-query.ts'

export function emissionsTable(
  groups: readonly Group[],
  groupBy: readonly Dimension[],
  about: About,
): ExportTable<Group> {
  const interval = (end: 'low' | 'high') => (group: Group) =>
    group.logSd === null ? null : around(group.emission, group.logSd)[end]
  const labels = groupBy.map((name, at): Column<Group> => text(name, (group) => group.labels[at]!))
  return {
    about,
    columns: [
      ...labels,
      kilograms('total_emission_kg', ({ emission }) => emission),
      kilograms('low_kg', interval('low')),
      kilograms('high_kg', interval('high')),
      number('gsd', ({ logSd }) => (logSd === null ? null : Number(Math.exp(logSd).toFixed(6)))),
      number('number_of_orders', ({ orders }) => orders),
      number('number_of_rentals', ({ rentals }) => rentals),
    ],
    pages: [groups],
  }
}
