// A column chunk: thousands of facts, dictionary-encoded by column, and the builder that fills it.
import {
  MASS_COLUMNS,
  NUMBER_COLUMNS,
  PER_FACT_COLUMNS,
  TEXT_COLUMNS,
  dayNoOf,
  decodeTerms,
  type Fact,
  type MassColumn,
  type NumberColumn,
  type PerFactColumn,
  type TextColumn,
} from './fact.ts'

/** With this limit, places in a column fit in two bytes, and a chunk is read within a few milliseconds. */
const CHUNK_ROWS_MAX = 16_384

export interface Column<Values> {
  /** Distinct values, in the order in which they first occur. */
  readonly values: Values
  /** The place of the value for each fact or pattern. */
  readonly at: Uint16Array
}

/** Facts that differ only in their per-fact columns share one pattern, for which the other columns are stored once. */
interface SharedRows {
  /** By fact: its pattern. Patterns are numbered in the order in which they first occur. */
  readonly of: Uint16Array
  readonly size: number
}

/** The facts of a chunk. A column is decoded when it is first requested. */
export interface ColumnChunk {
  readonly count: number
  readonly patterns: SharedRows
  /** By fact. */
  readonly own: (name: PerFactColumn) => Column<readonly string[]>
  /** By pattern. */
  readonly text: (name: Exclude<TextColumn, PerFactColumn>) => Column<readonly string[]>
  /** By pattern. Every number, milligrams included, is an integer that a double holds exactly. */
  readonly number: (name: NumberColumn | MassColumn) => Column<Float64Array>
}

const COLUMNS = [...TEXT_COLUMNS, ...NUMBER_COLUMNS, ...MASS_COLUMNS] as const
type ColumnName = (typeof COLUMNS)[number]
const isText = (name: ColumnName): name is TextColumn => (TEXT_COLUMNS as readonly string[]).includes(name)
const isPerFact = (name: ColumnName): name is PerFactColumn => (PER_FACT_COLUMNS as readonly string[]).includes(name)

/** The content of a column to be written. */
export interface EncodedColumn {
  readonly values: readonly (string | number)[]
  /** One place for each fact or pattern. */
  readonly at: Uint16Array
}

/** The pattern numbers of the facts are stored before the columns, as a part without values. */
const PATTERN = 'pattern'
const PARTS = [PATTERN, ...COLUMNS] as const
type PartName = (typeof PARTS)[number]

/** A header of four-byte numbers, then the parts. Everything is aligned to eight bytes. */
const HEADER_BYTES = evenly(4 * (2 + 2 * PARTS.length))
const headerPlaceOf = (part: number): number => 4 * (2 + 2 * part)

function evenly(bytes: number): number {
  return (bytes + 7) & ~7
}

/**
 * Encodes a chunk: the number of facts and of patterns; for each part the byte length of its values and the bytes per
 * place (0 if there is only one value); then the values and places, part by part. Numbers are little-endian.
 * @param count 1 to CHUNK_ROWS_MAX
 */
function encodeColumnChunk(count: number, patterns: SharedRows, columnOf: (name: ColumnName) => EncodedColumn): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32LE(count, 0)
  header.writeUInt32LE(patterns.size, 4)
  const contents = PARTS.flatMap((name, no) => {
    const { content, size, at } = partOf(name, patterns, columnOf)
    const width = size === 1 ? 0 : size <= 256 ? 1 : 2
    header.writeUInt32LE(content.length, headerPlaceOf(no))
    header.writeUInt32LE(width, headerPlaceOf(no) + 4)
    return [content, width === 0 ? Buffer.alloc(0) : width === 1 ? Buffer.from(at) : bytesOf(at)]
  })
  return Buffer.concat([header, ...contents.flatMap((part) => [part, Buffer.alloc(evenly(part.length) - part.length)])])
}

function partOf(name: PartName, patterns: SharedRows, columnOf: (name: ColumnName) => EncodedColumn) {
  if (name === PATTERN) return { content: Buffer.alloc(0), size: patterns.size, at: patterns.of }
  const { values, at } = columnOf(name)
  const content = isText(name) ? Buffer.from(values.join('\0')) : bytesOf(Float64Array.from(values as number[]))
  return { content, size: values.length, at }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array | Uint16Array): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)

