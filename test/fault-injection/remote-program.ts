// The program under trial on a PostgreSQL that it did not start, with the fault proxy between the two.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { randomFrom, type Random } from '../../scripts/random-orders.ts'
import type { ConnectionSettings } from '../../src/postgres/embedded/connection-file.ts'
import { startServer } from '../../src/postgres/embedded/server.ts'
import { createPool } from '../../src/postgres/pool.ts'
import { startServe } from '../command.ts'
import { closeConnections, exchange } from '../raw-http.ts'
import { shippedReferenceData } from '../shipped-book.ts'
import { startFaultProxy } from './fault-proxy.ts'
import { createOrderClient, type OrderClient } from './order-client.ts'
import { freshTortureDirectory } from './own-program.ts'
import type { RemoteProgram } from './programs.ts'
import { longest, type Plan, type Trial } from './trial.ts'

/** A program with what a trial knows of it. */
export interface Remote extends RemoteProgram {
  readonly client: OrderClient
  readonly random: Random
  readonly writers: number
  readonly timeFactor: number
  /** Of all figures of one name the longest is told. */
  readonly add: (name: string, milliseconds: number) => void
}

export async function startRemoteProgram(random: Random): Promise<RemoteProgram> {
  const directory = freshTortureDirectory()
  const server = await startServer({ dataDirectory: directory, report: () => undefined })
  const pool = createPool(server.connection, { connectionsMax: 4 }, () => undefined)
  const admin = await startAdmin(server.connection)
  const proxy = await startFaultProxy(join(server.connection.host, `.s.PGSQL.${server.connection.port}`), random)
  const databaseUrl = urlOf(server.connection, proxy.port)
  const start = () => startServe({ DATABASE_URL: databaseUrl })
  let serving = await start().ready()
  const key = /cradle_[0-9A-Za-z]{38}/.exec(serving.printed)![0]
  return {
    proxy,
    pool,
    admin,
    database: server.connection.database,
    target: () => ({ address: serving.address, key }),
    hasEnded: () => serving.child.exitCode !== null,
    restart: async (meanwhile) => {
      await serving.end('SIGTERM')
      closeConnections()
      const starting = start()
      await meanwhile(starting)
      serving = await starting.ready()
    },
    get: (path) => exchange(serving.address, path, { headers: { 'x-api-key': key } }),
    close: async () => {
      await serving.end('SIGTERM')
      closeConnections()
      await pool.end()
      await admin.end()
      await proxy.refuse()
      await server.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Runs the cycles against one program, and compares after each what was answered with what is stored. */
export async function runRemoteCycles(
  plan: Plan,
  cycle: (remote: Remote, at: number) => Promise<void>,
): Promise<Trial> {
  const random = randomFrom(plan.seed)
  const program = await (plan.shared?.remote() ?? startRemoteProgram(random))
  const client = createOrderClient(program.target, shippedReferenceData().referenceData, plan.seed)
  const times: Record<string, number[]> = {}
  const remote: Remote = {
    ...program,
    client,
    random,
    writers: plan.writers,
    timeFactor: plan.timeFactor,
    add: (name, milliseconds) => void (times[name] ??= []).push(milliseconds),
  }
  try {
    for (let at = 1; at <= plan.cycles; at += 1) {
      await cycle(remote, at)
      if (program.hasEnded()) client.fail('The program ended')
      await client.checkRound(program.pool)
      plan.report(at)
    }
    await client.checkAll(program.pool)
  } finally {
    if (!plan.shared) await program.close()
  }
  const measures = Object.fromEntries(Object.entries(times).map(([name, each]) => [name, longest(each)]))
  return { cycles: plan.cycles, counts: client.counts(), failures: client.failures, measures }
}

export const urlOf = ({ user, password, database }: ConnectionSettings, port: number): string =>
  `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`

async function startAdmin(connection: ConnectionSettings) {
  const connectBeside = async (database: string) => {
    const client = new pg.Client({ ...connection, database, application_name: 'torture' })
    client.on('error', () => undefined)
    await client.connect()
    return client
  }
  const session = await connectBeside('postgres')
  return {
    connectBeside,
    query: async (sql: string) => void (await session.query(sql)),
    end: () => session.end(),
  }
}
