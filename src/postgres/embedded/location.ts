// Decides where the cluster and the programs live: in the data directory, or outside if the server's user cannot enter
// it.
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { canRun, completeBinaries, copyBinaries, findBinaries, type Binaries } from './binaries.ts'
import { writePrivateFile } from './connection-file.ts'
import { canTraverse, chownTree, serverUser, type ServerUser } from './unprivileged-user.ts'

export interface ClusterLocation {
  /** The directory that contains `cluster`; the server's user can traverse it. */
  readonly home: string
  readonly cluster: string
  readonly binaries: Binaries
  readonly user: ServerUser | undefined
  /** Tells the operator where the cluster is, if it is outside the data directory. */
  readonly note: string | undefined
}

interface Pointer {
  readonly home: string
  /**
   * Set when the cluster is complete. From then on a missing cluster is reported as a loss, not taken for a first
   * start.
   */
  readonly complete: boolean
}

/** Where root stores what its unprivileged server must reach; the second is for a read-only /var/lib. */
export const FALLBACK_ROOTS: readonly string[] = ['/var/lib/cradle', '/var/tmp/cradle']

export function chooseLocation(dataDirectory: string, outsideRoots: readonly string[]): ClusterLocation {
  const pointer = readPointer(dataDirectory)
  if (pointer) refuseLostCluster(dataDirectory, pointer)
  const home = pointer?.home ?? dataDirectory
  const user = serverUser(home)
  refuseForeignCluster(join(home, 'cluster'))
  if (!user) return { ...placeIn(home), user, binaries: completeBinaries(findBinaries(), () => home), note: undefined }
  return placeForRoot(dataDirectory, home, user, outsideRoots)
}

/** Called once the cluster is complete. */
export function verifyLocation(dataDirectory: string, place: ClusterLocation): void {
  if (place.home === dataDirectory || readPointer(dataDirectory)?.complete) return
  writePointer(dataDirectory, { home: place.home, complete: true })
}

function placeForRoot(
  dataDirectory: string,
  home: string,
  user: ServerUser,
  roots: readonly string[],
): ClusterLocation {
  const inside = home === dataDirectory && canTraverse(dataDirectory, user)
  if (home === dataDirectory && !inside && existsSync(join(home, 'cluster'))) {
    throw new Error(
      `The database in ${home} belongs to user ${user.uid}, who may no longer enter that directory. ` +
        `Open it and every directory above it for passing through (chmod o+x), or run Cradle as user ${user.uid}.`,
    )
  }
  const found = findBinaries()
  const binaries = canRun(found, user)
    ? completeBinaries(found, () => outsideRoot(roots))
    : copyBinaries(found, outsideRoot(roots))
  if (inside) return { ...placeIn(home), user, binaries, note: undefined }
  const outside = home === dataDirectory ? nameOutside(dataDirectory, roots) : home
  ensureOutside(outside)
  const note =
    `The database lives in ${outside}/cluster, because PostgreSQL may not run as root ` +
    `and user ${user.uid}, who runs it, may not enter ${dataDirectory}.`
  return { ...placeIn(outside), user, binaries, note }
}

// The pointer is written first, so that a run after a crash finds its outside directory again instead of abandoning it.
function nameOutside(dataDirectory: string, roots: readonly string[]): string {
  const home = join(outsideRoot(roots), randomBytes(8).toString('hex'))
  writePointer(dataDirectory, { home, complete: false })
  return home
}

/**
 * Owned by root and traversable, because initdb and the server may run as two users. Only the server's user may enter
 * the cluster in it.
 */
function ensureOutside(home: string): void {
  if (existsSync(join(home, 'cluster'))) return
  mkdirSync(home, { recursive: true })
  chmodSync(home, 0o711)
}

function outsideRoot(roots: readonly string[]): string {
  for (const root of roots) {
    try {
      mkdirSync(root, { recursive: true, mode: 0o711 })
    } catch {
      continue
    }
    // Every user can write to /var/tmp: a directory that another user created there first could make us run that user's
    // programs.
    const { uid, mode } = statSync(root)
    if (uid === 0 && (mode & 0o022) === 0) return root
  }
  throw new Error(
    `Cradle runs as root and found no place that its database's unprivileged user can reach: none ` +
      `of ${roots.join(', ')} can be created and belongs to root alone. ` +
      `Run Cradle as an ordinary user, or set DATABASE_URL.`,
  )
}

function placeIn(home: string): Pick<ClusterLocation, 'home' | 'cluster'> {
  return { home, cluster: join(home, 'cluster') }
}

function readPointer(dataDirectory: string): Pointer | undefined {
  const file = join(dataDirectory, 'cluster-location.json')
  if (!existsSync(file)) return undefined
  try {
    const { home, complete } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Pointer>
    if (typeof home === 'string' && typeof complete === 'boolean') return { home, complete }
  } catch {
    // The error is thrown below.
  }
  throw new Error(
    `${file} says where the database is, and cannot be read. Bring it back from a backup; or write ` +
      `{"home": "DIRECTORY", "complete": true} into it, with the directory below ${FALLBACK_ROOTS.join(' or ')} ` +
      `that has the cluster.`,
  )
}

function writePointer(dataDirectory: string, pointer: Pointer): void {
  writePrivateFile(join(dataDirectory, 'cluster-location.json'), `${JSON.stringify(pointer, undefined, 2)}\n`)
}

// Without this check, a container that retains only the data directory would restart with an empty database and look
// healthy.
function refuseLostCluster(dataDirectory: string, { home, complete }: Pointer): void {
  if (!complete || existsSync(join(home, 'cluster', 'PG_VERSION'))) return
  throw new Error(
    `The database of ${dataDirectory} was kept in ${home}/cluster and is not there any more. ` +
      `Bring that directory back, or remove ${dataDirectory}/cluster-location.json to begin with an empty database.`,
  )
}

function refuseForeignCluster(cluster: string): void {
  const stats = statSync(cluster, { throwIfNoEntry: false })
  const me = process.getuid?.()
  if (!stats || me === undefined || me === 0 || stats.uid === me) return
  throw new Error(
    `The database in ${cluster} belongs to user ${stats.uid} and Cradle runs as user ${me}. ` +
      `Run Cradle as user ${stats.uid} or as root, or choose another directory with CRADLE_DATA_DIR.`,
  )
}

/** Root may have copied or restored the cluster, and PostgreSQL rejects a cluster that its user does not own. */
export function claimCluster({ cluster, user }: ClusterLocation): void {
  if (user && statSync(cluster).uid !== user.uid) chownTree(cluster, user)
}
