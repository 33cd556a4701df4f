// Import processes of the service: the service stores files; workers detect their settings and process them.
import { join } from 'node:path'
import type { Pool } from 'pg'
import { WorkerExited } from './workers/job-worker.ts'
import { createWorkerPool, WorkerTimedOut } from './workers/worker-pool.ts'
import { WORKER_MESSAGES } from './workers/messages.ts'
import {
  DETECTION_HEAP_MB_MAX,
  DETECTION_MS_MAX,
  DETECTION_WAIT_MS_MAX,
  IMPORT_HEAP_MB_MAX,
  IMPORT_SILENT_MS_MAX,
  IMPORT_SLICE_MS,
} from './config.ts'
import type { DatabaseUnavailable, DetectionSettings } from './workers/detection-worker.ts'
import type { UploadedFile } from './http/routes/imports.ts'
import { ApiError } from './contract/errors.ts'
import type { ImportWorkerSettings, ServedNotice } from './workers/import-worker.ts'
import type { Detect, StoredFile } from './imports/detect-file.ts'
import type { Progress } from './imports/context.ts'
import { createDiskSpace } from './imports/disk-space.ts'
import { startImporter } from './imports/importer.ts'
import type { Message } from './engine/message.ts'
import { receiveFile } from './imports/receive-file.ts'
import { createUploadAdmission, type UploadLimits } from './imports/upload-admission.ts'
import { nameHolder, type CurrentRelease } from './create-import-context.ts'
import { LeaseLost, unavailabilityOf } from './postgres/errors.ts'
import type { ReadFreeSpace } from './postgres/free-space.ts'
import { poolSettings } from './postgres/pool.ts'
import { createSemaphore } from './concurrency/semaphore.ts'
import { createImportLeases } from './postgres/import-jobs.ts'
import type { StoredImport } from './postgres/import-record.ts'
import { createImportProfiles } from './postgres/import-profiles.ts'
import { createImports } from './postgres/imports.ts'
import type { Detected } from './spreadsheets/detect-settings.ts'

/** Workers of each kind. With two, a sender of slow files does not keep all others waiting. */
const WORKERS = 2
/** How often import workers are notified whether the service is in use. */
const NOTICE_MS = 50

const program = (name: string): string => join(import.meta.dirname, name)

export interface ImportLimits {
  readonly detectionHeapMbMax: number
  readonly detectionMsMax: number
  readonly importHeapMbMax: number
  readonly importSilentMsMax: number
  /** How long an import is processed while others wait. */
  readonly importSliceMs: number
}

export const IMPORT_LIMITS: ImportLimits = {
  detectionHeapMbMax: DETECTION_HEAP_MB_MAX,
  detectionMsMax: DETECTION_MS_MAX,
  importHeapMbMax: IMPORT_HEAP_MB_MAX,
  importSilentMsMax: IMPORT_SILENT_MS_MAX,
  importSliceMs: IMPORT_SLICE_MS,
}

export interface ImportProcesses {
  readonly detect: Detect
  readonly wakeImporter: () => void
  readonly stop: () => Promise<void>
}

/**
 * Detects the settings of files and processes imports for as long as the program runs.
 * @param readFreeSpace reads the free space on the database's disk; null if it cannot be read
 * @param servedMsAgo time since the service last received a request
 * @param report reports internal errors to the operator
 */
export function openImportProcesses(
  pool: Pool,
  served: CurrentRelease,
  { importLimits: limits, readFreeSpace }: Pick<ImportSettings, 'importLimits' | 'readFreeSpace'>,
  servedMsAgo: () => number,
  report: (error: Error) => void,
): ImportProcesses {
  const imports = createImports(pool)
  const room = createDiskSpace(readFreeSpace)
  const { detect, stopDetection } = openDetection(pool, limits, report)
  const { work, stopWorkers, holder } = openWorkers(pool, served, limits, servedMsAgo, report)
  const importer = startImporter(
    {
      imports,
      room,
      claims: createImportLeases(pool, holder),
      work,
      sliceMs: limits.importSliceMs,
      isUnavailable: (error) => unavailabilityOf(error) !== null || isUnready(error),
      isLost: (error) => error instanceof LeaseLost,
      endOfWorker,
      report,
    },
    WORKERS,
  )
  return {
    detect,
    wakeImporter: importer.wake,
    stop: async () => {
      await importer.stop()
      await Promise.all([stopWorkers(), stopDetection()])
    },
  }
}

