// The emission of rentals by calendar year, as they were posted and as a scenario leaves them, and the interval of the
// difference, in which what both sides share is drawn once. METHODOLOGY.md#scenarios
import { allocate } from '../allocation.ts'
import { orderKey, type OrderKey } from '../device-timeline.ts'
import { intervalOfDifference, type SidesOnBasis } from '../impact.ts'
import { PARTS, sumMilligrams, type Milligrams, type Part } from '../numbers/emission.ts'
import { ONE } from '../numbers/rational.ts'
import type { Resumable } from '../numbers/steps.ts'
import { monthsOfEntries } from '../occupancy.ts'
import { datedEmissions, monthsOfPart, startsOf } from '../reporting-periods.ts'
import type { FactorError } from '../uncertainty/lognormal.ts'
import type { CountedEntry } from './replay-ledger.ts'

/** Milligrams by calendar year, of one part. */
export type YearsOfPart = ReadonlyMap<number, Milligrams>
export type YearsByPart = Readonly<Record<Part, YearsOfPart>>

/**
 * The years of every order on one device, or of one order without devices, by orderKey.
 * @param dispatchDayOf the tenure start of an order; null for an order whose years are not wanted
 */
export function* yearsOfEntries(
  entries: readonly CountedEntry[],
  isDevice: boolean,
  dispatchDayOf: (order: OrderKey) => string | null,
): Resumable<ReadonlyMap<string, YearsByPart>> {
  const months = isDevice ? yield* monthsOfEntries(entries, (entry) => entry) : null
  const years = new Map<string, YearsByPart>()
  const rentals = Map.groupBy(
    [...entries.entries()].filter(([, { orderId }]) => orderId !== ''),
    ([, entry]) => orderKey(entry),
  )
  for (const [key, rental] of rentals) {
    yield
    const dispatchDay = dispatchDayOf(rental[0]![1])
    if (dispatchDay === null) continue
    const starts = startsOf(rental.map(([, entry]) => entry))
    const dated = datedEmissions(
      rental.map(([at, entry], place) => ({ ...entry, months: months && months[at]!, start: starts[place]! })),
    )
    const sums = emptyYears()
    for (const one of dated.flat())
      for (const part of PARTS)
        for (const { month, emission } of monthsOfPart(part, one[part], one, dispatchDay))
          addTo(sums[part], Number(month.slice(0, 4)), emission)
    years.set(key, sums)
  }
  return years
}

const emptyYears = (): Record<Part, Map<number, Milligrams>> => ({
  product_embodied_emission: new Map(),
  product_use: new Map(),
  packaging: new Map(),
  transportation: new Map(),
})

const addTo = (sums: Map<number, Milligrams>, year: number, emission: Milligrams): void =>
  void sums.set(year, (sums.get(year) ?? 0n) + emission)

/** A line that an emission comes from, with its errors; the emissions are the weights of the lines of one part. */
export interface UncertainLine {
  readonly emission: Milligrams
  readonly errors: readonly FactorError[]
}
export type LinesByPart = Readonly<Record<Part, readonly UncertainLine[]>>

/** One side of a rental: what counts in each year, and what it comes from. */
export interface Side {
  readonly years: YearsByPart
  readonly lines: LinesByPart
}

export interface ScenarioYear {
  readonly year: number
  readonly before: Milligrams
  readonly after: Milligrams
  readonly difference: Milligrams
  /** The 95 % interval of the difference. */
  readonly low: Milligrams
  readonly high: Milligrams
}

export interface ScenarioSums {
  readonly years: readonly ScenarioYear[]
  readonly total: Omit<ScenarioYear, 'year'>
}

/** Both sides on each basis, by the errors of the basis. */
type OnBases = Map<string, { reference: Milligrams; solution: Milligrams; readonly errors: readonly FactorError[] }>

/** Adds up rentals on both sides. */
export class YearComparison {
  readonly #years = new Map<number, { before: Milligrams; after: Milligrams; readonly bases: OnBases }>()

  /** A rental that the scenario leaves as it is: on both sides alike, so that its errors cancel out. */
  addUnchanged(years: YearsByPart): void {
    for (const part of PARTS)
      for (const [year, emission] of years[part]) {
        const sums = this.#of(year)
        sums.before += emission
        sums.after += emission
      }
  }

  addChanged(before: Side | null, after: Side | null): void {
    if (before) this.#add(before, 'before')
    if (after) this.#add(after, 'after')
  }

  result(): ScenarioSums {
    const inOrder = [...this.#years].toSorted(([a], [b]) => a - b)
    const years = inOrder.map(([year, { before, after, bases }]) => ({
      year,
      ...comparison(before, after, [...bases.values()]),
    }))
    const whole: OnBases = new Map()
    for (const [, { bases }] of inOrder) {
      for (const [key, { reference, solution, errors }] of bases) {
        const basis = basisIn(whole, key, errors)
        basis.reference += reference
        basis.solution += solution
      }
    }
    const before = sumMilligrams(years.map((one) => one.before))
    const after = sumMilligrams(years.map((one) => one.after))
    const isSomething = (one: ScenarioYear) => one.before !== 0n || one.after !== 0n
    return { years: years.filter(isSomething), total: comparison(before, after, [...whole.values()]) }
  }

  #of(year: number) {
    const known = this.#years.get(year)
    if (known) return known
    const sums = { before: 0n, after: 0n, bases: new Map() as OnBases }
    this.#years.set(year, sums)
    return sums
  }

  #add({ years, lines }: Side, side: 'before' | 'after'): void {
    for (const part of PARTS) {
      for (const [year, emission] of years[part]) {
        const sums = this.#of(year)
        sums[side] += emission
        for (const { errors, share } of onLines(emission, lines[part])) {
          const basis = basisIn(sums.bases, keyOf(errors), errors)
          basis[side === 'before' ? 'solution' : 'reference'] += share
        }
      }
    }
  }
}

function basisIn(bases: OnBases, key: string, errors: readonly FactorError[]) {
  const basis = bases.get(key) ?? { reference: 0n, solution: 0n, errors }
  bases.set(key, basis)
  return basis
}

const keyOf = (errors: readonly FactorError[]): string =>
  errors.map(({ factor, logSd }) => `${factor}\0${logSd}`).join('\0')

/** An emission is of several lines in proportion to their emissions; of lines without any, it is 0. */
function onLines(emission: Milligrams, lines: readonly UncertainLine[]) {
  const weights = lines.map((line) => line.emission)
  if (weights.every((weight) => weight === 0n)) return []
  return allocate(emission, weights).map((share, at) => ({ share, errors: lines[at]!.errors }))
}

const WHOLE = { reference: ONE, solution: ONE }

/** `reference` of each basis is the new side, `solution` the old one. */
function comparison(before: Milligrams, after: Milligrams, onBases: readonly SidesOnBasis[]) {
  const difference = after - before
  return { before, after, difference, ...intervalOfDifference(difference, onBases, WHOLE) }
}
