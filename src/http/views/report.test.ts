// The uncertainty of a group in a report's table, compared with the JSON report.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import type { EmissionsQuery } from '../../reporting/query.ts'
import type { EmissionsReport } from '../../reporting/emissions-report.ts'
import type { ExportMetadata } from '../../spreadsheets/export-table.ts'
import { emissionsTable } from './report.ts'

test('what comes to nothing is told without any doubt, whatever rounding left of its parts', () => {
  const group = { labels: ['DE'], emission: 0n, logSd: 3.7, orders: 2, rentals: 2 }
  const report = { groups: [group], others: null } as unknown as EmissionsReport
  const { columns } = emissionsTable(
    report,
    { groupBy: ['country'], limit: null } as unknown as EmissionsQuery,
    {} as ExportMetadata,
  )
  const cellsOf = (row: typeof group) =>
    ['low_kg', 'high_kg', 'gsd'].map((name) => columns.find((column) => column.name === name)!.of(row as never))
  assert.deepEqual(cellsOf(group), [0n, 0n, 1])
  assert.deepEqual(cellsOf({ ...group, emission: 1_000n, logSd: Math.log(2) }).at(-1), 2)
})
