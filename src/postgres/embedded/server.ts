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
  /** A sentence for the operator's log. */
  readonly report: (sentence: string) => void
  /** The server is gone for good; the program cannot serve without it. */
  readonly onFailure: (error: Error) => void
}

// More than this is not bad luck: a damaged cluster, which restarting would hide and never mend.
const RESTARTS_MAX = 5
const RESTARTS_WINDOW_MILLISECONDS = 60_000
const BACKOFF_MILLISECONDS = 100
// A full disk is not mended by restarting either, but by the operator, who then need not start the program again.
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

  /** Starts the server and watches over it from then on. */
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

  /** In milliseconds. @throws Error where restarting does not help */
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
