// The one PostgreSQL that Cradle and its peer share while they are measured: its settings, its processes, its syncs.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'

const USUAL_DATABASE = 'bench_usual'
const SETTINGS = ['fsync', 'synchronous_commit', 'full_page_writes', 'wal_sync_method', 'shared_buffers'] as const

/** What Cradle writes to connection.json in its data directory about the PostgreSQL that it runs. */
interface Connection {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
}

export interface Wal {
  readonly syncs: number
  readonly bytes: number
}

export interface MeasuredDatabase {
  readonly version: string
  readonly settings: Readonly<Record<string, string>>
  readonly postmasterPid: number
  /** Environment in which the peer finds its own database on the same server. */
  readonly usualEnv: Readonly<Record<string, string>>
  /** Of the write-ahead log since the server started: how often it was forced to disk, and its bytes. */
  readonly wal: () => Promise<Wal>
  /** Writes out what earlier turns left, so that the next does not pay for it. */
  readonly checkpoint: () => Promise<void>
  readonly close: () => Promise<void>
}

export async function openMeasuredDatabase(dataDirectory: string): Promise<MeasuredDatabase> {
  const connection = JSON.parse(readFileSync(join(dataDirectory, 'connection.json'), 'utf8')) as Connection
  const client = new Client(connection)
  await client.connect()
  await client.query(`create database ${USUAL_DATABASE}`)
  const number = async (sql: string) => Number((await client.query<{ n: string }>(sql)).rows[0]?.n)
  return {
    version: await textOf(client, 'show server_version'),
    settings: await readSettings(client),
    postmasterPid: parentOf(await number('select pg_backend_pid() as n')),
    usualEnv: environmentFor(connection),
    wal: async () => ({
      syncs: await number(`select sum(fsyncs) as n from pg_stat_io where object = 'wal'`),
      bytes: await number(`select pg_current_wal_insert_lsn() - '0/0' as n`),
    }),
    checkpoint: async () => {
      await client.query('checkpoint')
    },
    close: () => client.end(),
  }
}

async function readSettings(client: Client): Promise<Readonly<Record<string, string>>> {
  const settings: Record<string, string> = {}
  for (const name of SETTINGS) settings[name] = await textOf(client, `show ${name}`)
  return settings
}

async function textOf(client: Client, sql: string): Promise<string> {
  const { rows } = await client.query<Record<string, string>>(sql)
  return Object.values(rows[0] ?? {})[0] ?? ''
}

function environmentFor({ host, port, user, password }: Connection): Readonly<Record<string, string>> {
  return { PGHOST: host, PGPORT: String(port), PGUSER: user, PGPASSWORD: password, PGDATABASE: USUAL_DATABASE }
}

/** A backend's parent is the postmaster. */
function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}
