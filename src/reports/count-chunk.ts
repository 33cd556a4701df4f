// One chunk into the sums of a report: each fact into its cell, which is what it is grouped by and its period.
import type { FactChunk } from './chunk.ts'
import { KINDS, MASS_COLUMNS, readTerms } from './fact.ts'
import type { Counter } from './count-emissions.ts'
import { labelColumn } from './dimension-values.ts'
import { isOfFact } from './emissions-query.ts'
import { LANE } from './footings.ts'
import { createPairIndex } from './pair-index.ts'
import { before, within, type Piece } from './periods.ts'

const FIRST_OF_ANY = KINDS.firstOfOrder | KINDS.firstOfRental

/** What a report takes of a chunk, by fact, ready to be added up. */
interface ReadChunk {
  readonly count: number
  /** The number of what each fact is grouped by; -1 for one that is filtered out. */
  readonly rows: Int32Array
  readonly footings: Int32Array
  readonly kinds: Float64Array
  readonly masses: readonly Float64Array[]
  /** Periods by the order's day, that of dispatch, and that of posting. */
  readonly orderPeriods: Int32Array
  readonly dispatchPeriods: Int32Array
  readonly postedPeriods: () => Int32Array
  /** Of the first entry of a rental, by fact: what of it falls where. */
  readonly piecesOf: (fact: number) => readonly Piece[]
  readonly startPeriodOf: (fact: number) => number
  readonly wholeOf: (fact: number) => number
}

export function countChunk(chunk: FactChunk, counter: Counter): void {
  const read = readChunk(chunk, counter)
  const most = mostOf(read, counter)
  // Nearly always all at once: of what a single fact says, a double holds the sum of at least one.
  const stretch = Math.max(1, Math.min(read.count, Math.floor(Number.MAX_SAFE_INTEGER / Math.max(1, most))))
  for (let from = 0; from < read.count; from += stretch) {
    const to = Math.min(read.count, from + stretch)
    counter.tally.expect((to - from) * most)
    for (let fact = from; fact < to; fact += 1) if (read.rows[fact]! !== -1) countFact(fact, read, counter)
  }
}

function readChunk(chunk: FactChunk, counter: Counter): ReadChunk {
  const { periods, devices } = counter
  const spread = <Out extends Int32Array | Float64Array>(
    { values, at }: { readonly values: ArrayLike<number>; readonly at: Uint16Array },
    out: Out,
  ): Out => {
    for (let fact = 0; fact < chunk.count; fact += 1) out[fact] = values[at[fact]!]!
    return out
  }
  const periodsBy = (name: 'orderDay' | 'dispatchDay' | 'postedDay') => {
    const { values, at } = chunk.number(name)
    return spread({ values: Int32Array.from(values, periods.ofDay), at }, new Int32Array(chunk.count))
  }
  const terms = chunk.text('terms')
  const pieces: (readonly Piece[] | undefined)[] = []
  const device = chunk.text('device')
  let posted: Int32Array | null = null
  return {
    count: chunk.count,
    rows: rowsOf(chunk, counter),
    footings: footingsOf(chunk, counter),
    kinds: spread(chunk.number('kind'), new Float64Array(chunk.count)),
    masses: MASS_COLUMNS.map((name) => spread(chunk.number(name), new Float64Array(chunk.count))),
    orderPeriods: periodsBy('orderDay'),
    dispatchPeriods: periodsBy('dispatchDay'),
    postedPeriods: () => (posted ??= periodsBy('postedDay')),
    piecesOf: (fact) => (pieces[terms.at[fact]!] ??= counter.piecesOf(terms.values[terms.at[fact]!]!)),
    startPeriodOf: (fact) => periods.ofStart(readTerms(terms.values[terms.at[fact]!]!)!),
    wholeOf: (fact) => devices.of(device.values[device.at[fact]!]!)!.whole,
  }
}

/** What the report groups by, by fact, less what its filters leave out. */
function rowsOf(chunk: FactChunk, { query, factGroups, rows, devices }: Counter): Int32Array {
  const found = new Int32Array(chunk.count)
  const [first, second] = factGroups.map(({ name, labels }) => {
    const { labels: texts, at } = labelColumn(chunk, name, devices)
    return { codes: texts.map(labels.of), at }
  })
  for (let fact = 0; fact < chunk.count; fact += 1) {
    found[fact] = rows.of(first ? first.codes[first.at[fact]!]! : 0, second ? second.codes[second.at[fact]!]! : 0)
  }
  for (const [name, wanted] of query.filters) {
    if (!isOfFact(name)) continue
    const { labels, at } = labelColumn(chunk, name, devices)
    const passes = labels.map((label) => wanted.has(label ?? ''))
    for (let fact = 0; fact < chunk.count; fact += 1) if (!passes[at[fact]!]) found[fact] = -1
  }
  return found
}

