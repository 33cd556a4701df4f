// Runs a real PostgreSQL inside the program: `startServer` on a data directory, and nothing else to install.
import { join } from 'node:path'
import { lockDataDirectory, type DirectoryLock } from './data-directory.ts'
import { claimCluster, chooseLocation, verifyLocation, FALLBACK_ROOTS, type ClusterLocation } from './place.ts'
import { ensureCluster } from './cluster.ts'
import { createDataDirectory } from './create-data-directory.ts'
import {
  createSocketDirectory,
  passwordOf,
  removeConnectionFile,
  writeConnectionFile,
  type ConnectionSettings,
} from './connection.ts'
import { stopOrphan } from './orphan.ts'
import { SERVER_PORT, type ServerSettings } from './settings.ts'
import { Supervisor } from './supervisor.ts'
import { verifyBinaries } from './verify-binaries.ts'
import { startParentDeathGuard } from './watcher.ts'

export interface ServerOptions {
  readonly dataDirectory: string
  /** Settings of PostgreSQL that replace ours. */
  readonly settings?: ServerSettings
  /** Sentences for the operator's log; standard error when left out. */
  readonly report?: (sentence: string) => void
  /** Called once if PostgreSQL is gone for good; throws, and so ends the program, when left out. */
  readonly onFailure?: (error: Error) => void
  /** Where root may keep the cluster when its unprivileged user cannot enter the data directory. */
  readonly outsideRoots?: readonly string[]
}

export interface Server {
  readonly connection: ConnectionSettings
  /** Where the cluster lives, if that is not in the data directory. */
  readonly note: string | undefined
  /** PostgreSQL's own process; another one after a restart. */
  readonly pid: number | undefined
  /** Stops PostgreSQL and frees the data directory. */
  stop(): Promise<void>
}

/**
 * Starts PostgreSQL on this directory, creating the database the first time. While it runs, no second process gets
 * the directory; when we are killed, PostgreSQL stops by itself.
 */
export async function startServer(options: ServerOptions): Promise<Server> {
  const dataDirectory = createDataDirectory(options.dataDirectory)
  const locks = [await lockDataDirectory(dataDirectory)]
  try {
    const place = chooseLocation(dataDirectory, options.outsideRoots ?? FALLBACK_ROOTS)
    // A copied data directory points at the original's cluster.
    if (place.home !== dataDirectory) locks.push(await lockDataDirectory(place.home))
    return await startIn(place, dataDirectory, options, locks)
  } catch (error) {
    await releaseAll(locks)
    throw error
  }
}

async function startIn(
  place: ClusterLocation,
  dataDirectory: string,
  options: ServerOptions,
  locks: readonly DirectoryLock[],
): Promise<Server> {
  const connection = await prepare(place, dataDirectory)
  const report = options.report ?? ((sentence) => void process.stderr.write(`${sentence}\n`))
  const supervisor = new Supervisor({
    place,
    connection,
    report,
    logFile: join(dataDirectory, 'postgres.log'),
    settings: options.settings ?? {},
    watcher: startParentDeathGuard(connection.host, place.user),
    onFailure: options.onFailure ?? throwLater,
  })
  const stop = async () => {
    await supervisor.stop()
    removeConnectionFile(dataDirectory)
    await releaseAll(locks)
  }
  await supervisor.start().catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return {
    connection,
    note: place.note,
    get pid() {
      return supervisor.pid
    },
    stop,
  }
}

/** Everything before the server itself: the orphan of a killed run ended, the cluster there, the socket's directory. */
async function prepare(place: ClusterLocation, dataDirectory: string): Promise<ConnectionSettings> {
  verifyBinaries(place.binaries)
  await stopOrphan(place.cluster)
  removeConnectionFile(dataDirectory)
  const role = { user: 'cradle', password: passwordOf(dataDirectory) }
  await ensureCluster(place, role)
  claimCluster(place)
  verifyLocation(dataDirectory, place)
  const connection = { host: createSocketDirectory(place.user), port: SERVER_PORT, ...role, database: 'cradle' }
  writeConnectionFile(dataDirectory, connection)
  return connection
}

async function releaseAll(locks: readonly DirectoryLock[]): Promise<void> {
  for (const lock of locks) await lock.release()
}

// Outside of any promise, so that it is an uncaught exception and not a warning that nobody reads.
function throwLater(error: Error): void {
  setImmediate(() => {
    throw error
  })
}
