// Stops a PostgreSQL that a killed run left behind, and starts the watcher that stops PostgreSQL when this process
// dies.
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
 * Stops a server that still runs on this cluster. The caller holds the lock of the data directory, so no program uses
 * that server any more.
 */
export async function stopOrphan(cluster: string): Promise<void> {
  const pid = readPostmasterPid(cluster)
  if (pid !== undefined && isAlive(pid)) {
    // A stale pid that now belongs to another process (after a reboot, or in a new container) would keep PostgreSQL
    // from ever starting.
    if (isPostgresOf(pid, cluster)) await stopPostmaster(pid, cluster)
    else rmSync(join(cluster, 'postmaster.pid'), { force: true })
  }
  await killOrphanedBackends(cluster)
}

/**
 * Kills backends that outlive a killed postmaster. They run until their query ends, and block a new server. Linux only:
 * on other systems the supervisor's restarts wait for them.
 */
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
    // A container without an init process never reaps it. A zombie has no command line, and so counts as ended.
    if (!isAlive(pid) || !isPostgresOf(pid, cluster)) return true
    await sleep(POLL_MILLISECONDS)
  }
  return false
}

function readPostmasterPid(cluster: string): number | undefined {
  try {
    const [pid, directory] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    // The directory differs if the cluster was copied with its pid file: the process then belongs to another cluster.
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
  /** Names the process to stop when this process dies; undefined if there is none to stop. */
  watch(pid: number | undefined): void
  /** Ends the watcher once PostgreSQL has stopped. */
  release(): void
}

// The pipe closes when its last writer is gone, and this process is the only writer. The watcher then requests a fast
// shutdown, and after 20 s an immediate one, which needs recovery at the next start but loses nothing committed.
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

/** Started before PostgreSQL and in its own session, so that signals to our process group do not reach it. */
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
  // Node's types declare a Writable, but it is a socket, and would keep our program from ending by itself.
  ;(child.stdin as unknown as { unref(): void }).unref()
  return {
    watch: (pid) => void child.stdin.write(`${pid ?? ''}\n`),
    release: () => void child.stdin.end('\n'),
  }
}

// Without the watcher (it may have been killed), the next start stops an orphan by its pid file.
function ignore(): void {}
