// The programs that trials are made on: one with the PostgreSQL of its own, and one with a database beside it.
import type pg from 'pg'
import type { Ended, Serving, Starting } from '../command.ts'
import type { Answer } from '../raw-http.ts'
import type { FaultProxy } from './fault-proxy.ts'

/** Where the program answers, and a key that may do everything. */
export interface Target {
  readonly address: string
  readonly key: string
}

export interface OwnProgram {
  readonly target: () => Target
  readonly dataDirectory: string
  readonly pid: () => number
  /** @returns milliseconds until it was ready */
  readonly start: () => Promise<number>
  readonly end: Serving['end']
  readonly hasEnded: () => boolean
  /** Those that answer clients, where the program itself does not. */
  readonly workerPids: () => readonly number[]
  /** PostgreSQL's first process and all that it started. */
  readonly databasePids: () => readonly number[]
  readonly withPool: (work: (pool: pg.Pool) => Promise<void>) => Promise<void>
  /** Another command on the same data, run to its end. */
  readonly run: (words: readonly string[]) => Promise<Ended>
  /** All that it stored is gone. */
  readonly wipe: () => void
  /** Ends it and removes its data. */
  readonly close: () => Promise<void>
}

/** A session of another database on the same server. */
export interface Admin {
  readonly query: (sql: string) => Promise<void>
  readonly connectBeside: (database: string) => Promise<pg.Client>
}

export interface RemoteProgram {
  readonly target: () => Target
  readonly proxy: FaultProxy
  /** Straight to the database, beside the proxy. */
  readonly pool: pg.Pool
  readonly admin: Admin
  /** The name of the program's database. */
  readonly database: string
  /** @param meanwhile what happens before it is ready */
  readonly restart: (meanwhile: (starting: Starting) => Promise<void>) => Promise<void>
  readonly get: (path: string) => Promise<Answer>
  readonly hasEnded: () => boolean
  readonly close: () => Promise<void>
}
