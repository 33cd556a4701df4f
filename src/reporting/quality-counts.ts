// Adds up the facts of a quality board: by what devices are charged by, how old that is, and whether a country is told.
import { DEFAULT_BOUNDARY } from '../engine/inventory-boundary.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import type { Column, ColumnChunk } from './column-chunk.ts'
import {
  dictionaryEncode,
  combineDictionaries,
  remap,
  type Dictionary,
  type DictionaryEncoded,
  type CombinedDictionary,
} from './dictionary.ts'
import { createDeviceDimension, type DeviceDimension } from './device-dimension.ts'
import { ENTRY_KINDS, MASS_COLUMNS, dayOf, type DayNo, type MassColumn } from './fact.ts'
import {
  PART_INDEX,
  createFactClassifier,
  createInterner,
  type FactClassification,
  type FactClassifier,
} from './classification.ts'
import { decodeFactorMix, type FactorMix } from './factor-mix.ts'
import { amountBefore, type Period } from './periods.ts'
import { createExactAccumulator, type ExactAccumulator } from './exact-sums.ts'

export interface QualityQuery {
  readonly accountId: number
  /** Days of the order date, both inclusive. */
  readonly from: DayNo
  readonly to: DayNo
  /** Null for all. */
  readonly customerId: string | null
}

/** What of a fact its quality hangs on, beside its footing; facts that are alike in it are added up. */
export interface QualityTrait {
  /** As facts have them; '' for none. */
  readonly device: string
  readonly product: string
  readonly isCountryTold: boolean
  /** From the year of the source to that of the order; null where either is not told. */
  readonly deviceAge: number | null
  readonly packagingAge: number | null
  readonly transportationAge: number | null
}

export interface QualityAggregator {
  readonly devices: DeviceDimension
  readonly footings: FactClassifier
  readonly traits: readonly QualityTrait[]
  /** By trait and the number of what the lanes rest on, lane by lane. */
  readonly tally: ExactAccumulator
  readonly lanesAt: (number: number) => FactClassification['lanes']
  readonly take: (chunk: ColumnChunk) => Promise<void>
}

export function createQualityAggregator(
  query: QualityQuery,
  bookOf: (releaseId: number) => Promise<ReferenceData>,
): QualityAggregator {
  const devices = createDeviceDimension(bookOf)
  const footings = createFactClassifier(DEFAULT_BOUNDARY, devices)
  const tally = createExactAccumulator()
  const grounds = createGrounds()
  const traits: QualityTrait[] = []
  const numbers = new Map<string, number>()
  const traitOf = (trait: QualityTrait): number => {
    const key = Object.values(trait).join('\0')
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, traits.length)
    return traits.push(trait) - 1
  }
  const mixes = new Map<string, MixYears>()
  const yearsOf = (mix: string): MixYears => {
    const years = mixes.get(mix) ?? yearsOfMix(mix, devices)
    if (mixes.size >= MIXES_MAX) mixes.clear()
    mixes.set(mix, years)
    return years
  }
  return {
    devices,
    footings,
    traits,
    tally,
    lanesAt: grounds.lanesAt,
    take: async (chunk) => {
      await devices.prepare(chunk)
      countChunk(chunk, query, { devices, footings, grounds, tally, traitOf, yearsOf })
    },
  }
}

/** Of so many mixes the years are kept at a time: each order may have one of its own. */
const MIXES_MAX = 20_000

/**
 * What lanes rest on, by number: the device, where it is used, and which lanes there are. What packaging and transport
 * consist of is not told apart, since only devices are ranked by how far off they may be.
 */
function createGrounds() {
  const all = createInterner<{ readonly lanes: FactClassification['lanes']; readonly coarse: string }>()
  return {
    of: (device: string, country: string, kind: number, { lanes }: FactClassification): number => {
      const labels = lanes.map((lane) => (lane === null ? '' : Object.values(lane.label).join('\0')))
      const coarse = [device, ...labels].join('\0\0')
      return all.of([country, kind, coarse].join('\0'), () => ({ lanes, coarse }))
    },
    /** The first of those that differ by country or grid alone. */
    coarse: (no: number): number => all.of(all.at(no).coarse, () => all.at(no)),
    lanesAt: (no: number) => all.at(no).lanes,
  }
}

interface Counting extends Pick<QualityAggregator, 'devices' | 'footings' | 'tally'> {
  readonly grounds: ReturnType<typeof createGrounds>
  readonly traitOf: (trait: QualityTrait) => number
  /** Of a mix as facts have it. */
  readonly yearsOf: (mix: string) => MixYears
}

/** Facts that differ in nothing that the board tells apart, which are added up before anything else is done. */
interface Likes {
  readonly all: CombinedDictionary
  /** By their number; null where they are not asked for. */
  readonly places: readonly (LikePlace | null)[]
}

interface LikePlace {
  readonly trait: number
  readonly ground: number
  /** How much of the packaging stands in for another. */
  readonly otherPackaging: Period | null
}

function countChunk(chunk: ColumnChunk, query: QualityQuery, counting: Counting): void {
  const { tally, grounds } = counting
  const { all, places } = likesIn(chunk, query, counting)
  const sums = MASS_COLUMNS.map((name) => sumsOf(chunk, name, all))
  const other = otherPackagingOf(chunk, { all, places })
  for (const [like, place] of places.entries()) {
    if (place === null) continue
    const [embodied, use, packaging, transportation] = sums.map((ofLikes) => ofLikes[like]!)
    tally.expect(sums.reduce((most, ofLikes) => most + Math.abs(ofLikes[like]!), 2 * Math.abs(other[like]!)))
    const at = tally.at(place.trait, place.ground, grounds.coarse)
    tally.add(at, PART_INDEX.embodied, embodied!)
    tally.add(at, PART_INDEX.use, use!)
    tally.add(at, PART_INDEX.packaging, packaging! - other[like]!)
    tally.add(at, PART_INDEX.otherPackaging, other[like]!)
    tally.add(at, PART_INDEX.transportation, transportation!)
  }
}

