// A receipt that was changed anywhere is caught: by a digit, by a character, by a member, even if its hash was renewed.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { ReferenceData } from '../src/engine/reference/reference-data.ts'
import { exampleReceipt } from '../src/http/schemas/examples.ts'
import { digestOf } from '../src/documents/canonical.ts'
import {
  JsonNumber,
  isJsonObject,
  parseExactJson,
  canonicalise,
  type JsonValue,
  type JsonObject,
} from '../src/strict-json/exact-tree.ts'
import { verifyReceipt } from '../src/receipts/verify-receipt.ts'
import type { AskedService } from './asked-service.ts'
import { sharedService } from './shared-service.ts'
import { rounds } from './rounds.ts'
import { BOX, VAN, createReceiptClient, laptop, orderOf } from './receipt-client.ts'
import { shippedReferenceData } from './shipped-book.ts'

const { referenceData } = shippedReferenceData()
const example = parseExactJson(JSON.stringify(exampleReceipt(referenceData, '1.2.3'))) as JsonObject

let service: AskedService
/** Of an order with a refurbishment before it, an overlap, two swaps, use by the grid, and a device by its weight. */
let eventful: JsonObject
before(async () => {
  service = await sharedService()
  const client = createReceiptClient(service)
  await client.post(orderOf('other', 'before', '2022-01-01', [laptop('A', 30)]))
  const event = { event_id: 'r', type: 'refurbished', date: '2024-08-01', emission_kg: 7.5, lifetime_months_added: 6 }
  await client.tellDevice('A', event)
  const energetic = laptop('B', 12, { product_id: 'dell-latitude-5310', country: 'DE' })
  const unknown = laptop('C', 12, { product_id: 'never heard of' })
  await client.post(orderOf('acme', 'order', '2024-09-01', [laptop('A', 12), energetic, unknown, VAN, BOX]))
  await client.post(orderOf('other', 'after', '2025-06-11', [laptop('A', 30)]))
  const swapped = { event_id: 's', type: 'swapped', serial_number: 'B', date: '2025-01-20' }
  await client.tell('acme', 'order', { ...swapped, new_serial_number: 'D', weight_kg: 1.5 })
  const named = { product_id: 'lenovo-thinkpad-t490', new_serial_number: 'E', weight_kg: 1.5 }
  await client.tell('acme', 'order', { ...swapped, ...named, event_id: 't', serial_number: 'D', date: '2025-02-20' })
  eventful = parseExactJson(await client.receiptText('acme', 'order')) as JsonObject
})
after(() => service.stop())

type Path = readonly (string | number)[]
interface Leaf {
  readonly path: Path
  readonly value: JsonValue
}

function leavesOf(value: JsonValue, path: Path = []): readonly Leaf[] {
  if (Array.isArray(value)) {
    const list = value as readonly JsonValue[]
    return list.length === 0 ? [{ path, value }] : list.flatMap((one, at) => leavesOf(one, [...path, at]))
  }
  if (!isJsonObject(value)) return [{ path, value }]
  return Object.entries(value).flatMap(([name, one]) => leavesOf(one, [...path, name]))
}

/** Of lists the first elements: the others have the same members, each of which costs a whole verification. */
function someLeavesOf(value: JsonValue): readonly Leaf[] {
  const most = rounds(2, Infinity)
  const seen = new Map<string, number>()
  return leavesOf(value).filter(({ path }) => {
    const form = path.map((step) => (typeof step === 'number' ? '*' : step)).join('/')
    seen.set(form, (seen.get(form) ?? 0) + 1)
    return seen.get(form)! <= most
  })
}

/** The same with another value at the path, or with nothing there. */
function changed(value: JsonValue, [step, ...rest]: Path, to: JsonValue | undefined): JsonValue {
  if (step === undefined) return to!
  if (Array.isArray(value)) {
    const list = value as readonly JsonValue[]
    return list.flatMap((one, at) =>
      at !== step ? [one] : rest.length === 0 && to === undefined ? [] : [changed(one, rest, to)],
    )
  }
  const object = value as JsonObject
  const members = Object.entries(object).filter(([name]) => name !== step || rest.length > 0 || to !== undefined)
  return Object.fromEntries(members.map(([name, one]) => [name, name === step ? changed(one, rest, to) : one]))
}

