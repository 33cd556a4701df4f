// Receipts and statements as signed documents: verified without Cradle, complete, and those of earlier forms too.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import canonicalize from 'canonicalize'
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { digestOf } from '../src/documents/canonical.ts'
import { verifyReceipt } from '../src/receipts/verify-receipt.ts'
import type { Statement } from '../src/statements/statement.ts'
import { verifyStatement } from '../src/statements/verify-statement.ts'
import {
  canonicalise,
  parseExactJson,
  withoutMembers,
  type JsonObject,
  type JsonValue,
} from '../src/strict-json/exact-tree.ts'
import { freshDirectory } from './command.ts'
import type { Json } from './document-check.ts'
import { AIR_LEG, BOX, VAN, createReceiptClient, laptop, orderOf } from './receipt-client.ts'
import { startService, type Service } from './service.ts'
import { shippedReferenceData } from './shipped-book.ts'
import { statementPath } from './statement-client.ts'

const { matching } = shippedReferenceData().referenceData
const EARLIER = join(import.meta.dirname, 'fixtures', 'documents')
const earlier = (prefix: string): readonly (readonly [string, string])[] =>
  readdirSync(EARLIER)
    .filter((name) => name.startsWith(prefix))
    .map((name) => [name, readFileSync(join(EARLIER, name), 'utf8')])

const directory = freshDirectory()
let service: Service
let statement: string
const receipts = new Map<string, string>()

const read = async (path: string): Promise<string> => {
  const { status, text } = await service.ask(path)
  assert.equal(status, 200, text)
  return text
}

/** Names whose order by code point differs from that by UTF-16 code unit. */
const METADATA = { '😀': 'a', '\uff5e': 'b', 'cost/centre': 'é"\\\u2028' }

before(async () => {
  service = await startService()
  const client = createReceiptClient(service)
  const smallest = { ...(BOX['config'] as Json), weight_kg: 1e-7 }
  for (const [id, start, items] of [
    [
      'a',
      '2024-07-01',
      [laptop('A-1', 12, { country: 'DE' }), laptop('A-2', 24, { weight_kg: 1.2345678901234567 }), VAN, AIR_LEG, BOX],
    ],
    ['b', '2024-10-01', [laptop('B-1', 18), { ...BOX, config: smallest }]],
    ['c', '2025-02-01', [BOX]],
    ['\uff5e', '2025-03-01', [laptop('D-1', 6)]],
    ['😀', '2025-03-01', [laptop('E-1', 6)]],
  ] as const)
    await client.post(orderOf('acme', id, start, items, { metadata: METADATA }))
  await client.tell('acme', 'a', {
    event_id: 'swap',
    type: 'swapped',
    serial_number: 'A-2',
    date: '2024-12-01',
    new_serial_number: 'A-4',
    weight_kg: 1.3,
  })
  await client.tell('acme', 'b', { event_id: 'back', type: 'returned', date: '2025-03-01' })
  statement = await read(statementPath('acme', 2025))
  for (const id of ['a', 'b', 'c']) receipts.set(id, await client.receiptText('acme', id, '?signed=true'))
})
after(async () => {
  await service.stop()
  rmSync(directory, { recursive: true, force: true })
})

test('receipts and statements of earlier forms are verified as issued, and refused once changed', async () => {
  for (const [name, text] of earlier('receipt-v2')) {
    const found = verifyReceipt(text, matching)
    assert.equal(found.outcome, 'equal', `${name}: ${JSON.stringify(found)}`)
    const changed = text.replace(/"total_emission":(\d)/, (_, digit) => `"total_emission":${(Number(digit) % 9) + 1}`)
    assert.equal(verifyReceipt(changed, matching).outcome, 'different', name)
  }
  for (const [name, text] of earlier('statement-v3')) {
    const found = await verifyStatement(text, (JSON.parse(text) as Statement).signed_by.fingerprint)
    assert.equal(found.outcome, 'equal', `${name}: ${JSON.stringify(found)}`)
    const changed = text.replace(/"total_emission":(\d)/, (_, digit) => `"total_emission":${(Number(digit) % 9) + 1}`)
    assert.equal((await verifyStatement(changed, null)).outcome, 'different', name)
  }
  assert.deepEqual([earlier('receipt-v2').length, earlier('statement-v3').length], [3, 2])
})

