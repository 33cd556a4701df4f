// Adds up the facts of a report: by what they are grouped by, by period, and by what their milligrams rest on.
import { bookingOf, refurbishmentIn } from '../engine/books.ts'
import type { FactorBook } from '../engine/factor-book.ts'
import { createReportedDevices, type ReportedDevices } from './devices.ts'
import { createLabels, type Labels } from './dimension-values.ts'
import { isOfFact, type EmissionsQuery, type FactDimension } from './emissions-query.ts'
import { KINDS, readTerms } from './fact.ts'
import { createFootings, type Footings } from './footings.ts'
import { createPairIndex, type PairIndex } from './pair-index.ts'
import { createPeriods, type Periods, type Piece } from './periods.ts'
import { createTally, type Tally } from './tally.ts'

export interface Counter {
  readonly query: EmissionsQuery
  readonly devices: ReportedDevices
  readonly footings: Footings
  readonly periods: Periods
  /** What is grouped by that belongs to facts, and the labels that were come upon. */
  readonly factGroups: readonly { readonly name: FactDimension; readonly labels: Labels }[]
  /** By the labels of the first and the second of them. */
  readonly rows: PairIndex
  /** By row and period. */
  readonly cells: PairIndex
  /** By cell and footing. */
  readonly tally: Tally
  /** Orders and rentals of a cell. */
  readonly counts: (cell: number) => { readonly orders: number; readonly rentals: number }
  /** The whole of a device is counted once, in place of what was posted of it. */
  readonly isWhole: boolean
  readonly countsRefurbishments: boolean
  readonly piecesOf: (terms: string) => readonly Piece[]
  /** Where to add what falls into a period; -1 for one that the report does not have. */
  readonly placeOf: (row: number, period: number, footing: number) => number
  readonly add: (row: number, period: number, footing: number, lane: number, milligrams: number) => void
  /** So many facts of a kind. */
  readonly count: (row: number, period: number, kind: number, facts: number) => void
}

export function createCounter(query: EmissionsQuery, bookOf: (releaseId: number) => Promise<FactorBook>): Counter {
  const devices = createReportedDevices(bookOf)
  const footings = createFootings(query.view, devices)
  const periods = createPeriods(query)
  const cells = createPairIndex()
  const tally = createTally()
  const counts = createCounts()
  const pieces = new Map<string, readonly Piece[]>()
  const placeOf = (row: number, period: number, footing: number): number =>
    period === -1 ? -1 : tally.at(cells.of(row, period), footing, footings.coarse)
  return {
    query,
    devices,
    footings,
    periods,
    factGroups: query.groupBy.filter(isOfFact).map((name) => ({ name, labels: createLabels() })),
    rows: createPairIndex(),
    cells,
    tally,
    counts: counts.of,
    isWhole: bookingOf('product_embodied_emission', query.view).counting === 'whole',
    countsRefurbishments: refurbishmentIn(query.view) !== null,
    piecesOf: (terms) => {
      const known = pieces.get(terms)
      if (known) return known
      const made = periods.ofRental(readTerms(terms)!)
      pieces.set(terms, made)
      return made
    },
    placeOf,
    add: (row, period, footing, lane, milligrams) => {
      const at = placeOf(row, period, footing)
      if (at !== -1) tally.add(at, lane, milligrams)
    },
    count: (row, period, kind, facts) => {
      if ((kind & (KINDS.firstOfOrder | KINDS.firstOfRental)) !== 0 && period !== -1)
        counts.add(cells.of(row, period), kind, facts)
    },
  }
}

function createCounts() {
  let counts = new Int32Array(2 * 1_024)
  return {
    add: (cell: number, kind: number, facts: number) => {
      while (2 * cell >= counts.length) {
        const longer = new Int32Array(2 * counts.length)
        longer.set(counts)
        counts = longer
      }
      if ((kind & KINDS.firstOfOrder) !== 0) counts[2 * cell]! += facts
      if ((kind & KINDS.firstOfRental) !== 0) counts[2 * cell + 1]! += facts
    },
    of: (cell: number) => ({ orders: counts[2 * cell] ?? 0, rentals: counts[2 * cell + 1] ?? 0 }),
  }
}
