// One chunk into what a report adds up. Facts that add the same are told apart from others once, then only counted.
import type { Steps } from '../engine/numbers/steps.ts'
import type { FactChunk } from './chunk.ts'
import { codesOf, combine, combineFew, replaced, type Coded, type Codes } from './codes.ts'
import type { Counter } from './count-emissions.ts'
import { labelColumn } from './dimension-values.ts'
import { isOfFact } from './emissions-query.ts'
import { KINDS, MASS_COLUMNS, readTerms } from './fact.ts'
import { LANE, type Footing } from './footings.ts'
import { before, within } from './periods.ts'

type Span = readonly [from: number, to: number]

const FIRST_OF_ANY = KINDS.firstOfOrder | KINDS.firstOfRental

/** A step wherever what was added up before has to be moved aside. */
export function* countChunk(chunk: FactChunk, counter: Counter): Steps<void> {
  const [alikes, apart] = [findAlikes(chunk, counter), tellApart(chunk, counter)]
  const most = mostOf(chunk, counter)
  // Nearly always all at once: a double holds what one fact says, and the sum of nearly all that there are.
  const stretch = Math.max(1, Math.min(chunk.count, Math.floor(Number.MAX_SAFE_INTEGER / Math.max(1, most))))
  for (let from = 0; from < chunk.count; from += stretch) {
    const to = Math.min(chunk.count, from + stretch)
    yield* counter.expect((to - from) * most)
    enterFacts(chunk, alikes, apart, counter, [from, to])
  }
}

/** The most that the milligrams of one fact may come to, whatever their signs. */
function mostOf(chunk: FactChunk, { isWhole, devices }: Counter): number {
  const greatest = (values: Iterable<number>): number => {
    let most = 0
    for (const value of values) most = Math.max(most, Math.abs(value))
    return most
  }
  const masses = MASS_COLUMNS.map((name) => greatest(chunk.number(name).values))
  const wholes = isWhole ? chunk.text('device').values.map((text) => devices.of(text)?.whole ?? 0) : []
  return masses.reduce((sum, mass) => sum + mass, greatest(wholes))
}

/** What facts are that add the same. */
interface Alike {
  readonly device: string
  readonly kind: number
  readonly footing: Footing
  readonly terms: string
  /** The period of the order, of its dispatch, of what is shared by tenure, and that in which a rental starts. */
  readonly periods: Readonly<Record<PeriodName, number>>
  /** By MASS_COLUMNS. */
  readonly masses: readonly number[]
}

const PERIODS = ['orderDay', 'dispatchDay', 'sharedDay', 'start'] as const
type PeriodName = (typeof PERIODS)[number]

interface Alikes {
  /** By pattern. */
  readonly codes: Codes
  readonly at: (code: number) => Alike
}

/** Told apart by whatever decides what a fact adds, however many ways the report groups facts in. */
function findAlikes(chunk: FactChunk, counter: Counter): Alikes {
  const { query, footings } = counter
  const periodColumns = periodsIn(chunk, counter)
  const texts = (['device', 'country', 'mix', 'terms'] as const).map((name) => chunk.text(name))
  const numbers = (['kind', ...MASS_COLUMNS] as const).map((name) => chunk.number(name))
  // The terms decide nothing where nothing is spread.
  const deciding = query.basis === 'tenure' ? texts : texts.slice(0, -1)
  const all = combine(chunk.patterns.size, [
    ...[...deciding, ...numbers].map(({ values, at }): Codes => ({ of: at, size: values.length })),
    ...periodColumns.flatMap((column) => column?.codes ?? []),
  ])
  return {
    codes: all,
    at: (code) => {
      const pattern = all.rows[code]!
      const [device, country, mix, terms] = texts.map(({ values, at }) => values[at[pattern]!]!)
      const [kind, ...masses] = numbers.map(({ values, at }) => values[at[pattern]!]!)
      const found = PERIODS.map((name, no) => [name, periodColumns[no]?.meaningOf(pattern) ?? -1])
      return {
        device: device!,
        kind: kind!,
        footing: footings.of(device!, country!, kind!, mix!),
        terms: terms!,
        periods: Object.fromEntries(found) as Alike['periods'],
        masses,
      }
    },
  }
}

/** By pattern: the periods that a report counts by, null in place of those that it does not. */
function periodsIn(chunk: FactChunk, { query, periods, ...counter }: Counter): readonly (Coded<number> | null)[] {
  const isUsed: Readonly<Record<PeriodName, boolean>> = {
    orderDay: query.basis === 'order' || counter.countsRefurbishments,
    dispatchDay: query.basis !== 'order',
    sharedDay: query.basis === 'tenure',
    start: counter.isWhole,
  }
  return PERIODS.map((name) => {
    if (!isUsed[name]) return null
    if (name !== 'start') return codesOf(Array.from(chunk.number(name).values, periods.ofDay), chunk.number(name).at)
    const { values, at } = chunk.text('terms')
    return codesOf(
      values.map((text) => (text === '' ? -1 : periods.ofStart(readTerms(text)!))),
      at,
    )
  })
}

