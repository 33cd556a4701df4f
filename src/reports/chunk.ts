// A chunk: thousands of facts in columns. A column is its distinct values, and which of them stands where.
import {
  MASS_COLUMNS,
  NUMBER_COLUMNS,
  PER_FACT_COLUMNS,
  TEXT_COLUMNS,
  type MassColumn,
  type NumberColumn,
  type PerFactColumn,
  type TextColumn,
} from './fact.ts'

/** Places within a column fit two bytes, and a chunk is read within a few milliseconds. */
export const CHUNK_ROWS_MAX = 16_384

export interface Column<Values> {
  /** Distinct, in the sequence in which they first occur. */
  readonly values: Values
  /** By fact, or by pattern: which of them. */
  readonly at: Uint16Array
}

/** Facts that are the same but for their own columns are of one pattern, of which the rest is told once. */
export interface SharedRows {
  /** By fact: which of them, in the sequence in which they first occur. */
  readonly of: Uint16Array
  readonly size: number
}

/** The facts of a chunk; a column is read the first time that it is asked for. */
export interface ColumnChunk {
  readonly count: number
  readonly patterns: SharedRows
  /** By fact. */
  readonly own: (name: PerFactColumn) => Column<readonly string[]>
  /** By pattern. */
  readonly text: (name: Exclude<TextColumn, PerFactColumn>) => Column<readonly string[]>
  /** By pattern. Each a whole number, also of milligrams, which a double holds exactly. */
  readonly number: (name: NumberColumn | MassColumn) => Column<Float64Array>
}

export const COLUMNS = [...TEXT_COLUMNS, ...NUMBER_COLUMNS, ...MASS_COLUMNS] as const
export type ColumnName = (typeof COLUMNS)[number]
export const isText = (name: ColumnName): name is TextColumn => (TEXT_COLUMNS as readonly string[]).includes(name)
export const isPerFact = (name: ColumnName): name is PerFactColumn =>
  (PER_FACT_COLUMNS as readonly string[]).includes(name)

/** What a column is written from. */
export interface EncodedColumn {
  readonly values: readonly (string | number)[]
  /** As many as there are facts, or patterns. */
  readonly at: Uint16Array
}

/** Which pattern facts are of stands before the columns, as one that has no values. */
const PATTERN = 'pattern'
const PARTS = [PATTERN, ...COLUMNS] as const
type PartName = (typeof PARTS)[number]

/** A header of four-byte numbers, and whatever follows: all of it begins where eight divides. */
const HEADER_BYTES = evenly(4 * (2 + 2 * PARTS.length))
const headerPlaceOf = (part: number): number => 4 * (2 + 2 * part)

function evenly(bytes: number): number {
  return (bytes + 7) & ~7
}

/**
 * The bytes of a chunk: how many facts and how many patterns; of each part how many bytes its values take, and how many
 * a place (none where there is one value alone); then values and places, part by part. Numbers are little-endian.
 * @param count 1 to CHUNK_ROWS_MAX
 */
export function encodeColumnChunk(
  count: number,
  patterns: SharedRows,
  columnOf: (name: ColumnName) => EncodedColumn,
): Buffer {
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
  /** Facts or patterns. */
  readonly rows: number
}

/** @throws RangeError where these are no bytes of encodeColumnChunk */
export function decodeColumnChunk(sent: Buffer): ColumnChunk {
  // Numbers of eight bytes are only looked at where eight divides.
  const bytes = sent.byteOffset % 8 === 0 ? sent : Buffer.from(Uint8Array.from(sent).buffer)
  const { count, patterns, placeOf } = placesIn(bytes)
  const known = new Map<ColumnName, Column<unknown>>()
  const column = <Values>(name: ColumnName, read: (place: Place) => Values): Column<Values> => {
    const found = known.get(name) as Column<Values> | undefined
    if (found) return found
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
    throw new RangeError('A chunk of facts is not as it was written: cradle reports refold makes it again')
  return { count, patterns, placeOf }
}

function readPlaces(bytes: Buffer, { places, width, rows }: Place): Uint16Array {
  if (width === 0) return new Uint16Array(rows)
  if (width === 1) return Uint16Array.from(bytes.subarray(places, places + rows))
  return new Uint16Array(bytes.buffer, bytes.byteOffset + places, rows)
}