const pointerOf = (path: Path): string => path.map((step) => `/${step}`).join('')
const otherDigit = (digit: string): string => String((Number(digit) + 1) % 10)
const otherCharacter = (one: string): string => (/\d/.test(one) ? otherDigit(one) : one === 'x' ? 'y' : 'x')

/** The texts that differ from this one in one character at one of the places. */
const withOneChanged = (text: string, places: readonly number[]): readonly string[] =>
  places.map((at) => text.slice(0, at) + otherCharacter(text[at]!) + text.slice(at + 1))

const digitsIn = (text: string): readonly number[] => [...text.matchAll(/\d/g)].map(({ index }) => index)

/** One digit or character changed, at each of the places; what bears no character is exchanged. */
function variantsOf({ value }: Leaf, placesIn: (text: string) => readonly number[]): readonly JsonValue[] {
  if (value instanceof JsonNumber)
    return withOneChanged(value.text, placesIn(value.text)).map((text) => new JsonNumber(text))
  if (typeof value === 'boolean') return [!value]
  return typeof value === 'string' ? withOneChanged(value, placesIn(value)) : ['']
}

/** Its last digit, or its first character. */
const once = (text: string): readonly number[] =>
  /\d/.test(text) ? digitsIn(text).slice(-1) : [...text.matchAll(/[^.-]/g)].map(({ index }) => index).slice(0, 1)

const outcomeOf = (tree: JsonValue, published: readonly ReferenceData[] = []) =>
  verifyReceipt(canonicalise(tree), referenceData.matching, published)

test('the receipts that are changed here are equal as they are', () => {
  for (const tree of [example, eventful]) assert.equal(outcomeOf(tree, [referenceData]).outcome, 'equal')
})

test('one digit or character changed in any value is caught', () => {
  const uncaught: string[] = []
  for (const tree of [example, eventful]) {
    for (const leaf of someLeavesOf(tree)) {
      for (const to of variantsOf(leaf, once)) {
        if (outcomeOf(changed(tree, leaf.path, to)).outcome === 'equal') uncaught.push(pointerOf(leaf.path))
      }
    }
  }
  assert.deepEqual(uncaught, [])
})

test('any member or element removed is caught, and any added', () => {
  const uncaught: string[] = []
  for (const [tree, depthMax] of [
    [example, Infinity],
    [eventful, 4],
  ] as const) {
    const paths = leavesOf(tree).flatMap(({ path }) => path.slice(0, depthMax).map((_, at) => path.slice(0, at + 1)))
    for (const [pointer, path] of new Map(paths.map((one) => [pointerOf(one), one]))) {
      if (outcomeOf(changed(tree, path, undefined)).outcome === 'equal') uncaught.push(pointer)
    }
  }
  assert.deepEqual(uncaught, [])
  const more = { ...eventful, note: 'all is well' }
  assert.equal(outcomeOf(more).outcome, 'different')
  const text = canonicalise(eventful).replace('"total_emission":', '"total_emission":1,"total_emission":')
  assert.equal(verifyReceipt(text, referenceData.matching).outcome, 'no-receipt')
})

/** Somebody who changes a receipt may renew its hash too. */
function forged(tree: JsonObject, path: Path, to: JsonValue): JsonObject {
  const { hash, ...content } = changed(tree, path, to) as JsonObject
  return { ...content, hash: { ...(hash as JsonObject), value: digestOf(content) } }
}

/**
 * What no number of the order follows from: who made the receipt and when, names and ids, what the hash alone guards.
 * A device's past may be another one that comes to the same.
 */
