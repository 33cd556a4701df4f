// One PostgreSQL process: started detached with its settings as arguments, awaited until it answers, and stopped.
import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, existsSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { SERVER_ENVIRONMENT } from './cluster.ts'
import type { ConnectionSettings } from './connection-file.ts'
import type { ClusterLocation } from './location.ts'

/** All servers use the same port, because each has its own socket directory. */
export const SERVER_PORT = 5432

export type ServerSettings = Readonly<Record<string, string>>

const SETTINGS: ServerSettings = {
  // Required for the durability of acknowledged orders.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '60',
  // The measured need is small: the frequently used data is balances and the newest pages. The server should not burden
  // a laptop.
  shared_buffers: '128MB',
  // After each checkpoint, full-page images are written. Rare checkpoints mean fewer writes per order, and recovery
  // after a crash still reads at most max_wal_size.
  checkpoint_timeout: '15min',
  max_wal_size: '2GB',
  wal_buffers: '16MB',
  // The binaries lack lz4, and pglz costs more CPU time than the saved bytes are worth on a small machine.
  wal_compression: 'off',
  // Compilation would cost more than it saves for short queries.
  jit: 'off',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_timezone: 'UTC',
  timezone: 'UTC',
  // Statements contain serial numbers and customer names, so the log records errors without their values.
  log_parameter_max_length_on_error: '0',
  log_min_error_statement: 'panic',
}

/** PostgreSQL's arguments; `overrides` come last and take precedence. */
function serverArguments(cluster: string, socketDirectory: string, overrides: ServerSettings): string[] {
  const settings = {
    ...SETTINGS,
    unix_socket_directories: socketDirectory,
    port: String(SERVER_PORT),
    cluster_name: clusterName(cluster),
    ...overrides,
  }
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

/** Part of the title of each server process, to recognise those that a crash left behind. */
export function clusterName(cluster: string): string {
  return `cradle-${createHash('sha256').update(cluster).digest('hex').slice(0, 12)}`
}

export interface ServerProcess {
  readonly child: ChildProcess
  /** Where the messages of this run begin in the log. */
  readonly logFile: string
  readonly logStart: number
  readonly exited: Promise<void>
  hasExited(): boolean
}

const LOG_BYTES_MAX = 10 * 1024 * 1024
const LOG_TAIL_BYTES = 4096
const POLL_MILLISECONDS = 20
// Recovery after a crash replays at most max_wal_size. A slow disk takes its time, and giving up would not help.
const READY_MILLISECONDS_MAX = 180_000
const FAST_STOP_MILLISECONDS = 30_000
const IMMEDIATE_STOP_MILLISECONDS = 5_000

export function spawnPostgres(
  place: ClusterLocation,
  socketDirectory: string,
  logFile: string,
  settings: ServerSettings,
): ServerProcess {
  if ((statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES_MAX) renameSync(logFile, `${logFile}.1`)
  const log = openSync(logFile, 'a', 0o600)
  const logStart = fstatSync(log).size
  // Detached into its own session, so that Ctrl-C in the terminal stops our program first and the database last.
  const child = spawn(
    join(place.binaries.directory, 'bin', 'postgres'),
    serverArguments(place.cluster, socketDirectory, settings),
    { ...place.user, detached: true, cwd: '/', env: SERVER_ENVIRONMENT, stdio: ['ignore', log, log] },
  )
  closeSync(log)
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  child.unref()
  const hasExited = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null
  return { child, logFile, logStart, exited, hasExited }
}

/**
 * Resolves when the server answers on its socket; creates our database the first time. Rejects if the server exits
 * first.
 */
export async function untilReady(server: ServerProcess, connection: ConnectionSettings): Promise<void> {
  const deadline = Date.now() + READY_MILLISECONDS_MAX
  while (Date.now() < deadline) {
    if (server.hasExited()) throw new Error(explainExit(server))
    if (existsSync(join(connection.host, `.s.PGSQL.${SERVER_PORT}`)) && (await answers(connection))) return
    await sleep(POLL_MILLISECONDS)
  }
  throw new Error(
    `PostgreSQL did not become ready within ${READY_MILLISECONDS_MAX / 1000} s. ` + `Its log is ${server.logFile}.`,
  )
}

/** Fast shutdown, then an immediate one if that takes too long. Neither loses committed data. */
export async function stopPostgres(server: ServerProcess): Promise<void> {
  server.child.ref()
  for (const [signal, milliseconds] of [
    ['SIGINT', FAST_STOP_MILLISECONDS],
    ['SIGQUIT', IMMEDIATE_STOP_MILLISECONDS],
    ['SIGKILL', 1000],
  ] as const) {
    if (server.hasExited()) return
    server.child.kill(signal)
    const timeout = new AbortController()
    await Promise.race([server.exited, sleep(milliseconds, undefined, { signal: timeout.signal }).catch(() => {})])
    timeout.abort()
  }
}

async function answers(connection: ConnectionSettings): Promise<boolean> {
  const state = await tryConnection(connection)
  if (state !== 'no database') return state === 'ready'
  const created = await tryConnection(
    { ...connection, database: 'postgres' },
    `create database ${pg.escapeIdentifier(connection.database)}`,
  )
  return created === 'ready' && (await tryConnection(connection)) === 'ready'
}

async function tryConnection(
  connection: ConnectionSettings,
  sql = 'select 1',
): Promise<'ready' | 'not yet' | 'no database'> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(sql)
    return 'ready'
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === '3D000') return 'no database'
    if (code === '28P01') {
      throw new Error(
        `PostgreSQL refuses the password in the data directory's file "password": it is not the one this ` +
          `database was made with. Bring back that file from where the database came from.`,
        { cause: error },
      )
    }
    return 'not yet'
  } finally {
    await client.end().catch(() => {})
  }
}

/** Whether the server exited because the disk was full. It can start again only once there is room. */
export const isDiskFull = ({ logFile, logStart }: ServerProcess): boolean =>
  readFrom(logFile, logStart).includes('No space left on device')

function explainExit({ logFile, logStart }: ServerProcess): string {
  const said = readFrom(logFile, logStart)
  const blocked = /lock file "([^"]+)" already exists|pre-existing shared memory block/.exec(said)
  const holder = /\(PID (\d+)\) running/.exec(said)?.[1]
  if (blocked) {
    return (
      `Another PostgreSQL${holder ? `, process ${holder},` : ''} already uses this database, perhaps in another ` +
      `container. Stop it, or choose another directory with CRADLE_DATA_DIR. Log: ${logFile}.`
    )
  }
  const fatal = said
    .split('\n')
    .filter((line) => /FATAL|PANIC|error while loading/.test(line))
    .slice(-2)
    .join(' ')
  return `PostgreSQL ended while it started${fatal ? ` and said: ${fatal}` : ''}. Its log is ${logFile}.`
}

function readFrom(file: string, start: number): string {
  const descriptor = openSync(file, 'r')
  try {
    const { size } = fstatSync(descriptor)
    const from = Math.max(start, size - LOG_TAIL_BYTES)
    const buffer = Buffer.alloc(Math.max(0, size - from))
    readSync(descriptor, buffer, 0, buffer.length, from)
    return buffer.toString('utf8')
  } finally {
    closeSync(descriptor)
  }
}
