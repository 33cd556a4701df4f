// A chunk: some thousand facts in columns. A column is its distinct values, and for each fact which of them it has.
import {
  MASS_COLUMNS,
  NUMBER_COLUMNS,
  TEXT_COLUMNS,
  type MassColumn,
  type NumberColumn,
  type TextColumn,
} from './fact.ts'

/** Places within a column fit two bytes, and a chunk is read within a few milliseconds. */
export const FACTS_MAX = 8_192

export interface Column<Values> {
  /** Distinct, in the sequence in which they first occur. */
  readonly values: Values
  /** By fact: which of them. */
  readonly at: Uint16Array
}

/** The facts of a chunk; a column is read the first time that it is asked for. */
export interface FactChunk {
  readonly count: number
  readonly text: (name: TextColumn) => Column<readonly string[]>
  /** Each a whole number, also of milligrams, which a double holds exactly. */
  readonly number: (name: NumberColumn | MassColumn) => Column<Float64Array>
}

export const COLUMNS = [...TEXT_COLUMNS, ...NUMBER_COLUMNS, ...MASS_COLUMNS] as const
export type ColumnName = (typeof COLUMNS)[number]
export const isText = (name: ColumnName): name is TextColumn => (TEXT_COLUMNS as readonly string[]).includes(name)

/** What a column is written from. */
export interface FilledColumn {
  readonly values: readonly (string | number)[]
  /** As many as there are facts. */
  readonly at: Uint16Array
}

/** A header of four-byte numbers, and whatever follows: all of it begins where eight divides. */
const HEADER_BYTES = evenly(4 * (1 + 2 * COLUMNS.length))

function evenly(bytes: number): number {
  return (bytes + 7) & ~7
}

/**
 * The bytes of a chunk: how many facts; of each column how many bytes its values take, and how many a place (none
 * where there is one value alone); then values and places, column by column. Numbers are little-endian.
 * @param count 1 to FACTS_MAX
 */
export function encodeChunk(count: number, columnOf: (name: ColumnName) => FilledColumn): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32LE(count, 0)
  const parts = COLUMNS.flatMap((name, no) => {
    const { values, at } = columnOf(name)
    const content = isText(name) ? Buffer.from(values.join('\0')) : bytesOf(Float64Array.from(values as number[]))
    const width = values.length === 1 ? 0 : values.length <= 256 ? 1 : 2
    header.writeUInt32LE(content.length, 4 * (1 + 2 * no))
    header.writeUInt32LE(width, 4 * (2 + 2 * no))
    return [content, width === 0 ? Buffer.alloc(0) : width === 1 ? Buffer.from(at) : bytesOf(at)]
  })
  return Buffer.concat([header, ...parts.flatMap((part) => [part, Buffer.alloc(evenly(part.length) - part.length)])])
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array | Uint16Array): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)

interface Place {
  readonly values: number
  readonly length: number
  readonly places: number
  readonly width: number
}

/** @throws RangeError where these are no bytes of encodeChunk */
export function decodeChunk(sent: Buffer): FactChunk {
  // Numbers of eight bytes are only looked at where eight divides.
  const bytes = sent.byteOffset % 8 === 0 ? sent : Buffer.from(Uint8Array.from(sent).buffer)
  const count = bytes.length < HEADER_BYTES ? 0 : bytes.readUInt32LE(0)
  const placeOf = placesIn(bytes, count)
  const known = new Map<ColumnName, Column<unknown>>()
  const column = <Values>(name: ColumnName, read: (place: Place) => Values): Column<Values> => {
    const found = known.get(name) as Column<Values> | undefined
    if (found) return found
    const place = placeOf.get(name)!
    const made = { values: read(place), at: readPlaces(bytes, place, count) }
    known.set(name, made)
    return made
  }
  return {
    count,
    text: (name) => column(name, ({ values, length }) => bytes.toString('utf8', values, values + length).split('\0')),
    number: (name) =>
      column(name, ({ values, length }) => new Float64Array(bytes.buffer, bytes.byteOffset + values, length / 8)),
  }
}

function placesIn(bytes: Buffer, count: number): ReadonlyMap<ColumnName, Place> {
  const found = new Map<ColumnName, Place>()
  let offset = HEADER_BYTES
  for (const [no, name] of count === 0 ? [] : COLUMNS.entries()) {
    const [length, width] = [bytes.readUInt32LE(4 * (1 + 2 * no)), bytes.readUInt32LE(4 * (2 + 2 * no))]
    const places = offset + evenly(length)
    found.set(name, { values: offset, length, places, width })
    offset = places + evenly(count * width)
  }
  if (count === 0 || count > FACTS_MAX || offset !== bytes.length)
    throw new RangeError('A chunk of facts is not as it was written: cradle reports refold makes it again')
  return found
}

function readPlaces(bytes: Buffer, { places, width }: Place, count: number): Uint16Array {
  if (width === 0) return new Uint16Array(count)
  if (width === 1) return Uint16Array.from(bytes.subarray(places, places + count))
  return new Uint16Array(bytes.buffer, bytes.byteOffset + places, count)
}
