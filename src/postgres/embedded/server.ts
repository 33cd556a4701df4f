// Runs a PostgreSQL server inside the program, and restarts it when it exits unexpectedly.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureCluster } from './cluster.ts'
import {
  createSocketDirectory,
  passwordOf,
  removeConnectionFile,
  writeConnectionFile,
  type ConnectionSettings,
} from './connection-file.ts'
import { createDataDirectory, lockDataDirectory, type DirectoryLock } from './data-directory.ts'
import { FALLBACK_ROOTS, chooseLocation, claimCluster, verifyLocation, type ClusterLocation } from './location.ts'
import { killOrphanedBackends, startParentDeathGuard, stopOrphan, type ParentDeathGuard } from './orphan.ts'
import {
  SERVER_PORT,
  isDiskFull,
  spawnPostgres,
  stopPostgres,
  untilReady,
  type ServerProcess,
  type ServerSettings,
} from './process.ts'
import { verifyBinaries } from './verify-binaries.ts'

export interface SupervisedServer {
  readonly place: ClusterLocation
  readonly connection: ConnectionSettings
  readonly logFile: string
  readonly settings: ServerSettings
  readonly watcher: ParentDeathGuard
  /** Takes a sentence for the operator's log. */
  readonly report: (sentence: string) => void
  /** Called when the server is down permanently; the program cannot serve without it. */
  readonly onFailure: (error: Error) => void
}

// More restarts indicate a damaged cluster, which restarting would hide and never fix.
const RESTARTS_MAX = 5
const RESTARTS_WINDOW_MILLISECONDS = 60_000
const BACKOFF_MILLISECONDS = 100
// Restarting does not fix a full disk either. The operator does, and need not restart the program afterwards.
const FULL_DISK_MILLISECONDS = 2_000

export class Supervisor {
  readonly #supervised: SupervisedServer
  #server: ServerProcess | undefined
  #restarts: readonly number[] = []
  #stopping = false
  #restarting: Promise<void> = Promise.resolve()

  constructor(supervised: SupervisedServer) {
    this.#supervised = supervised
  }

  get pid(): number | undefined {
    return this.#server?.child.pid
  }

  /** Starts the server and supervises it from then on. */
  async start(): Promise<void> {
    const server = this.#spawn()
    try {
      await untilReady(server, this.#supervised.connection)
    } catch (error) {
      await stopPostgres(server)
      throw error
    }
    this.#superviseFrom(server)
  }

  async stop(): Promise<void> {
    this.#stopping = true
    if (this.#server) await stopPostgres(this.#server)
    await this.#restarting
    this.#supervised.watcher.release()
  }

  #spawn(): ServerProcess {
    const { place, connection, logFile, settings, watcher } = this.#supervised
    const server = spawnPostgres(place, connection.host, logFile, settings)
    watcher.watch(server.child.pid)
    this.#server = server
    return server
  }

  #superviseFrom(server: ServerProcess): void {
    this.#restarting = server.exited
      .then(() => this.#restart())
      .catch((error: unknown) => {
        if (!this.#stopping) this.#supervised.onFailure(error as Error)
      })
  }

  async #restart(): Promise<void> {
    const { place, connection, watcher } = this.#supervised
    while (!this.#stopping) {
      watcher.watch(undefined)
      await sleep(this.#waitBeforeRestart())
      await killOrphanedBackends(place.cluster)
      if (this.#stopping) return
      const server = this.#spawn()
      if (
        await untilReady(server, connection).then(
          () => true,
          () => false,
        )
      )
        return this.#superviseFrom(server)
      await stopPostgres(server)
    }
  }

  /**
   * In milliseconds.
   * @throws Error if restarting does not help
   */
  #waitBeforeRestart(): number {
    const { logFile, report } = this.#supervised
    if (this.#server && isDiskFull(this.#server)) {
      report(`The disk of the database is full; PostgreSQL is started again once there is room. Its log is ${logFile}.`)
      return FULL_DISK_MILLISECONDS
    }
    this.#countRestart()
    report(`PostgreSQL ended unexpectedly and is started again. Its log is ${logFile}.`)
    return BACKOFF_MILLISECONDS * (this.#restarts.length - 1)
  }

  #countRestart(): void {
    const now = performance.now()
    this.#restarts = [...this.#restarts.filter((at) => now - at < RESTARTS_WINDOW_MILLISECONDS), now]
    if (this.#restarts.length <= RESTARTS_MAX) return
    throw new Error(
      `PostgreSQL ended ${this.#restarts.length} times within ${RESTARTS_WINDOW_MILLISECONDS / 1000} s ` +
        `and is not started again. Read ${this.#supervised.logFile}, mend what it names, and start Cradle again.`,
    )
  }
}

export interface ServerOptions {
  readonly dataDirectory: string
  /** PostgreSQL settings that override ours. */
  readonly settings?: ServerSettings
  /** Takes sentences for the operator's log; the default is standard error. */
  readonly report?: (sentence: string) => void
  /** Called once if PostgreSQL is down permanently. The default throws, which ends the program. */
  readonly onFailure?: (error: Error) => void
  /** Where root may store the cluster if its unprivileged user cannot enter the data directory. */
  readonly outsideRoots?: readonly string[]
}

export interface Server {
  readonly connection: ConnectionSettings
  /** Where the cluster lives, if outside the data directory. */
  readonly note: string | undefined
  /** The pid of PostgreSQL's main process, which changes with a restart. */
  readonly pid: number | undefined
  /** Stops PostgreSQL and releases the data directory. */
  stop(): Promise<void>
}

/**
 * Starts PostgreSQL on this directory; creates the database the first time. While it runs, no second process gets the
 * directory. If this process is killed, PostgreSQL stops by itself.
 */
export async function startServer(options: ServerOptions): Promise<Server> {
  const dataDirectory = createDataDirectory(options.dataDirectory)
  const locks = [await lockDataDirectory(dataDirectory)]
  try {
    const place = chooseLocation(dataDirectory, options.outsideRoots ?? FALLBACK_ROOTS)
    // A copied data directory points at the cluster of the original.
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

/**
 * Prepares the start of the server: stops the orphan of a killed run, ensures the cluster, and creates the socket
 * directory.
 */
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

// Thrown outside of any promise, so that it is an uncaught exception and not an unread warning.
function throwLater(error: Error): void {
  setImmediate(() => {
    throw error
  })
}