/** Places of four columns are told apart two by two, so that no text is put together for each fact. */
function footingsOf(chunk: FactChunk, { footings }: Counter): Int32Array {
  const [device, country, mix, kind] = [
    chunk.text('device'),
    chunk.text('country'),
    chunk.text('mix'),
    chunk.number('kind'),
  ] as const
  const [left, right, both] = [createPairIndex(), createPairIndex(), createPairIndex()]
  const known: number[] = []
  const found = new Int32Array(chunk.count)
  for (let fact = 0; fact < chunk.count; fact += 1) {
    const [a, b, c, d] = [device.at[fact]!, country.at[fact]!, mix.at[fact]!, kind.at[fact]!]
    const no = both.of(left.of(a, b), right.of(c, d))
    known[no] ??= footings.of(device.values[a]!, country.values[b]!, kind.values[d]!, mix.values[c]!)
    found[fact] = known[no]
  }
  return found
}

/** The most that the milligrams of one fact may come to, whatever their signs. */
function mostOf({ masses, count, wholeOf, kinds }: ReadChunk, { isWhole }: Counter): number {
  let most = 0
  for (const mass of masses) {
    let greatest = 0
    for (const milligrams of mass) greatest = Math.max(greatest, Math.abs(milligrams))
    most += greatest
  }
  if (!isWhole) return most
  let greatest = 0
  for (let fact = 0; fact < count; fact += 1) {
    if (kinds[fact]! & KINDS.firstOfDevice) greatest = Math.max(greatest, wholeOf(fact))
  }
  return most + greatest
}

function countFact(fact: number, read: ReadChunk, counter: Counter): void {
  const { query, isWhole } = counter
  const kind = read.kinds[fact]!
  const [row, footing] = [read.rows[fact]!, read.footings[fact]!]
  const [embodied, use] = [read.masses[0]![fact]!, read.masses[1]![fact]!]
  if ((kind & KINDS.refurbishment) !== 0) {
    if (counter.countsRefurbishments) counter.add(row, read.orderPeriods[fact]!, footing, LANE.embodied, embodied)
    return
  }
  const isTenure = query.basis === 'tenure'
  const usual = query.basis === 'order' ? read.orderPeriods[fact]! : read.dispatchPeriods[fact]!
  counter.count(row, usual, kind)
  if (isWhole && (kind & KINDS.firstOfDevice) !== 0)
    counter.add(row, read.startPeriodOf(fact), footing, LANE.embodied, read.wholeOf(fact))
  const own = isWhole ? 0 : embodied
  if (isTenure && (kind & FIRST_OF_ANY) === 0) return addAll(fact, read, counter, read.postedPeriods()[fact]!, own, use)
  if (!isTenure || (kind & KINDS.firstOfRental) === 0) return addAll(fact, read, counter, usual, own, use)
  addAll(fact, read, counter, usual, 0, 0)
  for (const piece of read.piecesOf(fact)) {
    if (own !== 0) counter.add(row, piece.period, footing, LANE.embodied, within(own, piece))
    if (use !== 0) counter.add(row, piece.period, footing, LANE.use, within(use, piece))
  }
}

function addAll(fact: number, read: ReadChunk, counter: Counter, period: number, embodied: number, use: number): void {
  const at = counter.placeOf(read.rows[fact]!, period, read.footings[fact]!)
  if (at === -1) return
  const { tally } = counter
  const packaging = read.masses[2]![fact]!
  const { otherPackaging } = counter.footings.at(read.footings[fact]!)
  const other = otherPackaging === null ? 0 : before(packaging, otherPackaging)
  tally.add(at, LANE.embodied, embodied)
  tally.add(at, LANE.use, use)
  tally.add(at, LANE.packaging, packaging - other)
  tally.add(at, LANE.otherPackaging, other)
  tally.add(at, LANE.transportation, read.masses[3]![fact]!)
}