interface Place {
  readonly values: number
  readonly length: number
  readonly places: number
  readonly width: number
  /** Number of facts or patterns. */
  readonly rows: number
}

/** @throws RangeError if the bytes were not written by encodeColumnChunk */
export function decodeColumnChunk(sent: Buffer): ColumnChunk {
  // Eight-byte numbers can only be viewed at offsets that are multiples of eight.
  const bytes = sent.byteOffset % 8 === 0 ? sent : Buffer.from(Uint8Array.from(sent).buffer)
  const { count, patterns, placeOf } = placesIn(bytes)
  const known = new Map<ColumnName, Column<unknown>>()
  const column = <Values>(name: ColumnName, read: (place: Place) => Values): Column<Values> => {
    const column = known.get(name) as Column<Values> | undefined
    if (column) return column
    const place = placeOf.get(name)!
    const made = { values: read(place), at: readPlaces(bytes, place) }
    known.set(name, made)
    return made
  }
  const text = (name: TextColumn) =>
    column(name, ({ values, length }) => bytes.toString('utf8', values, values + length).split('\0'))
  return {
    count,
    patterns: { of: readPlaces(bytes, placeOf.get(PATTERN)!), size: patterns },
    own: text,
    text,
    number: (name) =>
      column(name, ({ values, length }) => new Float64Array(bytes.buffer, bytes.byteOffset + values, length / 8)),
  }
}

function placesIn(bytes: Buffer) {
  const numberAt = (place: number): number => (bytes.length < HEADER_BYTES ? 0 : bytes.readUInt32LE(place))
  const [count, patterns] = [numberAt(0), numberAt(4)]
  const placeOf = new Map<PartName, Place>()
  let offset = HEADER_BYTES
  for (const [no, name] of PARTS.entries()) {
    const [length, width] = [numberAt(headerPlaceOf(no)), numberAt(headerPlaceOf(no) + 4)]
    const places = offset + evenly(length)
    const rows = name === PATTERN || isPerFact(name) ? count : patterns
    placeOf.set(name, { values: offset, length, places, width, rows })
    offset = places + evenly(rows * width)
  }
  const isPossible = count > 0 && count <= CHUNK_ROWS_MAX && patterns > 0 && patterns <= count
  if (!isPossible || offset !== bytes.length)
    throw new RangeError('A chunk of facts is not as it was written: cradle reports rebuild makes it again')
  return { count, patterns, placeOf }
}

function readPlaces(bytes: Buffer, { places, width, rows }: Place): Uint16Array {
  if (width === 0) return new Uint16Array(rows)
  if (width === 1) return Uint16Array.from(bytes.subarray(places, places + rows))
  return new Uint16Array(bytes.buffer, bytes.byteOffset + places, rows)
}

/** Maximum characters of ids and metadata in a chunk, counting repetitions, because all of them may be long. */
const CHARACTERS_MAX = 4_000_000

export interface ColumnChunkBuilder {
  readonly count: () => number
  /** Depends only on the facts, so that the same facts always roll up into the same chunks. */
  readonly isFull: () => boolean
  /** @throws RangeError for milligrams that a double cannot hold exactly; no entry of an order reaches them */
  readonly add: (fact: Fact) => void
  readonly encode: () => Buffer
}

interface GrowingColumn {
  readonly values: Map<string | number, number>
  readonly at: Uint16Array
}

/** @param begun a chunk to be continued; null for a new one */
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
      // The row of a possible new pattern. If the pattern is already known, the values written there are ignored.
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

/** @param columns those that distinguish patterns */
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
    /**
     * Compares the row after the last pattern with the known patterns and assigns the fact to the match or to that row.
     */
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

/** Upper bound of the days in a month. */
const MONTH_DAYS = 31

/** The day ranges of the facts in a chunk: by order day, by dispatch day, and by everything that counts by tenure. */
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
    if (terms.countsFrom !== null) tenure.push(dayNoOf(terms.countsFrom))
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
