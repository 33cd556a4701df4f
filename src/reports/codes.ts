// Facts of a chunk that are the same in several ways at once are told apart by one small number, from 0 on.
import { createPairIndex } from './pair-index.ts'

/** By fact: which of so many. */
export interface Codes {
  readonly of: Int32Array | Uint16Array
  readonly size: number
}

/** What the facts of one code are in each of the ways that were put together. */
export interface Combined extends Codes {
  readonly parts: readonly Int32Array[]
}

/** Up to so many combinations are looked up in a table; more are scattered. */
const TABLE_MAX = 1 << 18

/**
 * Numbers what the values of a column are, and gives each fact its number.
 * @param at by fact: the place of its value
 * @returns with what the numbers stand for
 */
export function codesOf<Meaning>(meanings: readonly Meaning[], at: Uint16Array) {
  const numbers = new Map<Meaning, number>()
  const byPlace = Int32Array.from(meanings, (meaning) => {
    const known = numbers.get(meaning) ?? numbers.size
    numbers.set(meaning, known)
    return known
  })
  const of = new Int32Array(at.length)
  if (numbers.size > 1) for (let fact = 0; fact < at.length; fact += 1) of[fact] = byPlace[at[fact]!]!
  return { codes: { of, size: numbers.size }, meanings: [...numbers.keys()] }
}

export function combine(count: number, columns: readonly Codes[]): Combined {
  let combined: Codes = { of: new Int32Array(count), size: 1 }
  const parts: Int32Array[] = []
  for (const column of columns) {
    if (column.size === 1) {
      parts.push(new Int32Array(combined.size))
      continue
    }
    const { codes, firsts, seconds } = pairUp(count, combined, column)
    for (const [no, part] of parts.entries()) parts[no] = firsts.map((code) => part[code]!)
    parts.push(seconds)
    combined = codes
  }
  return { ...combined, parts }
}

function pairUp(count: number, a: Codes, b: Codes) {
  const of = new Int32Array(count)
  if (a.size * b.size > TABLE_MAX) {
    const pairs = createPairIndex()
    for (let fact = 0; fact < count; fact += 1) of[fact] = pairs.of(a.of[fact]!, b.of[fact]!)
    const codes = { of, size: pairs.size() }
    const all = Int32Array.from({ length: codes.size }, (_, no) => no)
    return { codes, firsts: all.map(pairs.firstOf), seconds: all.map(pairs.secondOf) }
  }
  const table = new Int32Array(a.size * b.size)
  const [firsts, seconds] = [new Int32Array(count), new Int32Array(count)]
  let size = 0
  for (let fact = 0; fact < count; fact += 1) {
    const place = a.of[fact]! * b.size + b.of[fact]!
    // One more than the code: nothing has been there yet where it is 0.
    if (table[place] === 0) {
      firsts[size] = a.of[fact]!
      seconds[size] = b.of[fact]!
      size += 1
      table[place] = size
    }
    of[fact] = table[place]! - 1
  }
  return { codes: { of, size }, firsts: firsts.slice(0, size), seconds: seconds.slice(0, size) }
}
