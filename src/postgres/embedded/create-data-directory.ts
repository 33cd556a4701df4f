// Makes the data directory and tries that it can be written to; where it cannot, says why.
import { lstatSync, mkdirSync, readlinkSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isRoot } from './unprivileged-user.ts'

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write to it, or may not pass through a directory above it',
  EPERM: 'this user may not write to it',
  EROFS: 'its file system is read-only',
  ENOSPC: 'its file system is full',
  EDQUOT: 'the quota of its file system is used up',
  ENOENT: 'no directory can be made there',
  ENOTDIR: 'it, or what is above it, is not a directory',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'links on the way to it lead in a circle',
}

/**
 * @returns its real path
 * @throws Error with a sentence where it cannot be made or written to
 */
export function createDataDirectory(path: string): string {
  try {
    // As root it stays passable, because the server's user must get to the cluster in it.
    createDirectories(resolve(path), isRoot() ? 0o711 : 0o700)
    const real = realpathSync(path)
    tryToWrite(real)
    return real
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    const reason = REASONS[code] ? `${REASONS[code]} (${code})` : message
    throw new Error(`The data directory ${path} cannot be used: ${reason}. Choose another with CRADLE_DATA_DIR.`, {
      cause: error,
    })
  }
}

/** Not by the option `recursive` of Node, which tries for ever where the system says ENOENT, as it does below /proc. */
function createDirectories(path: string, mode: number): void {
  if (isDirectory(path)) return
  const link = lstatSync(path, { throwIfNoEntry: false })
  if (link?.isSymbolicLink()) throw new Error(`${path} is a link to ${readlinkSync(path)}, where no directory is`)
  if (dirname(path) !== path) createDirectories(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another program may have made it meanwhile.
    if (isDirectory(path)) return
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? new Error(`${path} is not a directory`) : error
  }
}

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

function tryToWrite(directory: string): void {
  const file = join(directory, `.cradle-${process.pid}`)
  try {
    // A full disk may have room for an empty file.
    writeFileSync(file, 'This directory can be written to.')
  } finally {
    rmSync(file, { force: true })
  }
}
