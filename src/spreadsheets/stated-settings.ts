// What the sender states about a file, among the detected settings: its header row, constants, values and register.
import { escapePointer, type Problem } from '../engine/order.ts'
import { closestMatches, withSuggestions } from '../engine/reference/suggestions.ts'
import type { DetectedColumn } from './detect-columns.ts'
import { AS_REQUESTED } from './detect-format.ts'
import { SETTING_MESSAGES, shownValue } from './messages.ts'
import type { Sample } from './sample.ts'
import { evidenceOf, type DetectionEvidence, type Settings } from './settings.ts'
import type { ValueTables } from './value-table.ts'

/** Why the header row is the one that it is, and the constants that were stated. */
export function evidenceOfRows(
  { headerRow }: Sample,
  { constants = {} }: Partial<Settings>,
): readonly DetectionEvidence[] {
  return [
    ...(headerRow?.ok ? [evidenceOf('header_row', String(headerRow.value), headerRow.because)] : []),
    ...Object.entries(constants).map(([column, value]) => evidenceOf(column, value, AS_REQUESTED)),
  ]
}

/** The settings that nothing in the file tells. */
export const statedOf = ({ values, register }: Partial<Settings>): Partial<Settings> => ({
  ...(values && { values }),
  ...(register && { register }),
})

/** Shown without names: of what is stated for a register, the members. */
export function evidenceOfStated({ values, register }: Partial<Settings>): readonly DetectionEvidence[] {
  const tables = Object.entries(values ?? {}).map(([column, texts]) => `${column}: ${Object.keys(texts).length}`)
  return [
    ...(tables.length > 0 ? [evidenceOf('values', tables.join(', '), AS_REQUESTED)] : []),
    ...(register ? [evidenceOf('register', Object.keys(register).join(', '), AS_REQUESTED)] : []),
  ]
}

/** A table for a column that the file does not have is a mistake. */
export function problemsOfTables(values: ValueTables, columns: readonly DetectedColumn[]): readonly Problem[] {
  const members = columns.flatMap(({ member }) => (member === null ? [] : [member]))
  return Object.keys(values)
    .filter((column) => !members.includes(column))
    .map((column) => {
      const path = `/values/${escapePointer(column)}`
      const message = SETTING_MESSAGES.values_of_no_column({ column: shownValue(column), columns: members })
      return withSuggestions({ path, ...message }, closestMatches(column, members))
    })
}
