// The worker that processes imports, one at a time: it reads the file and posts its orders.
import { endWithParent, runWorker } from './worker-entry.ts'
import { IMPORT_CONNECTIONS_MAX } from '../config.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import type { Progress } from '../imports/context.ts'
import { processImport } from '../imports/process-import.ts'
import { createImportContext } from '../create-import-context.ts'
import { createPool, type poolSettings } from '../postgres/pool.ts'
import { createImportLeases } from '../postgres/import-jobs.ts'
import type { StoredImport } from '../postgres/import-record.ts'
import { createReleaseCache } from '../reference-data/release-cache.ts'

export interface ImportWorkerSettings {
  readonly database: ReturnType<typeof poolSettings>
  readonly served: readonly [releaseId: number, referenceData: ReferenceData]
  /** Identifies the service, which claims the imports and owns their leases. */
  readonly holder: string
}

/** Milliseconds since the service last received a request; Infinity if there was none. */
export type ServedNotice = number

let servedMsAgo: ServedNotice = Infinity
let releaseAll = (): Promise<void> => Promise.resolve()

runWorker<ImportWorkerSettings, StoredImport, Progress, ServedNotice>(
  ({ database: { target, limits }, served, holder }) => {
    // Lost connections are not reported here: the service loses its own at the same time and reports them.
    const pool = createPool(target, { ...limits, connectionsMax: IMPORT_CONNECTIONS_MAX }, () => undefined)
    const [releaseId, referenceData] = served
    const referenceDataOf = createReleaseCache(pool, served)
    const context = createImportContext(
      pool,
      { releaseId, referenceData, referenceDataOf },
      holder,
      (milliseconds) => servedMsAgo < milliseconds,
    )
    const claims = createImportLeases(pool, holder)
    return async function* (job) {
      releaseAll = () => claims.release(job, 'in order')
      yield* processImport(context, job)
      releaseAll = () => Promise.resolve()
    }
  },
  {
    onNotice: (notice) => (servedMsAgo = notice),
    // The service has ended, and not because of this file: another process may continue immediately.
    onOrphaned: () => releaseAll(),
  },
)
endWithParent()
