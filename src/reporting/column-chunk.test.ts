// Tests that chunks return the facts that were added to them, in order.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { createColumnChunkBuilder, decodeColumnChunk } from './column-chunk.ts'
import { MASS_COLUMNS, NUMBER_COLUMNS, PER_FACT_COLUMNS, TEXT_COLUMNS, type Fact } from './fact.ts'

const PATTERN_TEXTS = ['device', 'country', 'mix', 'terms'] as const

/** Few distinct values, so that some facts have the same pattern and others differ in a single column. */
const anyFact = fc.record(
  {
    ...recordOf(TEXT_COLUMNS, fc.constantFrom('', 'a', 'é')),
    ...recordOf(NUMBER_COLUMNS, fc.constantFrom(-1, 0, 20_000)),
    ...recordOf(MASS_COLUMNS, fc.constantFrom(0n, -5n, 2n ** 53n - 1n)),
  },
  { noNullPrototype: true },
)

function recordOf<Name extends string, Value>(names: readonly Name[], value: Value) {
  return Object.fromEntries(names.map((name) => [name, value])) as Record<Name, Value>
}

function factsIn(bytes: Buffer): readonly Fact[] {
  const { count, patterns, own, text, number } = decodeColumnChunk(bytes)
  const read = <Value>({ values, at }: { values: ArrayLike<Value>; at: Uint16Array }, row: number) => values[at[row]!]!
  return Array.from({ length: count }, (_, fact) => {
    const pattern = patterns.of[fact]!
    return Object.fromEntries<string | number | bigint>([
      ...PER_FACT_COLUMNS.map((name) => [name, read(own(name), fact)] as const),
      ...PATTERN_TEXTS.map((name) => [name, read(text(name), pattern)] as const),
      ...NUMBER_COLUMNS.map((name) => [name, read(number(name), pattern)] as const),
      ...MASS_COLUMNS.map((name) => [name, BigInt(read(number(name), pattern))] as const),
    ]) as Fact
  })
}

test('a chunk holds its facts in sequence, and is the same whether it was made at once or gone on with', () => {
  const facts = fc.array(anyFact, { minLength: 2, maxLength: 40 })
  fc.assert(
    fc.property(facts, fc.nat(), (all, place) => {
      const atOnce = createColumnChunkBuilder(null)
      all.forEach(atOnce.add)
      assert.deepEqual(factsIn(atOnce.encode()), all)
      const cut = 1 + (place % (all.length - 1))
      const begun = createColumnChunkBuilder(null)
      all.slice(0, cut).forEach(begun.add)
      const goneOn = createColumnChunkBuilder(begun.encode())
      all.slice(cut).forEach(goneOn.add)
      assert.deepEqual(goneOn.encode(), atOnce.encode())
    }),
  )
})

test('what facts have in common beside whose they are stands in a chunk once', () => {
  const fact = { ...recordOf(TEXT_COLUMNS, 'x'), ...recordOf(NUMBER_COLUMNS, 1), ...recordOf(MASS_COLUMNS, 7n) }
  const builder = createColumnChunkBuilder(null)
  for (const customer of ['A', 'B', 'C']) builder.add({ ...fact, customer, product: customer, metadata: customer })
  builder.add({ ...fact, use: 8n })
  const { count, patterns } = decodeColumnChunk(builder.encode())
  assert.deepEqual([count, patterns.size, [...patterns.of]], [4, 2, [0, 0, 0, 1]])
})

test('a chunk of more patterns than fit one byte is gone on with to the same bytes', () => {
  const fact = { ...recordOf(TEXT_COLUMNS, 'x'), ...recordOf(NUMBER_COLUMNS, 1), ...recordOf(MASS_COLUMNS, 7n) }
  const facts = Array.from({ length: 600 }, (_, at) => ({ ...fact, use: BigInt(at % 300) }))
  const whole = createColumnChunkBuilder(null)
  facts.forEach(whole.add)
  assert.deepEqual(factsIn(whole.encode()), facts)
  for (const cut of [1, 255, 256, 257, 400]) {
    const begun = createColumnChunkBuilder(null)
    facts.slice(0, cut).forEach(begun.add)
    const goneOn = createColumnChunkBuilder(begun.encode())
    facts.slice(cut).forEach(goneOn.add)
    assert.deepEqual(goneOn.encode(), whole.encode())
  }
})