const GUARDED_BY_THE_HASH = [
  // What else a product may have been: nothing is charged by it.
  /^\/match\/\d+\/candidates\/\d+\//,
  /^\/issued\/(version|at)$/,
  /^\/order\/received_at$/,
  /^\/order\/as_received\/(customer_id|order_id|order_date)$/,
  /^\/events\/\d+\/(recorded_at|recorded_by\/\w+|event\/(serial_number|weight_kg))$/,
  /^\/releases\/\d+\/(content_hash|type_defaults\/\d+\/assumed)$/,
  // The factor of a region is printed with its year, which only the release proves.
  /^\/releases\/\d+\/models\/\d+\/use_region\/year$/,
  // A default lifetime is no factor of any line, so that its source stands here alone.
  /^\/releases\/\d+\/(sources\/\d+\/\w+|type_defaults\/\d+\/source)$/,
  // A single device's weight neither charges it nor divides anything.
  /^\/order\/as_received\/items\/0\/config\/weight_kg$/,
  /^\/devices\/\d+\/ledger\/(rentals\/\d+\/start|events\/\d+\/date)$/,
  /^\/devices\/\d+\/posted\/\d+\/(entry_no|posted_at|caused_by_rental)$/,
]

test('with the hash renewed, a change is still caught where it stands, or nothing follows from it', () => {
  const uncaught: string[] = []
  const unplaced: string[] = []
  for (const tree of [example, eventful]) {
    for (const leaf of someLeavesOf(tree).filter(({ path }) => path[0] !== 'hash' && path[0] !== 'receipt')) {
      const pointer = pointerOf(leaf.path)
      for (const to of variantsOf(leaf, tree === example ? digitsIn : once)) {
        const found = outcomeOf(forged(tree, leaf.path, to))
        const isGuarded = GUARDED_BY_THE_HASH.some((pattern) => pattern.test(pointer))
        if (found.outcome === 'equal' && !isGuarded) uncaught.push(pointer)
        if (found.outcome === 'different' && /^(\/hash.*)?$/.test(found.difference.place)) unplaced.push(pointer)
      }
    }
  }
  assert.deepEqual([uncaught, unplaced], [[], []])
})

test('with the datasets at hand, no figure can be changed, even with the hash renewed', () => {
  const uncaught: string[] = []
  for (const leaf of leavesOf(eventful).filter(({ path }) => path[0] === 'releases')) {
    for (const to of variantsOf(leaf, once)) {
      if (outcomeOf(forged(eventful, leaf.path, to), [referenceData]).outcome === 'equal')
        uncaught.push(pointerOf(leaf.path))
    }
  }
  assert.deepEqual(uncaught, [])
})

test('how a number or a text is spelled makes no difference', () => {
  const text = canonicalise(example)
  const spelled = text
    .replaceAll('"weight_kg":1.24', '"weight_kg":124e-2')
    .replaceAll('"distance_km":100,', '"distance_km":100.00,')
    .replaceAll('Apple', '\\u0041pple')
  assert.notEqual(spelled, text)
  assert.equal(verifyReceipt(spelled, referenceData.matching).outcome, 'equal')
})

test('what is no receipt is told from one that is changed', () => {
  const longNumber = canonicalise(example).replaceAll('"distance_km":100,', `"distance_km":${'9'.repeat(100_000)},`)
  for (const text of [
    '',
    '{',
    '[]',
    '{}',
    'null',
    '{"media_type":"application/vnd.cradle.receipt+json;version=4"}',
    '{"receipt":1e99999}',
    longNumber,
  ]) {
    assert.equal(verifyReceipt(text, referenceData.matching).outcome, 'no-receipt', text.slice(0, 200))
  }
  for (const text of [
    '{"media_type":"application/vnd.cradle.receipt+json;version=3"}',
    canonicalise(example).replace('"tenure_months":3', '"tenure_months":1e300'),
    canonicalise(example).replace('"months":"3"', '"months":"1e300"'),
    canonicalise(example).replace('"months":"3"', '"months":"3/0"'),
    canonicalise(example).replace('"products":[', `"products":[${'['.repeat(40)}${']'.repeat(40)},`),
  ]) {
    assert.equal(verifyReceipt(text, referenceData.matching).outcome, 'different', text.slice(0, 200))
  }
})
