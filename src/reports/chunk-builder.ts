// A chunk that facts are added to until it is full.
import { COLUMNS, FACTS_MAX, decodeChunk, encodeChunk, isText, type ColumnName, type FactChunk } from './chunk.ts'
import { dayNoOf, readTerms, type Fact } from './fact.ts'

/** Characters of ids and metadata in a chunk, each counted as often as it is said: it may be all large ones. */
const CHARACTERS_MAX = 4_000_000

export interface ChunkBuilder {
  readonly count: () => number
  /** Which facts a chunk ends with follows from the facts alone, so that they always fold into the same chunks. */
  readonly isFull: () => boolean
  /** @throws RangeError for milligrams that a double does not hold: no entry of an order comes to them */
  readonly add: (fact: Fact) => void
  readonly encode: () => Buffer
}

interface GrowingColumn {
  readonly values: Map<string | number, number>
  readonly at: Uint16Array
}

/** @param begun a chunk that is to be gone on with; null for a new one */
export function createChunkBuilder(begun: Buffer | null): ChunkBuilder {
  const columns = new Map(COLUMNS.map((name): [ColumnName, GrowingColumn] => [name, emptyColumn()]))
  let [count, characters] = [0, 0]
  if (begun !== null) {
    const chunk = decodeChunk(begun)
    for (const [name, column] of columns) fill(column, isText(name) ? chunk.text(name) : chunk.number(name))
    count = chunk.count
    characters = charactersIn(chunk)
  }
  return {
    count: () => count,
    isFull: () => count === FACTS_MAX || characters >= CHARACTERS_MAX,
    add: (fact) => {
      for (const [name, column] of columns) put(column, count, isText(name) ? fact[name] : safe(fact[name]))
      count += 1
      characters += charactersOf(fact.customer, fact.metadata, fact.mix)
    },
    encode: () =>
      encodeChunk(count, (name) => {
        const { values, at } = columns.get(name)!
        return { values: [...values.keys()], at: at.subarray(0, count) }
      }),
  }
}

const emptyColumn = (): GrowingColumn => ({ values: new Map(), at: new Uint16Array(FACTS_MAX) })

function fill({ values, at }: GrowingColumn, known: { values: Iterable<string | number>; at: Uint16Array }): void {
  for (const value of known.values) values.set(value, values.size)
  at.set(known.at)
}

function put({ values, at }: GrowingColumn, fact: number, value: string | number): void {
  const known = values.get(value)
  at[fact] = known ?? values.size
  if (known === undefined) values.set(value, values.size)
}

function safe(value: number | bigint): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new RangeError(`${value} is more than a report can hold`)
  return number
}

const charactersOf = (...texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0)

function charactersIn(chunk: FactChunk): number {
  let sum = 0
  for (const name of ['customer', 'metadata', 'mix'] as const) {
    const { values, at } = chunk.text(name)
    for (let fact = 0; fact < chunk.count; fact += 1) sum += values[at[fact]!]!.length
  }
  return sum
}

type Span = readonly [from: number, to: number]

/** Months as days: never too few. */
const MONTH_DAYS = 31

/** Days between which the facts of a chunk lie: of their orders, dispatches, and of whatever is counted by tenure. */
export function daysOf(chunk: FactChunk): { readonly order: Span; readonly dispatch: Span; readonly tenure: Span } {
  const [order, dispatch] = [chunk.number('orderDay').values, chunk.number('dispatchDay').values]
  const tenure = [...dispatch, ...chunk.number('sharedDay').values]
  for (const terms of chunk
    .text('terms')
    .values.map(readTerms)
    .filter((one) => one !== null)) {
    const [start, [numerator, denominator = '1']] = [dayNoOf(terms.start), terms.months.split('/')]
    if (terms.knownOn !== null) tenure.push(dayNoOf(terms.knownOn))
    tenure.push(start, start + (Math.ceil(Number(numerator) / Number(denominator)) + 1) * MONTH_DAYS)
  }
  return { order: spanOf(order), dispatch: spanOf(dispatch), tenure: spanOf(tenure) }
}

function spanOf(days: Iterable<number>): Span {
  let [from, to] = [Infinity, -Infinity]
  for (const day of days) {
    if (day < from) from = day
    if (day > to) to = day
  }
  return [from, to]
}
