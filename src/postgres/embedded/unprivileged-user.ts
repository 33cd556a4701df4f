// Which operating-system user runs PostgreSQL: it refuses to run as root, so root hands it to an unprivileged one.
import { createHash } from 'node:crypto'
import { existsSync, lchownSync, readFileSync, readdirSync, realpathSync, statSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'

export interface ServerUser {
  readonly uid: number
  readonly gid: number
}

/** `nobody`, who has an account on every system; other daemons may run as the same user. */
const NOBODY: ServerUser = { uid: 65534, gid: 65534 }

/** Ids that systemd's table of users leaves unused: no account is made with them, and a user namespace maps them. */
const FREE_IDS_FIRST = 60_706
const FREE_IDS = 478

export const isRoot = (): boolean => process.getuid?.() === 0

/** The user to switch to, or nothing when we are an ordinary user and PostgreSQL can simply run as us. */
export function serverUser(home: string): ServerUser | undefined {
  if (!isRoot()) return undefined
  // Somebody's cluster from before `sudo` stays theirs, so that they can still start it without root.
  const owner = statSync(join(home, 'cluster'), { throwIfNoEntry: false })
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : freeUser(home)
}

/** PostgreSQL itself runs as a bare number; initdb ends where its user has no account. */
export const initdbUser = (user: ServerUser): ServerUser => (hasAccount(user.uid) ? user : NOBODY)

/** An id that no account has, another one for another directory as far as there are so many; else `nobody`. */
function freeUser(home: string): ServerUser {
  const start = createHash('sha256').update(home).digest().readUInt32BE()
  const ids = Array.from({ length: FREE_IDS }, (_, step) => FREE_IDS_FIRST + ((start + step) % FREE_IDS))
  const uid = ids.find((id) => isMapped(id) && !hasAccount(id) && !hasGroup(id))
  return uid === undefined ? NOBODY : { uid, gid: uid }
}

const hasAccount = (uid: number): boolean => hasId('/etc/passwd', uid)
const hasGroup = (gid: number): boolean => hasId('/etc/group', gid)

/** Both files have the number in the third of their columns. */
const hasId = (file: string, id: number): boolean => readLines(file).some((line) => line.split(':')[2] === String(id))

/** Root of a container without privileges can become only those users that its namespace has. */
function isMapped(id: number): boolean {
  const ranges = readLines('/proc/self/uid_map').map((line) => line.trim().split(/\s+/).map(Number))
  return ranges.length === 0 || ranges.some(([first, , count]) => id >= first! && id < first! + count!)
}

/** Without the file, none. */
function readLines(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
}

/** Whether this user can read the file, or enter and list the directory, passing every directory above it. */
export function canReach(path: string, user: ServerUser): boolean {
  const real = realpathSync(path)
  const [self, ...parents] = ancestors(real).map((each) => statSync(each))
  return allows(self!, user, self!.isDirectory() ? 5 : 4) && parents.every((each) => allows(each, user, 1))
}

/** Whether this user can get through the directory to a child whose name it knows. */
export function canTraverse(directory: string, user: ServerUser): boolean {
  return ancestors(realpathSync(directory)).every((each) => allows(statSync(each), user, 1))
}

/** Hands a directory and all in it to a user, for a cluster that root made, copied or restored. */
export function chownTree(path: string, user: ServerUser): void {
  lchownSync(path, user.uid, user.gid)
  for (const each of readdirSync(path, { withFileTypes: true, recursive: true })) {
    lchownSync(join(each.parentPath, each.name), user.uid, user.gid)
  }
}

function ancestors(path: string): string[] {
  return path === dirname(path) ? [path] : [path, ...ancestors(dirname(path))]
}

// Access-control lists are not read: they can only make us keep the cluster elsewhere without need, or PostgreSQL
// itself say "Permission denied", and both are safe.
function allows(stats: Stats, user: ServerUser, bits: number): boolean {
  const shift = stats.uid === user.uid ? 6 : stats.gid === user.gid ? 3 : 0
  return ((stats.mode >> shift) & bits) === bits
}