/** Numbers of a document, with their paths; what clients sent is left out. */
function numbersIn(value: unknown, path = ''): readonly string[] {
  if (/\/(as_received|event|replaced)$/.test(path)) return []
  if (typeof value === 'number') return Number.isSafeInteger(value) ? [] : [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => numbersIn(one, `${path}/${name}`))
}

test('every number of a document is a whole number that a double holds, except in what clients sent', () => {
  for (const text of [statement, ...receipts.values()]) assert.deepEqual(numbersIn(JSON.parse(text)), [])
})

test('the digest of any value that is sent is that of its text as any JSON parser reads it', () => {
  for (const number of [1e-7, 5e-324, 1.2345678901234567, 0.1, 1e21, 40_000, 1e-6, 0]) {
    const value = { '😀': number, '\uff5e': [number], text: '\u2028\u007f"\\\n' }
    const tree = parseExactJson(JSON.stringify(value))
    assert.equal(digestOf(tree), createHash('sha256').update(canonicalize(value)!).digest('hex'), String(number))
  }
  assert.throws(() => digestOf(parseExactJson('[0.10000000000000000555]')), /cannot be held by a double/)
})

test('signatures of statements and receipts are verified by Node alone, and with the JWK set', async () => {
  const jwks = JSON.parse(await read('/api/statement-key/jwks')) as JSONWebKeySet
  for (const text of [statement, ...receipts.values()]) {
    const { hash, signature, signed_by: key } = JSON.parse(text) as Statement
    const [header, payload, signed] = signature.value.split('.') as [string, string, string]
    assert.ok(
      verify(
        null,
        Buffer.from(`${header}.${payload}`),
        createPublicKey(key.public_key),
        Buffer.from(signed, 'base64url'),
      ),
    )
    assert.equal(Buffer.from(payload, 'base64url').toString(), hash.value)
    const content = JSON.parse(text) as Record<string, unknown>
    delete content['hash']
    delete content['signature']
    assert.equal(createHash('sha256').update(canonicalize(content)!).digest('hex'), hash.value)
    const found = await compactVerify(signature.value, createLocalJWKSet(jwks))
    assert.equal(Buffer.from(found.payload).toString(), hash.value)
    assert.equal(found.protectedHeader.kid, key.fingerprint)
  }
})

const UNEQUAL = ['issued', 'signed_by', 'hash', 'signature']

test('a signed receipt is equal, and says the same as the one without a signature', async () => {
  for (const [id, text] of receipts) {
    assert.equal(verifyReceipt(text, matching).outcome, 'equal')
    const plain = await read(`/api/customer-orders/acme/${id}/receipt`)
    assert.ok(!('signature' in (JSON.parse(plain) as Json)))
    const [signed, content] = [text, plain].map((one) => withoutMembers(parseExactJson(one) as JsonObject, UNEQUAL))
    assert.deepEqual(signed, content)
  }
})

const hasPython = spawnSync('python3', ['--version']).status === 0
const verifies = spawnSync('python3', ['-c', 'import cryptography']).status === 0 ? ['signature'] : []

function python(...documents: readonly string[]): readonly string[] {
  const files = documents.map((text, at) => {
    const path = join(directory, `${at}.json`)
    writeFileSync(path, text)
    return path
  })
  const script = join(import.meta.dirname, 'verify-document.py')
  const { status, stdout, stderr } = spawnSync('python3', [script, ...files], { encoding: 'utf8' })
  return status === 0 ? stdout.trim().split('\n') : [stderr.trim().split('\n').at(-1)!]
}

const proofOf = (id: string, query = '') =>
  read(`${statementPath('acme', 2025)}/orders/${encodeURIComponent(id)}${query}`)

