// Adds one chunk to the sums of a report. Facts with equal contributions are identified once and then only counted.
import type { Resumable } from '../engine/numbers/steps.ts'
import type { ColumnChunk } from './column-chunk.ts'
import { BUFFERED_MAX } from './contributions.ts'
import {
  dictionaryEncode,
  combineDictionaries,
  combineIfSmall,
  remap,
  type DictionaryEncoded,
  type Dictionary,
  type CombinedDictionary,
} from './dictionary.ts'
import { millionthsOf, type Aggregator } from './aggregate-emissions.ts'
import { labelColumn } from './dimensions.ts'
import { isFactDimension, type EmissionsQuery } from './query.ts'
import { ENTRY_KINDS, MASS_COLUMNS, decodeTerms } from './fact.ts'
import { PART_INDEX, type FactClassification } from './classification.ts'
import { amountBefore, isWithin } from './periods.ts'

type Span = readonly [from: number, to: number]

const HELD_OR_NOT = ENTRY_KINDS.held | ENTRY_KINDS.heldNoMore
const FIRST_OF_ANY = ENTRY_KINDS.firstOfOrder | ENTRY_KINDS.firstOfRental

/** Yields wherever earlier sums have to be spilled first. */
export function* aggregateChunk(chunk: ColumnChunk, counter: Aggregator): Resumable<void> {
  const facts = tellApart(chunk, counter)
  const most = mostOf(chunk, counter)
  const range = stretchOf(chunk, facts.alikes, counter, most)
  for (let from = 0; from < chunk.count; from += range) {
    const to = Math.min(chunk.count, from + range)
    yield* counter.expect((to - from) * most)
    enterFacts(facts, counter, [from, to])
  }
}

/** How many facts are added in one stretch: nearly always the complete chunk. */
function stretchOf(chunk: ColumnChunk, { codes }: Alikes, counter: Aggregator, most: number): number {
  // A double can hold the milligrams of one fact exactly, and nearly always the sum of a complete chunk.
  const exact = Math.floor(Number.MAX_SAFE_INTEGER / Math.max(1, most))
  // If all facts differ, each may contribute to a hundred months.
  const periods = counter.query.basis === 'tenure' ? mostPieces(chunk, counter) : 1
  const each = Object.keys(PART_INDEX).length * periods
  const rowsMax = codes.size * each > BUFFERED_MAX ? Math.floor(BUFFERED_MAX / each) : chunk.count
  return Math.max(1, Math.min(chunk.count, exact, rowsMax))
}

const mostPieces = (chunk: ColumnChunk, { piecesOf }: Aggregator): number =>
  chunk.text('terms').values.reduce((most, terms) => Math.max(most, terms === '' ? 0 : piecesOf(terms).length), 1)

/** An upper bound of the absolute milligrams of one fact, and of the millionths of its months. */
function mostOf(chunk: ColumnChunk, { query, isWhole, devices }: Aggregator): number {
  const greatest = (values: Iterable<number>): number => {
    let most = 0
    for (const value of values) most = Math.max(most, Math.abs(value))
    return most
  }
  const masses = MASS_COLUMNS.map((name) => greatest(chunk.number(name).values))
  const wholes = isWhole ? chunk.text('device').values.map((text) => devices.of(text)?.whole ?? 0) : []
  const terms = query.basis === 'tenure' ? chunk.text('terms').values.filter((text) => text !== '') : []
  const months = greatest(terms.map(millionthsOf))
  return Math.max(
    masses.reduce((sum, mass) => sum + mass, greatest(wholes)),
    months,
  )
}

/** The properties shared by facts that contribute the same. */
interface Alike {
  readonly device: string
  readonly kind: number
  readonly footing: FactClassification
  readonly terms: string
  /**
   * The periods of the order day, the dispatch day, the shared day (by tenure), and the day on which a rental starts.
   */
  readonly periods: Readonly<Record<PeriodName, number>>
  /** In the order of MASS_COLUMNS. */
  readonly masses: readonly number[]
}

const PERIODS = ['orderDay', 'dispatchDay', 'sharedDay', 'start'] as const
type PeriodName = (typeof PERIODS)[number]

interface Alikes {
  /** By pattern. */
  readonly codes: Dictionary
  readonly at: (code: number) => Alike
}

