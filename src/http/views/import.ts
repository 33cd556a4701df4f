// Imports and their errors as JSON.
import { EMISSION_UNIT } from '../../engine/numbers/emission.ts'
import type { RejectedRow, StoredImport } from '../../postgres/import-record.ts'
import { readStoredMessage } from '../../spreadsheets/stored-messages.ts'
import { kilogramsView } from './emission.ts'
import { referenceView } from './message.ts'

/** The detected settings of a file. */
export interface DetectedSettings {
  readonly evidence: readonly { readonly setting: string; readonly value: string }[]
  readonly columns: readonly { readonly header: string; readonly member: string | null }[]
  /** Absent in imports of earlier versions. */
  readonly profile?: string | null
  readonly suggestedProfiles?: readonly string[]
}

const kindOf = (evidence: DetectedSettings['evidence']): 'orders' | 'events' =>
  evidence.some(({ setting, value }) => setting === 'layout' && value === 'events') ? 'events' : 'orders'

export function importView(one: StoredImport): string {
  const { counts, undone, detected } = one
  const { evidence, columns, profile = null, suggestedProfiles = [] } = JSON.parse(detected!) as DetectedSettings
  const problem = one.problem === null ? null : readStoredMessage(one.problem)
  const orders = counts.ordersStored + counts.ordersReplayed + counts.ordersRejected
  return JSON.stringify({
    import_id: one.importId,
    kind: kindOf(evidence),
    state: one.state,
    is_dry_run: one.isDryRun,
    file_name: one.fileName,
    file_bytes: one.fileBytes,
    file_sha256: one.fileSha256,
    settings: evidence,
    columns,
    profile,
    suggested_profiles: suggestedProfiles,
    rows_read: counts.rowsRead,
    orders_stored: counts.ordersStored,
    orders_replayed: counts.ordersReplayed,
    orders_rejected: counts.ordersRejected,
    rows_rejected: counts.rowsRejected,
    rows_rejected_stored: counts.rowsRejectedStored,
    ignored: counts.ignored,
    number_of_warnings: counts.warnings.reduce((sum, { warnings }) => sum + warnings, 0),
    warnings: counts.warnings.toSorted((a, b) => b.warnings - a.warnings),
    progress: one.finishedAt && problem === null ? 1 : round(counts.bytesRead / one.fileBytes, 4),
    orders_per_second: counts.workingMs === 0 ? null : round((1000 * orders) / counts.workingMs, 1),
    emission_unit: EMISSION_UNIT,
    total_emission: kilogramsView(counts.emission),
    orders_reversed: undone.ordersReversed,
    orders_kept: undone.ordersKept,
    problem: problem?.message ?? null,
    // An earlier version stored sentences without codes.
    problem_message: problem?.code === undefined ? null : referenceView(problem),
    created_at: one.createdAt,
    started_at: one.startedAt,
    finished_at: one.finishedAt,
  })
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits))

/** Rows that were rejected only because of another row of their order have no errors of their own. */
export const importErrorsView = (rows: readonly Pick<RejectedRow, 'errors'>[]): string =>
  `[${rows
    .map(({ errors }) => errors.slice(1, -1))
    .filter((errors) => errors !== '')
    .join(',')}]`
