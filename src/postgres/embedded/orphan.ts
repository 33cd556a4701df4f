// Ends a PostgreSQL that a killed run left behind, and starts the watcher that stops PostgreSQL when this process dies.
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { clusterName } from './process.ts'
import type { ServerUser } from './unprivileged-user.ts'

const FAST_MILLISECONDS = 15_000
const IMMEDIATE_MILLISECONDS = 5_000
const POLL_MILLISECONDS = 20

/**
 * Waits for or stops what still runs on this cluster. The caller holds the lock of the data directory, so whatever
 * runs here has no program left that it serves.
 */
export async function stopOrphan(cluster: string): Promise<void> {
  const pid = readPostmasterPid(cluster)
  if (pid !== undefined && isAlive(pid)) {
    // A number that now belongs to another process (after a reboot, or in a fresh container) would make PostgreSQL
    // refuse to start for ever.
    if (isPostgresOf(pid, cluster)) await stopPostmaster(pid, cluster)
    else rmSync(join(cluster, 'postmaster.pid'), { force: true })
  }
  await killOrphanedBackends(cluster)
}

/** Backends outlive a killed postmaster until they look up from their query, and block its successor. Linux only:
 *  elsewhere the restarts of the supervisor wait for them. */
export async function killOrphanedBackends(cluster: string): Promise<void> {
  const deadline = Date.now() + IMMEDIATE_MILLISECONDS
  for (let left = leftovers(cluster); left.length > 0 && Date.now() < deadline; left = leftovers(cluster)) {
    for (const pid of left) signal(pid, 'SIGKILL')
    await sleep(POLL_MILLISECONDS)
  }
}

async function stopPostmaster(pid: number, cluster: string): Promise<void> {
  signal(pid, 'SIGINT')
  if (await hasEnded(pid, cluster, FAST_MILLISECONDS)) return
  signal(pid, 'SIGQUIT')
  if (await hasEnded(pid, cluster, IMMEDIATE_MILLISECONDS)) return
  throw new Error(
    `A PostgreSQL of an earlier run, process ${pid}, still uses ${cluster} and does not stop. ` +
      `End it with "kill -QUIT ${pid}" and start Cradle again.`,
  )
}

async function hasEnded(pid: number, cluster: string, milliseconds: number): Promise<boolean> {
  const deadline = Date.now() + milliseconds
  while (Date.now() < deadline) {
    // A container without an init never reaps it: a zombie has no command line, and that counts as ended.
    if (!isAlive(pid) || !isPostgresOf(pid, cluster)) return true
    await sleep(POLL_MILLISECONDS)
  }
  return false
}

function readPostmasterPid(cluster: string): number | undefined {
  try {
    const [pid, directory] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    // The directory differs when the cluster was copied with its pid file: that process is another cluster's.
    return directory === cluster && Number(pid) > 1 ? Number(pid) : undefined
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function isPostgresOf(pid: number, cluster: string): boolean {
  const command = commandOf(pid).replaceAll('\0', ' ')
  return command.includes('postgres') && command.includes(` -D ${cluster} `)
}

function commandOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

function leftovers(cluster: string): readonly number[] {
  if (process.platform !== 'linux') return []
  const title = `postgres: ${clusterName(cluster)}: `
  const owner = statSync(cluster, { throwIfNoEntry: false })?.uid
  return readdirSync('/proc')
    .map(Number)
    .filter(
      (pid) =>
        pid > 1 &&
        commandOf(pid).startsWith(title) &&
        statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid === owner,
    )
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

export interface ParentDeathGuard {
  /** Names the process to stop when we are gone; nothing when there is none to stop. */
  watch(pid: number | undefined): void
  /** Ends the watcher; PostgreSQL has stopped. */
  release(): void
}

// The pipe closes when the last process that holds its other end is gone, and only we hold it. Then: fast shutdown,
// and after 20 s the immediate one, which needs recovery at the next start but loses nothing committed.
const SCRIPT = `
trap '' HUP INT TERM
pid=
while read -r line; do pid=$line; done
[ -n "$pid" ] || exit 0
kill -INT "$pid" || exit 0
tries=0
while [ $tries -lt 200 ] && kill -0 "$pid"; do sleep 0.1; tries=$((tries + 1)); done
kill -QUIT "$pid"
rm -f "$1"/.s.PGSQL.*; rmdir "$1"
exit 0`

/** Started before PostgreSQL and in a session of its own, so that no signal to our process group reaches it. */
export function startParentDeathGuard(socketDirectory: string, user: ServerUser | undefined): ParentDeathGuard {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'cradle-watcher', socketDirectory], {
    ...user,
    detached: true,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.on('error', ignore)
  child.stdin.on('error', ignore)
  child.unref()
  // Node's types call it a Writable; it is a socket, and would keep our program from ending by itself.
  ;(child.stdin as unknown as { unref(): void }).unref()
  return {
    watch: (pid) => void child.stdin.write(`${pid ?? ''}\n`),
    release: () => void child.stdin.end('\n'),
  }
}

// A watcher that was killed leaves us without its service: the next start stops an orphan by its pid file.
function ignore(): void {}
