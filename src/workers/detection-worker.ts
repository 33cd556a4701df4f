// The worker that detects how uploaded files are to be read, one at a time.
import { endWithParent, runWorker } from './worker-entry.ts'
import { detectFile, type StoredFile } from '../imports/detect-file.ts'
import { isUnavailable } from '../postgres/errors.ts'
import { createPool, type poolSettings } from '../postgres/pool.ts'
import { createImports } from '../postgres/imports.ts'
import type { Detected } from '../spreadsheets/detect-settings.ts'

export type DetectionSettings = ReturnType<typeof poolSettings>

/** It reads the pieces of one file. */
const CONNECTIONS_MAX = 1

/** The database was unavailable. Returned as a value, since an error loses its class between processes. */
export type DatabaseUnavailable = 'database unavailable'

// Lost connections are not reported here: the service loses its own at the same time and reports them.
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
