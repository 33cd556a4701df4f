// Regressions of the types with too few sheets for one: their own mean, with the slope of all devices together.
import { DEVICE_TYPES } from '../../src/engine/reference/reference-data.ts'
import { rowsOf } from '../../src/reference-data/csv-table.ts'
import type { DatasetFiles } from '../../src/reference-data/files.ts'
import { readTables } from '../../src/reference-data/validate-tables.ts'
import type { FittedLevel } from './fit-levels.ts'

/** A type with as many sheets has a mean of its own that is believed at any weight. */
const FEWEST_SHEETS = 5

/**
 * So that a type that is told and one that is not differ by one factor at every weight: the type's mean holds at its
 * usual weight, and from there it follows the regression on the weight alone, in proportion below its range.
 * METHODOLOGY.md#fallbacks
 */
export function borrowedSlopes(files: DatasetFiles, all: FittedLevel): readonly FittedLevel[] {
  const tables = readTables(files)
  const weightOf = new Map(
    rowsOf(tables, 'type-assumptions.csv').map(({ cells }) => [cells['type'], cells['weight_kg']]),
  )
  return DEVICE_TYPES.flatMap((type) => {
    const cells = rowsOf(tables, 'devices/type-defaults.csv').find((row) => row.cells['type'] === type)?.cells
    const weight = Number(weightOf.get(type) ?? '')
    if (!cells || !weight || Number(cells['embodied_sheets']) >= FEWEST_SHEETS) return []
    const { coefficients, weights } = all.rungs[0]!
    const slope = coefficients[1]!
    const from = Math.max(weight, weights[0]!)
    const mean = (Number(cells['embodied_kg_co2e']) * from) / weight
    const intercept = Math.log(mean) - Number(slope) * Math.log(from) - all.logSd ** 2 / 2
    const rung = {
      brand: '',
      family: '',
      sheets: Number(cells['embodied_sheets']),
      embodied: '',
      coefficients: [intercept.toFixed(6), slope],
      weights,
      screens: [],
    }
    return [{ level: 'type-fit' as const, type, rungs: [rung], trials: [], logSd: all.logSd }]
  })
}
