// Merkle trees as in RFC 6962 (section 2.1): SHA-256, with 0x00 before the data of a leaf and 0x01 before two nodes.
import { createHash } from 'node:crypto'

export type NodeHash = Buffer

const sha256 = (...pieces: readonly Uint8Array[]): NodeHash =>
  pieces.reduce((digest, piece) => digest.update(piece), createHash('sha256')).digest()

const [LEAF, NODE] = [Uint8Array.of(0), Uint8Array.of(1)]

export const leafHash = (data: string): NodeHash => sha256(LEAF, Buffer.from(data))
const nodeHash = (left: NodeHash, right: NodeHash): NodeHash => sha256(NODE, left, right)

/** The largest power of two below `size`, which is at least 2: so many leaves are on the left. */
const leftOf = (size: number): number => 2 ** (Math.ceil(Math.log2(size)) - 1)

export function merkleRoot(leaves: readonly NodeHash[]): NodeHash {
  if (leaves.length === 0) return sha256()
  // Level by level, with the last node of an odd level taken over as it is: the same tree as by halves.
  let level = leaves
  while (level.length > 1) {
    const above: NodeHash[] = []
    for (let at = 0; at < level.length; at += 2) {
      const right = level[at + 1]
      above.push(right ? nodeHash(level[at]!, right) : level[at]!)
    }
    level = above
  }
  return level[0]!
}

/** The hashes with which the root follows from a leaf, from the leaf upwards. */
export function auditPath(leaves: readonly NodeHash[], index: number): readonly NodeHash[] {
  if (leaves.length <= 1) return []
  const left = leftOf(leaves.length)
  return index < left
    ? [...auditPath(leaves.slice(0, left), index), merkleRoot(leaves.slice(left))]
    : [...auditPath(leaves.slice(left), index - left), merkleRoot(leaves.slice(0, left))]
}
