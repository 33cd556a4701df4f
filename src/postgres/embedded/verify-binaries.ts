// Compares PostgreSQL's files with the SHA-256 in binaries.sha256 before any of them runs.
import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, readlinkSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Binaries } from './binaries.ts'
import { writePrivateFile } from './connection-file.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
/** The package's own name of the directory. The paths in the output of `sha256sum` begin with it. */
const PACKAGE_DIRECTORY = 'native'

/**
 * Verifies the files. Hashing takes a fifth of a second, so files with unchanged inode numbers, sizes and times are not
 * hashed again.
 * @param memory the file that remembers which files were verified
 * @throws Error with a sentence if a file was changed, added or removed
 */
export function verifyBinaries(
  { name, directory }: Binaries,
  memory = join(ROOT, 'node_modules', '.cache', 'verified-postgres'),
): void {
  const expected = readExpected(`node_modules/${name}/${PACKAGE_DIRECTORY}`)
  const files = listFiles(directory)
  const state = hash('sha256', [expected, directory, ...files.map(describeFile)].join('\n'))
  if (readIfThere(memory) === state) return
  const actual = digestFiles(directory)
  if (actual !== expected) {
    throw new Error(
      `The PostgreSQL in ${directory} is not the one of this release: the SHA-256 of its files is ${actual}, and ` +
        `binaries.sha256 has ${expected ?? 'none'}. Run "npm ci"; a copy outside of node_modules is made again once ` +
        `it is removed.`,
    )
  }
  remember(memory, state)
}

/** The SHA-256 of the output of `find native -type f | LC_ALL=C sort | xargs sha256sum` in the package. */
export function digestFiles(directory: string): string {
  const lines = listFiles(directory).map((path) => {
    const name = join(PACKAGE_DIRECTORY, relative(directory, path))
    return `${hash('sha256', readFileSync(path))}  ${name}\n`
  })
  return hash('sha256', lines.join(''))
}

/**
 * Regular files, sorted.
 * @throws Error for a link to a target outside its directory, which no hash would cover
 */
function listFiles(directory: string): readonly string[] {
  const all = readdirSync(directory, { withFileTypes: true, recursive: true })
  for (const link of all.filter((each) => each.isSymbolicLink())) {
    const path = join(link.parentPath, link.name)
    const target = readlinkSync(path)
    if (target.includes('/')) throw new Error(`${path} is a link to ${target}, outside of its directory. Run "npm ci".`)
  }
  return all
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))
    .sort()
}

function describeFile(path: string): string {
  const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
  return `${path} ${ino} ${size} ${mtimeNs} ${ctimeNs}`
}

function readExpected(path: string): string | undefined {
  const lines = readFileSync(join(ROOT, 'binaries.sha256'), 'utf8').split('\n')
  return lines.find((line) => line.endsWith(`  ${path}`))?.split(' ')[0]
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** If the file cannot be written, the files are hashed at each start. */
function remember(memory: string, state: string): void {
  try {
    mkdirSync(dirname(memory), { recursive: true })
    writePrivateFile(memory, state)
  } catch {
    // The next start hashes again.
  }
}
