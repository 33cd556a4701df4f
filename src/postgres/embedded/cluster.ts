// Creates the cluster at the first start, completely or not at all, and rejects one of another PostgreSQL version.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { ClusterLocation } from './location.ts'
import { chownTree, initdbUser } from './unprivileged-user.ts'

const DRAFT_PREFIX = 'cluster-initializing-'

/** Minimal on purpose: an operator's PGDATA, PGPORT or PGOPTIONS must not affect the embedded server. */
export const SERVER_ENVIRONMENT = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' }

export interface Role {
  readonly user: string
  readonly password: string
}

export async function ensureCluster(place: ClusterLocation, role: Role): Promise<void> {
  removeDrafts(place.home)
  if (existsSync(place.cluster)) return refuseOtherVersion(place)
  refuseDeadLink(place.cluster)
  const draft = mkdtempSync(join(place.home, DRAFT_PREFIX))
  const passwordFile = join(draft, 'password')
  writeFileSync(passwordFile, role.password, { mode: 0o600 })
  mkdirSync(join(draft, 'cluster'), { mode: 0o700 })
  const user = place.user && initdbUser(place.user)
  if (user) chownTree(draft, user)
  await initialize({ ...place, user }, join(draft, 'cluster'), role.user, passwordFile)
  if (place.user) chownTree(join(draft, 'cluster'), place.user)
  // initdb has synced its files. The rename publishes the cluster, and syncing the directory lets it survive a power
  // cut.
  renameSync(join(draft, 'cluster'), place.cluster)
  syncDirectory(place.home)
  rmSync(draft, { recursive: true })
}

async function initialize(
  place: ClusterLocation,
  directory: string,
  user: string,
  passwordFile: string,
): Promise<void> {
  const child = spawn(
    join(place.binaries.directory, 'bin', 'initdb'),
    [
      '-D',
      directory,
      '--username',
      user,
      '--pwfile',
      passwordFile,
      '--auth',
      'scram-sha-256',
      '--data-checksums',
      // The same collation on every machine and after every operating-system upgrade: no index becomes invalid.
      '--encoding',
      'UTF8',
      '--locale',
      'C',
      '--locale-provider',
      'builtin',
      '--builtin-locale',
      'C.UTF-8',
      '--no-instructions',
    ],
    { ...place.user, cwd: '/', env: SERVER_ENVIRONMENT, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const errors = text(child.stderr)
  const [code] = (await once(child, 'close').catch(refuseToRun)) as [number | null]
  if (code === 0) return
  throw new Error(
    `Cradle could not create its database in ${place.home}: initdb ended with ${code ?? 'a signal'} ` +
      `and said: ${(await errors).trim()}`,
  )
}

// ENOENT for a program that exists means that its loader is missing: Alpine has another C library.
function refuseToRun(error: Error): never {
  throw new Error(
    `Cradle could not run PostgreSQL's initdb (${error.message}). It needs the GNU C library 2.27 ` +
      `or newer, which Alpine Linux lacks: use another base image, or set DATABASE_URL to a server of your own.`,
    { cause: error },
  )
}

function refuseOtherVersion({ cluster, binaries }: ClusterLocation): void {
  const theirs = readVersion(cluster)
  const ours = binaries.version.split('.')[0]!
  if (theirs === ours) return
  throw new Error(
    `The database in ${cluster} was made by PostgreSQL ${theirs}, and this Cradle brings PostgreSQL ` +
      `${ours}, which cannot read it. Run "cradle backup FILE" with the Cradle release that made it, and ` +
      `"cradle restore FILE" with this one and a new CRADLE_DATA_DIR; or set DATABASE_URL to a PostgreSQL ${theirs} ` +
      `server that runs on that directory.`,
  )
}

function readVersion(cluster: string): string {
  const refuse = (fault: string, cause?: unknown) =>
    new Error(
      `${cluster} is not a PostgreSQL database: its file PG_VERSION ${fault}. Bring the directory back from a ` +
        `backup, or choose another directory with CRADLE_DATA_DIR.`,
      { cause },
    )
  let version: string
  try {
    version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  } catch (error) {
    throw refuse('cannot be read', error)
  }
  if (!/^\d+(\.\d+)?$/.test(version)) throw refuse(version === '' ? 'is empty' : 'has no version')
  return version
}

// The cluster may be a link to a disk that is not mounted. A new cluster in its place would look healthy but be empty.
function refuseDeadLink(cluster: string): void {
  if (!lstatSync(cluster, { throwIfNoEntry: false })) return
  throw new Error(
    `${cluster} is a link to ${readlinkSync(cluster)}, where nothing is. Mount the disk or bring the directory back, ` +
      `or remove the link to begin with an empty database.`,
  )
}

function removeDrafts(home: string): void {
  for (const name of readdirSync(home).filter((each) => each.startsWith(DRAFT_PREFIX))) {
    // Retried because the initdb of a killed run may still be writing here. It fails once its files are gone.
    rmSync(join(home, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}

function syncDirectory(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