/** How facts are grouped, and which of them are wanted. */
interface Apart {
  /** What tells facts apart that add the same. */
  readonly codes: readonly Codes[]
  /** By fact: the number of its label by each of what is grouped by. */
  readonly labels: readonly Int32Array[]
  readonly isWanted: (fact: number) => boolean
}

function tellApart(chunk: FactChunk, { query, factGroups, devices }: Counter): Apart {
  const { of } = chunk.patterns
  const own: Codes[] = []
  const groups = factGroups.map(({ name, labels: numbers }) => {
    const { labels, at, isOwn } = labelColumn(chunk, name, devices)
    const byPlace = labels.map(numbers.of)
    // A customer has one value alone.
    if (isOwn) own.push(name === 'customer' ? { of: at, size: labels.length } : codesOf(byPlace, at).codes)
    return labelsOf(byPlace, isOwn ? at : replaced(of, at))
  })
  const filters = [...query.filters].flatMap(([name, wanted]) => {
    if (!isOfFact(name)) return []
    const { labels, at, isOwn } = labelColumn(chunk, name, devices)
    const { codes, meaningOf } = codesOf(
      labels.map((label) => wanted.has(label ?? '')),
      at,
    )
    if (isOwn) own.push(codes)
    return [isOwn ? meaningOf : (fact: number) => meaningOf(of[fact]!)]
  })
  return { codes: own, labels: groups, isWanted: (fact) => filters.every((passes) => passes(fact)) }
}

function labelsOf(byPlace: readonly number[], at: Uint16Array): Int32Array {
  const labels = new Int32Array(at.length)
  for (let fact = 0; fact < at.length; fact += 1) labels[fact] = byPlace[at[fact]!]!
  return labels
}

/** Facts that add the same and have the same labels are entered once, unless hardly any two do. */
function enterFacts({ patterns, count }: FactChunk, alikes: Alikes, apart: Apart, counter: Counter, [from, to]: Span) {
  const alikeOf = replaced(patterns.of, alikes.codes.of)
  const addends = new Int32Array(alikes.codes.size).fill(-1)
  const [firsts, seconds] = apart.labels
  const enter = (fact: number, facts: number): void => {
    if (!apart.isWanted(fact)) return
    const alike = alikeOf[fact]!
    if (addends[alike] === -1) addends[alike] = toAddend(alikes.at(alike), counter)
    counter.addends.enter(firsts?.[fact] ?? 0, seconds?.[fact] ?? 0, addends[alike]!, facts)
  }
  const all = combineFew(count, [{ of: alikeOf, size: alikes.codes.size }, ...apart.codes])
  if (all === null) {
    for (let fact = from; fact < to; fact += 1) enter(fact, 1)
    return
  }
  const numbers = new Int32Array(all.size)
  for (let fact = from; fact < to; fact += 1) numbers[all.of[fact]!]! += 1
  for (let no = 0; no < all.size; no += 1) if (numbers[no]! > 0) enter(all.rows[no]!, numbers[no]!)
}

function toAddend({ device, kind, footing, terms, periods, masses }: Alike, counter: Counter): number {
  const { query, isWhole, addends } = counter
  const [embodied, use, packaging, transportation] = masses as readonly [number, number, number, number]
  if ((kind & KINDS.refurbishment) !== 0) {
    if (counter.countsRefurbishments) counter.put(periods.orderDay, footing, LANE.embodied, embodied)
    return addends.end(-1, kind)
  }
  const isTenure = query.basis === 'tenure'
  const usual = periods[query.basis === 'order' ? 'orderDay' : 'dispatchDay']
  const shared = isTenure ? periods.sharedDay : usual
  if (isWhole && (kind & KINDS.firstOfDevice) !== 0) {
    const { whole } = counter.devices.of(device)!
    counter.put(periods.start, footing, LANE.embodied, (kind & KINDS.takenBack) === 0 ? whole : -whole)
  }
  // Rounded for each fact, so that what is corrected is undone.
  const other = footing.otherPackaging === null ? 0 : before(packaging, footing.otherPackaging)
  counter.put(shared, footing, LANE.packaging, packaging - other)
  counter.put(shared, footing, LANE.otherPackaging, other)
  counter.put(shared, footing, LANE.transportation, transportation)
  if (!isTenure) {
    if (!isWhole) counter.put(usual, footing, LANE.embodied, embodied)
    counter.put(usual, footing, LANE.use, use)
  }
  const pieces = isTenure && terms !== '' ? counter.piecesOf(terms) : []
  if (!isWhole) for (const piece of pieces) counter.put(piece.period, footing, LANE.embodied, within(embodied, piece))
  for (const piece of pieces) counter.put(piece.period, footing, LANE.use, within(use, piece))
  const isCounted = (kind & FIRST_OF_ANY) !== 0 && usual !== -1
  return addends.end(isCounted ? counter.countedIn(usual) : -1, kind)
}
