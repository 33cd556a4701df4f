// A shell that outlives us: when we die without a word, even by kill -9, it stops PostgreSQL.
import { spawn } from 'node:child_process'
import type { ServerUser } from './unprivileged-user.ts'

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
