// The data directory: created, checked for writing, locked for one process, and leased against other containers.
import { createHash, randomUUID } from 'node:crypto'
import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer, type Server as SocketServer } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRoot } from './unprivileged-user.ts'

export interface Lease {
  release(): void
}

interface Mark {
  readonly holder: string
  readonly pid: number
  readonly host: string
  /** The namespace in which the pid and the abstract sockets are valid. */
  readonly namespace: string
  readonly beat: number
}

const BEAT_MILLISECONDS = 1000
// Long enough that a busy or briefly suspended lease owner is not taken for dead. A restarted container waits this
// long.
const SILENCE_MILLISECONDS = 5000
const POLL_MILLISECONDS = 100

/**
 * Writes our lease record once a second. A record from our own network and process namespace is stale, because its
 * owner would otherwise still hold the lock. A record from another namespace is stale only when it stops changing,
 * whatever its clock says.
 */
async function acquireLease(directory: string): Promise<Lease> {
  const file = join(directory, 'in-use.json')
  const found = readMark(file)
  if (found && found.namespace !== namespace()) await refuseIfBeating(directory, file, found)
  const mark = { holder: randomUUID(), pid: process.pid, host: hostname(), namespace: namespace() }
  let beat = 0
  const write = () => {
    // Renamed into place: a half-written record would be read as none.
    writeFileSync(`${file}.draft`, JSON.stringify({ ...mark, beat: beat++ } satisfies Mark), { mode: 0o600 })
    renameSync(`${file}.draft`, file)
  }
  write()
  // A full disk must not end the program from inside a timer. PostgreSQL's own lock still protects the cluster.
  const timer = setInterval(() => attempt(write), BEAT_MILLISECONDS).unref()
  return {
    release: () => {
      clearInterval(timer)
      rmSync(file, { force: true })
    },
  }
}

async function refuseIfBeating(directory: string, file: string, mark: Mark): Promise<void> {
  const deadline = Date.now() + SILENCE_MILLISECONDS
  while (Date.now() < deadline) {
    await sleep(POLL_MILLISECONDS)
    const now = readMark(file)
    if (!now) return
    if (now.holder === mark.holder && now.beat === mark.beat) continue
    throw new Error(
      `${directory} is already in use by process ${now.pid} in another container or on another machine ` +
        `(${now.host}); stop it or choose another directory with CRADLE_DATA_DIR.`,
    )
  }
}

function readMark(file: string): Mark | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Mark
  } catch {
    return undefined
  }
}

// Includes the host name: on a network file system two machines may have equal namespace numbers.
function namespace(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/net')} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

function attempt(write: () => void): void {
  try {
    write()
  } catch {
    // The next beat tries again.
  }
}

export interface DirectoryLock {
  release(): Promise<void>
}

interface Holder {
  readonly pid: number
  readonly startedAt: string
  /** False while another process may still take the name from it; absent in what earlier versions answer. */
  isSettled?: boolean
}

// A lock owner that is just ending may free the name between our attempt to take it and our query.
const ATTEMPTS = 5
const ANSWER_MILLISECONDS = 2000
const SETTLE_MILLISECONDS = 50

/**
 * Locks the directory. On Linux the lock is a name in the kernel's abstract socket namespace, which vanishes with its
 * process; elsewhere it is a socket file, and a dead one is detected. Neither is visible from another container, so a
 * lease in the directory itself backs it up.
 * @throws Error with a sentence that names the process that holds the lock
 */
export async function lockDataDirectory(
  path: string,
  kind: 'abstract' | 'file' = process.platform === 'linux' ? 'abstract' : 'file',
): Promise<DirectoryLock> {
  const real = realpathSync(path)
  const name = socketName(real, kind)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const own: Holder = {
      pid: process.pid,
      startedAt: new Date(performance.timeOrigin).toISOString(),
      isSettled: kind === 'abstract',
    }
    const socket = await listen(name, own)
    if (socket && (own.isSettled || (await keeps(name)))) {
      own.isSettled = true
      return withLease(real, socket)
    }
    if (socket) await close(socket)
    const holder = await askSettled(name)
    if (holder !== 'nobody') throw new Error(refusal(path, holder))
    if (kind === 'file') rmSync(name, { force: true })
  }
  throw new Error(refusal(path, undefined))
}

