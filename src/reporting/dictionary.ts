// Dictionary encoding: each distinct pair or combination of values gets a small number, from 0.

const FIRST_SLOTS = 1_024

export interface PairInterner {
  readonly size: () => number
  /** The number of a pair; a new pair gets the next one. Both values are from 0 to 2^31 − 1. */
  readonly of: (first: number, second: number) => number
  readonly firstOf: (no: number) => number
  readonly secondOf: (no: number) => number
}

/** A hash table with open addressing: a pair is stored in the first free slot from its hash position on. */
export function createPairInterner(): PairInterner {
  let slots = new Int32Array(FIRST_SLOTS).fill(-1)
  let mask = FIRST_SLOTS - 1
  let firsts = new Int32Array(FIRST_SLOTS / 2)
  let seconds = new Int32Array(FIRST_SLOTS / 2)
  let size = 0
  const grow = () => {
    slots = new Int32Array(2 * slots.length).fill(-1)
    mask = slots.length - 1
    firsts = longer(firsts)
    seconds = longer(seconds)
    for (let no = 0; no < size; no += 1) {
      let slot = scatter(firsts[no]!, seconds[no]!) & mask
      while (slots[slot] !== -1) slot = (slot + 1) & mask
      slots[slot] = no
    }
  }
  return {
    size: () => size,
    of: (first, second) => {
      let slot = scatter(first, second) & mask
      for (let no = slots[slot]!; no !== -1; no = slots[slot]!) {
        if (firsts[no] === first && seconds[no] === second) return no
        slot = (slot + 1) & mask
      }
      if (size === firsts.length) {
        grow()
        slot = scatter(first, second) & mask
        while (slots[slot] !== -1) slot = (slot + 1) & mask
      }
      slots[slot] = size
      firsts[size] = first
      seconds[size] = second
      return size++
    },
    firstOf: (no) => firsts[no]!,
    secondOf: (no) => seconds[no]!,
  }
}

function scatter(first: number, second: number): number {
  const mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b)
  return (mixed ^ (mixed >>> 15)) >>> 0
}

const longer = ({ buffer, byteLength }: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> =>
  new Int32Array(buffer.transfer(2 * byteLength))

/** A code for each row. There are at most as many codes as a chunk has facts. */
export interface Dictionary {
  readonly of: Uint16Array
  readonly size: number
}

export interface CombinedDictionary extends Dictionary {
  /** By code: the first row with that code, which provides the values common to all of them. */
  readonly rows: Uint16Array
}

/** Up to this number of possible combinations a lookup table is used; above it, hashing. */
const TABLE_MAX = 1 << 18

export interface DictionaryEncoded<Meaning> {
  readonly codes: Dictionary
  readonly meaningOf: (row: number) => Meaning
}

/**
 * Numbers the distinct meanings of a column's values, and gives each row the number of its meaning.
 * @param at by row: the place of its value
 */
export function dictionaryEncode<Meaning>(meanings: readonly Meaning[], at: Uint16Array): DictionaryEncoded<Meaning> {
  const numbers = new Map<Meaning, number>()
  const byPlace = Uint16Array.from(meanings, (meaning) => {
    const number = numbers.get(meaning) ?? numbers.size
    numbers.set(meaning, number)
    return number
  })
  return { codes: { of: remap(at, byPlace), size: numbers.size }, meaningOf: (row) => meanings[at[row]!]! }
}

// Loops over all rows avoid a function call per row.

/** For each row, the entry of `byPlace` at its place. */
export function remap(at: Uint16Array, byPlace: Uint16Array): Uint16Array {
  const of = new Uint16Array(at.length)
  for (let row = 0; row < at.length; row += 1) of[row] = byPlace[at[row]!]!
  return of
}

/** Combines the columns, however many combinations there are. */
export function combineDictionaries(count: number, columns: readonly Dictionary[]): CombinedDictionary {
  return tellApart(count, columns, hashRows)!
}

/** Null if there are too many possible combinations for a lookup table. */
export function combineIfSmall(count: number, columns: readonly Dictionary[]): CombinedDictionary | null {
  return tellApart(count, columns, () => null)
}

/** @param tellMore combines a column that is too large for the table, or returns null to give up */
function tellApart(
  count: number,
  columns: readonly Dictionary[],
  tellMore: (places: Int32Array, column: Dictionary) => number | null,
): CombinedDictionary | null {
  const places = new Int32Array(count)
  let size = 1
  // The codes of the smallest columns are combined arithmetically and looked up together.
  for (const column of columns.filter((one) => one.size > 1).sort((a, b) => a.size - b.size)) {
    if (size * column.size > TABLE_MAX) size = lookUp(places)
    if (size * column.size <= TABLE_MAX) {
      putBeside(places, column)
      size *= column.size
      continue
    }
    const more = tellMore(places, column)
    if (more === null) return null
    size = more
  }
  size = lookUp(places)
  const rows = new Uint16Array(size)
  for (let row = count - 1; row >= 0; row -= 1) rows[places[row]!] = row
  return { of: Uint16Array.from(places), size, rows }
}

function putBeside(places: Int32Array, { of, size }: Dictionary): void {
  for (let row = 0; row < places.length; row += 1) places[row] = places[row]! * size + of[row]!
}

/** Replaces each place with the number of the pair of place and column code. @returns the number of distinct pairs */
function hashRows(places: Int32Array, { of }: Dictionary): number {
  const pairs = createPairInterner()
  for (let row = 0; row < places.length; row += 1) places[row] = pairs.of(places[row]!, of[row]!)
  return pairs.size()
}

/** By place: its number plus one. All entries are 0 between calls of `lookUp`, so the table is never reallocated. */
const NUMBERS = new Int32Array(TABLE_MAX)
/** The places that have a number. */
const NUMBERED = new Int32Array(TABLE_MAX)

/** Numbers the places from 0, in the order in which they occur. @returns the number of distinct places */
function lookUp(places: Int32Array): number {
  let count = 0
  for (let row = 0; row < places.length; row += 1) {
    const place = places[row]!
    if (NUMBERS[place] === 0) {
      NUMBERED[count] = place
      count += 1
      NUMBERS[place] = count
    }
    places[row] = NUMBERS[place]! - 1
  }
  for (let no = 0; no < count; no += 1) NUMBERS[NUMBERED[no]!] = 0
  return count
}
