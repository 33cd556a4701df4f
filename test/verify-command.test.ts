// `cradle verify`: a receipt in, one line and an exit code out, without a database.
import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signDocument } from '../src/documents/signature.ts'
import { canonicalise, parseExactJson, withoutMembers, type JsonObject } from '../src/strict-json/exact-tree.ts'
import { exampleReceipt } from '../src/http/schemas/examples.ts'
import { cradle, freshDirectory } from './command.ts'
import { shippedReferenceData } from './shipped-book.ts'

const root = freshDirectory()
after(() => rmSync(root, { recursive: true, force: true }))

/** A database that nobody could open, so that nothing can have come from one. */
const environment = { CRADLE_DATA_DIR: join(root, 'data'), DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' }
const receipt = JSON.stringify(exampleReceipt(shippedReferenceData().referenceData, '1.2.3'))
const { release } = shippedReferenceData().referenceData

function fileWith(name: string, text: string): string {
  const path = join(root, name)
  writeFileSync(path, text)
  return path
}

const verify = (...words: readonly string[]) => cradle(['verify', ...words], environment)

test('a receipt that computes again to itself ends with 0 and one line', async () => {
  const { code, stdout, stderr } = await verify(fileWith('receipt.json', receipt))
  assert.deepEqual([code, stderr], [0, ''])
  const { hash } = JSON.parse(receipt) as { readonly hash: { readonly value: string } }
  assert.equal(
    stdout,
    'equal: order "order-2024-1212" of "customer-17", 4 lines, 1 device, ' +
      `figures as published in ${release}, hash ${hash.value}\n`,
  )
  assert.equal(existsSync(environment.CRADLE_DATA_DIR), false)
})

test('a changed one ends with 1, and says where, what was expected and what was found', async () => {
  const changed = receipt.replace('"emission":"6.834375"', '"emission":"6.834376"')
  assert.notEqual(changed, receipt)
  const { code, stdout, stderr } = await verify(fileWith('changed.json', changed))
  assert.deepEqual([code, stderr], [1, ''])
  assert.equal(
    stdout,
    'different: at /items/0/emission_breakdown/product_embodied_emission/emission: ' +
      'found "6.834376", expected "6.834375"\n' +
      'The hash does not fit the text.\n',
  )
})

test('a signed receipt names its key, and is different with another key or a signature that does not fit', async () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const content = withoutMembers(parseExactJson(receipt) as JsonObject, ['hash'])
  const { tree, members } = await signDocument(content, privateKey, 'vnd.cradle.receipt+jws')
  const { fingerprint } = members.signed_by
  const signed = fileWith('signed.json', canonicalise(tree))
  const own = await verify(signed, '--key', fingerprint)
  assert.equal(own.code, 0, own.stdout)
  assert.ok(own.stdout.endsWith(`\nsigned: by the key ${fingerprint}\n`))
  const foreign = await verify(signed, '--key', 'f'.repeat(64))
  assert.equal(foreign.code, 1)
  assert.match(foreign.stdout, /^different: It is signed with another key than was asked for/m)
  const statement = await signDocument(content, privateKey, 'vnd.cradle.statement+jws')
  const other = await verify(fileWith('other.json', canonicalise(statement.tree)))
  assert.equal(other.code, 1)
  assert.match(other.stdout, /^different: The signature is not of the key that is named, or not of this text/m)
  const unsigned = await verify(fileWith('unsigned.json', receipt), '--key', fingerprint)
  assert.equal(unsigned.code, 1)
  assert.match(unsigned.stdout, /^different: it is not signed$/m)
})

test('one whose hash alone is changed ends with 1 too', async () => {
  const changed = receipt.replace('"version":"1.2.3"', '"version":"1.2.4"')
  const { code, stdout } = await verify(fileWith('hash.json', changed))
  assert.equal(code, 1)
  assert.match(stdout, /^different: at \/hash\/value: found "[0-9a-f]{64}", expected "[0-9a-f]{64}"\n/)
})

test('a receipt is read from standard input', () => {
  const command = join(import.meta.dirname, '..', 'src', 'cli', 'cradle.ts')
  const { status, stdout } = spawnSync(process.execPath, [command, 'verify', '-'], {
    input: receipt,
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  })
  assert.equal(status, 0)
  assert.match(stdout, /^equal: /)
})

test('what is no receipt, or cannot be read, ends with 2, a sentence and nothing on standard output', async () => {
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [[fileWith('empty.json', '')], /empty\.json" is no receipt: It is not JSON/],
    [[fileWith('other.json', '{"media_type":"another"}')], /is no receipt: It is not a receipt of the media type/],
    [[fileWith('former.json', '{"receipt":"cradle-receipt/1"}')], /has the form cradle-receipt\/1: verify it with/],
    [[fileWith('refused.json', '{"error":"…","code":"not_found","request_id":"…"}')], /not served: not_found/],
    [[join(root, 'nowhere.json')], /nowhere\.json" cannot be read: ENOENT/],
    [[root], /cannot be read: EISDIR/],
    [[], /Name one file with a receipt/],
    [['--all', join(root, 'receipt.json')], /Name one file with a receipt/],
  ]
  for (const [words, sentence] of wrong) {
    const { code, stdout, stderr } = await verify(...words)
    assert.deepEqual([code, stdout], [2, ''], words.join(' '))
    assert.match(stderr, sentence)
    assert.doesNotMatch(stderr, /\n\s+at /)
  }
})
