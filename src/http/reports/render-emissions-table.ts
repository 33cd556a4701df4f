// A report of emissions as a table: a row for each of its groups, and one for all that were not told.
import {
  kilograms,
  number,
  text,
  type ExportMetadata,
  type Column,
  type ExportTable,
} from '../../exports/export-table.ts'
import { intervalAround, type Uncertainty } from '../../engine/uncertainty/uncertainty.ts'
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
  about: ExportMetadata,
): ExportTable<Row> {
  const { groups, others } = report
  const uncertainty = ({ emission, logSd }: Row) => (logSd === null ? null : intervalAround(emission, logSd))
  return {
    about,
    columns: [
      ...groupBy.flatMap((name, at) => labelColumns(report, name, at)),
      kilograms('total_emission_kg', ({ emission }) => emission),
      kilograms('low_kg', (row) => uncertainty(row)?.low ?? null),
      kilograms('high_kg', (row) => uncertainty(row)?.high ?? null),
      number('gsd', (row) => gsdOf(uncertainty(row))),
      number('number_of_orders', ({ orders }) => orders),
      number('number_of_rentals', ({ rentals }) => rentals),
      ...(limit === null ? [] : [number<Row>('number_of_groups', (row) => row.groups ?? 1)]),
    ],
    pages: [groups, others ? [{ ...others, labels: [OTHERS, null] }] : []],
  }
}

/** As many places as reports in JSON tell. */
const gsdOf = (uncertainty: Uncertainty | null): number | null => uncertainty && Number(uncertainty.gsd.toFixed(6))

function labelColumns(report: EmissionsReport, name: Dimension, at: number): readonly Column<Row>[] {
  const label = text(name, ({ labels }: Row) => labels[at]!)
  if (!isNamed(name)) return [label]
  return [label, text(NAMED_BY[name], ({ labels, groups }) => (groups ? null : labelName(name, labels[at]!, report)))]
}
