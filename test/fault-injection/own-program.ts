// The program under trial with the PostgreSQL of its own: started as people start it, and killed without a word.
import { mkdtempSync, readFileSync, readdirSync, rmSync, chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { workersOf } from '../../bench/process-clock.ts'
import { readConnectionFile } from '../../src/postgres/embedded/connection-file.ts'
import { createPool } from '../../src/postgres/pool.ts'
import { serve, until, cradle, type Serving } from '../command.ts'
import { closeConnections, exchange } from '../raw-http.ts'
import type { OwnProgram } from './programs.ts'

/** Starts it on a new directory, or on one that is there. */
export async function startOwnProgram({
  dataDirectory = freshTortureDirectory(),
  workers = 1,
}: {
  readonly dataDirectory?: string
  readonly workers?: number
} = {}): Promise<OwnProgram> {
  const environment = {
    CRADLE_DATA_DIR: dataDirectory,
    CRADLE_WORKERS: String(workers),
    CRADLE_WEBHOOKS_TO_LOOPBACK: 'on',
  }
  let serving: Serving
  let hasEnded = true
  const start = async () => {
    const startedAt = performance.now()
    serving = await serve(environment)
    hasEnded = false
    serving.child.once('exit', () => (hasEnded = true))
    return performance.now() - startedAt
  }
  const end = async (signal: NodeJS.Signals) => {
    const code = await serving.end(signal)
    // What was kept open for the next request would tell it that the one before is gone.
    closeConnections()
    return code
  }
  const wipe = () => rmSync(dataDirectory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  await start()
  const key = /cradle_[0-9A-Za-z]{38}/.exec(serving!.printed)![0]
  return {
    dataDirectory,
    start,
    end,
    hasEnded: () => hasEnded,
    target: () => ({ address: serving.address, key }),
    pid: () => serving.child.pid!,
    workerPids: () => workersOf(serving.child.pid!),
    databasePids: () =>
      familyOf(Number(readFileSync(join(dataDirectory, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0])),
    withPool: async (work) => {
      const pool = createPool(readConnectionFile(dataDirectory)!, { connectionsMax: 4 }, () => {})
      try {
        await work(pool)
      } finally {
        await pool.end()
      }
    },
    run: (words) => cradle(words, environment),
    wipe,
    close: async () => {
      if (!hasEnded) await end('SIGTERM')
      closeConnections()
      wipe()
    },
  }
}

/** A new directory that PostgreSQL's own user may pass through. */
export function freshTortureDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'cradle-torture-'))
  chmodSync(directory, 0o711)
  return directory
}

/** A process and its children. */
export function familyOf(pid: number): readonly number[] {
  const children = readdirSync('/proc')
    .map(Number)
    .filter((one) => one > 1 && parentOf(one) === pid)
  return [pid, ...children]
}

function parentOf(pid: number): number {
  try {
    // The second member is the name in brackets, in which anything may stand.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return 0
  }
}

export function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Ends a process of ours that may have ended by itself. */
export function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Once the end of a worker is known, and all serve again. */
export async function untilReady({ target }: OwnProgram): Promise<void> {
  const statusIs = async (expected: number) =>
    (await exchange(target().address, '/readyz').catch(() => null))?.status === expected
  const wait = (status: number) =>
    until(
      () => statusIs(status),
      () => `/readyz does not come to ${status}`,
    )
  await wait(503)
  await wait(200)
}
