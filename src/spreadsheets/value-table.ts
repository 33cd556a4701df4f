// Replaces texts of a file's cells by the values that orders have: a table by column, as the sender states it.
import { normaliseCell } from './cells.ts'

/** By column name and text of a cell: the value instead; `-` leaves out the row. */
export type ValueTables = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The replacement that leaves out a row. */
const LEFT_OUT = '-'

/** By the index of the cell, and its text without regard to case and white space around it. */
export type Replacements = ReadonlyMap<number, ReadonlyMap<string, string>>

/** @param columnOf the column of each cell of a row; null for an ignored one */
export function createReplacements(columnOf: readonly (string | null)[], values: ValueTables): Replacements {
  const replacements = new Map<number, ReadonlyMap<string, string>>()
  for (const [at, column] of columnOf.entries()) {
    if (column === null || !Object.hasOwn(values, column)) continue
    const texts = Object.entries(values[column]!).map(([text, value]) => [normaliseCell(text), value] as const)
    replacements.set(at, new Map(texts))
  }
  return replacements
}

/** The text to read for a cell: as written, unless its column has another value for it. */
export function replacedCell(cell: string, at: number, replacements: Replacements): string {
  const texts = replacements.get(at)
  return texts === undefined ? cell : (texts.get(normaliseCell(cell)) ?? cell)
}

/** True if the value of any cell says that the row is to be left out. */
export function isLeftOut(cells: readonly string[], replacements: Replacements): boolean {
  for (const [at, texts] of replacements) if (texts.get(normaliseCell(cells[at] ?? '')) === LEFT_OUT) return true
  return false
}
