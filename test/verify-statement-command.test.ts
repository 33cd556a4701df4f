// `cradle verify-statement`: a statement in, plain sentences and an exit code out, without a database.
import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exampleReceipt, exampleStatement } from '../src/http/schemas/examples.ts'
import type { Statement } from '../src/statements/statement.ts'
import { cradle, freshDirectory } from './command.ts'
import { shippedReferenceData } from './shipped-book.ts'

const root = freshDirectory()
after(() => rmSync(root, { recursive: true, force: true }))

/** A database that nobody could open, so that nothing can have come from one. */
const environment = { CRADLE_DATA_DIR: join(root, 'data'), DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' }
const { statement: example } = await exampleStatement(shippedReferenceData().referenceData, '1.2.3')
const statement = example as Statement
const { fingerprint } = statement.signed_by
const text = JSON.stringify(statement)

function fileWith(name: string, content: string): string {
  const path = join(root, name)
  writeFileSync(path, content)
  return path
}

const verify = (...words: readonly string[]) => cradle(['verify-statement', ...words], environment)

test('a statement that computes again to itself ends with 0, and says what was checked', async () => {
  const written = fingerprint.toUpperCase().replace(/(....)(?=.)/g, '$1:')
  const { code, stdout, stderr } = await verify(fileWith('statement.json', text), '--key', written)
  assert.deepEqual([code, stderr], [0, ''])
  const lines = stdout.trimEnd().split('\n')
  assert.ok(lines.slice(0, -1).every((line) => line.startsWith('right: ')))
  assert.match(stdout, /^right: It is the key that was asked for\.$/m)
  assert.equal(lines.at(-1), `equal: "customer-17" in 2025, ${statement.summary.total_emission} kg CO2e`)
})

test('a changed one ends with 1 and says where; without a key it says which fingerprint to ask for', async () => {
  const changed = text.replace('"total_emission":"8.840348"', '"total_emission":"8.840349"')
  assert.notEqual(changed, text)
  const { code, stdout, stderr } = await verify(fileWith('changed.json', changed))
  assert.equal(code, 1)
  assert.match(stdout, /^wrong: The hash does not fit the text/m)
  assert.match(stdout, /^wrong: At \/summary\/total_emission: found "8\.840349", expected "8\.840348"\.$/m)
  assert.match(stdout, /^different: /m)
  assert.match(stderr, new RegExp(`Ask the rental company .*${fingerprint}\n$`))
})

test('the order of a receipt is found in the statement, or said not to be in it', async () => {
  const receipt = JSON.stringify(exampleReceipt(shippedReferenceData().referenceData, '1.2.3'))
  const whole = fileWith('whole.json', text)
  const own = await verify(whole, '--key', fingerprint, '--receipt', fileWith('own.json', receipt))
  assert.equal(own.code, 0, own.stdout)
  assert.match(own.stdout, /^right: The order "order-2024-1212" of "customer-17", .* is in the statement\.$/m)
  for (const [from, to, sentence] of [
    ['"order_id":"order-2024-1212"', '"order_id":"other"', 'is not in the statement'],
    ['"customer_id":"customer-17"', '"customer_id":"other"', 'is not in the statement'],
    ['"weight_kg":1.24', '"weight_kg":1.25', 'is in the statement with other content than the receipt shows'],
  ] as const) {
    const other = await verify(whole, '--receipt', fileWith('other.json', receipt.replace(from, to)))
    assert.equal(other.code, 1, other.stdout)
    assert.match(other.stdout, new RegExp(`^wrong: The order .* ${sentence}\\.$`, 'm'))
  }
})

test('what is no statement ends with 2, a sentence and nothing on standard output', async () => {
  const { code, stdout, stderr } = await verify(
    fileWith('receipt.json', '{"media_type":"application/vnd.cradle.receipt+json;version=2"}'),
  )
  assert.deepEqual([code, stdout], [2, ''])
  assert.match(stderr, /is no statement: It is not a statement of the media type/)
  const former = await verify(fileWith('former.json', '{"statement":"cradle-statement/2"}'))
  assert.equal(former.code, 2)
  assert.match(former.stderr, /has the form cradle-statement\/2: verify it with the version of Cradle that issued it/)
})

test('one that is nested without end is refused in a sentence, wherever it is', async () => {
  for (const depth of [200, 2_000, 20_000]) {
    const deep = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    const { code, stdout, stderr } = await verify(fileWith('deep.json', text.replace('"year":2025', `"year":${deep}`)))
    assert.deepEqual([code, stdout], [2, ''])
    assert.match(stderr, /is no statement: It is not JSON that can be read: [^\n]+\n$/)
  }
})
