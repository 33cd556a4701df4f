// Who recorded an event, in its row: the hint and label of a key, or the number of an import, or nothing.
import type { Recorder } from '../ledger/records.ts'

export const RECORDER_FIELDS = 'key_hint, key_label, import_id'

export interface RecorderRow {
  readonly key_hint: string | null
  readonly key_label: string | null
  readonly import_id: number | null
}

export function recorderOfRow(row: RecorderRow): Recorder | null
/** Undefined if the columns were not read. */
export function recorderOfRow(row: Partial<RecorderRow>): Recorder | null | undefined
export function recorderOfRow(row: Partial<RecorderRow>): Recorder | null | undefined {
  const { key_hint: keyHint, key_label: keyLabel, import_id: importId } = row
  if (keyHint === undefined || importId === undefined) return undefined
  if (importId !== null) return { importId }
  return keyHint === null ? null : { keyHint, keyLabel: keyLabel! }
}

/** The values of RECORDER_FIELDS. */
export function recorderValues(by: Recorder | null): readonly (string | number | null)[] {
  if (by === null) return [null, null, null]
  return 'importId' in by ? [null, null, by.importId] : [by.keyHint, by.keyLabel, null]
}
