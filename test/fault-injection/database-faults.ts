// X6, X7, X8: a database that is there, and cannot write: a full disk, held locks, no connection left, read-only.
import { execFileSync } from 'node:child_process'
import { appendFileSync, rmSync, statSync, statfsSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { shippedReferenceData } from '../shipped-book.ts'
import { ORDERS } from '../order-client.ts'
import { exchange } from '../raw-http.ts'
import { createOrderClient, type OrderClient } from './order-client.ts'
import { freshTortureDirectory, startOwnProgram } from './own-program.ts'
import type { Admin } from './programs.ts'
import { runRemoteCycles, type Remote } from './remote-program.ts'
import { longest, type Plan, type Trial } from './trial.ts'
import type { Window } from './window.ts'

/** On the larger disk files are accepted, too, until as little is free as is kept for orders. */
const DISK_MB = { short: 200, long: 4_096 }
const PIECE_BYTES = 64 * 2 ** 20
/** What the orders of a cycle take for good; without room for them the disk stays full when the ballast is gone. */
const CYCLE_MB = 5
/** Less than the log of changes takes at a time, so that the tables run out of room first. */
const ROOM_MB = 1
/** Long enough for more restarts of the database than a damaged one would be given. */
const STARVED_MS = 4_000
const LOADED_MS = 500
const UPLOADERS = 1
const FULL_MS_MAX = 20_000
const SERVES_AGAIN_MS_MAX = 10_000
const LOCKED_MS = 4_000
const LOCKED_LONG_MS = 11_000
/** No connection is left for so long at least. */
const EXHAUSTED_MS = 2_000
/** More than the database admits. */
const CONNECTIONS = 45
/** The database ends a statement after 10 s. */
const STATEMENT_MS_MAX = 13_000

/** Why there can be no small disk here, or null. */
export function smallDiskObstacle(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux, to mount a small tmpfs'
  const directory = freshTortureDirectory()
  try {
    mount(directory, DISK_MB.short)
    execFileSync('umount', [directory])
    return null
  } catch {
    return 'tmpfs cannot be mounted here'
  } finally {
    rmSync(directory, { recursive: true })
  }
}

const mount = (directory: string, megabytes: number): Buffer =>
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0711`, 'cradle-torture', directory], {
    stdio: 'pipe',
  })

/** Orders until the disk is full, reads meanwhile, room again, orders again: without a restart of the program. */
export async function fullDisk(
  { seed, cycles, writers, timeFactor, report }: Plan,
  form: keyof typeof DISK_MB,
): Promise<Trial> {
  const disk = freshTortureDirectory()
  mount(disk, DISK_MB[form] + cycles * CYCLE_MB)
  const measures: Record<string, number> = {}
  const keep = (name: string, value: number) => (measures[name] = Math.max(measures[name] ?? 0, Math.round(value)))
  try {
    const program = await startOwnProgram({ dataDirectory: join(disk, 'data') })
    const client = createOrderClient(program.target, shippedReferenceData().referenceData, seed)
    try {
      for (let at = 1; at <= cycles; at += 1) {
        const ballast = join(disk, 'ballast')
        await client.untilServed(SERVES_AGAIN_MS_MAX * timeFactor)
        const load = client.load(writers, UPLOADERS)
        await sleep(LOADED_MS)
        fillBut(disk, ballast, ROOM_MB)
        await untilFull(client, FULL_MS_MAX * timeFactor)
        await readSomething(client, program.target())
        if (at % 2 === 0) {
          await program.withPool(exhaustLog)
          await sleep(STARVED_MS)
        }
        await load.stop()
        rmSync(ballast)
        keep('longest until it serves again, ms', await client.untilServed(SERVES_AGAIN_MS_MAX * timeFactor))
        if (program.hasEnded()) {
          client.fail('The program ended with the disk full')
          await program.start()
        }
        await program.withPool(client.checkRound)
        report(at)
      }
      await program.withPool(client.checkAll)
    } finally {
      await program.close()
    }
    return { cycles, counts: client.counts(), failures: client.failures, measures }
  } finally {
    execFileSync('umount', [disk])
    rmSync(disk, { recursive: true })
  }
}

/** Takes all room but some megabytes. */
function fillBut(disk: string, file: string, megabytes: number): void {
  const room = megabytes * 2 ** 20
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(file, '')
  try {
    for (let left = bavail * bsize - room; left > 0; left -= PIECE_BYTES)
      appendFileSync(file, Buffer.alloc(Math.min(left, PIECE_BYTES)))
  } catch (error) {
    // The database, which folds and writes out what it holds, took more than that meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    truncateSync(file, Math.max(0, statSync(file).size - room))
  }
}

/** Writes to PostgreSQL's log of changes until that has no room either, and the database ends. */
async function exhaustLog(pool: Pool): Promise<void> {
  for (let megabytes = 0; megabytes < DISK_MB.short; megabytes += 1) {
    try {
      await pool.query("select pg_logical_emit_message(true, 'torture', repeat('x', 1000000))")
    } catch {
      return
    }
  }
}

/** Orders until some are refused for want of room, and others after them. */
async function untilFull(client: OrderClient, millisecondsMax: number): Promise<void> {
  const deadline = performance.now() + millisecondsMax
  const answers: Record<string, number> = {}
  while (performance.now() < deadline) {
    await sleep(200)
    const { statuses, codes } = client.window()
    for (const [name, count] of Object.entries<number>({ ...statuses, ...codes }))
      answers[name] = (answers[name] ?? 0) + count
    const full = answers['storage_full'] ?? 0
    // Where the log of changes ran out of room as well, the database is away, and whoever writes is told that.
    if (full > 0 && full + (answers['unavailable'] ?? 0) > 10) return
  }
  client.fail(`The disk was not full after ${millisecondsMax} ms: ${JSON.stringify(answers)}`)
}

/** Reads go on as long as the database does. */
async function readSomething(client: OrderClient, target: { readonly address: string; readonly key: string }) {
  const { status, text } = await exchange(target.address, `${ORDERS}?limit=5`, { headers: { 'x-api-key': target.key } })
  // Where the log of changes has no room, the database is away.
  if (status === 503 && text.includes('"unavailable"')) return
  if (status !== 200) client.fail(`The list was answered ${status}: ${text.slice(0, 200)}`)
}

/** All devices locked, with a lock_timeout; then no connection left; then all devices locked until a statement ends. */
export const lockedOut = (plan: Plan): Promise<Trial> =>
  runRemoteCycles(plan, async (remote, at) => {
    const { client, writers, timeFactor, add } = remote
    const load = client.load(writers)
    await sleep(300)
    client.window()
    const windows: Window[] = []
    const isTold = () => {
      windows.push(client.window())
      return windows.some(({ statuses }) => (statuses[503] ?? 0) > 0)
    }
    const told = { isTold, millisecondsMax: STATEMENT_MS_MAX * timeFactor }
    if (at % 3 === 1) await lockDevices(remote, told, '100ms', LOCKED_MS)
    else if (at % 3 === 2) await takeAllConnections(remote, told)
    else await lockDevices(remote, told, '0', LOCKED_LONG_MS)
    await load.stop()
    if (!isTold()) client.fail('Nobody was told to try again')
    const slowest = longest(windows.flatMap(({ times }) => times))
    add('slowest answer, ms', slowest)
    if (slowest > STATEMENT_MS_MAX * timeFactor) client.fail(`An answer took ${slowest} ms`)
    add('longest until it serves again, ms', await client.untilServed(SERVES_AGAIN_MS_MAX * timeFactor))
  })

/** A fault lasts until a client was answered 503: on a busy machine that takes longer than the fault is meant to. */
interface Told {
  readonly isTold: () => boolean
  readonly millisecondsMax: number
}

/** @param renew is called before each further wait */
async function holdUntilTold({ isTold, millisecondsMax }: Told, atLeastMs: number, renew?: () => Promise<void>) {
  const deadline = performance.now() + millisecondsMax
  await sleep(atLeastMs)
  while (!isTold() && performance.now() < deadline) {
    await renew?.()
    await sleep(200)
  }
}

/** With `lock_timeout` a statement fails early, with 55P03, and is tried again for two seconds. */
async function lockDevices({ admin, database }: Remote, told: Told, lockTimeout: string, atLeastMs: number) {
  await admin.query(`alter database ${database} set lock_timeout = '${lockTimeout}'`)
  await endSessions(admin, database)
  const locker = await admin.connectBeside(database)
  await locker.query('begin')
  await locker.query('lock table entries in exclusive mode')
  await holdUntilTold(told, atLeastMs)
  await locker.query('rollback')
  await locker.end()
  await admin.query(`alter database ${database} reset lock_timeout`)
  await endSessions(admin, database)
}

/** The service may connect again before the last connection is taken; then its sessions are ended once more. */
async function takeAllConnections({ admin, database }: Remote, told: Told): Promise<void> {
  const taken: PromiseSettledResult<Awaited<ReturnType<Admin['connectBeside']>>>[] = []
  const take = async () => {
    await endSessions(admin, database)
    const connections = Array.from({ length: CONNECTIONS }, () => admin.connectBeside('postgres'))
    taken.push(...(await Promise.allSettled(connections)))
  }
  await take()
  await holdUntilTold(told, EXHAUSTED_MS, take)
  for (const one of taken) if (one.status === 'fulfilled') await one.value.end()
}

/** New ones have what is set for all by now. */
const endSessions = (admin: Admin, database: string): Promise<void> =>
  admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`)