/** Distinguishes facts by everything that determines their contribution, regardless of how the report groups them. */
function findAlikes(chunk: ColumnChunk, counter: Aggregator): Alikes {
  const { query, footings } = counter
  const periodColumns = periodsIn(chunk, counter)
  const texts = (['device', 'country', 'mix', 'terms'] as const).map((name) => chunk.text(name))
  const numbers = (['kind', ...MASS_COLUMNS] as const).map((name) => chunk.number(name))
  // Terms have no effect unless emission is spread over months.
  const deciding = query.basis === 'tenure' ? texts : texts.slice(0, -1)
  const all = combineDictionaries(chunk.patterns.size, [
    ...[...deciding, ...numbers].map(({ values, at }): Dictionary => ({ of: at, size: values.length })),
    ...periodColumns.flatMap((column) => column?.codes ?? []),
  ])
  return {
    codes: all,
    at: (code) => {
      const pattern = all.rows[code]!
      const [device, country, mix, terms] = texts.map(({ values, at }) => values[at[pattern]!]!)
      const [kind, ...masses] = numbers.map(({ values, at }) => values[at[pattern]!]!)
      const days = PERIODS.map((name, no) => [name, periodColumns[no]?.meaningOf(pattern) ?? -1])
      return {
        device: device!,
        kind: kind!,
        footing: footings.of(device!, country!, kind!, mix!),
        terms: terms!,
        periods: Object.fromEntries(days) as Alike['periods'],
        masses,
      }
    },
  }
}

/** The periods the report uses, by pattern; null for those it does not use. */
function periodsIn(
  chunk: ColumnChunk,
  { query, periods, ...counter }: Aggregator,
): readonly (DictionaryEncoded<number> | null)[] {
  const isUsed: Readonly<Record<PeriodName, boolean>> = {
    orderDay: query.basis === 'order' || counter.countsRefurbishments,
    dispatchDay: query.basis !== 'order',
    sharedDay: query.basis === 'tenure',
    start: counter.isWhole,
  }
  return PERIODS.map((name) => {
    if (!isUsed[name]) return null
    if (name !== 'start')
      return dictionaryEncode(Array.from(chunk.number(name).values, periods.ofDay), chunk.number(name).at)
    const { values, at } = chunk.text('terms')
    return dictionaryEncode(
      values.map((text) => (text === '' ? -1 : periods.ofStart(decodeTerms(text)!))),
      at,
    )
  })
}

/** The facts of a chunk, distinguished by their contribution and by the labels they are grouped by. */
interface RowGroups {
  readonly alikes: Alikes
  /** By fact: its entry in `alikes`. */
  readonly alikeOf: Uint16Array
  /** Facts with the same contribution and labels; null if hardly any two facts have both in common. */
  readonly all: CombinedDictionary | null
  /** By fact: the number of its label in each grouping dimension. */
  readonly labels: readonly Int32Array[]
  readonly isWanted: (fact: number) => boolean
}

function tellApart(chunk: ColumnChunk, counter: Aggregator): RowGroups {
  const { query, factGroups, devices } = counter
  const { of } = chunk.patterns
  const alikes = findAlikes(chunk, counter)
  const alikeOf = remap(of, alikes.codes.of)
  const codes: Dictionary[] = [{ of: alikeOf, size: alikes.codes.size }]
  const labels = factGroups.map(({ name, labels: numbers }) => {
    const column = labelColumn(chunk, name, devices)
    const byPlace = column.labels.map(numbers.of)
    // Each customer has its own label, so its place is a code. Several metadata values may have the same label.
    const isPlain = name === 'customer'
    if (column.isOwn)
      codes.push(isPlain ? { of: column.at, size: byPlace.length } : dictionaryEncode(byPlace, column.at).codes)
    return labelsOf(byPlace, column.isOwn ? column.at : remap(of, column.at))
  })
  const filters = [...query.filters].flatMap(([name, wanted]) => {
    if (!isFactDimension(name)) return []
    const column = labelColumn(chunk, name, devices)
    const isWanted = dictionaryEncode(
      column.labels.map((label) => wanted.has(label ?? '')),
      column.at,
    )
    if (column.isOwn) codes.push(isWanted.codes)
    return [column.isOwn ? isWanted.meaningOf : (fact: number) => isWanted.meaningOf(of[fact]!)]
  })
  const isWanted = (fact: number) => filters.every((passes) => passes(fact))
  return { alikes, alikeOf, all: combineIfSmall(chunk.count, codes), labels, isWanted }
}

