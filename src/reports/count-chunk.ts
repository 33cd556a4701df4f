// One chunk into what a report adds up. Facts that add the same are told apart from others once, then only counted.
import type { Steps } from '../engine/numbers/steps.ts'
import type { FactChunk } from './chunk.ts'
import { TABLE_MAX, codesOf, combine, type Codes } from './codes.ts'
import type { Counter } from './count-emissions.ts'
import { labelColumn } from './dimension-values.ts'
import { isOfFact } from './emissions-query.ts'
import { KINDS, MASS_COLUMNS, readTerms } from './fact.ts'
import { LANE, type Footing } from './footings.ts'
import { before, within } from './periods.ts'

const FIRST_OF_ANY = KINDS.firstOfOrder | KINDS.firstOfRental

/** A step wherever what was added up before has to be moved aside. */
export function* countChunk(chunk: FactChunk, counter: Counter): Steps<void> {
  const alikes = findAlikes(chunk, counter)
  const most = mostOf(chunk, counter)
  // Nearly always all at once: a double holds what one fact says, and the sum of nearly all that there are.
  const stretch = Math.max(1, Math.min(chunk.count, Math.floor(Number.MAX_SAFE_INTEGER / Math.max(1, most))))
  for (let from = 0; from < chunk.count; from += stretch) {
    const to = Math.min(chunk.count, from + stretch)
    yield* counter.expect((to - from) * most)
    enterFacts(chunk.count, alikes, counter, from, to)
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

/** Where they stand among the columns of text that decide what a fact adds. */
const TERMS = 3

const PERIODS = ['orderDay', 'dispatchDay', 'sharedDay', 'start'] as const
type PeriodName = (typeof PERIODS)[number]

interface Alikes {
  readonly codes: Codes
  readonly at: (code: number) => Alike
  /** What facts are grouped and filtered by. */
  readonly groups: Codes & { readonly parts: readonly Int32Array[] }
  readonly rowOf: (group: number) => number
  readonly isWanted: (group: number) => boolean
}

function findAlikes(chunk: FactChunk, counter: Counter): Alikes {
  const { query, factGroups, devices, rows } = counter
  const columns = factGroups.map(({ name, labels: numbers }) => {
    const { labels, at } = labelColumn(chunk, name, devices)
    return codesOf(labels.map(numbers.of), at)
  })
  const filters = [...query.filters].flatMap(([name, wanted]) => {
    if (!isOfFact(name)) return []
    const { labels, at } = labelColumn(chunk, name, devices)
    const passes = labels.map((label) => wanted.has(label ?? ''))
    return [codesOf(passes, at)]
  })
  const groups = combine(
    chunk.count,
    [...columns, ...filters].map(({ codes }) => codes),
  )
  const labelOf = (group: number, column: number): number =>
    columns[column]?.meanings[groups.parts[column]![group]!] ?? 0
  return {
    ...alikesIn(chunk, counter),
    groups,
    rowOf: (group) => rows.of(labelOf(group, 0), labelOf(group, 1)),
    isWanted: (group) => filters.every(({ meanings }, no) => meanings[groups.parts[columns.length + no]![group]!]),
  }
}

/** Told apart by whatever decides what a fact adds, however many ways the report groups facts in. */
function alikesIn(chunk: FactChunk, counter: Counter): Pick<Alikes, 'codes' | 'at'> {
  const { query, periods, footings } = counter
  const isUsed: Readonly<Record<PeriodName, boolean>> = {
    orderDay: query.basis === 'order' || counter.countsRefurbishments,
    dispatchDay: query.basis !== 'order',
    sharedDay: query.basis === 'tenure',
    start: counter.isWhole,
  }
  const periodColumns = PERIODS.map((name) => {
    if (!isUsed[name]) return null
    if (name !== 'start') return codesOf(Array.from(chunk.number(name).values, periods.ofDay), chunk.number(name).at)
    const { values, at } = chunk.text('terms')
    return codesOf(
      values.map((text) => (text === '' ? -1 : periods.ofStart(readTerms(text)!))),
      at,
    )
  })
  const texts = (['device', 'country', 'mix', 'terms'] as const).map((name) => chunk.text(name))
  const numbers = (['kind', ...MASS_COLUMNS] as const).map((name) => chunk.number(name))
  const own = [...texts, ...numbers].map(({ values, at }): Codes => ({ of: at, size: values.length }))
  const isAny: Codes = { of: new Uint16Array(chunk.count), size: 1 }
  // The terms decide nothing where nothing is spread.
  if (query.basis !== 'tenure') own[TERMS] = isAny
  const all = combine(chunk.count, [...own, ...periodColumns.map((column) => column?.codes ?? isAny)])
  return {
    codes: all,
    at: (code) => {
      const [device, country, mix, terms] = texts.map(({ values }, no) => values[all.parts[no]![code]!]!)
      const [kind, ...masses] = numbers.map(({ values }, no) => values[all.parts[4 + no]![code]!]!)
      const found = PERIODS.map((name, no) => [
        name,
        periodColumns[no]?.meanings[all.parts[own.length + no]![code]!] ?? -1,
      ])
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

/** Facts of one row that add the same are entered once, unless nearly every fact is of another row or adds another. */
function enterFacts(
  count: number,
  { codes, at, groups, rowOf, isWanted }: Alikes,
  counter: Counter,
  from: number,
  to: number,
) {
  const rows = new Int32Array(groups.size)
  for (let group = 0; group < groups.size; group += 1) rows[group] = isWanted(group) ? rowOf(group) : -1
  const addends = new Int32Array(codes.size).fill(-1)
  const enter = (group: number, alike: number, facts: number): void => {
    const row = rows[group]!
    if (row === -1 || facts === 0) return
    if (addends[alike] === -1) addends[alike] = toAddend(at(alike), counter)
    counter.addends.enter(row, addends[alike]!, facts)
  }
  if (codes.size * groups.size > TABLE_MAX) {
    for (let fact = from; fact < to; fact += 1) enter(groups.of[fact]!, codes.of[fact]!, 1)
    return
  }
  const all = combine(count, [codes, groups])
  const numbers = new Int32Array(all.size)
  for (let fact = from; fact < to; fact += 1) numbers[all.of[fact]!]! += 1
  const [alikes, ofGroups] = all.parts as readonly [Int32Array, Int32Array]
  for (let no = 0; no < all.size; no += 1) enter(ofGroups[no]!, alikes[no]!, numbers[no]!)
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
  for (const piece of isTenure && terms !== '' ? counter.piecesOf(terms) : []) {
    if (!isWhole) counter.put(piece.period, footing, LANE.embodied, within(embodied, piece))
    counter.put(piece.period, footing, LANE.use, within(use, piece))
  }
  const isCounted = (kind & FIRST_OF_ANY) !== 0 && usual !== -1
  return addends.end(isCounted ? counter.countedIn(usual) : -1, kind)
}
