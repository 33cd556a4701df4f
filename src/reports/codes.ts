// Facts of a chunk that are the same in several ways at once are told apart by one small number, from 0 on.
import { createPairIndex } from './pair-index.ts'

/** By fact: which of so many, no more than a chunk has facts. */
export interface Codes {
  readonly of: Uint16Array
  readonly size: number
}

/** What the facts of one code are in each of the ways that were put together. */
export interface Combined extends Codes {
  readonly parts: readonly Int32Array[]
}

/** Up to so many combinations are looked up in a table; more are scattered, and hardly any two facts share one. */
export const TABLE_MAX = 1 << 18

/**
 * Numbers what the values of a column are, and gives each fact its number.
 * @param at by fact: the place of its value
 * @returns with what the numbers stand for
 */
export function codesOf<Meaning>(meanings: readonly Meaning[], at: Uint16Array) {
  const meant = [...new Set(meanings)]
  // Each place has a meaning of its own: it is its number.
  if (meant.length === meanings.length) return { codes: { of: at, size: meant.length }, meanings: meant }
  const numbers = new Map(meant.map((meaning, number) => [meaning, number]))
  const byPlace = Uint16Array.from(meanings, (meaning) => numbers.get(meaning)!)
  const of = numbers.size === 1 ? new Uint16Array(at.length) : at.map((place) => byPlace[place]!)
  return { codes: { of, size: numbers.size }, meanings: meant }
}

export function combine(count: number, columns: readonly Codes[]): Combined {
  // Told apart by one column more each time, in place.
  const of = new Uint16Array(count)
  let size = 1
  const parts: Int32Array[] = []
  for (const column of columns) {
    if (column.size === 1) {
      parts.push(new Int32Array(size))
      continue
    }
    const { firsts, seconds } = size * column.size > TABLE_MAX ? scatter(of, column) : lookUp(of, column)
    for (const [no, part] of parts.entries()) parts[no] = firsts.map((code) => part[code]!)
    parts.push(seconds)
    size = firsts.length
  }
  return { of, size, parts }
}

/** Which pairs there are, by their number; `of` has the numbers in place of the first of each. */
interface Pairs {
  readonly firsts: Int32Array
  readonly seconds: Int32Array
}

function scatter(of: Uint16Array, column: Codes): Pairs {
  const pairs = createPairIndex()
  for (let fact = 0; fact < of.length; fact += 1) of[fact] = pairs.of(of[fact]!, column.of[fact]!)
  const all = Int32Array.from({ length: pairs.size() }, (_, no) => no)
  return { firsts: all.map(pairs.firstOf), seconds: all.map(pairs.secondOf) }
}

/** By pair one more than its number; all 0 while nobody looks anything up, so that it need not be made anew. */
const TABLE = new Int32Array(TABLE_MAX)
/** Likewise: made anew for every column, they would have memory cleared up some times in each report. */
const [FIRSTS, SECONDS] = [new Int32Array(TABLE_MAX), new Int32Array(TABLE_MAX)]

function lookUp(of: Uint16Array, column: Codes): Pairs {
  const [firsts, seconds] = [FIRSTS, SECONDS]
  let found = 0
  for (let fact = 0; fact < of.length; fact += 1) {
    const place = of[fact]! * column.size + column.of[fact]!
    if (TABLE[place] === 0) {
      firsts[found] = of[fact]!
      seconds[found] = column.of[fact]!
      found += 1
      TABLE[place] = found
    }
    of[fact] = TABLE[place]! - 1
  }
  for (let no = 0; no < found; no += 1) TABLE[firsts[no]! * column.size + seconds[no]!] = 0
  return { firsts: firsts.slice(0, found), seconds: seconds.slice(0, found) }
}
