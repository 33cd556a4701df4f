// The process beside the service that looks into files as they were sent, one at a time: how each is to be read.
import { endWithParent, runWorker } from './worker-entry.ts'
import { detectFile, type StoredFile } from '../imports/detect-file.ts'
import { isUnavailable } from '../postgres/errors.ts'
import { createPool, type poolSettings } from '../postgres/pool.ts'
import { createImports } from '../postgres/imports.ts'
import type { Detected } from '../spreadsheets/detect-settings.ts'

export type DetectionSettings = ReturnType<typeof poolSettings>

/** It reads the pieces of one file. */
const CONNECTIONS_MAX = 1

/** The database could not be asked for the file: that is told by a value, since an error loses its class on the way. */
export type DatabaseUnavailable = 'database unavailable'

// Its connection is lost where the service's are, which says so.
runWorker<DetectionSettings, StoredFile, Detected | DatabaseUnavailable>(({ target, limits }) => {
  const imports = createImports(createPool(target, { ...limits, connectionsMax: CONNECTIONS_MAX }, () => undefined))
  return async function* (file) {
    yield await detectFile(imports, file).catch((error: unknown) => {
      if (isUnavailable(error)) return 'database unavailable'
      throw error
    })
  }
})
endWithParent()
