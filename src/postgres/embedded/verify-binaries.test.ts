// Tests that PostgreSQL runs only as released: a changed byte, an added file or a missing file prevents the start.
import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyCheckout } from '../../../test/checkout-copy.ts'
import { findBinaries } from './binaries.ts'
import type { startServer } from './server.ts'
import { verifyBinaries } from './verify-binaries.ts'

const root = mkdtempSync(join(tmpdir(), 'cradle-test-'))
chmodSync(root, 0o711)
after(() => rmSync(root, { recursive: true, force: true }))

/** Flips one bit in the middle of the file; the length stays the same. */
function flipBit(file: string): void {
  const bytes = readFileSync(file)
  bytes[bytes.length >> 1]! ^= 1
  writeFileSync(file, bytes)
}

const found = findBinaries()
const directory = join(root, 'native')
cpSync(found.directory, directory, { recursive: true, verbatimSymlinks: true })
const memory = join(root, 'remembered', 'verified-postgres')
const verify = () => verifyBinaries({ ...found, directory }, memory)
const REFUSAL = /^Error: The PostgreSQL in .*native is not the one of this release: the SHA-256 .* Run "npm ci"/

test('the installed files are those of the release, and are remembered as verified', () => {
  verifyBinaries(found, memory)
  verify()
  assert.match(readFileSync(memory, 'utf8'), /^[0-9a-f]{64}$/)
})

for (const name of ['bin/postgres', 'bin/initdb', 'lib/libcrypto.so.1.1', 'share/postgresql/system_functions.sql']) {
  const file = join(directory, name)
  test(
    `one changed bit of ${name} is refused, though the files were verified before`,
    { skip: !existsSync(file) },
    () => {
      verify()
      flipBit(file)
      assert.throws(verify, REFUSAL)
      assert.throws(verify, REFUSAL)
      flipBit(file)
      verify()
    },
  )
}

test('a library more, a file less, and a link to elsewhere are refused', () => {
  // The added library would be loaded instead of the system's.
  writeFileSync(join(directory, 'lib', 'libm.so.6'), '')
  assert.throws(verify, REFUSAL)
  rmSync(join(directory, 'lib', 'libm.so.6'))
  symlinkSync('/tmp/libm.so.6', join(directory, 'lib', 'libm.so.6'))
  assert.throws(verify, /libm\.so\.6 is a link to \/tmp\/libm\.so\.6, outside of its directory/)
  rmSync(join(directory, 'lib', 'libm.so.6'))
  renameSync(join(directory, 'bin', 'initdb'), join(root, 'initdb'))
  assert.throws(verify, REFUSAL)
  renameSync(join(root, 'initdb'), join(directory, 'bin', 'initdb'))
  verify()
})

test('a start with a changed PostgreSQL makes no database', async () => {
  const checkout = join(root, 'checkout')
  const source = copyCheckout(checkout, 0o755)
  flipBit(join(checkout, 'node_modules', found.name, 'native', 'bin', 'postgres'))
  const copied = (await import(join(source, 'server.ts'))) as { readonly startServer: typeof startServer }
  const dataDirectory = join(checkout, 'data')
  await assert.rejects(copied.startServer({ dataDirectory, outsideRoots: [join(root, 'outside')] }), REFUSAL)
  assert.ok(!existsSync(join(dataDirectory, 'cluster')))
})
