// A statement that was changed anywhere is refused: by a digit or a member, with its seal renewed or not.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { runToCompletion } from '../engine/numbers/steps.ts'
import { exampleStatement } from '../http/schemas/examples.ts'
import {
  JsonNumber,
  isJsonObject,
  parseExactJson,
  canonicalise,
  type JsonValue,
  type JsonObject,
} from '../strict-json/exact-tree.ts'
import { Decoder } from '../strict-json/decoder.ts'
import { buildStatement } from './build-statement.ts'
import { readStatementData } from './read-statement.ts'
import { signStatement } from './print-statement.ts'
import type { StatementContent, StatementData, StatementEntry } from './statement.ts'
import { verifyStatement } from './verify-statement.ts'
import { shippedReferenceData } from '../../test/shipped-book.ts'

const newKey = (): KeyObject => {
  const { privateKey } = generateKeyPairSync('ed25519')
  return createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' }))
}
const [ownKey, otherKey] = [newKey(), newKey()]

const example = parseExactJson(
  JSON.stringify((await exampleStatement(shippedReferenceData().referenceData, '1.2.3')).statement),
) as JsonObject

/**
 * The example's customer with a second order, of a device that came back early, which was recorded after the books of
 * the year before were closed; and a box without devices.
 */
function eventfulFacts(): StatementData {
  const facts = readStatementData(new Decoder(example))
  const [device, order] = [facts.devices[0]!, facts.orders[0]!]
  const rental = device.rentals[0]!
  const first = rental.entries[0]!
  const back = { product_embodied_emission: -1.5, product_use: -0.25, packaging: -0.28551, transportation: 0 }
  const at = '2025-03-02T08:00:00.000Z'
  const cause = { counts_from: '2025-01-01', event_id: 'back', caused_by: 'second' }
  return {
    ...facts,
    devices: [
      device,
      {
        ...device,
        serial_number: 'B-2',
        rentals: [
          {
            ...rental,
            order_id: 'second',
            from: '2024-11-16',
            until: '2025-03-01',
            entries: [
              { ...first, months: '18' },
              { ...first, ...cause, posted_at: at, reason: 'early_return', months: '7/2', ...back },
            ],
          },
        ],
      },
    ],
    orders: [
      order,
      { ...order, order_id: 'second', dispatch_date: '2024-11-16' },
      {
        ...order,
        order_id: 'box',
        number_of_devices: 0,
        entries: [{ ...first, months: null, use_basis: null, product_embodied_emission: 0, product_use: 0 }],
      },
    ],
  }
}

const seal = async (content: StatementContent, key = ownKey): Promise<JsonObject> =>
  (await signStatement(content, key)).tree
const eventful = await seal(runToCompletion(buildStatement(eventfulFacts())))
const fingerprint = (eventful['signed_by'] as JsonObject)['fingerprint'] as string

type Path = readonly (string | number)[]

function leavesOf(value: JsonValue, path: Path = []): readonly { readonly path: Path; readonly value: JsonValue }[] {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap((one, at) => leavesOf(one, [...path, at]))
  if (!isJsonObject(value)) return [{ path, value }]
  return Object.entries(value).flatMap(([name, one]) => leavesOf(one, [...path, name]))
}

/** The same with another value at the path. */
function changed(value: JsonValue, [step, ...rest]: Path, to: JsonValue): JsonValue {
  if (step === undefined) return to
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).map((one, at) => (at === step ? changed(one, rest, to) : one))
  const members = Object.entries(value as JsonObject)
  return Object.fromEntries(members.map(([name, one]) => [name, name === step ? changed(one, rest, to) : one]))
}

const pointerOf = (path: Path): string => path.map((step) => `/${step}`).join('')

const SEAL = ['completeness', 'signed_by', 'hash', 'signature']

/** Somebody who changes a statement may compute the digests again and sign it anew, with a key of his own. */
async function signedAnew(tree: JsonObject, key: KeyObject): Promise<string> {
  const members = Object.entries(tree).filter(([name]) => !SEAL.includes(name))
  return canonicalise(await seal(JSON.parse(canonicalise(Object.fromEntries(members))) as StatementContent, key))
}

const otherDigit = (digit: string): string => String((Number(digit) + 1) % 10)
/** A number with another last digit. */
const altered = (number: JsonNumber | string): JsonNumber | string =>
  typeof number === 'string' ? withOtherDigit(number) : new JsonNumber(withOtherDigit(number.text))
const withOtherDigit = (text: string): string => text.slice(0, -1) + otherDigit(text.at(-1)!)

const isRefused = async (text: string, key: string | null = null): Promise<boolean> =>
  (await verifyStatement(text, key)).outcome !== 'equal'

test('the statements that are changed here are equal as they are', async () => {
  for (const tree of [example, eventful]) {
    const verification = await verifyStatement(canonicalise(tree), null)
    assert.equal(verification.outcome, 'equal', JSON.stringify(verification))
  }
  assert.equal(await isRefused(canonicalise(eventful), fingerprint), false)
  assert.equal(await isRefused(canonicalise(eventful), 'f'.repeat(64)), true)
  assert.equal(await isRefused(await signedAnew(eventful, ownKey), fingerprint), false)
})

const isNumber = (value: JsonValue): value is JsonNumber | string =>
  value instanceof JsonNumber || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
