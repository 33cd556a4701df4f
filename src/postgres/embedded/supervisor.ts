// Keeps PostgreSQL running: starts it again when it ends by itself, and says so when that does not help.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectionSettings } from './connection.ts'
import { killOrphanedBackends } from './orphan.ts'
import type { ClusterLocation } from './place.ts'
import { isDiskFull, spawnPostgres, stopPostgres, untilReady, type ServerProcess } from './process.ts'
import type { ServerSettings } from './settings.ts'
import type { ParentDeathGuard } from './watcher.ts'

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
