// The settings our own PostgreSQL runs with. They are arguments, so no file in the cluster can weaken them.
import { createHash } from 'node:crypto'

/** One port for all: each server has a socket directory of its own. */
export const SERVER_PORT = 5432

export type ServerSettings = Readonly<Record<string, string>>

const SETTINGS: ServerSettings = {
  // What an acknowledged order rests on.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '60',
  // Measured need is small: the hot set is balances and the newest pages. A laptop should not feel the server.
  shared_buffers: '128MB',
  // Every checkpoint makes full-page images follow; few and far between means less to write for each order, and
  // recovery after a crash still reads at most this much.
  checkpoint_timeout: '15min',
  max_wal_size: '2GB',
  wal_buffers: '16MB',
  // The binaries have no lz4, and pglz costs more processor than the bytes are worth on a small machine.
  wal_compression: 'off',
  // A short query must not pay for compiling itself.
  jit: 'off',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_timezone: 'UTC',
  timezone: 'UTC',
  // Statements carry serials and customers' names: the log keeps errors without their values.
  log_parameter_max_length_on_error: '0',
  log_min_error_statement: 'panic',
}

/** PostgreSQL's arguments; `overrides` come last and win. */
export function serverArguments(cluster: string, socketDirectory: string, overrides: ServerSettings): string[] {
  const settings = {
    ...SETTINGS,
    unix_socket_directories: socketDirectory,
    port: String(SERVER_PORT),
    cluster_name: clusterName(cluster),
    ...overrides,
  }
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

/** In the title of each of the server's processes: how those left behind by a crash are told from anybody else's. */
export function clusterName(cluster: string): string {
  return `cradle-${createHash('sha256').update(cluster).digest('hex').slice(0, 12)}`
}
