// Sums of reports beyond what a double holds, and of more different facts than are kept at a time.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { DEFAULT_BOUNDARY } from '../engine/inventory-boundary.ts'
import { runToCompletion } from '../engine/numbers/steps.ts'
import { createColumnChunkBuilder, decodeColumnChunk, type ColumnChunk } from './column-chunk.ts'
import { groupCells, type GroupedResult } from './group-by.ts'
import { aggregateChunk } from './aggregate-chunk.ts'
import { createAggregator } from './aggregate-emissions.ts'
import { createQualityAggregator } from './quality-counts.ts'
import { FIRST_DAY, LAST_DAY, type Dimension } from './query.ts'
import { ENTRY_KINDS, dayNoOf, type Fact } from './fact.ts'
import { shippedReferenceData } from '../../test/shipped-book.ts'

const RELEASE = 1
const { referenceData } = shippedReferenceData()

const OWN = 'corrugated-board-recycled'
const STAND_IN = [...referenceData.packagings.values()].find(({ standsIn }) => standsIn)!.id
const MIX = JSON.stringify([RELEASE, [[OWN, null]], [['road-van-diesel', null]]])

/** Of an order without devices. */
const factOf = (at: number, customer: string, packaging: bigint, transportation: bigint): Fact => ({
  customer,
  device: '',
  product: '',
  country: '',
  metadata: '',
  mix: MIX,
  terms: '',
  orderDay: dayNoOf(`2025-${String(1 + (at % 12)).padStart(2, '0')}-10`),
  dispatchDay: dayNoOf('2025-12-24'),
  sharedDay: dayNoOf('2025-12-24'),
  kind: ENTRY_KINDS.firstOfOrder,
  embodied: 0n,
  use: 0n,
  packaging,
  transportation,
})

async function reportOf(facts: Iterable<Fact>, groupBy: readonly Dimension[]): Promise<GroupedResult> {
  const query = { accountId: 1, groupBy, filters: new Map(), basis: 'order', from: FIRST_DAY, to: LAST_DAY } as const
  const counter = createAggregator({ ...query, sort: 'name', limit: null, view: DEFAULT_BOUNDARY }, () =>
    Promise.resolve(referenceData),
  )
  for (const chunk of chunksOf(facts)) {
    await counter.devices.prepare(chunk)
    runToCompletion(aggregateChunk(chunk, counter))
  }
  return runToCompletion(groupCells(counter))
}

function* chunksOf(facts: Iterable<Fact>): Generator<ColumnChunk> {
  let builder = createColumnChunkBuilder(null)
  for (const fact of facts) {
    builder.add(fact)
    if (!builder.isFull()) continue
    yield decodeColumnChunk(builder.encode())
    builder = createColumnChunkBuilder(null)
  }
  if (builder.count() > 0) yield decodeColumnChunk(builder.encode())
}

const told = ({ groups }: GroupedResult) =>
  groups.map(({ labels, emission, orders }) => `${labels.join(' ')}: ${emission} of ${orders}`)

test('sums beyond what a double holds are exact, and as sure as those of small ones', async () => {
  const large = 2n ** 52n - 1n
  const facts = (scale: bigint) =>
    Array.from({ length: 600 }, (_, at) => factOf(at, `c${at % 5}`, (large - BigInt(at)) / scale, BigInt(at) / scale))
  const expected = new Map<string, readonly [bigint, number]>()
  for (const [at, { customer, packaging, transportation }] of facts(1n).entries()) {
    const label = `${customer} 2025-${String(1 + (at % 12)).padStart(2, '0')}`
    const [sum, orders] = expected.get(label) ?? [0n, 0]
    expected.set(label, [sum + packaging + transportation, orders + 1])
  }
  const report = await reportOf(facts(1n), ['customer', 'month'])
  const sums = [...expected].toSorted(([a], [b]) => (a < b ? -1 : 1))
  assert.deepEqual(
    told(report),
    sums.map(([label, [sum, orders]]) => `${label}: ${sum} of ${orders}`),
  )
  assert.equal(
    report.total.emission,
    sums.reduce((total, [, [sum]]) => total + sum, 0n),
  )
  const small = await reportOf(facts(2n ** 20n), ['customer', 'month'])
  for (const [at, { logSd }] of report.groups.entries()) assert.ok(Math.abs(logSd! - small.groups[at]!.logSd!) < 1e-6)
})

test('facts that all differ add up to the same as facts that are alike', async () => {
  const [count, each] = [400_000, 1_000_000n]
  function* facts(isAlike: boolean): Generator<Fact> {
    for (let at = 0; at < count; at += 1) {
      const more = isAlike ? 0n : BigInt(at)
      yield factOf(at, `c${at % 3}`, each + more, each - more)
    }
  }
  const [alike, other] = [await reportOf(facts(true), ['customer']), await reportOf(facts(false), ['customer'])]
  assert.deepEqual(told(other), told(alike))
  assert.equal(alike.total.emission, 2n * each * BigInt(count))
  assert.ok(other.groups.every(({ logSd }) => logSd !== null && logSd > 0))
})

test('how far off a total may be is known where too many groups are to tell it of each', async () => {
  const mix = JSON.stringify([
    RELEASE,
    [
      [OWN, '2'],
      [STAND_IN, '1'],
    ],
    [
      ['road-van-diesel', '2'],
      ['air-long-haul', '1'],
    ],
  ])
  function* facts(customers: number): Generator<Fact> {
    for (let at = 0; at < 300_000; at += 1) yield { ...factOf(at, `c${at % customers}`, BigInt(1_000 + at), 10n), mix }
  }
  const [each, one] = [await reportOf(facts(300_000), ['customer']), await reportOf(facts(1), ['customer'])]
  assert.ok(each.groups.some(({ logSd }) => logSd === null))
  assert.ok(Math.abs(each.total.logSd! - one.groups[0]!.logSd!) < 1e-9, `${each.total.logSd}`)
})

/** Of an order with two transports and two packagings, as which no other order has them. */
const factOfOwnMix = (at: number): Fact => {
  const packaging = [
    [OWN, String(3 * at)],
    [STAND_IN, String(at)],
  ]
  const transportation = [
    ['road-van-diesel', String(at)],
    ['air-long-haul', '5'],
  ]
  return { ...factOf(at, 'c', 1_000n, 10n), mix: JSON.stringify([RELEASE, packaging, transportation]) }
}

test('orders whose transports and packagings all differ are each divided as its own, and few are kept', async () => {
  const count = 30_000
  const facts = Array.from({ length: count }, (_, at) => factOfOwnMix(at + 1))
  const report = await reportOf(facts, ['part', 'estimate_type'])
  assert.deepEqual(
    report.groups.map(({ labels, emission }) => [...labels, emission]),
    [
      ['packaging', 'estimated', 750n * BigInt(count)],
      ['packaging', 'indicative', 250n * BigInt(count)],
      ['transportation', 'estimated', 10n * BigInt(count)],
    ],
  )
  assert.ok(report.groups.every(({ logSd }) => logSd! > 0))
  const query = { accountId: 1, from: FIRST_DAY, to: LAST_DAY, customerId: null }
  const counter = createQualityAggregator(query, () => Promise.resolve(referenceData))
  for (const chunk of chunksOf(facts)) await counter.take(chunk)
  assert.equal(counter.tally.size(), 1)
})
