// The file in the data directory that tells other processes of the same user how to connect to the running server.
import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync, chownSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { basename, join } from 'node:path'
import { tmpdir } from 'node:os'
import { canReach, type ServerUser } from './unprivileged-user.ts'

/** The connection settings for `pg`; `host` is the directory of a Unix socket. */
export interface ConnectionSettings {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
}

// A Unix socket path may have 107 bytes on Linux and 103 on macOS, including PostgreSQL's "/.s.PGSQL.5432" and a NUL.
const SOCKET_DIRECTORY_BYTES_MAX = 85

/** The settings of the server that runs, or ran last, on this data directory. */
export function readConnectionFile(dataDirectory: string): ConnectionSettings | undefined {
  try {
    return JSON.parse(readFileSync(join(dataDirectory, 'connection.json'), 'utf8')) as ConnectionSettings
  } catch {
    return undefined
  }
}

/** Written before the server starts, so that the socket directory of a killed run can always be found and removed. */
export function writeConnectionFile(dataDirectory: string, connection: ConnectionSettings): void {
  writePrivateFile(join(dataDirectory, 'connection.json'), `${JSON.stringify(connection, undefined, 2)}\n`)
}

/** Removes the file and the socket directory that it names, left by this run or by one that was killed. */
export function removeConnectionFile(dataDirectory: string): void {
  const host = readConnectionFile(dataDirectory)?.host
  // The name is checked because anybody may have edited the file, and this deletes a directory.
  if (host && /^cradle-\w{6}$/.test(basename(host))) rmSync(host, { recursive: true, force: true })
  rmSync(join(dataDirectory, 'connection.json'), { force: true })
}

/** A directory with a short path that only the server's user (and root) may enter. */
export function createSocketDirectory(user: ServerUser | undefined): string {
  const short = Buffer.byteLength(tmpdir()) <= SOCKET_DIRECTORY_BYTES_MAX - '/cradle-abcdef'.length
  const parent = short && (!user || canReach(tmpdir(), user)) ? tmpdir() : '/tmp'
  const directory = mkdtempSync(join(parent, 'cradle-'))
  chmodSync(directory, 0o700)
  if (user) chownSync(directory, user.uid, user.gid)
  return directory
}

/**
 * The superuser's password, created at the first start. It protects the server in addition to the mode of the socket
 * directory.
 */
export function passwordOf(dataDirectory: string): string {
  const file = join(dataDirectory, 'password')
  try {
    const password = readFileSync(file, 'utf8').trim()
    if (password) return password
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  writePrivateFile(file, `${randomBytes(24).toString('base64url')}\n`)
  return readFileSync(file, 'utf8').trim()
}

/** Writes the complete file or nothing, readable by its owner only. */
export function writePrivateFile(path: string, text: string): void {
  const draft = `${path}.${randomBytes(4).toString('hex')}`
  writeFileSync(draft, text, { mode: 0o600, flush: true })
  renameSync(draft, path)
}
