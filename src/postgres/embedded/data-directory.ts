// One program for one data directory: the lock that a second process meets, and that no crash can leave behind.
import { createHash } from 'node:crypto'
import { realpathSync, rmSync, statSync } from 'node:fs'
import { connect, createServer, type Server as SocketServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { acquireLease } from './data-directory-lease.ts'

export interface DirectoryLock {
  release(): Promise<void>
}

interface Holder {
  readonly pid: number
  readonly startedAt: string
}

// A holder that is just ending frees the name between our attempt and our question.
const ATTEMPTS = 5
const ANSWER_MILLISECONDS = 2000
const SETTLE_MILLISECONDS = 50

/**
 * Takes the directory, or throws a sentence that names the process that has it. On Linux the lock is a name in the
 * kernel's abstract socket space, which vanishes with its process; elsewhere a socket file whose death is detected.
 * Neither is seen from another container, so a lease in the directory itself stands behind it.
 */
export async function lockDataDirectory(
  path: string,
  kind: 'abstract' | 'file' = process.platform === 'linux' ? 'abstract' : 'file',
): Promise<DirectoryLock> {
  const real = realpathSync(path)
  const name = socketName(real, kind)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const socket = await listen(name)
    if (socket && (kind === 'abstract' || (await keeps(name)))) return withLease(real, socket)
    if (socket) await close(socket)
    const holder = await ask(name)
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

function listen(name: string): Promise<SocketServer | undefined> {
  const holder: Holder = { pid: process.pid, startedAt: new Date(performance.timeOrigin).toISOString() }
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

// Two processes that both found a dead socket file may each remove the other's: whoever still finds their own file
// after a moment has it.
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

/** Who holds the name; undefined when somebody does and does not answer. */
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
