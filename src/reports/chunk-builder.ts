// A chunk that facts are added to until it is full.
import {
  COLUMNS,
  CHUNK_ROWS_MAX,
  decodeColumnChunk,
  encodeColumnChunk,
  isPerFact,
  isText,
  type Column,
  type ColumnName,
  type ColumnChunk,
  type SharedRows,
} from './chunk.ts'
import { dayNoOf, decodeTerms, type Fact } from './fact.ts'

/** Characters of ids and metadata in a chunk, each counted as often as it is said: it may be all large ones. */
const CHARACTERS_MAX = 4_000_000

export interface ColumnChunkBuilder {
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
export function createColumnChunkBuilder(begun: Buffer | null): ColumnChunkBuilder {
  const columns = new Map(COLUMNS.map((name): [ColumnName, GrowingColumn] => [name, emptyColumn()]))
  const patterns = createPatterns([...columns].flatMap(([name, column]) => (isPerFact(name) ? [] : [column])))
  let [count, characters] = [0, 0]
  if (begun !== null) {
    const chunk = decodeColumnChunk(begun)
    for (const [name, column] of columns)
      fill(column, isPerFact(name) ? chunk.own(name) : isText(name) ? chunk.text(name) : chunk.number(name))
    patterns.fill(chunk.patterns)
    count = chunk.count
    characters = charactersIn(chunk)
  }
  return {
    count: () => count,
    isFull: () => count === CHUNK_ROWS_MAX || characters >= CHARACTERS_MAX,
    add: (fact) => {
      // Where a new pattern would stand; of a known one, what is put there does not count.
      const row = patterns.size()
      for (const [name, column] of columns)
        put(column, isPerFact(name) ? count : row, isText(name) ? fact[name] : safe(fact[name]))
      patterns.add(count)
      count += 1
      characters += charactersOf(fact.customer, fact.metadata, fact.mix)
    },
    encode: () => {
      const { of, size } = { of: patterns.of.subarray(0, count), size: patterns.size() }
      return encodeColumnChunk(count, { of, size }, (name) => {
        const { values, at } = columns.get(name)!
        return { values: [...values.keys()], at: at.subarray(0, isPerFact(name) ? count : size) }
      })
    },
  }
}

const emptyColumn = (): GrowingColumn => ({ values: new Map(), at: new Uint16Array(CHUNK_ROWS_MAX) })

/** @param columns those that tell patterns apart */
function createPatterns(columns: readonly GrowingColumn[]) {
  const numbers = new Map<string, number>()
  const of = new Uint16Array(CHUNK_ROWS_MAX)
  const keyAt = (row: number): string => columns.map(({ at }) => at[row]).join()
  return {
    of,
    size: () => numbers.size,
    fill: (known: SharedRows) => {
      of.set(known.of)
      for (let row = 0; row < known.size; row += 1) numbers.set(keyAt(row), row)
    },
    /** A fact is of the pattern that stands behind the last one, unless that is known. */
    add: (fact: number) => {
      const key = keyAt(numbers.size)
      const pattern = numbers.get(key) ?? numbers.size
      numbers.set(key, pattern)
      of[fact] = pattern
    },
  }
}

function fill({ values, at }: GrowingColumn, known: { values: Iterable<string | number>; at: Uint16Array }): void {
  for (const value of known.values) values.set(value, values.size)
  at.set(known.at)
}

function put({ values, at }: GrowingColumn, row: number, value: string | number): void {
  const known = values.get(value)
  at[row] = known ?? values.size
  if (known === undefined) values.set(value, values.size)
}

function safe(value: number | bigint): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new RangeError(`${value} is more than a report can hold`)
  return number
}

const charactersOf = (...texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0)

function charactersIn({ count, patterns, own, text }: ColumnChunk): number {
  const lengths = ({ values, at }: Column<readonly string[]>) => Array.from(at, (place) => values[place]!.length)
  const [customers, metadata, mixes] = [own('customer'), own('metadata'), text('mix')].map(lengths)
  let sum = 0
  for (let fact = 0; fact < count; fact += 1) sum += customers![fact]! + metadata![fact]! + mixes![patterns.of[fact]!]!
  return sum
}

type Span = readonly [from: number, to: number]

/** Months as days: never too few. */
const MONTH_DAYS = 31

/** Days between which the facts of a chunk lie: of their orders, dispatches, and of whatever is counted by tenure. */
export function dayRangeOf(chunk: ColumnChunk): {
  readonly order: Span
  readonly dispatch: Span
  readonly tenure: Span
} {
  const [order, dispatch] = [chunk.number('orderDay').values, chunk.number('dispatchDay').values]
  const tenure = [...dispatch, ...chunk.number('sharedDay').values]
  for (const terms of chunk
    .text('terms')
    .values.map(decodeTerms)
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
