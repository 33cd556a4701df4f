// What is added up of a report: what facts add, by what they are grouped by, and of which period and kind of line.
import { classify, classifyRefurbishment } from '../engine/books.ts'
import type { ReferenceData } from '../engine/figures/factor-book.ts'
import type { Resumable } from '../engine/numbers/steps.ts'
import { createAddends, type Addends } from './addends.ts'
import { createReportedDevices, type ReportedDevices } from './devices.ts'
import { createLabels, type Labels } from './dimension-values.ts'
import { isOfFact, isOfLine, type EmissionsQuery, type FactDimension, type LineDimension } from './emissions-query.ts'
import { readTerms } from './fact.ts'
import { createFootings, type Footing, type Footings, type LineLabel } from './footings.ts'
import { createKeptSums, type KeptSums } from './kept-sums.ts'
import { createPairIndex, type PairIndex } from './pair-index.ts'
import { createPeriods, type Periods, type Piece } from './periods.ts'
import { createRowSums } from './row-sums.ts'
import { endOfRow, firstOf, secondOf, sortByRow, type Entries } from './rows.ts'

export interface Counter {
  readonly query: EmissionsQuery
  readonly devices: ReportedDevices
  readonly footings: Footings
  readonly periods: Periods
  /** What is grouped by that belongs to facts, and the labels that were come upon. */
  readonly factGroups: readonly { readonly name: FactDimension; readonly labels: Labels }[]
  /** What has the same labels has a sum for each: by period and the number of what lines are called. */
  readonly slots: PairIndex
  readonly lineAt: (number: number) => LineLabel
  readonly addends: Addends
  readonly kept: KeptSums
  /** The whole of a device is counted once, in place of what was posted of it. */
  readonly isWhole: boolean
  readonly countsRefurbishments: boolean
  readonly piecesOf: (terms: string) => readonly Piece[]
  /** Puts milligrams to what facts of a footing add; for a period that the report does not have, -1, nothing. */
  readonly put: (period: number, footing: Footing, lane: number, milligrams: number) => void
  /** The slot in which orders and rentals of a period are counted. */
  readonly countedIn: (period: number) => number
  /** So much is added up at most, whatever its signs: told before it is, up to 2^53 − 1. */
  readonly expect: (milligrams: number) => Resumable<void>
}

/** Of so many terms it is kept at a time how they are cut: in each of them as many pieces as periods. */
const PIECES_MAX = 5_000
/** Where there are no lines to tell apart, all are one. */
const ANY_LINE = 0

export function createCounter(query: EmissionsQuery, bookOf: (releaseId: number) => Promise<ReferenceData>): Counter {
  const devices = createReportedDevices(bookOf)
  const footings = createFootings(query.view, devices)
  const periods = createPeriods(query)
  const slots = createPairIndex()
  const addends = createAddends()
  const pieces = new Map<string, readonly Piece[]>()
  const lines = createLines(query)
  let expected = 0
  const counter: Counter = {
    query,
    devices,
    footings,
    periods,
    factGroups: query.groupBy.filter(isOfFact).map((name) => ({ name, labels: createLabels() })),
    slots,
    lineAt: lines.at,
    addends,
    kept: createKeptSums(),
    isWhole: classify('product_embodied_emission', query.view).counting === 'whole',
    countsRefurbishments: classifyRefurbishment(query.view) !== null,
    piecesOf: (terms) => {
      const known = pieces.get(terms)
      if (known) return known
      const made = periods.ofRental(readTerms(terms)!)
      if (pieces.size >= PIECES_MAX) pieces.clear()
      pieces.set(terms, made)
      return made
    },
    put: (period, footing, no, milligrams) => {
      const lane = footing.lanes[no]
      if (period === -1 || milligrams === 0 || !lane) return
      const line = lines.of(lane.label)
      if (line !== -1) addends.add(slots.of(period, line), milligrams, lane)
    },
    countedIn: (period) => slots.of(period, ANY_LINE),
    *expect(milligrams) {
      if (addends.isFull() || expected + milligrams > Number.MAX_SAFE_INTEGER) {
        yield* moveAside(counter)
        expected = 0
      }
      expected += milligrams
    },
  }
  return counter
}

/** Numbers what lines are called, as far as the report tells them apart; -1 for those that it does not want. */
function createLines({ groupBy, filters }: EmissionsQuery) {
  const told = groupBy.filter(isOfLine)
  const wanted = [...filters].filter((filter): filter is [LineDimension, ReadonlySet<string>] => isOfLine(filter[0]))
  const numbers = new Map<string, number>()
  const byLabel = new Map<LineLabel, number>()
  const labels: LineLabel[] = []
  const numberOf = (label: LineLabel): number => {
    if (!wanted.every(([name, values]) => values.has(label[name]))) return -1
    if (told.length === 0) return ANY_LINE
    const text = told.map((name) => label[name]).join('\0')
    const number = numbers.get(text) ?? labels.push(label) - 1
    numbers.set(text, number)
    return number
  }
  return {
    of: (label: LineLabel): number => {
      const number = byLabel.get(label) ?? numberOf(label)
      byLabel.set(label, number)
      return number
    },
    at: (number: number): LineLabel => labels[number]!,
  }
}

/** What is added up by now, row by row. */
export const sortedEntries = ({ addends, factGroups }: Counter): Entries =>
  sortByRow(addends, [factGroups[0]?.labels.size() ?? 1, factGroups[1]?.labels.size() ?? 1])

/** Adds up what there is by now, a step for every row, so that there is room for more. */
export function* moveAside(counter: Counter): Resumable<void> {
  const { addends, slots, footings, kept } = counter
  const sums = createRowSums(slots.size(), footings.errors().length)
  const sorted = sortedEntries(counter)
  for (let from = 0, to = 0; from < sorted.size; from = to) {
    to = endOfRow(sorted, from)
    sums.add(addends, sorted, from, to)
    const [first, second] = [firstOf(sorted, from), secondOf(sorted, from)]
    for (let slot = 0; slot < slots.size(); slot += 1) if (sums.isUsed(slot)) kept.keep(first, second, slot, sums)
    sums.clear()
    yield
  }
  addends.clear()
}
