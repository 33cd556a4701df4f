// The process beside the service that looks into files as they were sent, one at a time: how each is to be read.
import { endWithParent, serveAside } from './aside/serve-aside.ts'
import { detectFile, type StoredFile } from './imports/detect-file.ts'
import { createPool, type settingsOf } from './postgres/connection/pool.ts'
import { createImports } from './postgres/imports/imports.ts'
import type { Detected } from './tables/detect-settings.ts'

export type DetectionSettings = ReturnType<typeof settingsOf>

/** It reads the pieces of one file. */
const CONNECTIONS_MAX = 1

// Its connection is lost where the service's are, which says so.
serveAside<DetectionSettings, StoredFile, Detected>(({ target, limits }) => {
  const imports = createImports(createPool(target, { ...limits, connectionsMax: CONNECTIONS_MAX }, () => undefined))
  return async function* (file) {
    yield await detectFile(imports, file)
  }
})
endWithParent()
