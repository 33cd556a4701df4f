// What reports add up of random facts: exact, however large, and whether or not all of it is kept at a time.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { DEFAULT_BOUNDARY } from '../engine/inventory-boundary.ts'
import { runToCompletion } from '../engine/numbers/steps.ts'
import { createColumnChunkBuilder, decodeColumnChunk, type ColumnChunk } from './column-chunk.ts'
import { groupCells, type GroupedResult } from './group-by.ts'
import { aggregateChunk } from './aggregate-chunk.ts'
import { createAggregator } from './aggregate-emissions.ts'
import { FIRST_DAY, LAST_DAY, type EmissionsQuery } from './query.ts'
import { ENTRY_KINDS, dayNoOf, dayOf, encodeDevice, type Fact } from './fact.ts'
import { shippedReferenceData } from '../../test/shipped-book.ts'

const { referenceData } = shippedReferenceData()
const DEVICES = [...referenceData.models.keys()]
  .slice(0, 3)
  .map((basis) => encodeDevice({ releaseId: 1, footprintId: basis, weightKg: '' }))
const LARGE = 2n ** 51n

/** A few of them come to more than a double holds: sums have to be moved aside on the way. */
const anyFact: fc.Arbitrary<Fact> = fc
  .record({
    customer: fc.constantFrom('', 'A', 'B', 'C'),
    device: fc.constantFrom(...DEVICES),
    country: fc.constantFrom('', 'DE', 'FR'),
    day: fc.constantFrom('2024-01-31', '2024-02-01', '2024-12-31'),
    embodied: fc.oneof(fc.bigInt(-LARGE, LARGE), fc.bigInt(0n, 5n)),
    use: fc.bigInt(0n, 5n),
  })
  .map(({ day, ...told }) => ({
    ...told,
    product: '',
    metadata: '',
    mix: '',
    terms: '2024-01-01 12',
    orderDay: dayNoOf(day),
    dispatchDay: dayNoOf(day),
    sharedDay: dayNoOf(day),
    kind: ENTRY_KINDS.firstOfOrder + ENTRY_KINDS.firstOfRental,
    packaging: 0n,
    transportation: 0n,
  }))

const QUERY: EmissionsQuery = {
  accountId: 1,
  groupBy: ['month', 'customer'],
  sort: 'name',
  limit: null,
  filters: new Map(),
  basis: 'order',
  from: FIRST_DAY,
  to: LAST_DAY,
  view: DEFAULT_BOUNDARY,
}

async function report(chunks: readonly ColumnChunk[], asked: Partial<EmissionsQuery>): Promise<GroupedResult> {
  const counter = createAggregator({ ...QUERY, ...asked }, () => Promise.resolve(referenceData))
  for (const chunk of chunks) {
    await counter.devices.prepare(chunk)
    runToCompletion(aggregateChunk(chunk, counter))
  }
  return runToCompletion(groupCells(counter))
}

function chunkOf(facts: readonly Fact[]): ColumnChunk {
  const builder = createColumnChunkBuilder(null)
  for (const fact of facts) builder.add(fact)
  return decodeColumnChunk(builder.encode())
}

type Groups = Readonly<Record<string, { readonly emission: bigint; readonly orders: number }>>

/** The same, added up one by one; of what comes to nothing and has no order, there is no group. */
function expected(facts: readonly Fact[], labelsOf: (fact: Fact) => readonly (string | null)[]): Groups {
  const groups: Record<string, { emission: bigint; orders: number }> = {}
  for (const fact of facts) {
    const group = (groups[labelsOf(fact).join()] ??= { emission: 0n, orders: 0 })
    group.emission += fact.embodied + fact.use
    group.orders += 1
  }
  return groups
}

const found = ({ groups }: GroupedResult): Groups =>
  Object.fromEntries(groups.map(({ labels, emission, orders }) => [labels.join(), { emission, orders: orders! }]))

const anyChunks = fc.array(fc.array(anyFact, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 5 })

test('groups of any facts are their exact sums, by time and customer, and by customer and model', async () => {
  await fc.assert(
    fc.asyncProperty(anyChunks, async (all) => {
      const [chunks, facts] = [all.map(chunkOf), all.flat()]
      const byMonth = expected(facts, ({ orderDay, customer }) => [dayOf(orderDay).slice(0, 7), customer || null])
      assert.deepEqual(found(await report(chunks, {})), byMonth)
      const byModel = expected(facts, ({ customer, device }) => [customer || null, device.split('\u001f')[1]!])
      assert.deepEqual(found(await report(chunks, { groupBy: ['customer', 'model'] })), byModel)
    }),
    { numRuns: 200 },
  )
})

test('the heaviest groups are those of all groups, and they and all others come to the total', async () => {
  await fc.assert(
    fc.asyncProperty(anyChunks, fc.integer({ min: 1, max: 6 }), async (all, limit) => {
      const chunks = all.map(chunkOf)
      const whole = await report(chunks, { sort: '-total_emission' })
      const some = await report(chunks, { sort: '-total_emission', limit })
      assert.deepEqual(
        some.groups.map(({ emission }) => emission),
        whole.groups.slice(0, limit).map(({ emission }) => emission),
      )
      assert.equal(some.others?.groups ?? 0, Math.max(0, whole.groups.length - limit))
      const told = some.groups.reduce((sum, { emission }) => sum + emission, 0n)
      assert.equal(told + (some.others?.emission ?? 0n), whole.total.emission)
      assert.equal(some.total.emission, whole.total.emission)
      assert.equal(some.total.logSd, whole.total.logSd)
    }),
    { numRuns: 200 },
  )
})
