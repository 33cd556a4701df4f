// The workers of the service for file detection, imports, reports and PDFs.
import type { Pool } from 'pg'
import { openPdfRendering, type PdfRendering } from './pdf-rendering.ts'
import { openImportProcesses, type ImportLimits, type ImportProcesses } from './import-workers.ts'
import type { CurrentRelease } from './create-import-context.ts'
import { openReporting, type RollupWatch, type Reporting, type ReportingWatch } from './reporting.ts'
import type { ReadFreeSpace } from './postgres/free-space.ts'

export interface WorkerPools {
  readonly importing: Omit<ImportProcesses, 'stop'>
  readonly reporting: Pick<Reporting, 'ask'>
  readonly drawing: Pick<PdfRendering, 'ask'>
  readonly stop: () => Promise<void>
}

export interface WorkerPoolsSettings {
  readonly pool: Pool
  readonly replica: Pool | null
  readonly served: CurrentRelease
  readonly importLimits: ImportLimits
  /** Reads the free space on the database's disk; null if it cannot be read. */
  readonly readFreeSpace: ReadFreeSpace | null
  /** Time since the service last received a request. */
  readonly servedMsAgo: () => number
  /** Reports internal errors to the operator. */
  readonly report: ReportingWatch['report']
  /** Metrics of roll-ups, if any. */
  readonly folding: RollupWatch | null
}

const UNWATCHED: RollupWatch = { onFailure: () => undefined, watch: () => undefined }

/** Workers are started on demand. */
export function openWorkerPools(settings: WorkerPoolsSettings): WorkerPools {
  const { pool, replica, served, servedMsAgo, report, folding } = settings
  const importing = openImportProcesses(pool, served, settings, servedMsAgo, report)
  const isServed = (milliseconds: number) => servedMsAgo() < milliseconds
  const reporting = openReporting(pool, replica, served, isServed, { report, ...(folding ?? UNWATCHED) })
  const drawing = openPdfRendering(report)
  const stop = async () => {
    await Promise.all([importing, reporting, drawing].map((one) => one.stop()))
  }
  return { importing, reporting, drawing, stop }
}
