// Adds up the facts of a quality report by device footprint, age of the source, and whether the country is stated.
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
  /** Range of the order date, both days inclusive. */
  readonly from: DayNo
  readonly to: DayNo
  /** Null for all customers. */
  readonly customerId: string | null
}

/**
 * The attributes that determine a fact's quality, besides its classification. Facts with equal attributes are added up.
 */
export interface QualityTrait {
  /** As stored in facts; '' for none. */
  readonly device: string
  readonly product: string
  readonly isCountryStated: boolean
  /** Years from the source to the order; null if either year is unknown. */
  readonly deviceAge: number | null
  readonly packagingAge: number | null
  readonly transportationAge: number | null
}

export interface QualityAggregator {
  readonly devices: DeviceDimension
  readonly footings: FactClassifier
  readonly traits: readonly QualityTrait[]
  /** By trait and number of the lanes' calculation basis, lane by lane. */
  readonly tally: ExactAccumulator
  readonly partsAt: (number: number) => FactClassification['parts']
  readonly take: (chunk: ColumnChunk) => Promise<void>
}

export function createQualityAggregator(
  query: QualityQuery,
  referenceDataOf: (releaseId: number) => Promise<ReferenceData>,
): QualityAggregator {
  const devices = createDeviceDimension(referenceDataOf)
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
    partsAt: grounds.lanesAt,
    take: async (chunk) => {
      await devices.prepare(chunk)
      countChunk(chunk, query, { devices, footings, grounds, tally, traitOf, yearsOf })
    },
  }
}

/** Number of mixes for which years are cached, because each order may have a mix of its own. */
const MIXES_MAX = 20_000

/**
 * Numbers the calculation bases of lanes: the device, the country of use, and which lanes exist. The composition of
 * packaging and transport is not distinguished, because only devices are ranked by uncertainty.
 */
function createGrounds() {
  const all = createInterner<{ readonly parts: FactClassification['parts']; readonly coarse: string }>()
  return {
    of: (device: string, country: string, kind: number, { parts }: FactClassification): number => {
      const labels = parts.map((part) => (part === null ? '' : Object.values(part.label).join('\0')))
      const coarse = [device, ...labels].join('\0\0')
      return all.of([country, kind, coarse].join('\0'), () => ({ parts, coarse }))
    },
    /** The first basis of those that differ only by country or grid. */
    coarse: (no: number): number => all.of(all.at(no).coarse, () => all.at(no)),
    lanesAt: (no: number) => all.at(no).parts,
  }
}

interface Counting extends Pick<QualityAggregator, 'devices' | 'footings' | 'tally'> {
  readonly grounds: ReturnType<typeof createGrounds>
  readonly traitOf: (trait: QualityTrait) => number
  /** @param mix in the form stored in facts */
  readonly yearsOf: (mix: string) => MixYears
}

/** Groups of facts that the report does not distinguish; they are added up before anything else. */
interface Likes {
  readonly all: CombinedDictionary
  /** By group number; null for groups that the query excludes. */
  readonly places: readonly (LikePlace | null)[]
}

interface LikePlace {
  readonly trait: number
  readonly ground: number
  /** The share of the packaging that uses a proxy factor. */
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

/** Exact up to 2^53 milligrams (nine million tonnes), which no realistic chunk reaches. */
function sumsOf(chunk: ColumnChunk, name: MassColumn, all: Dictionary): Float64Array {
  const { values, at } = chunk.number(name)
  const { of } = chunk.patterns
  const sums = new Float64Array(all.size)
  for (let fact = 0; fact < chunk.count; fact += 1) sums[all.of[fact]!]! += values[at[of[fact]!]!]!
  return sums
}

/** Rounded for each fact, so that a correction cancels it exactly. */
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
  // 0 for a day outside the query.
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

/** Encodes a column with each value as its own meaning. */
const valuesOf = ({ values, at }: Column<readonly string[]>): DictionaryEncoded<string> => ({
  codes: { of: at, size: values.length },
  meaningOf: (row) => values[at[row]!]!,
})

/** Flags that only affect the counts of orders, rentals, devices and their months. */
const COUNTING =
  ENTRY_KINDS.firstOfOrder |
  ENTRY_KINDS.firstOfRental |
  ENTRY_KINDS.firstOfDevice |
  ENTRY_KINDS.takenBack |
  ENTRY_KINDS.held |
  ENTRY_KINDS.heldNoMore

type Texts = Readonly<Record<'device' | 'product' | 'country' | 'mix', string>>

function placeOf({ device, product, country, mix }: Texts, kind: number, year: number, counting: Counting): LikePlace {
  const { devices, footings, grounds, traitOf, yearsOf } = counting
  const trait = traitOf({
    device,
    product,
    isCountryStated: country !== '',
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

/** The publication years of a mix's factors: the oldest of several; null if one factor has no year. */
function yearsOfMix(text: string, devices: DeviceDimension): MixYears {
  if (text === '') return { packaging: null, transportation: null }
  const { releaseId, packaging, transportation } = decodeFactorMix(text)
  const referenceData = devices.referenceDataOf(releaseId)
  const oldest = (
    parts: FactorMix['packaging'],
    factors: ReferenceData['packagings'] | ReferenceData['transports'],
  ) => {
    const published = parts.map(([id]) => factors.get(id)!.source.year)
    return published.length === 0 || published.includes(null) ? null : Math.min(...(published as number[]))
  }
  return {
    packaging: oldest(packaging, referenceData.packagings),
    transportation: oldest(transportation, referenceData.transports),
  }
}
