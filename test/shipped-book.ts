// The factor book of data/ with the files that it was read from, once a process.
import { join } from 'node:path'
import { readDatasetFiles, type DatasetFiles } from '../src/reference-data/files.ts'
import { loadReferenceData } from '../src/reference-data/load.ts'
import type { ReferenceData } from '../src/engine/reference/reference-data.ts'

export interface ShippedBook {
  readonly files: DatasetFiles
  readonly referenceData: ReferenceData
}

let shipped: ShippedBook | undefined

export function shippedReferenceData(): ShippedBook {
  if (!shipped) {
    const files = readDatasetFiles(join(import.meta.dirname, '..', 'data'))
    shipped = { files, referenceData: loadReferenceData(files) }
  }
  return shipped
}
