// The groups of a report from its sums: what each emits, how many orders it is of, and how far off it may be.
import type { Milligrams } from '../engine/line.ts'
import type { Steps } from '../engine/steps.ts'
import type { Counter } from './count-emissions.ts'
import { isOfLine, isTime, type Dimension } from './emissions-query.ts'
import type { LineLabel } from './footings.ts'
import { createSpreader, type SpreadOf } from './spreader.ts'
import { LANES } from './tally.ts'

export interface Emissions {
  readonly emission: Milligrams
  /** Standard deviation of the logarithm; null where too many different things were added up to tell. */
  readonly logSd: number | null
}

export interface Group extends Emissions {
  /** What it is, by each of the dimensions that are grouped by; null for what it is not told of. */
  readonly labels: readonly (string | null)[]
  /** Null where groups are of lines: an order has several. */
  readonly orders: number | null
  readonly rentals: number | null
}

export interface Collected {
  /** By their labels, those of none last. */
  readonly groups: readonly Group[]
  readonly total: Emissions & { readonly orders: number; readonly rentals: number }
}

/** What is added up of one group, or of all. */
interface Gathering {
  emission: Milligrams
  /** As long as no sum is beyond what a double holds. */
  sum: number
  readonly means: Float64Array
  readonly touched: number[]
  readonly isTouched: Uint8Array
  isUnknown: boolean
}

const gathering = (sources: number): Gathering => ({
  emission: 0n,
  sum: 0,
  means: new Float64Array(sources),
  touched: [],
  isTouched: new Uint8Array(sources),
  isUnknown: false,
})

/** A step for every cell. */
export function* collectGroups(counter: Counter): Steps<Collected> {
  const { query, cells, tally } = counter
  const errors = counter.footings.errors()
  const spreadOf = createSpreader(errors)
  const total = gathering(errors.length)
  const ofLines = query.groupBy.some(isOfLine)
  const groups: Group[] = []
  let [orders, rentals] = [0, 0]
  const byLabel = new Map<string, { label: LineLabel | null; gathered: Gathering }>()
  const free: Gathering[] = []
  const places = placesByCell(counter)
  for (let cell = 0; cell < cells.size(); cell += 1) {
    const counts = counter.counts(cell)
    orders += counts.orders
    rentals += counts.rentals
    byLabel.clear()
    if (!ofLines) byLabel.set('', { label: null, gathered: free.pop() ?? gathering(errors.length) })
    for (let next = places.starts[cell]!; next < places.starts[cell + 1]!; next += 1) {
      const at = places.sorted[next]!
      const { lanes } = counter.footings.at(tally.secondOf(at))
      for (const [no, lane] of lanes.entries()) {
        if (lane === null || !isWanted(lane.label, counter)) continue
        const [sum, aside] = [tally.sum(at, no), tally.aside()?.get(at * LANES + no)]
        if (sum === 0 && aside === undefined) continue
        const key = ofLines ? keyOf(lane.label, query.groupBy) : ''
        const found = byLabel.get(key) ?? { label: lane.label, gathered: free.pop() ?? gathering(errors.length) }
        byLabel.set(key, found)
        for (const to of [found.gathered, total]) gather(to, lane.sources, sum, aside)
      }
    }
    for (const { label, gathered } of byLabel.values()) {
      const labels = labelsOf(cell, label, counter)
      const { orders, rentals } = ofLines ? { orders: null, rentals: null } : counts
      groups.push({ labels, orders, rentals, ...finish(gathered, spreadOf) })
      free.push(gathered)
    }
    yield
  }
  return { groups: groups.sort(compareGroups), total: { ...finish(total, spreadOf), orders, rentals } }
}

function isWanted(label: LineLabel, { query }: Counter): boolean {
  for (const [name, values] of query.filters) if (isOfLine(name) && !values.has(label[name])) return false
  return true
}

const keyOf = (label: LineLabel, groupBy: readonly Dimension[]): string =>
  groupBy
    .filter(isOfLine)
    .map((name) => label[name])
    .join('\0')

/** Where the sums of each cell are: those of one cell side by side. */
function placesByCell({ cells, tally }: Counter) {
  const starts = new Int32Array(cells.size() + 1)
  for (let at = 0; at < tally.size(); at += 1) starts[tally.firstOf(at) + 1]! += 1
  for (let cell = 0; cell < cells.size(); cell += 1) starts[cell + 1]! += starts[cell]!
  const next = starts.slice()
  const sorted = new Int32Array(tally.size())
  for (let at = 0; at < tally.size(); at += 1) sorted[next[tally.firstOf(at)]!++] = at
  return { starts, sorted }
}

type Sources = readonly { readonly source: number; readonly share: number }[] | null

function gather(to: Gathering, sources: Sources, sum: number, aside: bigint | undefined): void {
  const milligrams = aside === undefined ? sum : sum + Number(aside)
  if (aside === undefined) to.sum += sum
  else to.emission += aside + BigInt(sum)
  if (milligrams === 0) return
  if (sources === null) {
    to.isUnknown = true
    return
  }
  for (const { source, share } of sources) {
    if (to.isTouched[source] === 0) to.touched.push(source)
    to.isTouched[source] = 1
    to.means[source]! += milligrams * share
  }
}

/** Ends a sum, and makes it ready for the next. */
function finish(gathered: Gathering, spreadOf: SpreadOf): Emissions {
  const { touched, isTouched, means, isUnknown } = gathered
  const emission = gathered.emission + BigInt(gathered.sum)
  const logSd = isUnknown
    ? null
    : spreadOf(
        touched,
        touched.map((source) => means[source]!),
        touched.length,
      )
  for (const source of touched) {
    means[source] = 0
    isTouched[source] = 0
  }
  touched.length = 0
  gathered.emission = 0n
  gathered.sum = 0
  gathered.isUnknown = false
  return { emission, logSd }
}

function labelsOf(cell: number, line: LineLabel | null, counter: Counter): readonly (string | null)[] {
  const { query, cells, rows, factGroups, periods } = counter
  const row = cells.firstOf(cell)
  return query.groupBy.map((name) => {
    if (isTime(name)) return periods.label(cells.secondOf(cell), name)
    if (isOfLine(name)) return line![name]
    const at = factGroups.findIndex((group) => group.name === name)
    return factGroups[at]!.labels.at(at === 0 ? rows.firstOf(row) : rows.secondOf(row))
  })
}

function compareGroups({ labels: a }: Group, { labels: b }: Group): number {
  for (const [at, left] of a.entries()) {
    const right = b[at]!
    if (left === right) continue
    if (left === null || right === null) return left === null ? 1 : -1
    return left < right ? -1 : 1
  }
  return 0
}
