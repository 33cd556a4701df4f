// Which operating-system user runs PostgreSQL. It refuses to run as root, so root hands it to an unprivileged user.
import { createHash } from 'node:crypto'
import { existsSync, lchownSync, readFileSync, readdirSync, realpathSync, statSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'

export interface ServerUser {
  readonly uid: number
  readonly gid: number
}

/** `nobody` has an account on every system; other daemons may run as the same user. */
const NOBODY: ServerUser = { uid: 65534, gid: 65534 }

/** Ids that systemd's table of users leaves unused: no account gets them, and a user namespace maps them. */
const FREE_IDS_FIRST = 60_706
const FREE_IDS = 478

export const isRoot = (): boolean => process.getuid?.() === 0

/** The user to switch to; undefined if this process is not root, and PostgreSQL can run as the same user. */
export function serverUser(home: string): ServerUser | undefined {
  if (!isRoot()) return undefined
  // A cluster that an ordinary user created before `sudo` was used keeps its owner, who can then still start it without
  // root.
  const owner = statSync(join(home, 'cluster'), { throwIfNoEntry: false })
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : freeUser(home)
}

/** PostgreSQL itself can run as a uid without an account, but initdb cannot. */
export const initdbUser = (user: ServerUser): ServerUser => (hasAccount(user.uid) ? user : NOBODY)

/** An id without an account, different for each directory as far as there are enough ids; otherwise `nobody`. */
function freeUser(home: string): ServerUser {
  const start = createHash('sha256').update(home).digest().readUInt32BE()
  const ids = Array.from({ length: FREE_IDS }, (_, step) => FREE_IDS_FIRST + ((start + step) % FREE_IDS))
  const uid = ids.find((id) => isMapped(id) && !hasAccount(id) && !hasGroup(id))
  return uid === undefined ? NOBODY : { uid, gid: uid }
}

const hasAccount = (uid: number): boolean => hasId('/etc/passwd', uid)
const hasGroup = (gid: number): boolean => hasId('/etc/group', gid)

/** In both files the id is the third column. */
const hasId = (file: string, id: number): boolean => readLines(file).some((line) => line.split(':')[2] === String(id))

/** In an unprivileged container, root can switch only to users that its namespace maps. */
function isMapped(id: number): boolean {
  const ranges = readLines('/proc/self/uid_map').map((line) => line.trim().split(/\s+/).map(Number))
  return ranges.length === 0 || ranges.some(([first, , count]) => id >= first! && id < first! + count!)
}

/** Empty if the file does not exist. */
function readLines(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
}

/** Whether this user can read the file, or enter and list the directory, and traverse every directory above it. */
export function canReach(path: string, user: ServerUser): boolean {
  const real = realpathSync(path)
  const [self, ...parents] = ancestors(real).map((each) => statSync(each))
  return allows(self!, user, self!.isDirectory() ? 5 : 4) && parents.every((each) => allows(each, user, 1))
}

/** Whether this user can traverse the directory to a child whose name it knows. */
export function canTraverse(directory: string, user: ServerUser): boolean {
  return ancestors(realpathSync(directory)).every((each) => allows(statSync(each), user, 1))
}

/** Changes the owner of a directory and everything in it, for a cluster that root created, copied or restored. */
export function chownTree(path: string, user: ServerUser): void {
  lchownSync(path, user.uid, user.gid)
  for (const each of readdirSync(path, { withFileTypes: true, recursive: true })) {
    lchownSync(join(each.parentPath, each.name), user.uid, user.gid)
  }
}

function ancestors(path: string): string[] {
  return path === dirname(path) ? [path] : [path, ...ancestors(dirname(path))]
}

// Access-control lists are not read. They can only make us store the cluster elsewhere without need, or make PostgreSQL
// itself report "Permission denied", and both are safe.
function allows(stats: Stats, user: ServerUser, bits: number): boolean {
  const shift = stats.uid === user.uid ? 6 : stats.gid === user.gid ? 3 : 0
  return ((stats.mode >> shift) & bits) === bits
}
