// The files of a dataset release: read from data/, and hashed.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RELEASE_FILE } from './validate-tables.ts'
import { DATASETS } from './columns.ts'

/** File contents by name, which is the path under data/. */
export type DatasetFiles = ReadonlyMap<string, string>

/** Why figures moved by more than 20 %, in a release that is not shipped; there may be none. */
export const CHANGES_FILE = 'changes.csv'
/** The name of the release that a release was made from; there may be none. */
export const PARENT_FILE = 'PARENT'

/** Reads a directory like data/. Missing files are omitted; the validation reports them. */
export const readDatasetFiles = (directory: string): Map<string, string> =>
  releaseFiles((name) => readIfPresent(join(directory, name)))

/** The same from any other source. @param read returns undefined for a file that is missing */
export function releaseFiles(read: (name: string) => string | undefined): Map<string, string> {
  const names = [RELEASE_FILE, PARENT_FILE, CHANGES_FILE, ...Object.keys(DATASETS)]
  return new Map(
    names.flatMap((name) => {
      const text = read(name)
      return text === undefined ? [] : [[name, text] as const]
    }),
  )
}

/** SHA-256 in hexadecimal. Names are sorted and each part follows its length, so that the input is unambiguous. */
export function hashContent(files: DatasetFiles): string {
  const hash = createHash('sha256')
  const names = [...files.keys()].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  for (const name of names) {
    const text = files.get(name)!
    hash.update(`${Buffer.byteLength(name)}:${name}${Buffer.byteLength(text)}:`).update(text)
  }
  return hash.digest('hex')
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