/** Exact up to 2^53 milligrams, nine million tonnes, which no chunk comes to but of orders that nobody sends. */
function sumsOf(chunk: ColumnChunk, name: MassColumn, all: Dictionary): Float64Array {
  const { values, at } = chunk.number(name)
  const { of } = chunk.patterns
  const sums = new Float64Array(all.size)
  for (let fact = 0; fact < chunk.count; fact += 1) sums[all.of[fact]!]! += values[at[of[fact]!]!]!
  return sums
}

/** Rounded once for each fact, so that what is corrected is undone. */
function otherPackagingOf(chunk: ColumnChunk, { all, places }: Likes): Float64Array {
  const sums = new Float64Array(all.size)
  const shares = places.map((place) => place?.otherPackaging ?? null)
  if (shares.every((share) => share === null)) return sums
  const { values, at } = chunk.number('packaging')
  const { of } = chunk.patterns
  for (let fact = 0; fact < chunk.count; fact += 1) {
    const share = shares[all.of[fact]!]
    if (share) sums[all.of[fact]!]! += amountBefore(values[at[of[fact]!]!]!, share)
  }
  return sums
}

function likesIn(chunk: ColumnChunk, { from, to, customerId }: QualityQuery, counting: Counting): Likes {
  const [day, kind] = [chunk.number('orderDay'), chunk.number('kind')]
  // 0 for a day that is not asked for.
  const year = dictionaryEncode(
    Array.from(day.values, (no) => (no >= from && no <= to ? Number(dayOf(no).slice(0, 4)) : 0)),
    day.at,
  )
  const grounds = dictionaryEncode(
    Array.from(kind.values, (flags) => flags & ~COUNTING),
    kind.at,
  )
  const [device, country, mix] = (['device', 'country', 'mix'] as const).map((name) => valuesOf(chunk.text(name)))
  const alike = combineDictionaries(
    chunk.patterns.size,
    [year, grounds, device!, country!, mix!].map(({ codes }) => codes),
  )
  const { values: customers, at } = chunk.own('customer')
  const isCustomer = dictionaryEncode(
    customers.map((one) => customerId === null || one === customerId),
    at,
  )
  const product = valuesOf(chunk.own('product'))
  const ofFacts = { of: remap(chunk.patterns.of, alike.of), size: alike.size }
  const all = combineDictionaries(chunk.count, [ofFacts, isCustomer.codes, product.codes])
  const places = Array.from(all.rows, (fact) => {
    const pattern = chunk.patterns.of[fact]!
    const [ofYear, flags] = [year.meaningOf(pattern), grounds.meaningOf(pattern)]
    if (ofYear === 0 || !isCustomer.meaningOf(fact) || (flags & ENTRY_KINDS.refurbishment) !== 0) return null
    const [ofDevice, used, consistsOf] = [device!, country!, mix!].map(({ meaningOf }) => meaningOf(pattern))
    const texts = { device: ofDevice!, product: product.meaningOf(fact), country: used!, mix: consistsOf! }
    return placeOf(texts, flags, ofYear, counting)
  })
  return { all, places }
}

/** A column as it is: each value means itself. */
const valuesOf = ({ values, at }: Column<readonly string[]>): DictionaryEncoded<string> => ({
  codes: { of: at, size: values.length },
  meaningOf: (row) => values[at[row]!]!,
})

/** What decides nothing but how many orders, rentals and devices there are. */
const COUNTING =
  ENTRY_KINDS.firstOfOrder | ENTRY_KINDS.firstOfRental | ENTRY_KINDS.firstOfDevice | ENTRY_KINDS.takenBack

type Texts = Readonly<Record<'device' | 'product' | 'country' | 'mix', string>>

function placeOf({ device, product, country, mix }: Texts, kind: number, year: number, counting: Counting): LikePlace {
  const { devices, footings, grounds, traitOf, yearsOf } = counting
  const trait = traitOf({
    device,
    product,
    isCountryTold: country !== '',
    deviceAge: ageOf(year, devices.of(device)?.footprint.source.year ?? null),
    packagingAge: ageOf(year, yearsOf(mix).packaging),
    transportationAge: ageOf(year, yearsOf(mix).transportation),
  })
  const footing = footings.of(device, country, kind, mix)
  return { trait, ground: grounds.of(device, country, kind, footing), otherPackaging: footing.otherPackaging }
}

const ageOf = (year: number, published: number | null): number | null => published && Math.max(0, year - published)

interface MixYears {
  readonly packaging: number | null
  readonly transportation: number | null
}

/** When the factors of a mix were published: of several, the oldest; null where one of them does not say. */
function yearsOfMix(text: string, devices: DeviceDimension): MixYears {
  if (text === '') return { packaging: null, transportation: null }
  const { releaseId, packaging, transportation } = decodeFactorMix(text)
  const book = devices.bookOf(releaseId)
  const oldest = (
    parts: FactorMix['packaging'],
    factors: ReferenceData['packagings'] | ReferenceData['transports'],
  ) => {
    const published = parts.map(([id]) => factors.get(id)!.source.year)
    return published.length === 0 || published.includes(null) ? null : Math.min(...(published as number[]))
  }
  return {
    packaging: oldest(packaging, book.packagings),
    transportation: oldest(transportation, book.transports),
  }
}
