// `cradle verify` on what it cannot vouch for: figures that are not at hand, and files too large to be receipts.
import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exampleReceipt } from '../src/http/schemas/examples.ts'
import { cradle, freshDirectory } from './command.ts'
import { shippedReferenceData } from './shipped-book.ts'

const root = freshDirectory()
after(() => rmSync(root, { recursive: true, force: true }))

test('figures of a release that is not at hand are said first, and warned of', async () => {
  const referenceData = { ...shippedReferenceData().referenceData, release: '2099.01-ffffffff', hash: '0'.repeat(64) }
  const path = join(root, 'unknown.json')
  writeFileSync(path, JSON.stringify(exampleReceipt(referenceData, '1.2.3')))
  const { code, stdout, stderr } = await cradle(['verify', path], {})
  assert.equal(code, 0)
  assert.match(stdout, /^equal: figures of "2099\.01-ffffffff" only as the receipt has them, order /)
  assert.match(stderr, /^cradle: The figures of "2099\.01-ffffffff" are not at hand/)
})

test('a file of more than 64 MB is refused', async () => {
  const path = join(root, 'large.json')
  writeFileSync(path, '')
  truncateSync(path, 64 * 1024 * 1024 + 1)
  const { code, stdout, stderr } = await cradle(['verify', path], {})
  assert.deepEqual([code, stdout], [2, ''])
  assert.match(stderr, /large\.json" is larger than 67108864 bytes/)
})
