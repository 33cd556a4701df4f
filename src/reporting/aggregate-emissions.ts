// Accumulates the sums of a report: contributions of facts by group labels, period and line label.
import { classify, classifyRefurbishment } from '../engine/inventory-boundary.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import type { Resumable } from '../engine/numbers/steps.ts'
import { createContributions, type Contributions } from './contributions.ts'
import { createDeviceDimension, type DeviceDimension } from './device-dimension.ts'
import { createLabelDictionary, type LabelDictionary } from './dimensions.ts'
import {
  isFactDimension,
  isLineDimension,
  type EmissionsQuery,
  type FactDimension,
  type LineDimension,
} from './query.ts'
import { decodeTerms } from './fact.ts'
import {
  createFactClassifier,
  type FactClassification,
  type FactClassifier,
  type ReportLabel,
} from './classification.ts'
import { createSpilledSums, type SpilledSums } from './exact-sums.ts'
import { createPairInterner, type PairInterner } from './dictionary.ts'
import { createPeriods, isWithin, type Periods, type PeriodShare } from './periods.ts'
import { createRowSums } from './row-sums.ts'
import { rowEnd, firstLabel, secondLabel, sortByRow, type SortedRows } from './counting-sort.ts'

export interface Aggregator {
  readonly query: EmissionsQuery
  readonly devices: DeviceDimension
  readonly footings: FactClassifier
  readonly periods: Periods
  /** The grouping dimensions that belong to facts, with the labels found so far. */
  readonly factGroups: readonly { readonly name: FactDimension; readonly labels: LabelDictionary }[]
  /** Facts with the same labels have one sum for each slot: a pair of period and line label number. */
  readonly slots: PairInterner
  readonly lineAt: (number: number) => ReportLabel
  readonly addends: Contributions
  readonly spilled: SpilledSums
  /** If true, the complete footprint of a device is counted once, instead of the embodied emission that was posted. */
  readonly isWhole: boolean
  readonly countsRefurbishments: boolean
  readonly piecesOf: (terms: string) => readonly PeriodShare[]
  /**
   * Adds milligrams to the contribution under construction; does nothing for period -1, which is outside the report.
   */
  readonly put: (period: number, footing: FactClassification, partIndex: number, milligrams: number) => void
  /** Adds the device-months of a rental by its terms. @param sign -1 to take them back */
  readonly hold: (terms: string, sign: 1 | -1) => void
  /** The slot in which the orders and rentals of a period are counted. */
  readonly countedIn: (period: number) => number
  /** Must be called before adding, with an upper bound of the absolute milligrams that are added, at most 2^53 − 1. */
  readonly expect: (milligrams: number) => Resumable<void>
}

/** Number of terms whose division into periods is cached. Each has as many pieces as it covers periods. */
const PIECES_MAX = 5_000
/** The number of all lines if the report does not distinguish lines. */
const ANY_LINE = 0

export function createAggregator(
  query: EmissionsQuery,
  referenceDataOf: (releaseId: number) => Promise<ReferenceData>,
): Aggregator {
  const devices = createDeviceDimension(referenceDataOf)
  const footings = createFactClassifier(query.view, devices)
  const periods = createPeriods(query)
  const slots = createPairInterner()
  const addends = createContributions()
  const pieces = new Map<string, readonly PeriodShare[]>()
  const lines = createLines(query)
  let expected = 0
  const counter: Aggregator = {
    query,
    devices,
    footings,
    periods,
    factGroups: query.groupBy.filter(isFactDimension).map((name) => ({ name, labels: createLabelDictionary() })),
    slots,
    lineAt: lines.at,
    addends,
    spilled: createSpilledSums(),
    isWhole: classify('product_embodied_emission', query.view).counting === 'whole',
    countsRefurbishments: classifyRefurbishment(query.view) !== null,
    piecesOf: (terms) => {
      const known = pieces.get(terms)
      if (known) return known
      const made = periods.ofRental(decodeTerms(terms)!)
      if (pieces.size >= PIECES_MAX) pieces.clear()
      pieces.set(terms, made)
      return made
    },
    put: (period, footing, no, milligrams) => {
      const part = footing.parts[no]
      if (period === -1 || milligrams === 0 || !part) return
      const line = lines.of(part.label)
      if (line !== -1) addends.add(slots.of(period, line), milligrams, part)
    },
    hold: (terms, sign) => {
      const months = millionthsOf(terms)
      for (const piece of counter.piecesOf(terms))
        addends.addMonths(slots.of(piece.period, ANY_LINE), sign * isWithin(months, piece))
    },
    countedIn: (period) => slots.of(period, ANY_LINE),
    *expect(milligrams) {
      if (addends.isFull() || expected + milligrams > Number.MAX_SAFE_INTEGER) {
        yield* spillSums(counter)
        expected = 0
      }
      expected += milligrams
    },
  }
  return counter
}

const MILLION = 1_000_000

/** The months of some terms, in millionths: as milligrams do, they add up however time is divided. */
export function millionthsOf(terms: string): number {
  const [numerator, denominator = 1] = decodeTerms(terms)!.months.split('/').map(Number) as [number, number?]
  return Math.round((numerator * MILLION) / denominator)
}

/** Numbers the line labels that the report distinguishes; -1 for lines that its filters exclude. */
function createLines({ groupBy, filters }: EmissionsQuery) {
  const lineDimensions = groupBy.filter(isLineDimension)
  const wanted = [...filters].filter((filter): filter is [LineDimension, ReadonlySet<string>] =>
    isLineDimension(filter[0]),
  )
  const numbers = new Map<string, number>()
  const byLabel = new Map<ReportLabel, number>()
  const labels: ReportLabel[] = []
  const numberOf = (label: ReportLabel): number => {
    if (!wanted.every(([name, values]) => values.has(label[name]))) return -1
    if (lineDimensions.length === 0) return ANY_LINE
    const text = lineDimensions.map((name) => label[name]).join('\0')
    const number = numbers.get(text) ?? labels.push(label) - 1
    numbers.set(text, number)
    return number
  }
  return {
    of: (label: ReportLabel): number => {
      const number = byLabel.get(label) ?? numberOf(label)
      byLabel.set(label, number)
      return number
    },
    at: (number: number): ReportLabel => labels[number]!,
  }
}

/** The contributions entered so far, sorted by row. */
export const sortedRows = ({ addends, factGroups }: Aggregator): SortedRows =>
  sortByRow(addends, [factGroups[0]?.labels.size() ?? 1, factGroups[1]?.labels.size() ?? 1])

/** Spills the sums entered so far, with a step for every row, to make room for more. */
export function* spillSums(counter: Aggregator): Resumable<void> {
  const { addends, slots, footings, spilled } = counter
  const sums = createRowSums(slots.size(), footings.errors().length)
  const sorted = sortedRows(counter)
  for (let from = 0, to = 0; from < sorted.size; from = to) {
    to = rowEnd(sorted, from)
    sums.add(addends, sorted, from, to)
    const [first, second] = [firstLabel(sorted, from), secondLabel(sorted, from)]
    for (let slot = 0; slot < slots.size(); slot += 1) if (sums.isUsed(slot)) spilled.keep(first, second, slot, sums)
    sums.clear()
    yield
  }
  addends.clear()
}