function labelsOf(byPlace: readonly number[], at: Uint16Array): Int32Array {
  const labels = new Int32Array(at.length)
  for (let fact = 0; fact < at.length; fact += 1) labels[fact] = byPlace[at[fact]!]!
  return labels
}

/** Facts with the same contribution and labels are entered once, with their number. */
function enterFacts(
  { alikes, alikeOf, all, labels, isWanted }: RowGroups,
  counter: Aggregator,
  [from, to]: Span,
): void {
  const addends = new Int32Array(alikes.codes.size).fill(-1)
  const [firsts, seconds] = labels
  const enter = (fact: number, facts: number): void => {
    if (!isWanted(fact)) return
    const alike = alikeOf[fact]!
    if (addends[alike] === -1) addends[alike] = toAddend(alikes.at(alike), counter)
    counter.addends.enter(firsts?.[fact] ?? 0, seconds?.[fact] ?? 0, addends[alike]!, facts)
  }
  if (all === null) {
    for (let fact = from; fact < to; fact += 1) enter(fact, 1)
    return
  }
  const numbers = new Int32Array(all.size)
  for (let fact = from; fact < to; fact += 1) numbers[all.of[fact]!]! += 1
  for (let no = 0; no < all.size; no += 1) if (numbers[no]! > 0) enter(all.rows[no]!, numbers[no]!)
}

/**
 * Packaging and transport count in a closed year if they count in a later one: the days of the report are those of
 * whole years, and so are its periods.
 */
const sharedPeriod = ({ dispatchDay, sharedDay }: Alike['periods'], { onlyClosedYears }: EmissionsQuery): number =>
  onlyClosedYears ? (sharedDay === dispatchDay ? -1 : dispatchDay) : sharedDay

function toAddend({ device, kind, footing, terms, periods, masses }: Alike, counter: Aggregator): number {
  const { query, isWhole, addends } = counter
  const isTenure = query.basis === 'tenure'
  const [embodied, use, packaging, transportation] = masses as readonly [number, number, number, number]
  if ((kind & ENTRY_KINDS.refurbishment) !== 0) {
    const day = isTenure ? periods.sharedDay : periods.orderDay
    if (counter.countsRefurbishments) counter.put(day, footing, PART_INDEX.embodied, embodied)
    return addends.end(-1, kind)
  }
  const usual = periods[query.basis === 'order' ? 'orderDay' : 'dispatchDay']
  const shared = isTenure ? sharedPeriod(periods, query) : usual
  if (isWhole && (kind & ENTRY_KINDS.firstOfDevice) !== 0) {
    const { whole } = counter.devices.of(device)!
    counter.put(periods.start, footing, PART_INDEX.embodied, (kind & ENTRY_KINDS.takenBack) === 0 ? whole : -whole)
  }
  // Rounded for each fact, so that a correction cancels it exactly.
  const other = footing.otherPackaging === null ? 0 : amountBefore(packaging, footing.otherPackaging)
  counter.put(shared, footing, PART_INDEX.packaging, packaging - other)
  counter.put(shared, footing, PART_INDEX.otherPackaging, other)
  counter.put(shared, footing, PART_INDEX.transportation, transportation)
  if (!isTenure) {
    if (!isWhole) counter.put(usual, footing, PART_INDEX.embodied, embodied)
    counter.put(usual, footing, PART_INDEX.use, use)
  }
  const pieces = isTenure && terms !== '' ? counter.piecesOf(terms) : []
  if (!isWhole)
    for (const piece of pieces) counter.put(piece.period, footing, PART_INDEX.embodied, isWithin(embodied, piece))
  for (const piece of pieces) counter.put(piece.period, footing, PART_INDEX.use, isWithin(use, piece))
  if (pieces.length > 0 && (kind & HELD_OR_NOT) !== 0) counter.hold(terms, (kind & ENTRY_KINDS.held) === 0 ? -1 : 1)
  // Orders and rentals of closed months count on the first open day, like their emission.
  const isCounted = (kind & FIRST_OF_ANY) !== 0 && shared !== -1
  return addends.end(isCounted ? counter.countedIn(shared) : -1, kind)
}