async function withLease(directory: string, socket: SocketServer): Promise<DirectoryLock> {
  try {
    const lease = await acquireLease(directory)
    return {
      release: async () => {
        lease.release()
        await close(socket)
      },
    }
  } catch (error) {
    await close(socket)
    throw error
  }
}

function socketName(real: string, kind: 'abstract' | 'file'): string {
  const hash = createHash('sha256').update(real).digest('hex')
  return kind === 'abstract' ? `\0cradle-${hash}` : join(tmpdir(), `cradle-${hash.slice(0, 24)}.lock`)
}

/** Whoever connects is told the holder as it is then. */
function listen(name: string, holder: Holder): Promise<SocketServer | undefined> {
  const socket = createServer((asker) => {
    asker.on('error', () => {})
    asker.end(JSON.stringify(holder))
  })
  return new Promise((resolve, reject) => {
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined)
      else reject(error)
    })
    socket.listen({ path: name }, () => resolve(socket.unref()))
  })
}

// Two processes that both found a dead socket file may each remove the other's. The process that still finds its own
// file after a moment has the lock.
async function keeps(name: string): Promise<boolean> {
  const before = statSync(name, { throwIfNoEntry: false })?.ino
  await sleep(SETTLE_MILLISECONDS)
  const holder = await ask(name)
  return (
    typeof holder === 'object' &&
    holder.pid === process.pid &&
    before !== undefined &&
    statSync(name, { throwIfNoEntry: false })?.ino === before
  )
}

/** As `ask`, but waits while the holder may still lose the name: a refusal must not name a process that is refused. */
async function askSettled(name: string): ReturnType<typeof ask> {
  const deadline = Date.now() + ANSWER_MILLISECONDS
  for (;;) {
    const holder = await ask(name)
    if (typeof holder !== 'object' || holder.isSettled !== false || Date.now() >= deadline) return holder
    await sleep(SETTLE_MILLISECONDS)
  }
}

/** The process that holds the name; undefined if a process holds it but does not answer. */
async function ask(name: string): Promise<Holder | 'nobody' | undefined> {
  const socket = connect({ path: name, timeout: ANSWER_MILLISECONDS })
  socket.on('timeout', () => socket.destroy(new Error('no answer')))
  try {
    return JSON.parse(await text(socket)) as Holder
  } catch (error) {
    return ['ECONNREFUSED', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '') ? 'nobody' : undefined
  }
}

function refusal(path: string, holder: Holder | undefined): string {
  const who = holder ? `process ${holder.pid}, started at ${holder.startedAt}` : 'a process that does not answer'
  return `${path} is already in use by ${who}; stop it or choose another directory with CRADLE_DATA_DIR.`
}

function close(socket: SocketServer): Promise<void> {
  return new Promise((resolve) => socket.close(() => resolve()))
}

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
 * @returns the real path
 * @throws Error with a sentence if the directory cannot be created or written to
 */
export function createDataDirectory(path: string): string {
  try {
    // For root the directory stays traversable, because the server's user must reach the cluster in it.
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

/**
 * Does not use Node's option `recursive`, which retries for ever if the system reports ENOENT, as it does below /proc.
 */
function createDirectories(path: string, mode: number): void {
  if (isDirectory(path)) return
  const link = lstatSync(path, { throwIfNoEntry: false })
  if (link?.isSymbolicLink()) throw new Error(`${path} is a link to ${readlinkSync(path)}, where no directory is`)
  if (dirname(path) !== path) createDirectories(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another program may have created it meanwhile.
    if (isDirectory(path)) return
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? new Error(`${path} is not a directory`) : error
  }
}

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

function tryToWrite(directory: string): void {
  const file = join(directory, `.cradle-${process.pid}`)
  try {
    // Writes some text because a full disk may still have room for an empty file.
    writeFileSync(file, 'This directory can be written to.')
  } finally {
    rmSync(file, { force: true })
  }
}