const numbers = leavesOf(eventful).flatMap(({ path, value }) => (isNumber(value) ? [{ path, value }] : []))

/** What no sum follows from to its last digit: the hash and the signature alone guard it. */
const GUARDED_BY_THE_SEAL = [
  /^\/calculation_bases\/\d+\/(data_quality|errors|factors)\//,
  /^\/factors\/\d+\/(source|value)$/,
  /^\/issued\/method$/,
  /^\/sources\/\d+\/year$/,
]

test('every number that is altered is refused by the hash, and by the sums wherever any follows from it', async () => {
  const unseen: string[] = []
  for (const { path, value } of numbers) {
    const verification = await verifyStatement(canonicalise(changed(eventful, path, altered(value))), null)
    assert.ok(verification.outcome === 'different', pointerOf(path))
    if (verification.differences.every((one) => /hash|signature/.test(one))) unseen.push(pointerOf(path))
  }
  assert.ok(numbers.length > 200)
  const isGuarded = (pointer: string) => GUARDED_BY_THE_SEAL.some((pattern) => pattern.test(pointer))
  assert.deepEqual(
    unseen.filter((pointer) => !isGuarded(pointer)),
    [],
  )
})

test('every number that is altered, and signed anew with another key, is refused where the key is known', async () => {
  for (const { path, value } of numbers) {
    const tree = changed(eventful, path, altered(value)) as JsonObject
    assert.equal(await isRefused(await signedAnew(tree, otherKey), fingerprint), true, pointerOf(path))
  }
})

test('a total that was changed is refused by the sums even where the account itself signs it anew', async () => {
  const total = (eventful['summary'] as JsonObject)['total_emission'] as string
  const tree = changed(eventful, ['summary', 'total_emission'], altered(total)) as JsonObject
  const verification = await verifyStatement(await signedAnew(tree, ownKey), fingerprint)
  assert.equal(verification.outcome, 'different')
  assert.match(JSON.stringify(verification), /At \/summary\/total_emission: found /)
})

test('corrections of earlier years are listed, and a cause told otherwise is refused by its entries', async () => {
  const causes = ['corrections_of_earlier_years', 'years', 0, 'causes', 0]
  const pointer = pointerOf(causes)
  const leaves = new Map(leavesOf(eventful).map(({ path, value }) => [pointerOf(path), value]))
  assert.equal(leaves.get(`${pointer}/event_id`), 'back')
  const others: readonly (readonly [string, JsonValue])[] = [
    ['event_id', 'another'],
    ['order_id', 'box'],
    ['recorded_at', '2025-03-03T08:00:00.000Z'],
    ['reasons', ['return']],
    ['order_ids', ['box']],
  ]
  for (const [name, value] of others) {
    const tree = changed(eventful, [...causes, name], value) as JsonObject
    const verification = await verifyStatement(await signedAnew(tree, ownKey), fingerprint)
    assert.match(JSON.stringify(verification), new RegExp(`At ${pointer}/${name}`))
  }
})

test('a statement that was issued before it listed corrections of earlier years is verified as it is', async () => {
  const facts = eventfulFacts()
  const earlier = (entry: StatementEntry) =>
    JSON.parse(JSON.stringify({ ...entry, event_id: undefined, caused_by: undefined })) as StatementEntry
  const devices = facts.devices.map((device) => ({
    ...device,
    rentals: device.rentals.map((rental) => ({ ...rental, entries: rental.entries.map(earlier) })),
  }))
  const orders = facts.orders.map((order) => ({ ...order, entries: order.entries.map(earlier) }))
  const content = runToCompletion(buildStatement({ ...facts, devices, orders, lists_earlier_years: false }))
  const text = canonicalise(await seal(content))
  assert.doesNotMatch(text, /earlier_years|event_id|caused_by/)
  assert.equal(await isRefused(text, fingerprint), false)
})

test('shares of devices that no line of their order has are refused even if the account signs them', async () => {
  const facts = eventfulFacts()
  const orders = facts.orders.map((one) => (one.order_id === 'second' ? { ...one, lines: one.lines.slice(1) } : one))
  const tree = await seal(runToCompletion(buildStatement({ ...facts, orders })))
  const verification = await verifyStatement(canonicalise(tree), fingerprint)
  const sentence = /found 0 kg by calculation basis \d+, expected 0\.\d+ kg, the sum of the devices’ shares/
  assert.match(JSON.stringify(verification), sentence)
})

test('a device, an entry or a member taken away, and a member added, are refused', async () => {
  for (const [name, value] of Object.entries(eventful)) {
    const without = Object.fromEntries(Object.entries(eventful).filter(([one]) => one !== name))
    assert.equal(await isRefused(canonicalise(without)), true, name)
    if (Array.isArray(value) && value.length > 0)
      assert.equal(await isRefused(canonicalise({ ...eventful, [name]: (value as JsonValue[]).slice(1) })), true, name)
  }
  assert.equal(await isRefused(canonicalise({ ...eventful, note: 'all is well' })), true)
})

test('a signature of the same bytes in other letters is not taken', async () => {
  const signature = eventful['signature'] as JsonObject
  const value = `${signature['value'] as string} `
  assert.equal(await isRefused(canonicalise({ ...eventful, signature: { ...signature, value } })), true)
})
