// A heartbeat file in the data directory, for what a lock of this machine cannot see: another container on the volume.
import { readFileSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomUUID } from 'node:crypto'

export interface Lease {
  release(): void
}

interface Mark {
  readonly holder: string
  readonly pid: number
  readonly host: string
  /** Which world the pid and the abstract sockets belong to. */
  readonly namespace: string
  readonly beat: number
}

const BEAT_MILLISECONDS = 1000
// Long enough that a busy or briefly suspended holder is not taken for dead; a restarted container waits this long.
const SILENCE_MILLISECONDS = 5000
const POLL_MILLISECONDS = 100

/**
 * Writes our mark once a second. A mark of our own network and process namespace is stale, since its holder would
 * have kept us from the lock; another's is stale only when it stops changing, whatever its clock says.
 */
export async function acquireLease(directory: string): Promise<Lease> {
  const file = join(directory, 'in-use.json')
  const found = readMark(file)
  if (found && found.namespace !== namespace()) await refuseIfBeating(directory, file, found)
  const mark = { holder: randomUUID(), pid: process.pid, host: hostname(), namespace: namespace() }
  let beat = 0
  const write = () => {
    // Renamed into place: half a mark would read as none.
    writeFileSync(`${file}.draft`, JSON.stringify({ ...mark, beat: beat++ } satisfies Mark), { mode: 0o600 })
    renameSync(`${file}.draft`, file)
  }
  write()
  // A full disk must not end the program from inside a timer: PostgreSQL's own lock still stands.
  const timer = setInterval(() => attempt(write), BEAT_MILLISECONDS).unref()
  return {
    release: () => {
      clearInterval(timer)
      rmSync(file, { force: true })
    },
  }
}

async function refuseIfBeating(directory: string, file: string, found: Mark): Promise<void> {
  const deadline = Date.now() + SILENCE_MILLISECONDS
  while (Date.now() < deadline) {
    await sleep(POLL_MILLISECONDS)
    const now = readMark(file)
    if (!now) return
    if (now.holder === found.holder && now.beat === found.beat) continue
    throw new Error(
      `${directory} is already in use by process ${now.pid} in another container or on another machine ` +
        `(${now.host}); stop it or choose another directory with CRADLE_DATA_DIR.`,
    )
  }
}

function readMark(file: string): Mark | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Mark
  } catch {
    return undefined
  }
}

// The host's name too: on a network file system two machines may have equal namespace numbers.
function namespace(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/net')} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

function attempt(write: () => void): void {
  try {
    write()
  } catch {
    // The next beat tries again.
  }
}
