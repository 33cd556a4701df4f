// JSON lines of one item each: members named like the columns, taken for the cells that they would be in a table.
import { closestMatches } from '../engine/reference/suggestions.ts'
import { PROBLEMS_MAX } from '../engine/validate-order.ts'
import {
  IGNORED_COLUMNS,
  REASON_COLUMN,
  SUGGESTION_COLUMN,
  columnNames,
  normaliseHeader,
  memberPath,
} from './columns.ts'
import { NAMES_MAX, TABLE_CELLS_MAX } from './limits.ts'
import { createOrderTable, type OrderTable, type CellPosition } from './order-table.ts'
import { UnreadableFile, type Row, type RowError } from './row.ts'
import type { Settings } from './settings.ts'

export interface FlatJsonTable {
  readonly table: OrderTable
  readonly cellsOf: (members: Readonly<Record<string, unknown>>) => Pick<Row, 'cells' | 'faults'>
}

/** The table begins with all columns that there are, and grows with the labels that are met. */
export function createFlatJsonTable(settings: Settings): FlatJsonTable {
  const header = [...columnNames('items')]
  const columns = Object.fromEntries(header.map((name) => [name, name]))
  const metadata: CellPosition[] = []
  const table = { ...createOrderTable(header, { ...settings, columns }), header, width: NAMES_MAX, metadata }
  const placeInHeader = new Map(header.map((name, at) => [name, at]))
  const cellOfName = new Map<string, Found>()
  let cellsOfAll = 0

  const find = (name: string): Found => {
    const asked = Object.hasOwn(settings.columns, name) ? settings.columns[name]! : normaliseHeader(name)
    if ([IGNORED_COLUMNS, REASON_COLUMN, SUGGESTION_COLUMN].includes(asked)) return { at: -1, fault: null }
    const at = placeInHeader.get(asked)
    if (at !== undefined) return { at, fault: null }
    const place = memberPath(asked, 'items')
    const isNew = header.length < NAMES_MAX
    const grown = isNew ? header.push(name) - 1 : -1
    if (isNew && !placeInHeader.has(name)) placeInHeader.set(name, grown)
    if (!place || !isNew) return { at: grown, fault: unknownMember(name, isNew ? grown : null) }
    metadata.push({ ...place, at: grown })
    return { at: grown, fault: null }
  }
  const cellsOf = (members: Readonly<Record<string, unknown>>) => {
    const cells: string[] = []
    const faults: RowError[] = []
    const tell = (fault: RowError): void => void (faults.length < PROBLEMS_MAX && faults.push(fault))
    for (const [name, value] of Object.entries(members)) {
      const found = cellOfName.get(name) ?? find(name)
      if (cellOfName.size < NAMES_MAX) cellOfName.set(name, found)
      if (found.fault) tell(found.fault)
      if (found.at === -1 || value === null) continue
      if (typeof value === 'object') tell({ at: found.at, reason: NOT_A_CELL, suggestion: null })
      if (cells[found.at]) tell({ at: found.at, reason: `"${name}" says it a second time`, suggestion: null })
      cells[found.at] = typeof value === 'string' ? value : JSON.stringify(value)
    }
    // A line of a few bytes may name the last member of a thousand alone.
    cellsOfAll += cells.length
    if (cellsOfAll > TABLE_CELLS_MAX)
      throw new UnreadableFile(`The lines have more than ${TABLE_CELLS_MAX} cells, lines times names; split the file`)
    return { cells: Array.from(cells, (cell) => cell ?? ''), faults }
  }
  return { table, cellsOf }
}

interface Found {
  /** Which cell; -1 for what is passed over. */
  readonly at: number
  readonly fault: RowError | null
}

const NOT_A_CELL = 'Must be a text or a number, since a line is one item with flat members'

/** With what it may have meant, but for names beyond all that a file of orders has: looking for it takes its time. */
function unknownMember(name: string, at: number | null): RowError {
  const [suggestion] = at === null ? [] : closestMatches(name, columnNames('items'))
  return { at, reason: `There is no member "${name.slice(0, 60)}"`, suggestion: suggestion ?? null }
}