/** Whose session has just been ended is told of that first. What follows is judged by the caller. */
async function untilToldAlone(client: OrderClient, code: string, millisecondsMax: number): Promise<void> {
  const deadline = performance.now() + millisecondsMax
  do await sleep(200)
  while (Object.keys(client.window().codes).join() !== code && performance.now() < deadline)
}

export const readOnly = (plan: Plan): Promise<Trial> =>
  runRemoteCycles(plan, async ({ client, admin, database, writers, timeFactor, add, get }) => {
    const load = client.load(writers)
    await sleep(300)
    await admin.query(`alter database ${database} set default_transaction_read_only = on`)
    await endSessions(admin, database)
    await untilToldAlone(client, 'read_only', SERVES_AGAIN_MS_MAX * timeFactor)
    await sleep(1_000)
    const { codes } = client.window()
    const { status } = await get(`${ORDERS}?limit=5`)
    if (status !== 200) client.fail(`The list of orders was answered ${status} while nothing could be written`)
    if (Object.keys(codes).join() !== 'read_only') client.fail(`Those who wrote were told ${JSON.stringify(codes)}`)
    await load.stop()
    await admin.query(`alter database ${database} reset default_transaction_read_only`)
    await endSessions(admin, database)
    add('longest until it serves again, ms', await client.untilServed(SERVES_AGAIN_MS_MAX * timeFactor))
  })