test(
  'Python computes hash, signature, digests and root of a statement again, and finds orders in it or not',
  { skip: !hasPython },
  async () => {
    const found = ['hash', ...verifies, 'completeness']
    assert.deepEqual(python(statement), found)
    for (const text of receipts.values()) {
      assert.deepEqual(python(text), ['hash', ...verifies])
      assert.deepEqual(python(statement, text), [...found, 'receipt'])
    }
    const { issued } = JSON.parse(statement) as Statement
    const query = `?known_at=${issued.known_at}`
    for (const id of ['a', 'b', 'c', '\uff5e', '😀'])
      assert.deepEqual(python(statement, await proofOf(id, query)), [...found, 'included'], id)
    for (const id of ['0', 'aa', 'bb', 'd', '\uffee', '😁'])
      assert.deepEqual(python(statement, await proofOf(id, query)), [...found, 'not included'], id)
    const altered = statement.replace('"product_use":"0"', '"product_use":"1"')
    assert.notEqual(altered, statement)
    assert.deepEqual(python(altered), ['AssertionError: hash'])
    const proof = JSON.parse(await proofOf('b', query)) as { leaves: { path: string[] }[] }
    proof.leaves[0]!.path[0] = '00'.repeat(32)
    assert.deepEqual(python(statement, JSON.stringify(proof)), ['AssertionError: path'])
  },
)

test('the program in docs/formats.md verifies a statement', { skip: verifies.length === 0 }, () => {
  const documentation = readFileSync(join(import.meta.dirname, '..', 'docs', 'formats.md'), 'utf8')
  const program = /```python\n(.*?)```/s.exec(documentation)![1]!
  const file = join(directory, 'documented.json')
  writeFileSync(file, statement)
  const { status, stdout, stderr } = spawnSync('python3', ['-c', program, file], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  assert.equal(stdout.trim(), `signed by ${(JSON.parse(statement) as Statement).signed_by.fingerprint}`)
})

const tree = (): JsonObject => parseExactJson(statement) as JsonObject
const differencesOf = async (changed: JsonObject): Promise<readonly string[]> => {
  const found = await verifyStatement(canonicalise(changed), null)
  assert.equal(found.outcome, 'different')
  return 'differences' in found ? found.differences : []
}
const ordersOf = (statement: JsonObject) => statement['orders'] as readonly JsonObject[]
const idOf = (one: JsonValue) => (one as JsonObject)['order_id']

test('an order that was removed, doubled, added or altered in a statement is named', async () => {
  const orders = ordersOf(tree())
  const devices = tree()['devices'] as readonly JsonObject[]
  const without = (id: string) => ({
    ...tree(),
    orders: orders.filter((one) => idOf(one) !== id),
    devices: devices.filter((one) => !(one['rentals'] as readonly JsonObject[]).some((rental) => idOf(rental) === id)),
  })
  for (const id of ['b', 'c']) {
    const removed = await differencesOf(without(id))
    assert.ok(
      removed.includes(`The order "${id}" is missing: its digest is listed, and the order is not.`),
      removed.join('\n'),
    )
  }
  const doubled = await differencesOf({ ...tree(), orders: [...orders, orders.find((one) => idOf(one) === 'c')!] })
  assert.ok(doubled.includes('The order "c" stands 2 times.'), doubled.join('\n'))
  const added = await differencesOf({
    ...tree(),
    orders: [...orders, { ...orders.find((one) => idOf(one) === 'c')!, order_id: 'x' }],
  })
  assert.ok(added.includes('The order "x" was added: no digest of it is listed.'), added.join('\n'))
  const altered = await differencesOf({
    ...tree(),
    orders: orders.map((one) => (idOf(one) === 'a' ? { ...one, order_date: '2024-06-02' } : one)),
  })
  assert.match(
    altered.join('\n'),
    /The order "a" was altered: its digest is [0-9a-f]{64}, and [0-9a-f]{64} is listed\./,
  )
  const rental = await differencesOf(
    parseExactJson(statement.replace('"until":"2025-07-01"', '"until":"2025-07-02"')) as JsonObject,
  )
  assert.match(rental.join('\n'), /The order "a" was altered/)
})

test('a list of digests from which an order was taken away has another root', async () => {
  const completeness = tree()['completeness'] as JsonObject
  const list = completeness['orders'] as readonly JsonObject[]
  const found = await differencesOf({
    ...tree(),
    orders: ordersOf(tree()).filter((one) => idOf(one) !== 'c'),
    completeness: { ...completeness, orders: list.filter((one) => idOf(one) !== 'c') },
  })
  assert.match(found.join('\n'), /The digests of orders have the root [0-9a-f]{64}, not [0-9a-f]{64}\./)
})
