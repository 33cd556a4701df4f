// One chunk into the sums of a report. Facts that differ in nothing that the report tells apart are added up first.
import type { FactChunk } from './chunk.ts'
import { codesOf, combine, type Codes, type Combined } from './codes.ts'
import type { Counter } from './count-emissions.ts'
import { labelColumn } from './dimension-values.ts'
import { isOfFact } from './emissions-query.ts'
import { KINDS, MASS_COLUMNS, readTerms } from './fact.ts'
import { LANE } from './footings.ts'
import { before, within } from './periods.ts'

const FIRST_OF_ANY = KINDS.firstOfOrder | KINDS.firstOfRental

/** The facts of a chunk that are the same to the report, by their number. */
interface Likes {
  readonly all: Combined
  readonly rowOf: (like: number) => number
  readonly isWanted: (like: number) => boolean
  readonly kindOf: (like: number) => number
  readonly footingOf: (like: number) => number
  readonly wholeOf: (like: number) => number
  /** The period of the order, of its dispatch, of its posting, and that in which a rental starts. */
  readonly periodOf: (like: number, by: PeriodName) => number
}

const PERIODS = ['orderDay', 'dispatchDay', 'postedDay', 'start'] as const
type PeriodName = (typeof PERIODS)[number]

export function countChunk(chunk: FactChunk, counter: Counter): void {
  const likes = findLikes(chunk, counter)
  const most = mostOf(chunk, counter)
  // Nearly always all at once: a double holds what one fact says, and the sum of nearly all that there are.
  const stretch = Math.max(1, Math.min(chunk.count, Math.floor(Number.MAX_SAFE_INTEGER / Math.max(1, most))))
  for (let from = 0; from < chunk.count; from += stretch) {
    const to = Math.min(chunk.count, from + stretch)
    counter.tally.expect((to - from) * most)
    countFacts(chunk, likes, counter, from, to)
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

function findLikes(chunk: FactChunk, counter: Counter): Likes {
  const columns: Codes[] = []
  /** Tells facts apart by what the values of a column mean; the meaning of what is alike is asked for by its number. */
  const by = <Meaning>(meanings: readonly Meaning[], at: Uint16Array): ((like: number) => Meaning) => {
    const { codes, meanings: distinct } = codesOf(meanings, at)
    const column = columns.push(codes) - 1
    return (like) => distinct[all.parts[column]![like]!]!
  }
  const { query, factGroups, devices, periods, rows, isWhole } = counter
  const groups = factGroups.map(({ name, labels: numbers }) => {
    const { labels, at } = labelColumn(chunk, name, devices)
    return by(labels.map(numbers.of), at)
  })
  const filters = [...query.filters].flatMap(([name, wanted]) => {
    if (!isOfFact(name)) return []
    const { labels, at } = labelColumn(chunk, name, devices)
    return [
      by(
        labels.map((label) => wanted.has(label ?? '')),
        at,
      ),
    ]
  })
  const grounds = groundsOf(chunk, counter)
  const ground = columns.push(grounds.codes) - 1
  const groundOf = (like: number): Ground => grounds.all[all.parts[ground]![like]!]!
  const used: Readonly<Record<PeriodName, boolean>> = {
    orderDay: query.basis === 'order' || counter.countsRefurbishments,
    dispatchDay: query.basis !== 'order',
    postedDay: query.basis === 'tenure',
    start: isWhole,
  }
  const told = new Map(
    PERIODS.filter((name) => used[name]).map((name) => {
      if (name !== 'start')
        return [name, by(Array.from(chunk.number(name).values, periods.ofDay), chunk.number(name).at)]
      const { values, at } = chunk.text('terms')
      return [
        name,
        by(
          values.map((text) => (text === '' ? -1 : periods.ofStart(readTerms(text)!))),
          at,
        ),
      ]
    }),
  )
  const all = combine(chunk.count, columns)
  return {
    all,
    rowOf: (like) => rows.of(groups[0]?.(like) ?? 0, groups[1]?.(like) ?? 0),
    isWanted: (like) => filters.every((passes) => passes(like)),
    kindOf: (like) => groundOf(like).kind,
    footingOf: (like) => groundOf(like).footing,
    wholeOf: (like) => devices.of(groundOf(like).device)!.whole,
    periodOf: (like, name) => told.get(name)!(like),
  }
}

/** What the milligrams of facts rest on. */
interface Ground {
  readonly device: string
  readonly kind: number
  readonly footing: number
}

/** Found once for all facts that have the same, however many ways the report tells them apart in. */
function groundsOf(
  chunk: FactChunk,
  { footings }: Counter,
): { readonly codes: Codes; readonly all: readonly Ground[] } {
  const [device, country, mix] = [chunk.text('device'), chunk.text('country'), chunk.text('mix')]
  const kind = chunk.number('kind')
  const codes = combine(
    chunk.count,
    [device, country, mix, kind].map(({ values, at }) => ({ of: Int32Array.from(at), size: values.length })),
  )
  const [devices, countries, mixes, kinds] = codes.parts as readonly [Int32Array, Int32Array, Int32Array, Int32Array]
  const all = Array.from({ length: codes.size }, (_, no): Ground => {
    const [ofDevice, ofKind] = [device.values[devices[no]!]!, kind.values[kinds[no]!]!]
    const footing = footings.of(ofDevice, country.values[countries[no]!]!, ofKind, mix.values[mixes[no]!]!)
    return { device: ofDevice, kind: ofKind, footing }
  })
  return { codes, all }
}

function countFacts(chunk: FactChunk, likes: Likes, counter: Counter, from: number, to: number): void {
  const { all } = likes
  const lanes = MASS_COLUMNS.length
  const [sums, numbers] = [new Float64Array(lanes * all.size), new Int32Array(all.size)]
  for (let fact = from; fact < to; fact += 1) numbers[all.of[fact]!]! += 1
  for (const [lane, name] of MASS_COLUMNS.entries()) {
    const { values, at } = chunk.number(name)
    for (let fact = from; fact < to; fact += 1) sums[lanes * all.of[fact]! + lane]! += values[at[fact]!]!
  }
  const spreads = new Uint8Array(all.size)
  const others = new Float64Array(all.size)
  addOtherPackaging(chunk, likes, counter, from, to, others)
  for (let like = 0; like < all.size; like += 1) {
    if (numbers[like] === 0 || !likes.isWanted(like)) continue
    const own = sums.subarray(lanes * like, lanes * (like + 1))
    if (countLikes(like, numbers[like]!, own, others[like]!, likes, counter)) spreads[like] = 1
  }
  if (spreads.includes(1)) spreadRentals(chunk, likes, counter, spreads, from, to)
}

/** Of packaging of which some stands in for another: rounded for each fact, so that what is corrected is undone. */
function addOtherPackaging(
  chunk: FactChunk,
  { all, footingOf }: Likes,
  { footings }: Counter,
  from: number,
  to: number,
  others: Float64Array,
): void {
  const places = Array.from({ length: all.size }, (_, like) => footings.at(footingOf(like)).otherPackaging)
  if (places.every((place) => place === null)) return
  const { values, at } = chunk.number('packaging')
  for (let fact = from; fact < to; fact += 1) {
    const place = places[all.of[fact]!]
    if (place) others[all.of[fact]!]! += before(values[at[fact]!]!, place)
  }
}

/** @returns true where embodied and use are yet to be spread over the months of each rental */
function countLikes(
  like: number,
  number: number,
  sums: Float64Array,
  other: number,
  likes: Likes,
  counter: Counter,
): boolean {
  const { query, isWhole, tally } = counter
  const [row, footing, kind] = [likes.rowOf(like), likes.footingOf(like), likes.kindOf(like)]
  const [embodied, use, packaging, transportation] = sums as unknown as readonly [number, number, number, number]
  if ((kind & KINDS.refurbishment) !== 0) {
    if (counter.countsRefurbishments)
      counter.add(row, likes.periodOf(like, 'orderDay'), footing, LANE.embodied, embodied)
    return false
  }
  const usual = likes.periodOf(like, query.basis === 'order' ? 'orderDay' : 'dispatchDay')
  counter.count(row, usual, kind, number)
  if (isWhole && (kind & KINDS.firstOfDevice) !== 0)
    counter.add(row, likes.periodOf(like, 'start'), footing, LANE.embodied, number * likes.wholeOf(like))
  const isCorrection = query.basis === 'tenure' && (kind & FIRST_OF_ANY) === 0
  const isSpread = query.basis === 'tenure' && (kind & KINDS.firstOfRental) !== 0
  const at = counter.placeOf(row, isCorrection ? likes.periodOf(like, 'postedDay') : usual, footing)
  if (at === -1) return isSpread
  if (!isSpread && !isWhole) tally.add(at, LANE.embodied, embodied)
  if (!isSpread) tally.add(at, LANE.use, use)
  tally.add(at, LANE.packaging, packaging - other)
  tally.add(at, LANE.otherPackaging, other)
  tally.add(at, LANE.transportation, transportation)
  return isSpread
}

/** Rentals of the same terms and milligrams are spread once. */
function spreadRentals(
  chunk: FactChunk,
  { all, rowOf, footingOf }: Likes,
  counter: Counter,
  spreads: Uint8Array,
  from: number,
  to: number,
): void {
  const [terms, embodied, use] = [chunk.text('terms'), chunk.number('embodied'), chunk.number('use')]
  const column = (at: Uint16Array, size: number): Codes => ({ of: Int32Array.from(at), size })
  const rentals = combine(chunk.count, [
    all,
    column(terms.at, terms.values.length),
    column(embodied.at, embodied.values.length),
    column(use.at, use.values.length),
  ])
  const numbers = new Int32Array(rentals.size)
  for (let fact = from; fact < to; fact += 1) numbers[rentals.of[fact]!]! += 1
  const [likes, ofTerms, ofEmbodied, ofUse] = rentals.parts as readonly [Int32Array, Int32Array, Int32Array, Int32Array]
  for (let rental = 0; rental < rentals.size; rental += 1) {
    const [like, number] = [likes[rental]!, numbers[rental]!]
    if (spreads[like] === 0 || number === 0) continue
    const [row, footing] = [rowOf(like), footingOf(like)]
    const own = counter.isWhole ? 0 : embodied.values[ofEmbodied[rental]!]!
    const used = use.values[ofUse[rental]!]!
    for (const piece of counter.piecesOf(terms.values[ofTerms[rental]!]!)) {
      const at = counter.placeOf(row, piece.period, footing)
      counter.tally.add(at, LANE.embodied, number * within(own, piece))
      counter.tally.add(at, LANE.use, number * within(used, piece))
    }
  }
}
