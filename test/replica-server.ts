// A second PostgreSQL that follows a first one by streaming: made of a copy taken while the first one runs.
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { ConnectionSettings } from '../src/postgres/embedded/connection-file.ts'
import { startServer, type Server } from '../src/postgres/embedded/server.ts'
import { freshDirectory, until } from './command.ts'

/** A server with the directory that it was started in. */
export interface PlacedServer {
  readonly server: Server
  readonly directory: string
}

export async function startPlaced(directory: string = freshDirectory()): Promise<PlacedServer> {
  return { server: await startServer({ dataDirectory: directory, report: () => undefined }), directory }
}

export async function removePlaced({ server, directory }: PlacedServer): Promise<void> {
  await server.stop()
  rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}

/** Where it listens. */
export const socketOf = ({ host, port }: ConnectionSettings): string => join(host, `.s.PGSQL.${port}`)

/** Asks one server, as its owner. */
export async function askServer<Row>(connection: ConnectionSettings, text: string): Promise<readonly Row[]> {
  const client = new pg.Client({ ...connection, database: 'postgres' })
  await client.connect()
  try {
    return (await client.query(text)).rows as Row[]
  } finally {
    await client.end()
  }
}

/** Copies the files as pg_basebackup would, which the package lacks, and starts a server on them that follows. */
export async function startReplica({ server: primary, directory: from }: PlacedServer): Promise<PlacedServer> {
  const directory = freshDirectory()
  const cluster = join(directory, 'cluster')
  copyFileSync(join(from, 'password'), join(directory, 'password'))
  // One session from the start to the end of the copy.
  const client = new pg.Client({ ...primary.connection, database: 'postgres' })
  await client.connect()
  await client.query(`select pg_backup_start('replica', true)`)
  copyCluster(join(realpathSync(from), 'cluster'), cluster)
  const { rows } = await client.query<{ readonly label: string }>(
    'select labelfile as label from pg_backup_stop(false)',
  )
  await client.end()
  writeFileSync(join(cluster, 'backup_label'), rows[0]!.label)
  writeFileSync(join(cluster, 'standby.signal'), '')
  const { host, port, user, password } = primary.connection
  const address = `host=${host} port=${port} user=${user} password=${password} application_name=replica`
  appendFileSync(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${address}'\n`)
  shareOwner(join(realpathSync(from), 'cluster'), cluster)
  const replica = await startPlaced(directory)
  await until(
    async () => (await followersOf(primary)).includes('streaming'),
    () => 'The replica does not follow',
  )
  return replica
}

/** What the log of changes holds comes by streaming; what the running server alone needs would only mislead. */
function copyCluster(from: string, to: string): void {
  const isLeftOut = /\/(postmaster\.(pid|opts)|standby\.signal|backup_label.*|pg_wal\/[0-9A-F]{24}.*|pg_replslot\/.+)$/
  const filter = (path: string) => existsSync(path) && !isLeftOut.test(path)
  cpSync(from, to, { recursive: true, filter })
}

/** Started by root, each server runs as a user of its own, and only that user may use its socket. */
function shareOwner(from: string, to: string): void {
  const { uid, gid } = statSync(from)
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', `${uid}:${gid}`, to])
}

async function followersOf({ connection }: Server): Promise<readonly string[]> {
  const rows = await askServer<{ readonly state: string }>(connection, 'select state from pg_stat_replication')
  return rows.map(({ state }) => state)
}

/** From now on a commit on the first server waits until the replica has it on its disk too. */
export async function commitOnBoth({ server: { connection } }: PlacedServer): Promise<void> {
  await askServer(connection, `alter system set synchronous_standby_names = 'replica'`)
  await askServer(connection, 'select pg_reload_conf()')
  const isBoth = async () => {
    const rows = await askServer(connection, `select from pg_stat_replication where sync_state = 'sync'`)
    return rows.length === 1
  }
  await until(isBoth, () => 'The replica is not synchronous')
}

/** Makes a replica the first server. @returns once it writes */
export async function promote({ server: { connection } }: PlacedServer): Promise<void> {
  const rows = await askServer<{ readonly done: boolean }>(connection, 'select pg_promote() as done')
  if (!rows[0]!.done) throw new Error('The replica was not promoted in time')
}
