// Tests of the embedded PostgreSQL server: start, stop, restart, durability and access.
import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPool } from '../pool.ts'
import { startServer, type Server } from './server.ts'
import { readConnectionFile } from './connection-file.ts'
import { findBinaries, copyBinaries, completeBinaries } from './binaries.ts'

const directories: string[] = []
const servers = new Set<Server>()

after(async () => {
  for (const server of servers) await server.stop()
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})

function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'cradle-test-'))
  chmodSync(directory, 0o711)
  directories.push(directory)
  return directory
}

async function start(dataDirectory: string, more: Partial<Parameters<typeof startServer>[0]> = {}): Promise<Server> {
  const server = await startServer({ dataDirectory, report: () => {}, ...more })
  servers.add(server)
  return server
}

async function stop(server: Server): Promise<void> {
  servers.delete(server)
  await server.stop()
}

async function query(server: Server, sql: string): Promise<readonly Record<string, unknown>[]> {
  const pool = createPool(server.connection, {}, () => {})
  try {
    return (await pool.query<Record<string, unknown>>(sql)).rows
  } finally {
    await pool.end()
  }
}

test('a first start creates the database, a second start finds its rows, and a stop leaves no socket', async () => {
  const directory = join(makeDirectory(), 'data')
  const first = await start(directory)
  await query(first, 'create table kept (n int); insert into kept values (7)')
  assert.equal(readConnectionFile(directory)?.host, first.connection.host)
  await stop(first)
  assert.ok(!existsSync(first.connection.host))
  assert.equal(readConnectionFile(directory), undefined)
  const second = await start(directory)
  assert.deepEqual(await query(second, 'select n from kept'), [{ n: 7 }])
  await stop(second)
})

test('the database is UTF-8, sorts alike on every machine, checks its pages, and commits durably', async () => {
  const server = await start(makeDirectory())
  const [found] = await query(
    server,
    `
    select current_setting('server_encoding') as encoding, datlocale as locale,
           current_setting('data_checksums') as sums,
           current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
           current_setting('listen_addresses') as listen, lower('ÄÉ') as lowered
      from pg_database where datname = current_database()`,
  )
  assert.deepEqual(found, {
    encoding: 'UTF8',
    locale: 'C.UTF-8',
    sums: 'on',
    fsync: 'on',
    commit: 'on',
    listen: '',
    lowered: 'äé',
  })
  await stop(server)
})

test('password, connection and log are readable by their owner only, and a wrong password is refused', async () => {
  const directory = makeDirectory()
  const server = await start(directory)
  for (const name of ['password', 'connection.json', 'postgres.log']) {
    assert.equal(statSync(join(directory, name)).mode & 0o077, 0, name)
  }
  assert.equal(statSync(server.connection.host).mode & 0o077, 0)
  const pool = createPool({ ...server.connection, password: 'wrong' })
  await assert.rejects(pool.query('select 1'), /password authentication failed/)
  await pool.end()
  await stop(server)
})

test('a killed PostgreSQL is started again, and a pool that was connected serves again with every row', async () => {
  const said: string[] = []
  const server = await start(makeDirectory(), { report: (sentence) => said.push(sentence) })
  const pool = createPool(server.connection, {}, () => {})
  await pool.query('create table kept (n int)')
  await pool.query('insert into kept values (1)')
  const killed = server.pid!
  process.kill(killed, 'SIGKILL')
  const serves = () =>
    pool.query<{ n: number }>('select n from kept').then(
      ({ rows }) => rows[0]?.n === 1,
      () => false,
    )
  await until(async () => server.pid !== killed && (await serves()))
  assert.match(said.join(), /ended unexpectedly and is started again/)
  await pool.end()
  await stop(server)
})

test('a backend busy in a long query does not keep a killed PostgreSQL from coming back', async () => {
  const server = await start(makeDirectory())
  const pool = createPool(server.connection, { answerMilliseconds: 60_000, statementMilliseconds: 60_000 }, () => {})
  const busy = pool.query('select count(*) from generate_series(1, 1e10::bigint)').catch(() => {})
  await until(
    async () =>
      (
        await query(
          server,
          `select 1 from pg_stat_activity
    where query like 'select count%' and state = 'active' and application_name = 'cradle'`,
        )
      ).length > 0,
  )
  process.kill(server.pid!, 'SIGKILL')
  await until(() =>
    query(server, 'select 1').then(
      () => true,
      () => false,
    ),
  )
  await busy
  await pool.end()
  await stop(server)
})

test('a PostgreSQL that cannot stay up is given up with a sentence', async () => {
  const directory = makeDirectory()
  const failure = Promise.withResolvers<Error>()
  const server = await start(directory, { onFailure: failure.resolve })
  rmSync(join(directory, 'cluster', 'global', 'pg_control'))
  process.kill(server.pid!, 'SIGKILL')
  assert.match((await failure.promise).message, /is not started again.*postgres\.log/)
  await stop(server)
})

test('what an interrupted first start left is removed, and the next start makes a whole database', async () => {
  const directory = makeDirectory()
  mkdirSync(join(directory, 'cluster-initializing-abc123', 'cluster', 'base'), { recursive: true })
  writeFileSync(join(directory, 'cluster-initializing-abc123', 'cluster', 'PG_VERSION'), '18\n')
  const server = await start(directory)
  assert.deepEqual(await query(server, 'select 1 as one'), [{ one: 1 }])
  assert.deepEqual(
    readdirSync(directory).filter((name) => name.startsWith('cluster-')),
    [],
  )
  await stop(server)
})

test('a database of another major version is refused with both versions and the way out', async () => {
  const directory = makeDirectory()
  mkdirSync(join(directory, 'cluster'))
  writeFileSync(join(directory, 'cluster', 'PG_VERSION'), '16\n')
  const wayOut = /by PostgreSQL 16, and this Cradle brings PostgreSQL 18.*cradle backup.*cradle restore.*DATABASE_URL/
  await assert.rejects(start(directory), wayOut)
  assert.equal(readFileSync(join(directory, 'cluster', 'PG_VERSION'), 'utf8'), '16\n')
})

test('programs installed without their library links get them', () => {
  const home = makeDirectory()
  const copy = copyBinaries(findBinaries(), home)
  for (const each of readdirSync(join(copy.directory, 'lib'), { withFileTypes: true })) {
    if (each.isSymbolicLink()) rmSync(join(copy.directory, 'lib', each.name))
  }
  completeBinaries(copy, () => home)
  assert.ok(existsSync(join(copy.directory, 'lib', 'libicuuc.so.60')))
})

test('another PostgreSQL on the same cluster is named and left alone', async () => {
  const directory = makeDirectory()
  const server = await start(directory)
  const { Supervisor } = await import('./server.ts')
  const { chooseLocation: choosePlace } = await import('./location.ts')
  const second = new Supervisor({
    place: choosePlace(directory, []),
    connection: { ...server.connection, host: makeDirectory() },
    settings: {},
    logFile: join(directory, 'second.log'),
    watcher: { watch: () => {}, release: () => {} },
    report: () => {},
    onFailure: () => {},
  })
  await assert.rejects(second.start(), new RegExp(`Another PostgreSQL, process ${server.pid}, already uses`))
  assert.deepEqual(await query(server, 'select 1 as one'), [{ one: 1 }])
  await stop(server)
})

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    if (await holds()) return
    await sleep(20)
  }
  assert.fail('it did not come about within a minute')
}
