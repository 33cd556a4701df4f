// The processes beside those that answer clients, put together: they look into files, import, make reports and PDFs.
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
  /** Of the disk of the database; null where that cannot be seen. */
  readonly readFreeSpace: ReadFreeSpace | null
  /** How long ago somebody asked the service for something. */
  readonly servedMsAgo: () => number
  /** Tells the operator of a fault of the service's own. */
  readonly report: ReportingWatch['report']
  /** What measures how folding goes, if anything does. */
  readonly folding: RollupWatch | null
}

const UNWATCHED: RollupWatch = { onFailure: () => undefined, watch: () => undefined }

/** They are started on need. */
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
