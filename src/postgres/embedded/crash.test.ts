// Tests of what remains, and what is recovered, when the program that runs PostgreSQL is killed or runs as another
// user.
import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { execFileSync, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { copyCheckout } from '../../../test/checkout-copy.ts'
import type { Server, startServer } from './server.ts'

const isRoot = process.getuid?.() === 0
const NOBODY = { uid: 65534, gid: 65534 }
const root = mkdtempSync(join(tmpdir(), 'cradle-test-'))
chmodSync(root, 0o711)
const children = new Set<ChildProcess>()

after(async () => {
  for (const child of children) child.kill('SIGKILL')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  for (const name of files.filter((each) => each.endsWith('postmaster.pid'))) {
    await ended(Number(readFileSync(join(root, name), 'utf8').split('\n')[0]))
  }
  rmSync(root, { recursive: true, force: true, maxRetries: 20 })
})

// Starts the server, commits one more row, and prints the server's details.
const PROGRAM = `
  const { dirname } = await import('node:path')
  const { startServer } = await import(process.argv[1])
  const { createPool } = await import(dirname(process.argv[1]) + '/../pool.ts')
  const server = await startServer({ dataDirectory: process.argv[2], outsideRoots: [process.argv[3]] })
  const pool = createPool(server.connection)
  await pool.query('create table if not exists kept (n int)')
  await pool.query('insert into kept values (1)')
  const { rows } = await pool.query('select count(*)::int as rows from kept')
  console.log(JSON.stringify({ pid: server.pid, note: server.note, connection: server.connection, rows: rows[0].rows }))
  process.on('SIGTERM', async () => { await pool.end(); await server.stop(); process.exit(0) })
  setInterval(() => {}, 1000)`

interface Running extends Pick<Server, 'connection' | 'note'> {
  readonly child: ChildProcess
  readonly pid: number
  readonly rows: number
}

async function runProgram(data: string, options: SpawnOptions = {}, source = import.meta.dirname): Promise<Running> {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', PROGRAM, join(source, 'server.ts'), data, join(root, 'outside')],
    { ...options, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  children.add(child)
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The program ended with ${String(code)} before it was ready`)
  })
  const [said] = (await Promise.race([once(child.stdout, 'data'), ended])) as [Buffer]
  return { child, ...(JSON.parse(said.toString()) as Omit<Running, 'child'>) }
}

async function stopProgram({ child, pid }: Running): Promise<void> {
  child.kill('SIGTERM')
  await once(child, 'exit')
  await ended(pid)
}

async function ended(pid: number): Promise<void> {
  const deadline = Date.now() + 60_000
  while (isRunning(pid)) {
    assert.ok(Date.now() < deadline, `process ${pid} still runs after a minute`)
    await sleep(20)
  }
}

function isRunning(pid: number): boolean {
  try {
    return !/^Z/.test(execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }))
  } catch {
    return false
  }
}

/** The pids of PostgreSQL's processes and of the watcher, identified by their command lines. */
function processesOf({ pid, connection }: Running): readonly number[] {
  const all = execFileSync('ps', ['-eo', 'pid=,ppid=,command='], { encoding: 'utf8' }).split('\n')
  return all
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([own, parent, ...command]) =>
        own === String(pid) || parent === String(pid) || command.at(-1) === connection.host,
    )
    .map(([own]) => Number(own))
}

test('kill -9 of the program stops PostgreSQL and the watcher, and the next start has every row', async () => {
  const first = await runProgram(join(root, 'killed'))
  const processes = processesOf(first)
  assert.ok(processes.length >= 6, String(processes))
  first.child.kill('SIGKILL')
  for (const pid of processes) await ended(pid)
  assert.ok(!existsSync(first.connection.host))
  const second = await runProgram(join(root, 'killed'))
  assert.equal(second.rows, 2)
  await stopProgram(second)
})

test('a start right after kill -9 of the whole process group works and has every row', async () => {
  const data = join(root, 'group')
  for (let rows = 1; rows <= 3; rows++) {
    const run = await runProgram(data, { detached: true })
    assert.equal(run.rows, rows)
    process.kill(-run.child.pid!, 'SIGKILL')
  }
  const last = await runProgram(data)
  assert.equal(last.rows, 4)
  await stopProgram(last)
})

test('an orphan whose watcher was killed too is stopped and cleared away by the next start', async () => {
  const data = join(root, 'orphan')
  const first = await runProgram(data)
  const commands = execFileSync('ps', ['-eo', 'pid=,command='], { encoding: 'utf8' }).split('\n')
  const watcher = commands.find((line) => line.includes('cradle-watcher') && line.endsWith(first.connection.host))
  process.kill(Number.parseInt(watcher!), 'SIGKILL')
  first.child.kill('SIGKILL')
  assert.ok(isRunning(first.pid))
  const second = await runProgram(data)
  assert.equal(second.rows, 2)
  assert.ok(!isRunning(first.pid))
  assert.ok(!existsSync(first.connection.host))
  await stopProgram(second)
})

test('a pid file that names a process of somebody else neither ends that process nor blocks the start', async () => {
  const data = join(root, 'reused')
  await stopProgram(await runProgram(data))
  const stranger = spawn('sleep', ['60'], isRoot ? NOBODY : {})
  children.add(stranger)
  writeFileSync(join(data, 'cluster', 'postmaster.pid'), `${stranger.pid}\n${join(data, 'cluster')}\n`)
  const run = await runProgram(data)
  assert.equal(run.rows, 2)
  assert.equal(stranger.exitCode, null)
  await stopProgram(run)
})

test('an ordinary user runs everything in place', { skip: !isRoot && 'every other test already runs so' }, async () => {
  const data = join(root, 'ordinary')
  mkdirSync(data, { mode: 0o700 })
  chownSync(data, NOBODY.uid, NOBODY.gid)
  const run = await runProgram(data, { ...NOBODY, cwd: '/' })
  assert.equal(run.note, undefined)
  assert.equal(statSync(join(data, 'cluster')).uid, NOBODY.uid)
  await stopProgram(run)
})

test(
  'as root in a checkout closed to everybody else, the database lives outside and comes back',
  { skip: !isRoot && 'needs root' },
  async () => {
    const checkout = join(root, 'closed')
    const source = copyCheckout(checkout, 0o700)
    const data = join(checkout, '.cradle')
    const first = await runProgram(data, { cwd: checkout }, source)
    assert.match(first.note!, new RegExp(`lives in ${root}/outside/[0-9a-f]{16}/cluster, because`))
    await stopProgram(first)
    const second = await runProgram(data, { cwd: checkout }, source)
    assert.equal(second.rows, 2)
    await stopProgram(second)
    // A new data directory gets a new database, although the old cluster still exists.
    const fresh = await runProgram(join(checkout, '.other'), { cwd: checkout }, source)
    assert.equal(fresh.rows, 1)
    await stopProgram(fresh)
    rmSync(/lives in (\S+)\/cluster/.exec(first.note!)![1]!, { recursive: true })
    await assert.rejects(refusalOf(data, source), /was kept in .* and is not there any more/)
  },
)

async function refusalOf(data: string, source: string): Promise<void> {
  const module = (await import(join(source, 'server.ts'))) as { readonly startServer: typeof startServer }
  await module.startServer({ dataDirectory: data, outsideRoots: [join(root, 'outside')] })
}
