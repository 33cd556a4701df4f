// Merkle trees as RFC 6962 defines them: by the test vectors of Certificate Transparency, and every path to its root.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { auditPath, leafHash, merkleRoot, type NodeHash } from './merkle-tree.ts'

const sha256 = (...pieces: readonly Buffer[]): Buffer => createHash('sha256').update(Buffer.concat(pieces)).digest()

/** Section 2.1, by halves. */
function rootByHalves(leaves: readonly NodeHash[]): NodeHash {
  if (leaves.length === 0) return sha256()
  if (leaves.length === 1) return leaves[0]!
  let left = 1
  while (left * 2 < leaves.length) left *= 2
  return sha256(Buffer.of(1), rootByHalves(leaves.slice(0, left)), rootByHalves(leaves.slice(left)))
}

/** Section 2.1.1: the root that follows from a leaf and its path. */
function rootOfPath(leaf: NodeHash, index: number, size: number, path: readonly NodeHash[]): NodeHash {
  if (size === 1) return leaf
  let left = 1
  while (left * 2 < size) left *= 2
  const beside = path.at(-1)!
  return index < left
    ? sha256(Buffer.of(1), rootOfPath(leaf, index, left, path.slice(0, -1)), beside)
    : sha256(Buffer.of(1), beside, rootOfPath(leaf, index - left, size - left, path.slice(0, -1)))
}

test('the empty tree and the tree of one empty leaf have the roots of Certificate Transparency’s test vectors', () => {
  const [empty, one] = [merkleRoot([]), merkleRoot([leafHash('')])].map((root) => root.toString('hex'))
  assert.equal(empty, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  assert.equal(one, '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d')
})

test('trees of every size have the root by halves, and every path leads to it', () => {
  for (let size = 1; size <= 70; size += 1) {
    const leaves = Array.from({ length: size }, (_, at) => leafHash(String(at)))
    const root = merkleRoot(leaves)
    assert.deepEqual(root, rootByHalves(leaves), String(size))
    for (const [at, leaf] of leaves.entries())
      assert.deepEqual(rootOfPath(leaf, at, size, auditPath(leaves, at)), root, `${at} of ${size}`)
  }
})