export interface ImportSettings {
  readonly importLimits: ImportLimits
  readonly uploadLimits: UploadLimits
  readonly readFreeSpace: ReadFreeSpace | null
}

/** Receives files. */
export function startImports(
  pool: Pool,
  { uploadLimits, readFreeSpace }: Pick<ImportSettings, 'uploadLimits' | 'readFreeSpace'>,
  { detect, wakeImporter }: Omit<ImportProcesses, 'stop'>,
) {
  const imports = createImports(pool)
  const admission = createUploadAdmission(uploadLimits, createDiskSpace(readFreeSpace))
  const importProfiles = createImportProfiles(pool)
  return {
    imports,
    importProfiles,
    receiveFile: (accountId: number, file: UploadedFile) =>
      receiveFile({ imports, admission, detect, profiles: importProfiles }, accountId, file),
    wakeImporter,
  }
}

/** The worker had not started to work, so the file is not the cause. */
const isUnready = (error: unknown): boolean => error instanceof WorkerExited && error.how === null

function endOfWorker(error: unknown): string | null {
  if (error instanceof WorkerTimedOut) return 'it took too long'
  return error instanceof WorkerExited ? error.how : null
}

function openDetection(pool: Pool, limits: ImportLimits, report: (error: Error) => void) {
  const workers = createWorkerPool<DetectionSettings, StoredFile, Detected | DatabaseUnavailable>({
    program: program('workers/detection-worker.ts'),
    what: 'files as they are sent',
    settings: poolSettings(pool),
    heapMbMax: limits.detectionHeapMbMax,
    pieceMsMax: limits.detectionMsMax,
    size: WORKERS,
    report,
  })
  const takeTurn = createSemaphore('files', { most: WORKERS, ofOneMost: 1, waitMs: DETECTION_WAIT_MS_MAX })
  const detect: Detect = async (file, signal) => {
    const endTurn = await takeTurn(file.key.accountId)
    try {
      for await (const detected of workers.run(file, signal)) {
        if (detected !== 'database unavailable') return detected
        throw new ApiError('unavailable', WORKER_MESSAGES.file_not_detected())
      }
      throw new Error('A file was looked at, and nothing said')
    } catch (error) {
      if (isUnready(error)) throw new ApiError('unavailable', WORKER_MESSAGES.detection_not_started())
      const how = endOfWorker(error)
      if (how === null) throw error
      return { ok: false, problems: [{ path: '', ...tooHeavy(error, limits) }] }
    } finally {
      endTurn()
    }
  }
  return { detect, stopDetection: workers.stop }
}

const tooHeavy = (error: unknown, { detectionMsMax }: ImportLimits): Message =>
  error instanceof WorkerTimedOut
    ? WORKER_MESSAGES.detection_too_slow({ seconds: detectionMsMax / 1000 })
    : WORKER_MESSAGES.detection_too_large()

function openWorkers(
  pool: Pool,
  { releaseId, referenceData }: CurrentRelease,
  limits: ImportLimits,
  servedMsAgo: () => number,
  report: (error: Error) => void,
) {
  const holder = nameHolder()
  const workers = createWorkerPool<ImportWorkerSettings, StoredImport, Progress, ServedNotice>({
    program: program('workers/import-worker.ts'),
    what: 'imports',
    settings: { database: poolSettings(pool), served: [releaseId, referenceData], holder },
    heapMbMax: limits.importHeapMbMax,
    pieceMsMax: limits.importSilentMsMax,
    size: WORKERS,
    report,
  })
  async function* work(job: StoredImport, signal: AbortSignal): AsyncGenerator<Progress, void> {
    const notices = setInterval(() => workers.notify(servedMsAgo()), NOTICE_MS)
    try {
      yield* workers.run(job, signal)
    } finally {
      clearInterval(notices)
    }
  }
  return { work, stopWorkers: workers.stop, holder }
}
