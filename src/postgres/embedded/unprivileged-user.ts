// Which operating-system user runs PostgreSQL: it refuses to run as root, so root hands it to an unprivileged one.
import { lchownSync, readdirSync, realpathSync, statSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'

export interface ServerUser {
  readonly uid: number
  readonly gid: number
}

/** `nobody` on Linux and on the BSDs; it needs no entry in /etc/passwd, because PostgreSQL is told its role's name. */
const NOBODY: ServerUser = { uid: 65534, gid: 65534 }

/** The user to switch to, or nothing when we are an ordinary user and PostgreSQL can simply run as us. */
export function serverUser(clusterDirectory: string | undefined): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  // Somebody's cluster from before `sudo` stays theirs, so that they can still start it without root.
  const owner = clusterDirectory && statSync(clusterDirectory, { throwIfNoEntry: false })
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : NOBODY
}

/** Whether this user can read the file, or enter and list the directory, passing every directory above it. */
export function canReach(path: string, user: ServerUser): boolean {
  const real = realpathSync(path)
  const [self, ...parents] = ancestors(real).map((each) => statSync(each))
  return allows(self!, user, self!.isDirectory() ? 5 : 4) && parents.every((each) => allows(each, user, 1))
}

/** Whether this user can get through the directory to a child whose name it knows. */
export function canPass(directory: string, user: ServerUser): boolean {
  return ancestors(realpathSync(directory)).every((each) => allows(statSync(each), user, 1))
}

/** Hands a directory and all in it to a user, for a cluster that root made, copied or restored. */
export function giveTree(path: string, user: ServerUser): void {
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
